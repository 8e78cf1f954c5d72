// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/world.h>
#include <forkmunk/formats/recording.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace forkmunk::replay {

/// Some recorded ticks may be missing; the first of duplicates counts.
class Timeline {
 public:
  /// \param first_tick_num  the match's first; smaller ticks are ignored.
  Timeline(const formats::RecordedMatch& match, std::int64_t first_tick_num) {
    for (const formats::RecordedTick& tick : match.ticks) {
      const std::int64_t index = tick.tick_num - first_tick_num;
      if (index < 0) continue;
      const auto position = static_cast<std::size_t>(index);
      if (position >= ticks_.size()) ticks_.resize(position + 1);
      if (ticks_[position] == nullptr) ticks_[position] = &tick;
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return ticks_.size(); }
  /// Returns null for a missing tick.
  [[nodiscard]] const formats::RecordedTick* at(std::size_t tick) const noexcept {
    return tick < ticks_.size() ? ticks_[tick] : nullptr;
  }
  [[nodiscard]] bool any_within(std::size_t tick, std::size_t count) const noexcept {
    for (std::size_t i = tick; i < std::min(tick + count, ticks_.size()); ++i) {
      if (ticks_[i] != nullptr) return true;
    }
    return false;
  }

 private:
  std::vector<const formats::RecordedTick*> ticks_;
};

/// Returns the tick_num of the first tick after match m, or `end` if there is no next match. Ticks that the log lacks
/// between two matches belong to match m if they are before `end`, at which the replay ended the match; without `end`,
/// all.
[[nodiscard]] inline std::optional<std::int64_t> first_tick_num_after(const formats::Recording& recording,
                                                                      std::size_t m, std::optional<std::int64_t> end) {
  if (m + 1 == recording.matches.size()) return end;
  const auto& ticks = recording.matches[m].ticks;
  const auto& later = recording.matches[m + 1].ticks;
  if (ticks.empty() || later.empty() || later.front().tick_num <= ticks.back().tick_num) return end;
  const std::int64_t first = later.front().tick_num;
  return std::clamp(end.value_or(first), ticks.back().tick_num + 1, first);
}

inline constexpr std::size_t kProgressTicks = 64;

[[nodiscard]] inline engine::Command& of(engine::Commands& commands, engine::Player player) noexcept {
  return player == engine::Player::first ? commands.first : commands.second;
}

struct Fit {
  int differing = 0;                  ///< Numbers that differ by ==, 0 to 18.
  std::array<double, 2> max_error{};  ///< By player, map units or radians.

  [[nodiscard]] bool exact() const noexcept { return differing == 0; }
  [[nodiscard]] double error() const noexcept { return std::max(max_error[0], max_error[1]); }
  /// Fewer differing numbers come first, then the smaller error: robust against one damaged number.
  friend bool operator<(const Fit& a, const Fit& b) noexcept {
    return a.differing != b.differing ? a.differing < b.differing : a.error() < b.error();
  }
};

/// Calls visit(name, recorded, replayed) for each of a car's nine numbers: ".x", ".rear.angle" ...
template <typename Visit>
void for_each_number(const formats::RecordedCar& recorded, const engine::CarState& car, Visit&& visit) {
  const auto visit_body = [&](std::array<std::string_view, 3> names, const formats::RecordedBody& expected,
                              const engine::BodyState& found) {
    visit(names[0], expected.position.x, found.position.x);
    visit(names[1], expected.position.y, found.position.y);
    visit(names[2], expected.angle, found.angle);
  };
  visit_body({".x", ".y", ".angle"}, recorded.body, car.body);
  visit_body({".rear.x", ".rear.y", ".rear.angle"}, recorded.rear_wheel, car.rear_wheel);
  visit_body({".front.x", ".front.y", ".front.angle"}, recorded.front_wheel, car.front_wheel);
}

/// Calls visit(name, recorded, replayed) for both sides, and for the alive flags that the recording has.
template <typename Visit>
void for_each_flag(const std::array<formats::RecordedCar, 2>& cars, const engine::World& world, Visit&& visit) {
  visit("cars.1.side", cars[0].side, 1);
  visit("cars.2.side", cars[1].side, -1);
  if (cars[0].alive) visit("cars.1.alive", *cars[0].alive, !world.dead(engine::Player::first));
  if (cars[1].alive) visit("cars.2.alive", *cars[1].alive, !world.dead(engine::Player::second));
}

[[nodiscard]] inline Fit fit_of(const std::array<engine::CarState, 2>& states,
                                const std::array<formats::RecordedCar, 2>& cars) noexcept {
  Fit fit;
  for (std::size_t i = 0; i < states.size(); ++i) {
    for_each_number(cars[i], states[i], [&](std::string_view, double recorded, double replayed) {
      const double error = replayed - recorded;
      if (error == 0) return;
      ++fit.differing;
      fit.max_error[i] = std::max(fit.max_error[i], std::isnan(error) ? HUGE_VAL : std::abs(error));
    });
  }
  return fit;
}

[[nodiscard]] inline Fit fit_of(const engine::World& world, const std::array<formats::RecordedCar, 2>& cars) noexcept {
  return fit_of(std::array{world.car(engine::Player::first), world.car(engine::Player::second)}, cars);
}

inline void set_poses(engine::World& world, const std::array<formats::RecordedCar, 2>& poses) {
  for (const engine::Player player : engine::kPlayers) {
    engine::CarState car = world.car(player);
    const formats::RecordedCar& pose = poses[engine::index_of(player)];
    for (std::size_t part = 0; part < 3; ++part) {
      engine::BodyState& body = *car.parts()[part];
      body.position = pose.parts()[part]->position;
      body.angle = pose.parts()[part]->angle;
    }
    world.set_car(player, car);
  }
}

[[nodiscard]] inline std::array<engine::Commands, 9> all_commands(engine::Commands first) noexcept {
  std::array<engine::Commands, 9> result{first};
  std::size_t count = 1;
  for (const engine::Command one : engine::kCommands) {
    for (const engine::Command two : engine::kCommands) {
      if (engine::Commands{one, two} != first) result[count++] = {one, two};
    }
  }
  return result;
}

}  // namespace forkmunk::replay
