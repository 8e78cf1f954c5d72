// SPDX-License-Identifier: MIT
#include "flat/contacts.h"
#include "flat/live_state.h"

#include <forkmunk/base/concat.h>

#include <array>
#include <bitset>
#include <cstring>

namespace forkmunk::engine::flat {
namespace {

/// The field that is wrong.
using Damage = std::optional<std::string>;

std::string element(const char* array, std::size_t index, const char* field = "") {
  return concat(array, '[', index, ']', field);
}

bool can_meet(const MatchModel& model, std::size_t moving, std::size_t other) noexcept {
  return other < kMovingShapeCount ? concerns(moving, other)
                                   : concerns(moving, model.segments[other - kMovingShapeCount]);
}

// Nothing behind LiveState may be read before the sizes fit the bytes.
Damage check_sizes(const MatchModel& model, std::span<const std::byte> bytes) {
  if (bytes.size() < sizeof(LiveState)) return "size";
  const auto& state = *reinterpret_cast<const LiveState*>(bytes.data());
  if (state.pair_capacity > pair_capacity_max(model)) return "pair_capacity";
  if (state.contact_count > model.pair_count_max()) return "contact_count";
  if (state.size_bytes() != bytes.size()) return "size";
  return std::nullopt;
}

Damage check_rules(const MatchRules& rules) {
  // Reading a bool that is neither 0 nor 1 is undefined behaviour.
  const auto is_flag = [](const bool& flag) {
    std::uint8_t byte = 0;
    std::memcpy(&byte, &flag, 1);
    return byte <= 1;
  };
  if (rules.tick < 0 || rules.tick > kTickMax) return "rules.tick";
  if (rules.rest_ticks < 0 || rules.rest_ticks > kRestTicks) return "rules.rest_ticks";
  if (rules.ticks_to_deadline < 0 || rules.ticks_to_deadline > kTicksToDeadline) return "rules.ticks_to_deadline";
  if (!is_flag(rules.resting)) return "rules.resting";
  if (!is_flag(rules.over)) return "rules.over";
  if (!is_flag(rules.diverged)) return "rules.diverged";
  for (std::size_t player = 0; player < 2; ++player) {
    if (!is_flag(rules.dead[player])) return element("rules.dead", player);
    if (rules.cause[player] > DeathCause::enemy) return element("rules.cause", player);
  }
  return std::nullopt;
}

// If the tree's stamp could reach a leaf's stamp again, an unmoved leaf would add its pairs twice.
Damage check_leaf(const LiveState& state, std::size_t leaf) {
  const Node& node = state.nodes[leaf];
  if (node.a != kNoNode) return element("nodes", leaf, ".a");
  if (node.b != kNoNode) return element("nodes", leaf, ".b");
  const std::uint32_t age = state.tree_stamp - node.stamp;
  if (age < 1 || age > static_cast<std::uint32_t>(state.rules.tick) + kMovingShapeCount) {
    return element("nodes", leaf, ".stamp");
  }
  return std::nullopt;
}

// The nodes must be one tree, which bounds the buffers of walks over it.
Damage check_tree(const LiveState& state) {
  const auto is_inner = [](std::uint8_t node) { return node >= kMovingShapeCount && node < kNodeCount; };
  if (!is_inner(state.root)) return "root";
  if (!is_inner(state.spare_node)) return "spare_node";
  if (state.nodes[state.root].parent != kNoNode) return element("nodes", state.root, ".parent");
  std::bitset<kNodeCount> seen;
  std::array<std::uint8_t, kNodeCount> open;
  std::size_t open_count = 0;
  seen.set(state.root);
  open[open_count++] = state.root;
  while (open_count > 0) {
    const std::uint8_t index = open[--open_count];
    if (index < kMovingShapeCount) {
      if (Damage damage = check_leaf(state, index)) return damage;
      continue;
    }
    const Node& node = state.nodes[index];
    for (const bool first : {true, false}) {
      const std::uint8_t child = first ? node.a : node.b;
      if (child >= kNodeCount || seen[child]) return element("nodes", index, first ? ".a" : ".b");
      if (state.nodes[child].parent != index) return element("nodes", child, ".parent");
      seen.set(child);
      open[open_count++] = child;
    }
  }
  if (!seen.all()) return "nodes";
  if (state.leaves != leaves_of_tree(state)) return "leaves";
  return std::nullopt;
}

Damage check_leaf_order(const LiveState& state) {
  std::bitset<kMovingShapeCount> seen;
  for (std::size_t i = 0; i < kMovingShapeCount; ++i) {
    const std::uint8_t leaf = state.leaf_order[i];
    if (leaf >= kMovingShapeCount || seen[leaf]) return element("leaf_order", i);
    seen.set(leaf);
  }
  return std::nullopt;
}

Damage check_pair_lists(const MatchModel& model, const LiveState& state) {
  std::size_t begin = 0;
  for (std::size_t leaf = 0; leaf < kMovingShapeCount; ++leaf) {
    const PairList& list = state.pair_lists[leaf];
    if (list.begin != begin) return element("pair_lists", leaf, ".begin");
    if (list.capacity > pair_list_capacity_max(model, leaf) || list.capacity % kPairsAtOnce != 0) {
      return element("pair_lists", leaf, ".capacity");
    }
    if (list.count > list.capacity) return element("pair_lists", leaf, ".count");
    begin += list.capacity;
  }
  if (state.pair_capacity != begin) return "pair_capacity";
  return std::nullopt;
}

// There is room for each contact only once. clear_pairs() would not find a pair whose leaves do not intersect, so that
// it would become a duplicate.
Damage check_pairs(const MatchModel& model, const LiveState& state) {
  std::array<std::bitset<kShapeCountMax>, kMovingShapeCount> listed;
  for (std::size_t leaf = 0; leaf < kMovingShapeCount; ++leaf) {
    const PairList& list = state.pair_lists[leaf];
    for (std::size_t i = list.begin; i < std::size_t{list.begin} + list.count; ++i) {
      const std::size_t other = state.pairs()[i].other;
      const bool is_shape = other < kMovingShapeCount + model.static_count() && can_meet(model, leaf, other);
      if (!is_shape || listed[leaf][other]) return element("pairs", i, ".other");
      const bool is_moving = other < kMovingShapeCount;
      if (is_moving && (listed[other][leaf] || !intersect(state.nodes[leaf].box, state.nodes[other].box))) {
        return element("pairs", i, ".other");
      }
      listed[leaf].set(other);
    }
  }
  return std::nullopt;
}

Damage check_contacts(const MatchModel& model, const LiveState& state) {
  std::array<std::bitset<kShapeCountMax>, kMovingShapeCount> seen;
  for (std::size_t i = 0; i < state.contact_count; ++i) {
    const Contact& contact = state.contacts()[i];
    const std::size_t low = contact.key >> 16, high = contact.key & 0xFFFF;
    const bool are_shapes = low < kMovingShapeCount && low < high && high < kMovingShapeCount + model.static_count();
    if (!are_shapes || !can_meet(model, low, high) || seen[low][high]) return element("contacts", i, ".key");
    seen[low].set(high);
    if (contact.count > contact.points.size()) return element("contacts", i, ".count");
    if (contact.state > ContactState::cached) return element("contacts", i, ".state");
    if (state.stamp - contact.stamp >= kContactPersistence) return element("contacts", i, ".stamp");
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_damage(const MatchModel& model, std::span<const std::byte> bytes) {
  if (Damage damage = check_sizes(model, bytes)) return damage;
  const auto& state = *reinterpret_cast<const LiveState*>(bytes.data());
  if (Damage damage = check_rules(state.rules)) return damage;
  if (Damage damage = check_tree(state)) return damage;
  if (Damage damage = check_leaf_order(state)) return damage;
  if (Damage damage = check_pair_lists(model, state)) return damage;
  if (Damage damage = check_pairs(model, state)) return damage;
  return check_contacts(model, state);
}

}  // namespace forkmunk::engine::flat
