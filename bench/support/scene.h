#pragma once

#include <forkmunk/engine/command.h>
#include <forkmunk/engine/match_setup.h>

#include <cstddef>
#include <string>
#include <vector>

namespace forkmunk::bench {

/// A measured match and its recorded commands.
struct Scene {
  std::string map;  ///< Names of the catalogues.
  std::string car;
  engine::MatchSetup setup;
  std::vector<engine::Commands> commands;  ///< One a tick; `stop` where the referee took none.
};

/// Every map of the catalogue with every car, in its order: for each pair the longest match of the built-in recordings.
/// Cost: 0.1 s, to decompress them.
[[nodiscard]] std::vector<Scene> builtin_scenes();

/// Steps `world` (a World or a StockWorld, at tick `first` of the scene) `count` ticks on.
template <typename AnyWorld>
void step_along(AnyWorld& world, const Scene& scene, std::size_t first, std::size_t count) noexcept {
  for (std::size_t tick = first; tick < first + count; ++tick) world.step(scene.commands[tick]);
}

}  // namespace forkmunk::bench
