// SPDX-License-Identifier: MIT
#pragma once

#include "flat/model.h"
#include "match_rules.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

/// The live half of the flat engine, all that a step reads of the past: one block of bytes without pointers,
///
///     | LiveState | pairs of each leaf, with some room: pair_capacity | contacts: contact_count |
///
/// of which size_bytes() are in use. A copy of these bytes clones a world.
namespace forkmunk::engine::flat {

inline constexpr std::uint8_t kNoNode = 0xFF;
inline constexpr std::size_t kNodeCount = 2 * kMovingShapeCount - 1;

struct Body {
  Vec position{};  ///< The centre of gravity.
  double angle = 0;
  Vec velocity{};
  double angular_velocity = 0;
  /// Separates penetrating bodies in the next step's motion only.
  Vec bias_velocity{};
  double bias_angular_velocity = 0;
  /// The cosine and sine of `angle`, except for round wheels, which need no rotation.
  Vec rotation{1, 0};
  Vec origin{};  ///< The position that the contest reports.
};

/// The first kMovingShapeCount nodes are the leaves, by shape.
struct Node {
  /// A leaf's is the shape's box, enlarged so that it is valid for some ticks.
  Box box{};
  std::uint32_t stamp = 0;  ///< A leaf's insertion.
  std::uint8_t parent = kNoNode, a = kNoNode, b = kNoNode;
};

/// Two shapes whose leaves overlap, in the list of the leaf that tests them.
struct Pair {
  /// The four final support points of the last distance test; 0 before the first test.
  std::uint32_t id;
  std::uint32_t other;  ///< A moving shape, or kMovingShapeCount plus a segment.
};

/// A leaf's range in the array of all pairs. The newest pair is the last, and is tested first.
struct PairList {
  std::uint16_t begin = 0;
  std::uint16_t count = 0;
  std::uint16_t capacity = 0;
};

enum class ContactState : std::uint8_t { first, normal, ignored, cached };

/// The part of a point that outlives the step.
struct ContactPoint {
  std::uint32_t hash = 0;     ///< Identifies the two touching features.
  std::uint32_t unused = 0;   ///< Explicit padding, so that every byte of a state is defined.
  double normal_impulse = 0;  ///< Accumulated, for the next step's warm start.
  double tangent_impulse = 0;
};

/// Two shapes that touch, or touched within the last two ticks.
struct Contact {
  std::uint32_t key = 0;
  std::uint32_t stamp = 0;
  ContactState state = ContactState::first;
  std::uint8_t count = 0;
  std::array<std::uint8_t, 6> unused{};
  std::array<ContactPoint, 2> points{};
};

/// Returns one key for both orders of two shapes, which are numbered as in Pair::other.
constexpr std::uint32_t contact_key(std::size_t a, std::size_t b) noexcept {
  return static_cast<std::uint32_t>(a < b ? a << 16 | b : b << 16 | a);
}

struct LiveState {
  /// Ids continue over matches. They order the leaves and identify the features of contacts.
  std::uint32_t first_shape_id = 0;
  std::uint32_t stamp = 0;
  std::uint32_t tree_stamp = 0;

  MatchRules rules;

  std::uint8_t root = kNoNode;
  std::uint8_t spare_node = kNoNode;  ///< The inner node that is free while a leaf is reinserted.
  std::uint16_t pair_capacity = 0;    ///< The sum over all lists.
  std::uint16_t contact_count = 0;
  /// The order of updates of leaves, which is that of a hash table.
  std::array<std::uint8_t, kMovingShapeCount> leaf_order{};
  std::uint64_t leaves = 0;  ///< The order of tests of pairs: leaves_of_tree().
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

/// Ids count segments first, then moving shapes (Pair::other).
[[nodiscard]] inline std::uint32_t id_of(const MatchModel& model, const LiveState& state, std::size_t shape) noexcept {
  const std::size_t index = shape < kMovingShapeCount ? model.static_count() + shape : shape - kMovingShapeCount;
  return state.first_shape_id + static_cast<std::uint32_t>(index);
}

inline constexpr unsigned kLeafBits = 4;  ///< In LiveState::leaves.
/// Returns the leaves in the tree's order, first children first, from the lowest bits on. \pre the tree has all leaves.
[[nodiscard]] inline std::uint64_t leaves_of_tree(const LiveState& state) noexcept {
  std::uint64_t leaves = 0;
  // Subtrees of the stack are disjoint, so there are at most as many nodes as leaves.
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

inline constexpr std::size_t kPairsAtOnce = 8;  ///< A list's capacity grows by this number.
constexpr std::size_t whole_growths(std::size_t pairs) noexcept {
  return (pairs + kPairsAtOnce - 1) / kPairsAtOnce * kPairsAtOnce;
}
/// The other car's four and, for a button, the deadline.
constexpr std::size_t moving_neighbour_count_max(std::size_t leaf) noexcept {
  return leaf == kDeadlineShape ? 2 : is_button(leaf) ? 5 : 4;
}
/// A reinserted leaf is first removed from all lists (clear_pairs()); then each neighbour is added to one list, once.
[[nodiscard]] inline std::size_t pair_list_count_max(const MatchModel& model, std::size_t leaf) noexcept {
  return (leaf == kDeadlineShape ? 0 : model.static_count()) + moving_neighbour_count_max(leaf);
}
/// A list grows only when it is full, and never shrinks.
[[nodiscard]] inline std::size_t pair_list_capacity_max(const MatchModel& model, std::size_t leaf) noexcept {
  return whole_growths(pair_list_count_max(model, leaf));
}
inline constexpr std::size_t kPairListCapacityMax = whole_growths(kStaticShapeCountMax + 5);

/// A pair of moving leaves may have been in both lists.
[[nodiscard]] inline std::size_t pair_capacity_max(const MatchModel& model) noexcept {
  std::size_t sum = 0;
  for (std::size_t leaf = 0; leaf < kMovingShapeCount; ++leaf) sum += pair_list_capacity_max(model, leaf);
  return sum;
}
static_assert(kMovingShapeCount * kPairListCapacityMax <= 0xFFFF, "PairList counts in 16 bits");
static_assert(kMovingShapeCount * kShapeCountMax <= 0xFFFF, "so do contact_count and SolverContact::contact");

[[nodiscard]] inline std::size_t size_bytes_max(const MatchModel& model) noexcept {
  return sizeof(LiveState) + pair_capacity_max(model) * sizeof(Pair) + model.pair_count_max() * sizeof(Contact);
}

/// Increase it when the meaning of a state's bytes changes.
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

/// 199 days of game time, so that counters do not overflow.
inline constexpr int kTickMax = 1 << 30;

/// Validates a state's bytes: a step from valid bytes stays inside its memory and ends. Numbers of physics may have any
/// value, even NaN, and so may a pair's `id`, because the distance test bounds its indices (WorldPolygon::at).
/// \param bytes  aligned as a LiveState.
/// \return the first invalid field. Allocates nothing for a valid state. Cost: 0.2 to 0.3 us in the contest's matches.
[[nodiscard]] std::optional<std::string> find_damage(const MatchModel& model, std::span<const std::byte> bytes);

}  // namespace forkmunk::engine::flat
