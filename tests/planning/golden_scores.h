// SPDX-License-Identifier: MIT
#pragma once

#include "support/scenes.h"

#include <forkmunk/base/hasher.h>
#include <forkmunk/planning/evaluator.h>

#include <array>
#include <cstdint>
#include <string_view>

/// Plans rarely depend on the last bit, so signatures would not detect another machine's sine.
namespace forkmunk::tests {

struct GoldenScores {
  std::string_view evaluator;
  std::uint64_t scores = 0;
  friend bool operator==(const GoldenScores&, const GoldenScores&) = default;
};

inline constexpr std::array<GoldenScores, 5> kGoldenScores{{
    {"normalised", 0xdfde8c5765c114ec},
    {"mirrored", 0x357d64b297c802fc},
    {"distance", 0x68ed703a89426b4d},
    {"combined", 0x73e875970bf4f6f3},
    {"learned", 0x1d449b17fedb40f9},
}};

/// Scores of both sides at every third tick.
inline GoldenScores scores_of(std::string_view evaluator_name) {
  Hasher hasher;
  const auto evaluator = planning::make_evaluator(evaluator_name);
  for (const Scene& scene : all_scenes()) {
    engine::World world;
    world.begin_match(scene.setup);
    evaluator->begin_match(scene.setup);
    Script script(5);
    for (int tick = 0; tick < 300; ++tick) {
      world.step(script.next());
      if (tick % 3 != 0) continue;
      for (const engine::Player side : engine::kPlayers) hasher.add(evaluator->evaluate(world, side, tick % 40));
    }
  }
  return {evaluator_name, hasher.value()};
}

}  // namespace forkmunk::tests
