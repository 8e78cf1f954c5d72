// SPDX-License-Identifier: MIT

#include "flat/live_state.h"
#include "world_implementation.h"

#include <forkmunk/arena_alloc/system_memory.h>
#include <forkmunk/base/concat.h>
#include <forkmunk/base/hasher.h>
#include <forkmunk/engine/testing/lockstep.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>

namespace forkmunk::engine {

namespace {

using namespace flat;

/// Describes everything that decides a world's future, by the same names in the same order for both engines. Pairs
/// without an effect are left out (docs/decisions/0004-inert-pairs.md). A visitor has
///   number(owner, index, field, value)    "<owner>.<field>", with the index behind the owner unless it is negative
///   integer(owner, index, field, value)   likewise
///   contact(low_id, high_id, contact)     a contact of two shapes, by their ids, in any order of contacts
template <typename Visitor>
void describe(Visitor& visitor, const MatchRules& rules, double deadline_y) {
  const auto integer = [&](const char* field, auto value) {
    visitor.integer("match", -1, field, static_cast<std::uint64_t>(value));
  };
  integer("tick", rules.tick);
  integer("rest_ticks", rules.rest_ticks);
  integer("ticks_to_deadline", rules.ticks_to_deadline);
  integer("resting", rules.resting);
  integer("over", rules.over);
  integer("dead.first", rules.dead[0]);
  integer("dead.second", rules.dead[1]);
  integer("cause.first", rules.cause[0]);
  integer("cause.second", rules.cause[1]);
  visitor.number("match", -1, "deadline_y", deadline_y);
  if (rules.diverged) integer("diverged", true);
}

template <typename Visitor>
void describe(Visitor& visitor, const char* name, const Body& body) {
  visitor.number(name, -1, "position.x", body.position.x);
  visitor.number(name, -1, "position.y", body.position.y);
  visitor.number(name, -1, "angle", body.angle);
  visitor.number(name, -1, "velocity.x", body.velocity.x);
  visitor.number(name, -1, "velocity.y", body.velocity.y);
  visitor.number(name, -1, "angular_velocity", body.angular_velocity);
  visitor.number(name, -1, "bias_velocity.x", body.bias_velocity.x);
  visitor.number(name, -1, "bias_velocity.y", body.bias_velocity.y);
  visitor.number(name, -1, "bias_angular_velocity", body.bias_angular_velocity);
}

template <typename Visitor>
void describe_tree(Visitor& visitor, const MatchModel& model, const LiveState& state, std::uint8_t index) {
  const Node& node = state.nodes[index];
  const bool is_leaf = index < kMovingShapeCount;
  visitor.integer("tree", -1, "shape", is_leaf ? index + 1u : 0u);
  for (const auto& [field, value] : {std::pair{"left", node.box.low[0]}, std::pair{"bottom", node.box.low[1]},
                                     std::pair{"right", node.box.high[0]}, std::pair{"top", node.box.high[1]}}) {
    visitor.number("tree", -1, field, value);
  }
  if (!is_leaf) {
    describe_tree(visitor, model, state, node.a);
    describe_tree(visitor, model, state, node.b);
    return;
  }
  visitor.integer("leaf", index, "stamp", node.stamp);
  const PairList& list = state.pair_lists[index];
  for (std::size_t i = list.count; i-- > 0;) {
    const Pair& pair = state.pairs()[list.begin + i];
    visitor.integer("leaf", index, "pair", id_of(model, state, pair.other) - state.first_shape_id);
    visitor.integer("leaf", index, "pair id", pair.id);
  }
}

template <typename Visitor>
void describe(Visitor& visitor, const MatchModel& model, const LiveState& state) {
  constexpr std::array kBodyNames{"cars.1.body", "cars.1.rear", "cars.1.front",
                                  "cars.2.body", "cars.2.rear", "cars.2.front"};
  for (std::size_t i = 0; i < kBodyCount; ++i) describe(visitor, kBodyNames[i], state.bodies[i]);
  for (int i = 0; i < static_cast<int>(kWheelCount); ++i) {
    const auto index = static_cast<std::size_t>(i);
    visitor.number("suspension", i, "groove_impulse.x", state.groove_impulse[index].x);
    visitor.number("suspension", i, "groove_impulse.y", state.groove_impulse[index].y);
    if (i % 2 == 0 ? model.rear_motor : model.front_motor) {
      visitor.number("suspension", i, "motor_impulse", state.motor_impulse[index]);
      visitor.number("suspension", i, "motor_rate", state.motor_rate[index / 2]);
    }
  }
  visitor.integer("space", -1, "stamp", state.stamp);
  visitor.integer("space", -1, "tree_stamp", state.tree_stamp);
  visitor.integer("space", -1, "first_shape_id", state.first_shape_id);
  describe_tree(visitor, model, state, state.root);
  for (std::size_t i = 0; i < state.contact_count; ++i) {
    const Contact& contact = state.contacts()[i];
    const std::uint32_t a = id_of(model, state, contact.key >> 16), b = id_of(model, state, contact.key & 0xFFFF);
    visitor.contact(std::min(a, b), std::max(a, b), contact);
  }
}

template <typename Visitor>
void describe(Visitor& visitor, const WorldImplementation& world) {
  describe(visitor, world.rules(), world.deadline_y());
  if (world.rules().diverged) return;
  if (const LiveState* state = world.flat_state()) {
    describe(visitor, world.model(), *state);
    return;
  }
  const arena_alloc::SystemBlock memory = arena_alloc::allocate_system(size_bytes_max(world.model()));
  auto& state = *reinterpret_cast<LiveState*>(memory.get());
  world.write_flat_state(state);
  describe(visitor, world.model(), state);
}

/// Returns `value`, or one fixed NaN: sign and payload of a NaN depend on processor and compiler.
double one_nan(double value) noexcept { return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value; }

/// Sums the hashes of contacts, which have no fixed order.
class HashVisitor {
 public:
  void number(const char*, int, const char*, double value) { hasher_.add(one_nan(value)); }
  void integer(const char*, int, const char*, std::uint64_t value) { hasher_.add(value); }
  void contact(std::uint32_t low_id, std::uint32_t high_id, const Contact& contact) {
    Hasher hasher;
    hasher.add(low_id, high_id, contact.stamp, static_cast<std::uint8_t>(contact.state), contact.count);
    for (std::size_t i = 0; i < contact.count; ++i) {
      const ContactPoint& point = contact.points[i];
      hasher.add(point.hash, one_nan(point.normal_impulse), one_nan(point.tangent_impulse));
    }
    contacts_ += hasher.value();
  }
  [[nodiscard]] std::uint64_t value() {
    hasher_.add(contacts_);
    return hasher_.value();
  }

 private:
  Hasher hasher_;
  std::uint64_t contacts_ = 0;
};

class ListVisitor {
 public:
  void number(const char* owner, int index, const char* field, double value) {
    std::array<char, 40> digits{};
    std::snprintf(digits.data(), digits.size(), "%.17g", one_nan(value));
    add(owner, index, field, digits.data());
  }
  void integer(const char* owner, int index, const char* field, std::uint64_t value) {
    add(owner, index, field, std::to_string(value));
  }
  void contact(std::uint32_t low_id, std::uint32_t high_id, const Contact& contact) {
    contacts_.emplace(std::pair(low_id, high_id), contact);
  }

  std::vector<std::string> take() {
    for (const auto& [ids, contact] : contacts_) append(concat("contact ", ids.first, "-", ids.second), contact);
    return std::move(values_);
  }

 private:
  void add(const char* owner, int index, const char* field, const std::string& value) {
    const std::string name = index >= 0 ? concat(owner, ' ', index, ' ', field) : concat(owner, '.', field);
    values_.push_back(concat(name, " = ", value));
  }
  void append(const std::string& name, const Contact& contact) {
    integer(name.c_str(), -1, "stamp", contact.stamp);
    integer(name.c_str(), -1, "state", static_cast<std::uint64_t>(contact.state));
    integer(name.c_str(), -1, "count", contact.count);
    for (int i = 0; i < contact.count; ++i) {
      const ContactPoint& point = contact.points[static_cast<std::size_t>(i)];
      const std::string owner = name + " point";
      integer(owner.c_str(), i, "hash", point.hash);
      number(owner.c_str(), i, "normal_impulse", point.normal_impulse);
      number(owner.c_str(), i, "tangent_impulse", point.tangent_impulse);
    }
  }

  std::vector<std::string> values_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Contact> contacts_;  // by the shapes' ids
};

}  // namespace

std::uint64_t hash_of(const WorldImplementation& world) {
  HashVisitor visitor;
  describe(visitor, world);
  return visitor.value();
}

std::vector<std::string> state_of(const World& world) {
  ListVisitor visitor;
  describe(visitor, implementation_of(world));
  return visitor.take();
}

std::optional<StateDifference> first_difference(const World& a, const World& b) {
  const std::vector<std::string> of_a = state_of(a), of_b = state_of(b);
  const auto [in_a, in_b] = std::mismatch(of_a.begin(), of_a.end(), of_b.begin(), of_b.end());
  if (in_a == of_a.end() && in_b == of_b.end()) return std::nullopt;
  return StateDifference{in_a == of_a.end() ? "nothing" : *in_a, in_b == of_b.end() ? "nothing" : *in_b};
}

Lockstep::Lockstep() : chipmunk_(Physics::chipmunk), flat_(Physics::flat) {}

void Lockstep::begin_match(const MatchSetup& setup) {
  chipmunk_.begin_match(setup);
  flat_.begin_match(setup);
  ++match_count_;
  for (World& world : group_) world = flat_.fork();
  compare();
}

bool Lockstep::step(Commands commands) {
  chipmunk_.step(commands);
  flat_.step(commands);
  std::array<World*, std::tuple_size_v<decltype(group_)>> worlds;
  std::array<Commands, worlds.size()> theirs;
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    worlds[i] = &group_[i];
    theirs[i] = worlds[i] == &twin() ? commands : Commands{kCommands[i % 3], i < 3 ? commands.first : kCommands[i / 3]};
  }
  step_together(worlds, theirs);
  ++tick_count_;
  return compare();
}

bool Lockstep::compare() {
  if (difference_) return false;
  if (chipmunk_.hash() != flat_.hash())
    note_difference(chipmunk_, flat_, "");
  else if (implementation_of(flat_).raw_hash() != implementation_of(twin()).raw_hash()) {
    note_difference(flat_, twin(), "in a group: ");
  }
  return !difference_;
}

void Lockstep::note_difference(const World& expected, const World& found, const char* whose) {
  const auto difference = first_difference(expected, found);
  difference_ = EngineDifference{match_count_ - 1, flat_.tick(), difference ? difference->a : "another hash",
                                 whose + (difference ? difference->b : "another hash")};
}

}  // namespace forkmunk::engine
