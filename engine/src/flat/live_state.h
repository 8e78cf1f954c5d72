// SPDX-License-Identifier: MIT
#pragma once

#include "flat/model.h"
#include "match_rules.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

/// The live half of the flat engine: everything that a step reads of the past. One block of bytes without pointers,
///
///     | LiveState | pairs of each leaf, with some room: pair_capacity | contacts: contact_count |
///
/// of which size_bytes() are in use; copying those clones a world. Indices replace Chipmunk's pointers.
namespace forkmunk::engine::flat {

inline constexpr std::uint8_t kNoNode = 0xFF;
inline constexpr std::size_t kNodeCount = 2 * kMovingShapeCount - 1;

struct Body {
  Vec position{};  ///< Of the centre of gravity.
  double angle = 0;
  Vec velocity{};
  double angular_velocity = 0;
  Vec bias_velocity{};  ///< Separates penetrating bodies in the next step's move; then it is reset.
  double bias_angular_velocity = 0;
  Vec rotation{1, 0};  ///< Cosine and sine of `angle`; not updated for round wheels, which need none.
  Vec origin{};        ///< Of the body, as the contest reports it.
};

/// A node of the tree of moving shapes; the first kMovingShapeCount are the leaves, by shape.
struct Node {
  Box box{};                ///< Of a leaf: the shape's box, enlarged so that it is valid for some ticks.
  std::uint32_t stamp = 0;  ///< Of a leaf: time of its insertion.
  std::uint8_t parent = kNoNode, a = kNoNode, b = kNoNode;
};

/// Two shapes whose leaves overlap, in the list of the leaf that tests them.
struct Pair {
  std::uint32_t id;     ///< The four final support points of the last distance test; 0 for none.
  std::uint32_t other;  ///< A moving shape, or kMovingShapeCount and a segment.
};

/// A leaf's range of all pairs. The newest pair, which is tested first, is the last.
struct PairList {
  std::uint16_t begin = 0;
  std::uint16_t count = 0;
  std::uint16_t capacity = 0;
};

enum class ContactState : std::uint8_t { first, normal, ignored, cached };

/// The part of a contact's point that outlives the step.
struct ContactPoint {
  std::uint32_t hash = 0;     ///< Identifies the two touching features.
  std::uint32_t unused = 0;   ///< Explicit padding: every byte of a state is defined.
  double normal_impulse = 0;  ///< Accumulated, for the next step's warm start.
  double tangent_impulse = 0;
};

/// Two shapes that touch, or did within the last two ticks.
struct Contact {
  std::uint32_t key = 0;  ///< See contact_key().
  std::uint32_t stamp = 0;
  ContactState state = ContactState::first;
  std::uint8_t count = 0;
  std::array<std::uint8_t, 6> unused{};
  std::array<ContactPoint, 2> points{};
};

/// The same for both orders of two shapes, numbered as in Pair::other.
constexpr std::uint32_t contact_key(std::size_t a, std::size_t b) noexcept {
  return static_cast<std::uint32_t>(a < b ? a << 16 | b : b << 16 | a);
}

struct LiveState {
  // Kept from match to match.
  std::uint32_t first_shape_id =
      0;  ///< Ids continue over matches; they order the leaves and identify features of contacts.
  std::uint32_t stamp = 0;
  std::uint32_t tree_stamp = 0;

  MatchRules rules;

  std::uint8_t root = kNoNode;
  std::uint8_t spare_node = kNoNode;  ///< The inner node not in use while a leaf is reinserted.
  std::uint16_t pair_capacity = 0;    ///< The sum of all lists'.
  std::uint16_t contact_count = 0;
  std::array<std::uint8_t, kMovingShapeCount> leaf_order{};  ///< Order of updates of leaves: a hash table's.
  std::uint64_t leaves = 0;                                  ///< Order of tests of pairs: leaves_of_tree().
  std::array<PairList, kMovingShapeCount> pair_lists{};

  double deadline_y = 0;
  std::array<double, 2> motor_rate{};
  std::array<Vec, kWheelCount> groove_impulse{};
  std::array<double, kWheelCount> motor_impulse{};
  std::array<Body, kBodyCount> bodies{};
  std::array<Node, kNodeCount> nodes{};

  [[nodiscard]] std::size_t size_bytes() const noexcept {
    return sizeof(LiveState) + pair_capacity * sizeof(Pair) + contact_count * sizeof(Contact);
  }
  [[nodiscard]] Pair* pairs() noexcept { return reinterpret_cast<Pair*>(this + 1); }
  [[nodiscard]] const Pair* pairs() const noexcept { return reinterpret_cast<const Pair*>(this + 1); }
  [[nodiscard]] Contact* contacts() noexcept { return reinterpret_cast<Contact*>(pairs() + pair_capacity); }
  [[nodiscard]] const Contact* contacts() const noexcept {
    return reinterpret_cast<const Contact*>(pairs() + pair_capacity);
  }
};

static_assert(std::is_trivially_copyable_v<LiveState> && std::is_trivially_copyable_v<Pair> &&
              std::is_trivially_copyable_v<Contact>);
static_assert(sizeof(LiveState) % alignof(Contact) == 0 && sizeof(Pair) == 8 && sizeof(Contact) == 64);

/// The id of a shape in its space. Shapes are numbered as in Pair::other; ids: segments first, then moving shapes.
[[nodiscard]] inline std::uint32_t id_of(const MatchModel& model, const LiveState& state, std::size_t shape) noexcept {
  const std::size_t index = shape < kMovingShapeCount ? model.static_count() + shape : shape - kMovingShapeCount;
  return state.first_shape_id + static_cast<std::uint32_t>(index);
}

inline constexpr unsigned kLeafBits = 4;  ///< Of each leaf in LiveState::leaves.
/// The leaves in the tree's order, first children first, from the lowest bits on. \pre a tree of all leaves.
[[nodiscard]] inline std::uint64_t leaves_of_tree(const LiveState& state) noexcept {
  std::uint64_t leaves = 0;
  // Stack of nodes to visit. Their subtrees are disjoint, so there are at most as many as leaves.
  std::array<std::uint8_t, kMovingShapeCount> open{state.root};
  for (std::size_t open_count = 1, found = 0; open_count > 0;) {
    const std::uint8_t node = open[--open_count];
    if (node < kMovingShapeCount) {
      leaves |= std::uint64_t{node} << kLeafBits * found++;
    } else {
      open[open_count++] = state.nodes[node].b;
      open[open_count++] = state.nodes[node].a;
    }
  }
  return leaves;
}

inline constexpr std::size_t kPairsAtOnce = 8;  ///< By which a list's capacity grows.
constexpr std::size_t whole_growths(std::size_t pairs) noexcept {
  return (pairs + kPairsAtOnce - 1) / kPairsAtOnce * kPairsAtOnce;
}
/// Moving shapes that a shape can interact with: the other car's four and, for a button, the deadline. For the deadline
/// two buttons.
constexpr std::size_t moving_neighbour_count_max(std::size_t leaf) noexcept {
  return leaf == kDeadlineShape ? 2 : is_button(leaf) ? 5 : 4;
}
/// Maximum of pairs in the list of `leaf`: one with each shape that it can interact with. A reinserted leaf is first
/// removed from all lists (clear_pairs()); then each neighbour is added to one list, once.
[[nodiscard]] inline std::size_t pair_list_count_max(const MatchModel& model, std::size_t leaf) noexcept {
  return (leaf == kDeadlineShape ? 0 : model.static_count()) + moving_neighbour_count_max(leaf);
}
/// A list grows only when it is full, and never shrinks.
[[nodiscard]] inline std::size_t pair_list_capacity_max(const MatchModel& model, std::size_t leaf) noexcept {
  return whole_growths(pair_list_count_max(model, leaf));
}
inline constexpr std::size_t kPairListCapacityMax = whole_growths(kStaticShapeCountMax + 5);  ///< Of any leaf and map.

/// Of all lists together. Two moving leaves have one pair, but each of their lists may have held it.
[[nodiscard]] inline std::size_t pair_capacity_max(const MatchModel& model) noexcept {
  std::size_t sum = 0;
  for (std::size_t leaf = 0; leaf < kMovingShapeCount; ++leaf) sum += pair_list_capacity_max(model, leaf);
  return sum;
}
static_assert(kMovingShapeCount * kPairListCapacityMax <= 0xFFFF, "PairList counts in 16 bits");
static_assert(kMovingShapeCount * kShapeCountMax <= 0xFFFF, "so do contact_count and SolverContact::contact");

/// Maximum size of a state of a match in bytes.
[[nodiscard]] inline std::size_t size_bytes_max(const MatchModel& model) noexcept {
  return sizeof(LiveState) + pair_capacity_max(model) * sizeof(Pair) + model.pair_count_max() * sizeof(Contact);
}

/// A hash of the sizes and offsets of all members: changes with the meaning of a state's bytes.
inline constexpr std::uint64_t kLayoutVersion = 3;
[[nodiscard]] constexpr std::uint64_t layout_hash() noexcept {
  std::uint64_t hash = kLayoutVersion;
  for (const std::size_t size : {sizeof(LiveState), sizeof(Body), sizeof(Node), sizeof(Pair), sizeof(Contact),
                                 sizeof(ContactPoint), offsetof(LiveState, bodies), offsetof(LiveState, nodes),
                                 offsetof(LiveState, deadline_y), offsetof(LiveState, rules)}) {
    hash = (hash ^ size) * 0x100000001b3u;  // FNV-1a
  }
  return hash;
}

}  // namespace forkmunk::engine::flat
