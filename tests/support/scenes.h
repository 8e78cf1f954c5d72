// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/random.h>
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/maps/catalogue.h>

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace forkmunk::tests {

struct Scene {
  std::string_view map;
  std::string_view car;
  engine::MatchSetup setup;
};

/// All maps with all cars, maps first.
inline const std::vector<Scene>& all_scenes() {
  static const std::vector<Scene> scenes = [] {
    std::vector<Scene> result;
    for (const auto& map : maps::catalogue()) {
      for (const auto& car : cars::catalogue()) result.push_back({map.name, car.name, {map.setup, car.setup}});
    }
    return result;
  }();
  return scenes;
}

inline const Scene& scene_of(std::string_view map, std::string_view car) {
  for (const Scene& scene : all_scenes()) {
    if (scene.map == map && scene.car == car) return scene;
  }
  throw std::out_of_range("scene_of: no " + std::string(map) + " with " + std::string(car) + " in the catalogues");
}

/// Both cars and the map touch under script(12, 170).
inline const Scene& touching_scene() { return scene_of("PillHillMap", "Bus"); }

/// Under Script(7) springs throw a car to infinity within 80 ticks.
inline engine::MatchSetup exploding_setup() {
  engine::MatchSetup setup = scene_of("PillHubbleMap", "Buggy").setup;
  engine::WheelSetup &rear = setup.car.rear_wheel, &front = setup.car.front_wheel;
  rear.mass = front.mass = 60;
  rear.damp_stiffness = 8e6;
  rear.damp_damping = 700;
  front.damp_stiffness = 7e7;
  front.damp_damping = 1000;
  return setup;
}

inline std::vector<Arithmetic> available_arithmetics() {
  std::vector<Arithmetic> result;
  for (const auto arithmetic : {Arithmetic::strict, Arithmetic::referee}) {
    if (is_available(arithmetic)) result.push_back(arithmetic);
  }
  return result;
}

inline std::string name_of(engine::Physics physics) {
  return physics == engine::Physics::chipmunk_fast_math ? "chipmunk_fast_math" : std::string(engine_name(physics));
}

/// Players hold random commands for 5 to 40 ticks.
class Script {
 public:
  explicit Script(std::uint64_t seed) : random_(seed) {}

  engine::Commands next() {
    for (std::size_t player = 0; player < 2; ++player) {
      if (left_[player]-- > 0) continue;
      held_[player] = random_.pick(engine::kCommands);
      left_[player] = 4 + static_cast<int>(random_.below(36));
    }
    return {held_[0], held_[1]};
  }

 private:
  Random random_;
  std::array<engine::Command, 2> held_{};
  std::array<int, 2> left_{};
};

inline std::vector<engine::Commands> script(std::uint64_t seed, int count) {
  Script source(seed);
  std::vector<engine::Commands> result;
  for (int i = 0; i < count; ++i) result.push_back(source.next());
  return result;
}

}  // namespace forkmunk::tests
