#include "world_implementation.h"

#include <forkmunk/engine/testing/state.h>

#include <algorithm>
#include <bit>
#include <cstdio>

namespace forkmunk::engine {
namespace {

std::string name_of(const char* owner, int index, const char* field) {
  std::string name{owner};
  if (index >= 0) name.append(" ").append(std::to_string(index));
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
    const std::string name = "contact " + std::to_string(contact.low_id) + "-" + std::to_string(contact.high_id);
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

}  // namespace forkmunk::engine
