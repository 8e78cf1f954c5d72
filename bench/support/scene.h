// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/command.h>
#include <forkmunk/engine/match_setup.h>

#include <cstddef>
#include <string>
#include <vector>

namespace forkmunk::bench {

struct Scene {
  std::string map;  ///< A name in the catalogue, as `car`.
  std::string car;
  engine::MatchSetup setup;
  std::vector<engine::Commands> commands;  ///< By tick; `stop` where the referee took no command.
};

/// \throws RecordingError; Error if the recording has no commands.
[[nodiscard]] std::vector<Scene> scenes_of(const std::string& recording_file);

/// Returns the longest built-in match of every map with every car. Cost: 0.1 s, to decompress the recordings.
[[nodiscard]] std::vector<Scene> builtin_scenes();

/// `world` is a World or a StockWorld at tick `first` of the scene.
template <typename AnyWorld>
void step_along(AnyWorld& world, const Scene& scene, std::size_t first, std::size_t count) noexcept {
  for (std::size_t tick = first; tick < first + count; ++tick) world.step(scene.commands[tick]);
}

}  // namespace forkmunk::bench
