#pragma once

#include <forkmunk/engine/vec2.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace forkmunk::formats {

/// The search behind a builtin planner's answer, for viewers; the referee only stores it.
struct SearchTrace {
  /// An evaluator term of the state at the tick.
  struct Term {
    std::string name;
    double value = 0;  ///< Its contribution to the score.
  };
  std::optional<double> score;     ///< Of the plan; nullopt if time ran out before one was tried.
  std::int64_t ticks = 0;          ///< Simulated for the decision.
  std::string plan;                ///< Run lengths, e.g. "R5 L12 S3".
  std::vector<Term> terms;         ///< The same names in the same order all the game.
  std::vector<engine::Vec2> path;  ///< Predicted path of its car's centre under the plan, a point every few ticks.
  std::vector<engine::Vec2> enemy_path;  ///< Predicted path of the other car under the opponent model; may be empty.
};

/// Both players' search traces at a tick; null if a bot has none.
using SearchTraces = std::array<std::shared_ptr<const SearchTrace>, 2>;

}  // namespace forkmunk::formats
