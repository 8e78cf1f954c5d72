// SPDX-License-Identifier: MIT
#include "flat/broad_phase.h"

#include <forkmunk/arena_alloc/poison.h>

FORKMUNK_KERNEL_BEGIN(forkmunk::engine::flat)
namespace {

constexpr double kMargin = 0.1F;     // relative to a leaf's size; Chipmunk writes both as floats
constexpr double kLookahead = 0.1F;  // seconds of motion

// The deadline has no velocity.
Vec velocity_of(const LiveState& state, std::size_t shape) noexcept {
  return shape == kDeadlineShape ? Vec{} : state.bodies[body_of(shape)].velocity;
}

void set_child(LiveState& state, std::uint8_t parent, bool first, std::uint8_t child) noexcept {
  Node& node = state.nodes[parent];
  std::uint8_t* const link = first ? &node.a : &node.b;
  *link = child;
  state.nodes[child].parent = parent;
}

constexpr std::uint64_t kEachLeaf = 0x1111111111111111u;

unsigned bit_of(std::uint64_t leaves, std::uint8_t leaf) noexcept {
  const std::uint64_t difference = leaves ^ kEachLeaf * leaf;
  const std::uint64_t zeros = (difference - kEachLeaf) & ~difference & kEachLeaf << (kLeafBits - 1);
  return static_cast<unsigned>(std::countr_zero(zeros)) / kLeafBits * kLeafBits;
}
std::uint64_t below(unsigned bit) noexcept { return (std::uint64_t{1} << bit) - 1; }
std::uint64_t without(std::uint64_t leaves, std::uint8_t leaf) noexcept {
  const unsigned bit = bit_of(leaves, leaf);
  return (leaves & below(bit)) | (leaves >> kLeafBits & ~below(bit));
}
std::uint64_t with_before(std::uint64_t leaves, std::uint8_t leaf, std::uint8_t next) noexcept {
  const unsigned bit = bit_of(leaves, next);
  return (leaves & below(bit)) | std::uint64_t{leaf} << bit | (leaves & ~below(bit)) << kLeafBits;
}

// The leaf's parent becomes the spare node.
void remove_leaf(LiveState& state, std::uint8_t leaf) noexcept {
  const std::uint8_t parent = state.nodes[leaf].parent;
  state.leaves = without(state.leaves, leaf);
  if (parent == kNoNode) {
    state.root = kNoNode;
    return;
  }
  const Node& node = state.nodes[parent];
  const auto other = static_cast<std::uint8_t>(node.a ^ node.b ^ leaf);
  const std::uint8_t above = node.parent;
  state.spare_node = parent;
  if (above == kNoNode) {
    state.root = other;
    state.nodes[other].parent = kNoNode;
    return;
  }
  set_child(state, above, state.nodes[above].a == parent, other);
  for (std::uint8_t i = above; i != kNoNode; i = state.nodes[i].parent) {
    state.nodes[i].box = merged(state.nodes[state.nodes[i].a].box, state.nodes[state.nodes[i].b].box);
  }
}

// Inserts `leaf` by goes_to_first(), as the first child of the spare node, which is outside of a non-empty tree.
void insert_leaf(LiveState& state, std::uint8_t leaf) noexcept {
  const Box box = state.nodes[leaf].box;
  state.nodes[leaf].parent = kNoNode;
  if (state.root == kNoNode) {
    state.root = leaf;
    state.leaves = leaf;
    return;
  }
  std::uint8_t parent = kNoNode, index = state.root;
  bool first = false;
  while (index >= kMovingShapeCount) {
    Node& node = state.nodes[index];
    first = goes_to_first(state.nodes[node.a].box, state.nodes[node.b].box, box);
    node.box = merged(node.box, box);
    parent = index;
    index = first ? node.a : node.b;
  }
  state.leaves = with_before(state.leaves, leaf, index);
  const std::uint8_t inner_node = state.spare_node;
  FORKMUNK_CHECK(inner_node >= kMovingShapeCount && inner_node < kNodeCount, "the spare node is %d", inner_node);
  state.nodes[inner_node].box = merged(box, state.nodes[index].box);
  set_child(state, inner_node, true, leaf);
  set_child(state, inner_node, false, index);
  if (parent == kNoNode) {
    state.root = inner_node;
    state.nodes[inner_node].parent = kNoNode;
  } else {
    set_child(state, parent, first, inner_node);
  }
}

void remove_pair(LiveState& state, std::size_t other, std::size_t leaf) noexcept {
  PairList& list = state.pair_lists[leaf];
  Pair* const pairs = state.pairs() + list.begin;
  std::uint16_t kept = 0;
  for (std::size_t i = 0; i < list.count; ++i) {
    if (pairs[i].other != other) pairs[kept++] = pairs[i];
  }
  list.count = kept;
}

// \param box  the leaf's box when its pairs were found, which their leaves intersect.
void clear_pairs(LiveState& state, std::size_t leaf, const Box& box) noexcept {
  state.pair_lists[leaf].count = 0;
  for (std::uint32_t met = neighbours(state, leaf, box); met != 0; met &= met - 1) {
    remove_pair(state, leaf, static_cast<std::size_t>(std::countr_zero(met)));
  }
}

// Moves everything behind the list. size_bytes_max() leaves room for the largest lists.
void grow([[maybe_unused]] const MatchModel& model, LiveState& state, std::size_t leaf) noexcept {
  PairList& list = state.pair_lists[leaf];
  FORKMUNK_CHECK(list.count < pair_list_count_max(model, leaf), "leaf %zu has %d pairs, one more than it can have",
                 leaf, list.count + 1);
  Pair* const end = state.pairs() + list.begin + list.capacity;
  const auto* const bytes_end = reinterpret_cast<const std::byte*>(&state) + state.size_bytes();
  FORKMUNK_UNPOISON(bytes_end, kPairsAtOnce * sizeof(Pair));
  std::memmove(static_cast<void*>(end + kPairsAtOnce), end,
               static_cast<std::size_t>(bytes_end - reinterpret_cast<const std::byte*>(end)));
  std::memset(static_cast<void*>(end), 0, kPairsAtOnce * sizeof(Pair));
  list.capacity = static_cast<std::uint16_t>(list.capacity + kPairsAtOnce);
  state.pair_capacity = static_cast<std::uint16_t>(state.pair_capacity + kPairsAtOnce);
  for (std::size_t after = leaf + 1; after < kMovingShapeCount; ++after) {
    state.pair_lists[after].begin = static_cast<std::uint16_t>(state.pair_lists[after].begin + kPairsAtOnce);
  }
}

}  // namespace

Box leaf_box(const Box& shape, Vec velocity) noexcept {
  const Lanes margin = (shape.high - shape.low) * kMargin;
  const Lanes v = Lanes{velocity.x, velocity.y} * kLookahead;
  return {shape.low + min_of(-margin, v), shape.high + max_of(margin, v)};
}

void add_pair(const MatchModel& model, LiveState& state, std::size_t other, std::size_t leaf) noexcept {
  PairList& list = state.pair_lists[leaf];
  if (list.count == list.capacity) grow(model, state, leaf);
  state.pairs()[list.begin + list.count++] = {0, static_cast<std::uint32_t>(other)};
}

void build_tree(const MatchModel& model, LiveState& state, const std::array<Box, kMovingShapeCount>& boxes) noexcept {
  for (std::size_t leaf = 0; leaf < kMovingShapeCount; ++leaf) {
    state.nodes[leaf].box = leaf_box(boxes[leaf], velocity_of(state, leaf));
    if (leaf > 0) state.spare_node = static_cast<std::uint8_t>(kMovingShapeCount + leaf - 1);
    insert_leaf(state, static_cast<std::uint8_t>(leaf));
    state.nodes[leaf].stamp = state.tree_stamp;
    find_new_pairs(model, state, leaf, [](std::size_t) {});
    ++state.tree_stamp;
  }
}

void update_tree(LiveState& state, const std::array<Box, kMovingShapeCount>& boxes) noexcept {
  // Branchless, because the selection is unpredictable.
  std::uint32_t outside = 0;
  for (std::size_t i = 0; i < kMovingShapeCount; ++i) {
    const std::uint8_t leaf = state.leaf_order[i];
    outside |= (contains(state.nodes[leaf].box, boxes[leaf]) ? 0u : 1u) << i;
  }
  for (; outside != 0; outside &= outside - 1) {
    const std::uint8_t leaf = state.leaf_order[static_cast<std::size_t>(std::countr_zero(outside))];
    Node& node = state.nodes[leaf];
    const Box old_box = node.box;
    node.box = leaf_box(boxes[leaf], velocity_of(state, leaf));
    remove_leaf(state, leaf);
    insert_leaf(state, leaf);
    clear_pairs(state, leaf, old_box);
    node.stamp = state.tree_stamp;
  }
}

FORKMUNK_KERNEL_END
