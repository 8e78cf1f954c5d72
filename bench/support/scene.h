#pragma once

#include <forkmunk/engine/command.h>
#include <forkmunk/engine/match_setup.h>

#include <cstddef>
#include <string>
#include <vector>

namespace forkmunk::bench {

/// What is measured: a match and the commands that were once given in it.
struct Scene {
  std::string map;  ///< Names of the catalogues.
  std::string car;
  engine::MatchSetup setup;
  std::vector<engine::Commands> commands;  ///< One a tick; `stop` where none was taken.
};

/// Every map of the catalogue with every car, in its order: of each pair the longest match in the built-in recordings.
/// Cost: 0.1 s, for inflating them.
[[nodiscard]] std::vector<Scene> builtin_scenes();

/// Steps `world` (a World or a StockWorld, at tick `first` of the scene) `count` ticks on.
template <typename AnyWorld>
void step_along(AnyWorld& world, const Scene& scene, std::size_t first, std::size_t count) noexcept {
  for (std::size_t tick = first; tick < first + count; ++tick) world.step(scene.commands[tick]);
}

}  // namespace forkmunk::bench
