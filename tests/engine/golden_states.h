// SPDX-License-Identifier: MIT
#pragma once

#include "engine/golden_hashes.h"
#include "support/scenes.h"

#include <cinttypes>
#include <cstdio>

namespace forkmunk::tests {

inline constexpr std::uint64_t kGoldenSeed = 2018;
inline constexpr int kGoldenTicks = 600;

inline std::array<std::uint64_t, 3> golden_states_of(const Scene& scene, engine::Physics physics) {
  engine::World world(physics);
  world.begin_match(scene.setup);
  std::array<std::uint64_t, 3> result{world.hash(), 0, 0};
  for (const engine::Commands& commands : script(kGoldenSeed, kGoldenTicks)) {
    world.step(commands);
    if (world.tick() == 60) result[1] = world.hash();
  }
  result[2] = world.hash();
  return result;
}

inline std::string golden_line(const Scene& scene, const std::array<std::uint64_t, 3>& hashes) {
  std::array<char, 160> line{};
  std::snprintf(line.data(), line.size(),
                "    {\"%.*s\", \"%.*s\", {0x%016" PRIx64 ", 0x%016" PRIx64 ", 0x%016" PRIx64 "}},\n",
                static_cast<int>(scene.map.size()), scene.map.data(), static_cast<int>(scene.car.size()),
                scene.car.data(), hashes[0], hashes[1], hashes[2]);
  return line.data();
}

}  // namespace forkmunk::tests
