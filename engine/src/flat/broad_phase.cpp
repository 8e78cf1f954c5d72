#include "flat/broad_phase.h"

#include <cstring>

namespace forkmunk::engine::flat {
namespace {

constexpr double kMargin = 0.1F;    // of a leaf's size; Chipmunk writes both as floats
constexpr double kLookahead = 0.1F;  // seconds of motion
constexpr std::uint16_t kPairsAtOnce = 16;

// The velocity of the body that a shape hangs on; the deadline is moved without one.
Vec2 velocity_of(const LiveState& state, std::size_t shape) noexcept {
  return shape == kDeadlineShape ? Vec2{} : state.bodies[body_of(shape)].velocity;
}

void set_child(LiveState& state, std::uint8_t parent, bool first, std::uint8_t child) noexcept {
  Node& node = state.nodes[parent];
  (first ? node.a : node.b) = child;
  state.nodes[child].parent = parent;
}

// Takes `leaf` out of the tree; the node above it becomes spare, and boxes on the way up are made anew.
void remove_leaf(LiveState& state, std::uint8_t leaf) noexcept {
  const std::uint8_t parent = state.nodes[leaf].parent;
  if (parent == kNoNode) {
    state.root = kNoNode;
    return;
  }
  const Node& node = state.nodes[parent];
  const std::uint8_t other = node.a == leaf ? node.b : node.a;
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

// Puts `leaf` where the sum of areas stays least: of equal costs, to the nearer child; of equal distances, to the first.
// It becomes the first child of the spare node.
void insert_leaf(LiveState& state, std::uint8_t leaf) noexcept {
  const Box box = state.nodes[leaf].box;
  state.nodes[leaf].parent = kNoNode;
  if (state.root == kNoNode) {
    state.root = leaf;
    return;
  }
  std::uint8_t parent = kNoNode, place = state.root;
  bool first = false;
  while (place >= kMovingShapeCount) {
    Node& node = state.nodes[place];
    const Box &a = state.nodes[node.a].box, &b = state.nodes[node.b].box;
    double cost_a = area(b) + merged_area(a, box);
    double cost_b = area(a) + merged_area(b, box);
    if (cost_a == cost_b) {
      cost_a = proximity(a, box);
      cost_b = proximity(b, box);
    }
    node.box = merged(node.box, box);
    first = !(cost_b < cost_a);
    parent = place;
    place = first ? node.a : node.b;
  }
  const std::uint8_t joint = state.spare_node;
  state.nodes[joint].box = merged(box, state.nodes[place].box);
  set_child(state, joint, true, leaf);
  set_child(state, joint, false, place);
  if (parent == kNoNode) {
    state.root = joint;
    state.nodes[joint].parent = kNoNode;
  } else {
    set_child(state, parent, first, joint);
  }
}

// Gives a list's pairs back.
void free_pairs(LiveState& state, std::size_t leaf) noexcept {
  for (std::uint16_t i = state.nodes[leaf].first_pair; i != kNoPair;) {
    Pair& pair = state.pairs()[i];
    const std::uint16_t next = pair.next;
    pair.next = state.first_free_pair;
    state.first_free_pair = i;
    i = next;
  }
  state.nodes[leaf].first_pair = kNoPair;
}

// Takes the pairs with `other` out of the list of `leaf`.
void remove_pairs_with(LiveState& state, std::size_t other, std::size_t leaf) noexcept {
  std::uint16_t* link = &state.nodes[leaf].first_pair;
  while (*link != kNoPair) {
    const std::uint16_t i = *link;
    Pair& pair = state.pairs()[i];
    if (pair.other != other) {
      link = &pair.next;
      continue;
    }
    *link = pair.next;
    pair.next = state.first_free_pair;
    state.first_free_pair = i;
  }
}

void clear_pairs(LiveState& state, std::size_t leaf) noexcept {
  free_pairs(state, leaf);
  for (std::size_t other = 0; other < kMovingShapeCount; ++other) {
    if (concerns(leaf, other)) remove_pairs_with(state, leaf, other);
  }
}

}  // namespace

Box leaf_box(const Box& shape, Vec2 velocity) noexcept {
  const double x = (shape.r - shape.l) * kMargin;
  const double y = (shape.t - shape.b) * kMargin;
  const Vec2 v = velocity * kLookahead;
  return {shape.l + min_of(-x, v.x), shape.b + min_of(-y, v.y), shape.r + max_of(x, v.x), shape.t + max_of(y, v.y)};
}

void add_pair(LiveState& state, std::size_t other, std::size_t tester) noexcept {
  std::uint16_t i = state.first_free_pair;
  if (i != kNoPair) {
    state.first_free_pair = state.pairs()[i].next;
  } else {
    if (state.pair_count == state.pair_capacity) {
      Contact* const contacts = state.contacts();
      state.pair_capacity = static_cast<std::uint16_t>(state.pair_capacity + kPairsAtOnce);
      std::memmove(static_cast<void*>(state.contacts()), contacts, state.contact_count * sizeof(Contact));
      std::memset(static_cast<void*>(state.pairs() + state.pair_count), 0, kPairsAtOnce * sizeof(Pair));
    }
    i = state.pair_count++;
  }
  state.pairs()[i] = {0, static_cast<std::uint16_t>(other), state.nodes[tester].first_pair};
  state.nodes[tester].first_pair = i;
}

void build_tree(const MatchModel& model, LiveState& state, const std::array<Box, kMovingShapeCount>& boxes) noexcept {
  const auto ignore = [](std::size_t, std::size_t, std::uint32_t) { return std::uint32_t{0}; };
  for (std::size_t leaf = 0; leaf < kMovingShapeCount; ++leaf) {
    state.nodes[leaf].box = leaf_box(boxes[leaf], velocity_of(state, leaf));
    if (leaf > 0) state.spare_node = static_cast<std::uint8_t>(kMovingShapeCount + leaf - 1);
    insert_leaf(state, static_cast<std::uint8_t>(leaf));
    state.nodes[leaf].stamp = state.tree_stamp;
    find_pairs_of(model, state, leaf, ignore);
    ++state.tree_stamp;
  }
}

void update_tree(LiveState& state, const std::array<Box, kMovingShapeCount>& boxes) noexcept {
  for (const std::uint8_t leaf : state.leaf_order) {
    Node& node = state.nodes[leaf];
    if (contains(node.box, boxes[leaf])) continue;
    node.box = leaf_box(boxes[leaf], velocity_of(state, leaf));
    remove_leaf(state, leaf);
    insert_leaf(state, leaf);
    clear_pairs(state, leaf);
    node.stamp = state.tree_stamp;
  }
}

}  // namespace forkmunk::engine::flat
