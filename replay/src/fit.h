#pragma once

#include <forkmunk/engine/world.h>
#include <forkmunk/formats/recording.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace forkmunk::replay {

/// How a world's 18 numbers agree with a recorded state.
struct Fit {
  int differing = 0;                  ///< How many differ by ==, 0 to 18.
  std::array<double, 2> max_error{};  ///< Largest difference by player, map units or radians.

  [[nodiscard]] bool exact() const noexcept { return differing == 0; }
  [[nodiscard]] double error() const noexcept { return std::max(max_error[0], max_error[1]); }
  /// Nearer: fewer numbers differ, or as many by less. One damaged number in a log does not lead astray.
  friend bool operator<(const Fit& a, const Fit& b) noexcept {
    return a.differing != b.differing ? a.differing < b.differing : a.error() < b.error();
  }
};

/// Adds what `body` and its record differ by to `fit`, for the player at `index`.
inline void add_fit(Fit& fit, std::size_t index, const engine::BodyState& body,
                    const formats::RecordedBody& recorded) noexcept {
  const std::array<double, 3> errors{body.position.x - recorded.position.x, body.position.y - recorded.position.y,
                                     body.angle - recorded.angle};
  for (const double error : errors) {
    if (error == 0) continue;
    ++fit.differing;
    fit.max_error[index] = std::max(fit.max_error[index], std::isnan(error) ? HUGE_VAL : std::abs(error));
  }
}

[[nodiscard]] inline Fit fit_of(const engine::World& world, const std::array<formats::RecordedCar, 2>& cars) noexcept {
  Fit fit;
  for (const engine::Player player : engine::kPlayers) {
    const std::size_t i = engine::index_of(player);
    const engine::CarState car = world.car(player);
    for (std::size_t part = 0; part < 3; ++part) add_fit(fit, i, *car.parts()[part], *cars[i].parts()[part]);
  }
  return fit;
}

/// The nine pairs of commands, `first` in front.
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
