#pragma once

#include "flat/state.h"

#include <forkmunk/base/check.h>

#include <bit>

/// Which shapes may touch: a tree of boxes over the moving shapes, and for each of them a list of those nearby.
///
/// Leaves are made larger than their shapes by a tenth of their size, or by a tenth of a second's motion; only a leaf
/// whose shape has left its box is taken out and put back, and only then are its pairs looked up anew. The order in
/// which pairs are tested is the order in which contacts are solved: the tree's shape, and the lists' order, fix bits.
namespace forkmunk::engine::flat::inline FORKMUNK_KERNEL {

/// The box of a shape's leaf: the shape's, extended on each side by max(size / 10, speed / 10).
[[nodiscard]] Box leaf_box(const Box& shape, Vec velocity) noexcept;

/// Puts all leaves into an empty tree, in the shapes' order, with their pairs. \param boxes  of the shapes.
void build_tree(const MatchModel& model, LiveState& state, const std::array<Box, kMovingShapeCount>& boxes) noexcept;

/// Takes those leaves out and puts them back that no longer hold their shapes.
void update_tree(LiveState& state, const std::array<Box, kMovingShapeCount>& boxes) noexcept;

/// Finds all pairs and has each tested, in order. Shapes are numbered as in Pair::other. A Tester has test(a, b, id) ->
/// id, and meet(shape, box) on whether a shape's box intersects `box`, without which test() does nothing. \param boxes
/// of the moving shapes.
template <typename Tester>
void find_pairs(const MatchModel& model, LiveState& state, const std::array<Box, kMovingShapeCount>& boxes,
                Tester& tester) noexcept;

// ---- The rest is how ----

/// Adds a pair to the list of `leaf`. \pre it is not in it.
void add_pair(const MatchModel& model, LiveState& state, std::size_t other, std::size_t leaf) noexcept;

/// Calls visit(segment index) for the segments whose boxes intersect `box`, in the order of Chipmunk's static tree.
template <typename Visit>
void query_segments(const MatchModel& model, const Box& box, Visit&& visit) noexcept {
  const Lanes left = both(box.low[0]), bottom = both(box.low[1]), right = both(box.high[0]), top = both(box.high[1]);
  for (const SegmentBlock& block : model.segment_blocks) {
    if (!intersect(box, block.box)) continue;
    std::uint32_t meeting = 0;  // a bit for each segment
    for (std::size_t i = 0; i < SegmentBlock::kSize; i += 2) {
      const Mask by_x = both_of(at_most(load(&block.left[i]), right), at_most(left, load(&block.right[i])));
      const Mask by_y = both_of(at_most(load(&block.bottom[i]), top), at_most(bottom, load(&block.top[i])));
      meeting |= bits_of(both_of(by_x, by_y)) << i;
    }
    for (; meeting != 0; meeting &= meeting - 1) {
      visit(static_cast<std::size_t>(block.segments[static_cast<std::size_t>(std::countr_zero(meeting))]));
    }
  }
}

/// The same for the leaves under `node` of the tree of moving shapes, which is at most kMovingShapeCount deep.
template <typename Visit>
void query_subtree(const LiveState& state, std::uint8_t node, const Box& box, Visit&& visit) noexcept {
  if (!intersect(box, state.nodes[node].box)) return;
  if (node < kMovingShapeCount) {
    visit(static_cast<std::size_t>(node));
  } else {
    query_subtree(state, state.nodes[node].a, box, visit);
    query_subtree(state, state.nodes[node].b, box, visit);
  }
}

/// Pairs whose boxes meet, to be tested in the order in which they were found. Many at once: how many a leaf has is
/// hard to foretell, how many there are in all less so.
template <typename Tester>
class PairTests {
 public:
  static constexpr std::uint16_t kNew = 0xFFFF;  ///< A place: the pair is not yet in a list, or in the other one's.

  PairTests(LiveState& state, Tester& tester) noexcept : state_(state), tester_(tester) {}

  /// For one leaf more.
  void make_room() noexcept {
    if (count_ > kPairListCapacityMax) [[unlikely]]
      run();
  }
  /// \param place  in the list of `leaf`, or kNew.  \param box  of the leaf's shape.
  void add_if_meeting(std::size_t leaf, std::size_t other, std::size_t place, const Box& box) noexcept {
    FORKMUNK_CHECK_DEEP(count_ < tests_.size(), "%zu pairs to test", count_);
    tests_[count_] = {static_cast<std::uint16_t>(other), static_cast<std::uint16_t>(place),
                      static_cast<std::uint8_t>(leaf)};
    count_ += tester_.meet(other, box) ? 1 : 0;  // without a branch
  }

  void run() noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
      const Test& test = tests_[i];
      if (test.place == kNew) {
        tester_.test(test.leaf, test.other, 0);
      } else {
        Pair& pair = state_.pairs()[state_.pair_lists[test.leaf].begin + test.place];
        pair.id = tester_.test(test.other, test.leaf, pair.id);
      }
    }
    count_ = 0;
  }

 private:
  struct Test {
    std::uint16_t other, place;
    std::uint8_t leaf;
  };

  LiveState& state_;
  Tester& tester_;
  std::size_t count_ = 0;
  std::array<Test, 2 * kPairListCapacityMax + 1> tests_;
};

/// The pairs of one leaf. A leaf that was put back in this step looks at the whole tree: what lies to its left, it
/// tests; to what lies to its right it gives a pair to test. Any other leaf goes through its list.
template <typename Tester>
void find_pairs_of(const MatchModel& model, LiveState& state, const std::array<Box, kMovingShapeCount>& boxes,
                   std::size_t leaf, PairTests<Tester>& tests) noexcept {
  tests.make_room();
  const auto add = [&](std::size_t other, std::size_t place) { tests.add_if_meeting(leaf, other, place, boxes[leaf]); };
  if (state.nodes[leaf].stamp != state.tree_stamp) {
    const PairList list = state.pair_lists[leaf];
    const Pair* const pairs = state.pairs() + list.begin;
    for (std::size_t i = list.count; i-- > 0;) add(pairs[i].other, i);
    return;
  }
  const Box box = state.nodes[leaf].box;
  if (leaf != kDeadlineShape) {
    query_segments(model, box, [&](std::size_t segment) {
      if (!concerns(leaf, model.segments[segment])) return;
      add_pair(model, state, kMovingShapeCount + segment, leaf);
      add(kMovingShapeCount + segment, PairTests<Tester>::kNew);
    });
  }
  for (auto node = static_cast<std::uint8_t>(leaf); state.nodes[node].parent != kNoNode;
       node = state.nodes[node].parent) {
    const Node& parent = state.nodes[state.nodes[node].parent];
    if (node == parent.a) {
      query_subtree(state, parent.b, box, [&](std::size_t other) {
        if (concerns(leaf, other)) add_pair(model, state, leaf, other);
      });
    } else {
      query_subtree(state, parent.a, box, [&](std::size_t other) {
        if (!concerns(leaf, other)) return;
        if (state.nodes[other].stamp < state.nodes[leaf].stamp) add_pair(model, state, other, leaf);
        add(other, PairTests<Tester>::kNew);
      });
    }
  }
}

template <typename Tester>
void find_pairs(const MatchModel& model, LiveState& state, const std::array<Box, kMovingShapeCount>& boxes,
                Tester& tester) noexcept {
  PairTests<Tester> tests(state, tester);
  // Nodes to go to, the next one last. Their subtrees have no leaf in common, so that there are never more than leaves.
  std::array<std::uint8_t, kMovingShapeCount> open;
  std::size_t open_count = 0;
  open[open_count++] = state.root;
  while (open_count > 0) {
    const std::uint8_t node = open[--open_count];
    if (node < kMovingShapeCount) {
      find_pairs_of(model, state, boxes, node, tests);
    } else {
      FORKMUNK_CHECK_DEEP(open_count + 2 <= open.size(), "%zu nodes are open", open_count);
      open[open_count++] = state.nodes[node].b;
      open[open_count++] = state.nodes[node].a;
    }
  }
  tests.run();
  ++state.tree_stamp;
}

}  // namespace forkmunk::engine::flat::inline FORKMUNK_KERNEL
