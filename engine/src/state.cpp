// SPDX-License-Identifier: MIT

#include "world_implementation.h"

#include <forkmunk/base/concat.h>
#include <forkmunk/engine/testing/lockstep.h>
#include <forkmunk/engine/testing/state.h>

#include <algorithm>
#include <bit>
#include <cstdio>

namespace forkmunk::engine {

void describe(StateVisitor& visitor, const MatchRules& rules, double deadline_y) {
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

void describe(StateVisitor& visitor, int body, const BodyDescription& description) {
  constexpr std::array names{"cars.1.body", "cars.1.rear", "cars.1.front",
                             "cars.2.body", "cars.2.rear", "cars.2.front"};
  const auto number = [&](const char* field, double value) {
    visitor.number(names[static_cast<std::size_t>(body)], -1, field, value);
  };
  number("position.x", description.position.x);
  number("position.y", description.position.y);
  number("angle", description.angle);
  number("velocity.x", description.velocity.x);
  number("velocity.y", description.velocity.y);
  number("angular_velocity", description.angular_velocity);
  number("bias_velocity.x", description.bias_velocity.x);
  number("bias_velocity.y", description.bias_velocity.y);
  number("bias_angular_velocity", description.bias_angular_velocity);
}

namespace {

std::string name_of(const char* owner, int index, const char* field) {
  std::string name{owner};
  if (index >= 0) name += concat(' ', index);
  name.append(index >= 0 ? " " : ".").append(field);
  return name;
}

class ListVisitor final : public StateVisitor {
 public:
  void number(const char* owner, int index, const char* field, double value) override {
    values_.push_back({name_of(owner, index, field), std::bit_cast<std::uint64_t>(one_nan(value)), true});
  }
  void integer(const char* owner, int index, const char* field, std::uint64_t value) override {
    values_.push_back({name_of(owner, index, field), value, false});
  }
  void contact(const ContactDescription& contact) override { contacts_.push_back(contact); }

  std::vector<StateValue> take() {
    std::sort(contacts_.begin(), contacts_.end(), [](const ContactDescription& a, const ContactDescription& b) {
      return std::pair(a.low_id, a.high_id) < std::pair(b.low_id, b.high_id);
    });
    for (const ContactDescription& contact : contacts_) append(contact);
    return std::move(values_);
  }

 private:
  void append(const ContactDescription& contact) {
    const std::string name = concat("contact ", contact.low_id, "-", contact.high_id);
    integer(name.c_str(), -1, "stamp", contact.stamp);
    integer(name.c_str(), -1, "state", contact.state);
    integer(name.c_str(), -1, "count", contact.count);
    for (int i = 0; i < contact.count; ++i) {
      const ContactPointDescription& point = contact.points[static_cast<std::size_t>(i)];
      const std::string owner = name + " point";
      integer(owner.c_str(), i, "hash", point.hash);
      number(owner.c_str(), i, "normal_impulse", point.normal_impulse);
      number(owner.c_str(), i, "tangent_impulse", point.tangent_impulse);
    }
  }

  std::vector<StateValue> values_;
  std::vector<ContactDescription> contacts_;
};

}  // namespace

std::string StateValue::text() const {
  std::array<char, 40> value{};
  if (is_number) {
    std::snprintf(value.data(), value.size(), "%.17g", std::bit_cast<double>(bits));
  } else {
    std::snprintf(value.data(), value.size(), "%llu", static_cast<unsigned long long>(bits));
  }
  return name + " = " + value.data();
}

std::vector<StateValue> state_of(const World& world) {
  ListVisitor visitor;
  implementation_of(world).describe_state(visitor);
  return visitor.take();
}

std::optional<StateDifference> first_difference(const World& a, const World& b) {
  const std::vector<StateValue> of_a = state_of(a), of_b = state_of(b);
  const auto [in_a, in_b] = std::mismatch(of_a.begin(), of_a.end(), of_b.begin(), of_b.end());
  if (in_a == of_a.end() && in_b == of_b.end()) return std::nullopt;
  return StateDifference{in_a == of_a.end() ? "nothing" : in_a->text(), in_b == of_b.end() ? "nothing" : in_b->text()};
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
