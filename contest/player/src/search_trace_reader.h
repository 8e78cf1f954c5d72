// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/snapshot.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/formats/recording.h>
#include <forkmunk/planning/evaluator.h>
#include <forkmunk/planning/planner.h>

#include <memory>

namespace forkmunk::player {

/// Converts a planner's decision to a search trace: evaluator terms by name, and the predicted path of the plan.
class SearchTraceReader {
 public:
  /// \param options  the options of the planner, for the same evaluator and weights.
  explicit SearchTraceReader(const planning::PlannerOptions& options);

  void begin_match(const engine::MatchSetup& setup);
  /// Returns the trace of a decision. \param world  at the tick of the decision; it is stepped along the plan and
  /// restored.
  [[nodiscard]] formats::SearchTrace read(engine::World& world, engine::Player me, const planning::Decision& decision);

 private:
  std::unique_ptr<planning::Evaluator> evaluator_;
  engine::Snapshot here_;
};

}  // namespace forkmunk::player
