#pragma once

#include <forkmunk/engine/vec2.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace forkmunk::formats {

/// What a bot of this program had in mind when it answered: for viewers, the referee only carries it.
struct Thought {
  /// A part of the score of the state at the tick.
  struct Term {
    std::string name;
    double value = 0;  ///< What it adds to the score.
  };
  std::optional<double> score;           ///< Of the plan; nothing if there was no time for a single one.
  std::int64_t ticks = 0;                ///< Simulated for the decision.
  std::string plan;                      ///< Run lengths, e.g. "R5 L12 S3".
  std::vector<Term> terms;               ///< The same names in the same order all the game.
  std::vector<engine::Vec2> path;        ///< Where its car's middle will be under the plan, a point every few ticks.
  std::vector<engine::Vec2> enemy_path;  ///< The same of the other car, as it is thought to be driven; may be empty.
};

/// Both players' thoughts at a tick; null: none was shown.
using Thoughts = std::array<std::shared_ptr<const Thought>, 2>;

}  // namespace forkmunk::formats
