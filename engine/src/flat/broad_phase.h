// SPDX-License-Identifier: MIT
#pragma once

#include "flat/live_state.h"

#include <forkmunk/base/check.h>

#include <bit>
#include <cstring>

/// A bounding box tree over the moving shapes, and a list of nearby shapes for each. A leaf is reinserted, and its
/// pairs are searched again, only when its shape has left leaf_box(). Contacts are solved in the order in which pairs
/// are tested, so the tree's shape and the lists' order affect the bits.
FORKMUNK_KERNEL_BEGIN(forkmunk::engine::flat)

/// Returns the shape's box, extended on each side by max(size / 10, speed / 10).
[[nodiscard]] Box leaf_box(const Box& shape, Vec velocity) noexcept;

/// Inserts all leaves into an empty tree, in the shapes' order, and finds their pairs.
void build_tree(const MatchModel& model, LiveState& state, const std::array<Box, kMovingShapeCount>& boxes) noexcept;

void update_tree(LiveState& state, const std::array<Box, kMovingShapeCount>& boxes) noexcept;

/// Finds all pairs and tests those that meet, in order. A Tester has test(a, b, id) -> id, with shapes numbered as in
/// Pair::other, and meet(shape, box), which returns whether a shape's box intersects `box`.
template <typename Tester>
void find_pairs(const MatchModel& model, LiveState& state, const std::array<Box, kMovingShapeCount>& boxes,
                Tester& tester) noexcept;

/// \pre the list of `leaf` does not have the pair.
void add_pair(const MatchModel& model, LiveState& state, std::size_t other, std::size_t leaf) noexcept;

/// Finds the segments whose boxes intersect `box`, in the order of Chipmunk's static tree, except those of left_out():
/// a bit for each segment of a block. Compaction is branchless, because the result is unpredictable.
class SegmentQuery {
 public:
  template <typename LeftOut>
  SegmentQuery(const MatchModel& model, const Box& box, LeftOut&& left_out) noexcept {
    const Lanes left = all_lanes<Lanes>(box.low[0]), bottom = all_lanes<Lanes>(box.low[1]),
                right = all_lanes<Lanes>(box.high[0]), top = all_lanes<Lanes>(box.high[1]);
    std::array<const SegmentBlock*, kSegmentBlockCountMax + 1> blocks;
    std::size_t block_count = 0;
    for (const SegmentBlock& block : model.segment_blocks) {
      blocks[block_count] = &block;
      block_count += intersect(box, block.box) ? 1 : 0;
    }
    for (std::size_t b = 0; b < block_count; ++b) {
      const SegmentBlock& block = *blocks[b];
      std::uint32_t meeting = 0;
      for (std::size_t i = 0; i < SegmentBlock::kSize; i += 2) {
        const Mask by_x = both_of(at_most(load(&block.left[i]), right), at_most(left, load(&block.right[i])));
        const Mask by_y = both_of(at_most(load(&block.bottom[i]), top), at_most(bottom, load(&block.top[i])));
        meeting |= bits_of(both_of(by_x, by_y)) << i;
      }
      meeting &= ~left_out(block);
      for (std::size_t i = 0; i < SegmentBlock::kSize; ++i) {
        found_[count_] = block.segments[i];
        count_ += meeting >> i & 1;
      }
    }
    FORKMUNK_CHECK_DEEP(count_ <= kStaticShapeCountMax, "%zu segments", count_);
  }

  [[nodiscard]] const std::uint16_t* begin() const noexcept { return found_.data(); }
  [[nodiscard]] const std::uint16_t* end() const noexcept { return found_.data() + count_; }

 private:
  std::size_t count_ = 0;
  std::array<std::uint16_t, kStaticShapeCountMax + 1> found_;
};

template <typename Visit>
void query_segments(const MatchModel& model, const Box& box, Visit&& visit) noexcept {
  for (const std::uint16_t segment : SegmentQuery(model, box, [](const SegmentBlock&) { return 0u; })) {
    visit(std::size_t{segment});
  }
}

/// Recurses at most kMovingShapeCount levels.
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

inline constexpr auto kConcerned = [] {
  std::array<std::uint32_t, kMovingShapeCount> masks{};
  for (std::size_t a = 0; a < kMovingShapeCount; ++a) {
    for (std::size_t b = 0; b < kMovingShapeCount; ++b) masks[a] |= (concerns(a, b) ? 1u : 0u) << b;
  }
  return masks;
}();

/// Returns the leaves, as a mask, that `leaf` can interact with and whose boxes intersect `box`.
inline std::uint32_t neighbours(const LiveState& state, std::size_t leaf, const Box& box) noexcept {
  std::uint32_t met = 0;
  for (std::size_t other = 0; other < kMovingShapeCount; ++other) {
    met |= (intersect(box, state.nodes[other].box) ? 1u : 0u) << other;
  }
  return met & kConcerned[leaf];
}

/// Calls test(other), in order, for each pair of a reinserted leaf: it tests the leaves to its left, and leaves to its
/// right get a pair to test. Pairs begin without an id.
template <typename Test>
void find_new_pairs(const MatchModel& model, LiveState& state, std::size_t leaf, Test&& test) noexcept {
  const Box box = state.nodes[leaf].box;
  if (leaf != kDeadlineShape) {
    const SegmentQuery segments(model, box,
                                [&](const SegmentBlock& block) { return is_button(leaf) ? 0u : block.sensors; });
    for (const std::uint16_t segment : segments) {
      add_pair(model, state, kMovingShapeCount + segment, leaf);
      test(kMovingShapeCount + segment);
    }
  }
  if (neighbours(state, leaf, box) == 0) return;  // common, while the cars are apart
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
        test(other);
      });
    }
  }
}

/// Flattens the pairs of all leaves into one sequence: a leaf's number of pairs is mispredicted more often than the
/// total. `rank` is a leaf's position in the order of leaves.
class PairsInOrder {
 public:
  PairsInOrder(const MatchModel& model, LiveState& state) noexcept {
    for (std::uint64_t leaves = state.leaves, i = 0; i < kMovingShapeCount; ++i, leaves >>= kLeafBits) {
      const std::size_t leaf = leaves % (1u << kLeafBits);
      new_ |= (state.nodes[leaf].stamp == state.tree_stamp ? 1u : 0u) << i;
    }
    // Precedes the reading of the lists, because a new leaf adds pairs to leaves on its right.
    std::array<Pair*, kMovingShapeCount + 1> found;
    Pair** top = found.data();
    *top = found_.data() + found_.size();
    for (std::uint32_t todo = new_; todo != 0; todo &= todo - 1, ++top) {
      Pair* first = *top;
      find_new_pairs(model, state, leaf_at(state, static_cast<unsigned>(std::countr_zero(todo))),
                     [&](std::size_t other) {
                       *--first = {0, static_cast<std::uint32_t>(other)};
                     });
      top[1] = first;
    }
    std::array<std::size_t, kMovingShapeCount> counts;
    for (unsigned i = 0; i < kMovingShapeCount; ++i) {
      const std::size_t leaf = leaf_at(state, i);
      const PairList& list = state.pair_lists[leaf];
      leaf_[i] = static_cast<std::uint8_t>(leaf);
      end_[i] = reinterpret_cast<std::uintptr_t>(state.pairs() + list.begin + list.count);
      counts[i] = list.count;
    }
    top = found.data();
    for (std::uint32_t todo = new_; todo != 0; todo &= todo - 1, ++top) {
      const auto i = static_cast<unsigned>(std::countr_zero(todo));
      end_[i] = reinterpret_cast<std::uintptr_t>(top[0]);
      counts[i] = static_cast<std::size_t>(top[0] - top[1]);
    }
    for (unsigned i = 0; i < kMovingShapeCount; ++i) {
      FORKMUNK_CHECK_DEEP(counts[i] <= kPairListCapacityMax, "%zu pairs of one leaf", counts[i]);
      // The next leaf overwrites the excess.
      std::size_t written = 0;
      do {
        std::memset(&rank_of_[count_ + written], static_cast<int>(i), kWrittenAtOnce);
        written += kWrittenAtOnce;
      } while (written < counts[i]);
      end_[i] += count_ * sizeof(Pair);
      count_ += counts[i];
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] std::size_t leaf_of(std::size_t pair) const noexcept { return leaf_[rank_of_[pair]]; }
  [[nodiscard]] Pair& pair(std::size_t pair) noexcept {
    return *reinterpret_cast<Pair*>(end_[rank_of_[pair]] - (pair + 1) * sizeof(Pair));
  }
  [[nodiscard]] bool is_new_pair(std::size_t pair) const noexcept { return is_new(rank_of_[pair]); }

 private:
  static constexpr std::size_t kWrittenAtOnce = 16;

  [[nodiscard]] static std::size_t leaf_at(const LiveState& state, unsigned rank) noexcept {
    return state.leaves >> kLeafBits * rank & ((1u << kLeafBits) - 1);
  }
  [[nodiscard]] bool is_new(unsigned rank) const noexcept { return (new_ >> rank & 1) != 0; }

  std::size_t count_ = 0;
  std::uint32_t new_ = 0;                             // by rank, as bits
  std::array<std::uint8_t, kMovingShapeCount> leaf_;  // by rank
  // By rank, the address of the end of its pairs (the last pair comes first), plus the index of its first pair in the
  // sequence, for speed. The sum may lie outside of every array.
  std::array<std::uintptr_t, kMovingShapeCount> end_;
  std::array<Pair, kMovingShapeCount * kPairListCapacityMax> found_;  // pairs of new leaves
  std::array<std::uint8_t, kMovingShapeCount * kPairListCapacityMax + kWrittenAtOnce> rank_of_;
};

template <typename Tester>
void find_pairs(const MatchModel& model, LiveState& state, const std::array<Box, kMovingShapeCount>& boxes,
                Tester& tester) noexcept {
  PairsInOrder pairs(model, state);
  // Branchless, because overlaps are unpredictable.
  std::array<std::uint16_t, kMovingShapeCount * kPairListCapacityMax + 1> meeting;
  std::size_t count = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    meeting[count] = static_cast<std::uint16_t>(i);
    count += tester.meet(pairs.pair(i).other, boxes[pairs.leaf_of(i)]) ? 1 : 0;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t number = meeting[i], leaf = pairs.leaf_of(number);
    Pair& pair = pairs.pair(number);
    const bool is_new = pairs.is_new_pair(number);
    pair.id = tester.test(is_new ? leaf : pair.other, is_new ? pair.other : leaf, pair.id);
  }
  ++state.tree_stamp;
}

FORKMUNK_KERNEL_END
