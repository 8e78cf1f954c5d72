// SPDX-License-Identifier: MIT
#include "flat/contacts.h"
#include "flat/live_state.h"

#include <forkmunk/base/concat.h>

#include <array>
#include <bitset>
#include <cstdio>
#include <cstring>

namespace forkmunk::engine::flat {
namespace {

using Damage = std::optional<std::string>;

std::string element(const char* array, std::size_t index, const char* field = "") {
  return concat(array, '[', index, ']', field);
}

std::string wrong(const std::string& field, std::int64_t found, const std::string& expected) {
  return concat(field, " is ", found, ", expected ", expected);
}

std::string limit_text(std::size_t bound) { return concat("at most ", bound); }

bool can_meet(const MatchModel& model, std::size_t moving, std::size_t other) noexcept {
  return other < kMovingShapeCount ? concerns(moving, other)
                                   : concerns(moving, model.segments[other - kMovingShapeCount]);
}

// Nothing behind LiveState may be read before the sizes fit the bytes.
Damage check_sizes(const MatchModel& model, std::span<const std::byte> bytes) {
  if (bytes.size() < sizeof(LiveState)) {
    return concat("the state has ", bytes.size(), " bytes, expected at least ", sizeof(LiveState));
  }
  const auto& state = *reinterpret_cast<const LiveState*>(bytes.data());
  if (state.pair_capacity > pair_capacity_max(model)) {
    return wrong("pair_capacity", state.pair_capacity, limit_text(pair_capacity_max(model)));
  }
  if (state.contact_count > model.pair_count_max()) {
    return wrong("contact_count", state.contact_count, limit_text(model.pair_count_max()));
  }
  if (state.size_bytes() != bytes.size()) {
    return concat("the state has ", bytes.size(), " bytes, expected ", state.size_bytes(),
                  " by its pair_capacity and contact_count");
  }
  return std::nullopt;
}

Damage check_rules(const MatchRules& rules) {
  if (rules.tick < 0 || rules.tick > kTickMax) return wrong("rules.tick", rules.tick, concat("0 to ", kTickMax));
  if (rules.rest_ticks < 0 || rules.rest_ticks > kRestTicks) {
    return wrong("rules.rest_ticks", rules.rest_ticks, concat("0 to ", kRestTicks));
  }
  if (rules.ticks_to_deadline < 0 || rules.ticks_to_deadline > kTicksToDeadline) {
    return wrong("rules.ticks_to_deadline", rules.ticks_to_deadline, concat("0 to ", kTicksToDeadline));
  }
  // Reading a bool that is neither 0 nor 1 is undefined behaviour.
  const auto byte_of = [](const bool& flag) {
    std::uint8_t byte = 0;
    std::memcpy(&byte, &flag, 1);
    return byte;
  };
  const auto is_flag = [](std::uint8_t byte) { return byte <= 1; };
  if (!is_flag(byte_of(rules.resting))) return wrong("rules.resting", byte_of(rules.resting), "0 or 1");
  if (!is_flag(byte_of(rules.over))) return wrong("rules.over", byte_of(rules.over), "0 or 1");
  if (!is_flag(byte_of(rules.diverged))) return wrong("rules.diverged", byte_of(rules.diverged), "0 or 1");
  for (std::size_t player = 0; player < 2; ++player) {
    const std::uint8_t dead = byte_of(rules.dead[player]);
    if (!is_flag(dead)) return wrong(element("rules.dead", player), dead, "0 or 1");
    if (rules.cause[player] > DeathCause::enemy) {
      return wrong(element("rules.cause", player), static_cast<int>(rules.cause[player]),
                   limit_text(static_cast<std::size_t>(DeathCause::enemy)));
    }
  }
  return std::nullopt;
}

// If the tree's stamp could reach a leaf's stamp again, an unmoved leaf would add its pairs twice.
Damage check_leaf(const LiveState& state, std::size_t leaf) {
  const Node& node = state.nodes[leaf];
  if (node.a != kNoNode) return wrong(element("nodes", leaf, ".a"), node.a, "none: it is a leaf");
  if (node.b != kNoNode) return wrong(element("nodes", leaf, ".b"), node.b, "none: it is a leaf");
  const std::uint32_t age = state.tree_stamp - node.stamp;
  const std::uint32_t age_max = static_cast<std::uint32_t>(state.rules.tick) + kMovingShapeCount;
  if (age < 1 || age > age_max) {
    return wrong(element("nodes", leaf, ".stamp"), node.stamp,
                 concat("1 to ", age_max, " before tree_stamp, which is ", state.tree_stamp));
  }
  return std::nullopt;
}

// The nodes must be one tree, which bounds the buffers of walks over it.
Damage check_tree(const LiveState& state) {
  const auto is_inner = [](std::uint8_t node) { return node >= kMovingShapeCount && node < kNodeCount; };
  if (!is_inner(state.root)) return wrong("root", state.root, "an inner node");
  if (!is_inner(state.spare_node)) return wrong("spare_node", state.spare_node, "an inner node");
  if (state.nodes[state.root].parent != kNoNode) {
    return wrong(element("nodes", state.root, ".parent"), state.nodes[state.root].parent, "none: it is the root");
  }
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
      const char* const field = first ? ".a" : ".b";
      if (child >= kNodeCount) return wrong(element("nodes", index, field), child, "a node");
      if (seen[child]) return wrong(element("nodes", index, field), child, "a node that is in the tree once");
      if (state.nodes[child].parent != index) {
        return wrong(element("nodes", child, ".parent"), state.nodes[child].parent, std::to_string(index));
      }
      seen.set(child);
      open[open_count++] = child;
    }
  }
  for (std::size_t i = 0; i < kNodeCount; ++i) {
    if (!seen[i]) return element("nodes", i) + " is not in the tree";
  }
  if (const std::uint64_t leaves = leaves_of_tree(state); state.leaves != leaves) {
    std::array<char, 80> text;
    std::snprintf(text.data(), text.size(), "leaves is 0x%llx, expected 0x%llx: the tree's order",
                  static_cast<unsigned long long>(state.leaves), static_cast<unsigned long long>(leaves));
    return text.data();
  }
  return std::nullopt;
}

Damage check_leaf_order(const LiveState& state) {
  std::bitset<kMovingShapeCount> seen;
  for (std::size_t i = 0; i < kMovingShapeCount; ++i) {
    const std::uint8_t leaf = state.leaf_order[i];
    if (leaf >= kMovingShapeCount || seen[leaf]) {
      return wrong(element("leaf_order", i), leaf, "each leaf once");
    }
    seen.set(leaf);
  }
  return std::nullopt;
}

Damage check_pair_lists(const MatchModel& model, const LiveState& state) {
  std::size_t begin = 0;
  for (std::size_t leaf = 0; leaf < kMovingShapeCount; ++leaf) {
    const PairList& list = state.pair_lists[leaf];
    if (list.begin != begin) return wrong(element("pair_lists", leaf, ".begin"), list.begin, std::to_string(begin));
    const std::size_t capacity_max = pair_list_capacity_max(model, leaf);
    if (list.capacity > capacity_max || list.capacity % kPairsAtOnce != 0) {
      return wrong(element("pair_lists", leaf, ".capacity"), list.capacity,
                   concat("a multiple of ", kPairsAtOnce, ", ", limit_text(capacity_max)));
    }
    if (list.count > list.capacity) {
      return wrong(element("pair_lists", leaf, ".count"), list.count, limit_text(list.capacity) + ", its capacity");
    }
    begin += list.capacity;
  }
  if (state.pair_capacity != begin) return wrong("pair_capacity", state.pair_capacity, std::to_string(begin));
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
      const auto field = [i] { return element("pairs", i, ".other"); };
      if (other >= kMovingShapeCount + model.static_count() || !can_meet(model, leaf, other)) {
        return wrong(field(), static_cast<std::int64_t>(other), concat("a shape that can meet shape ", leaf));
      }
      if (listed[leaf][other] || (other < kMovingShapeCount && listed[other][leaf])) {
        return wrong(field(), static_cast<std::int64_t>(other),
                     concat("a shape that is paired with shape ", leaf, " once"));
      }
      if (other < kMovingShapeCount && !intersect(state.nodes[leaf].box, state.nodes[other].box)) {
        return wrong(field(), static_cast<std::int64_t>(other),
                     concat("a shape whose leaf meets that of shape ", leaf));
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
    if (low >= kMovingShapeCount || high <= low || high >= kMovingShapeCount + model.static_count() ||
        !can_meet(model, low, high)) {
      return wrong(element("contacts", i, ".key"), contact.key, "two shapes that can meet");
    }
    if (seen[low][high]) return wrong(element("contacts", i, ".key"), contact.key, "each pair of shapes once");
    seen[low].set(high);
    if (contact.count > contact.points.size()) {
      return wrong(element("contacts", i, ".count"), contact.count, limit_text(contact.points.size()));
    }
    if (contact.state > ContactState::cached) {
      return wrong(element("contacts", i, ".state"), static_cast<int>(contact.state),
                   limit_text(static_cast<std::size_t>(ContactState::cached)));
    }
    if (state.stamp - contact.stamp >= kContactPersistence) {
      return wrong(element("contacts", i, ".stamp"), contact.stamp,
                   concat("less than ", kContactPersistence, " before stamp, which is ", state.stamp));
    }
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
