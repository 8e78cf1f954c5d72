#pragma once

#include <forkmunk/engine/snapshot.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/formats/thought.h>
#include <forkmunk/search/evaluator.h>
#include <forkmunk/search/planner.h>

#include <memory>

namespace forkmunk::player {

/// Puts a planner's decision into what a viewer shows: its terms by name, and where its plan leads.
class ThoughtReader {
 public:
  /// \param options  the planner's: the same evaluator and weights.
  explicit ThoughtReader(const search::PlannerOptions& options);

  void begin_match(const engine::MatchSetup& setup);
  /// \param world  at the tick of the decision; it is stepped along the plan, and put back.
  [[nodiscard]] formats::Thought read(engine::World& world, engine::Player me, const search::Decision& decision);

 private:
  std::unique_ptr<search::Evaluator> evaluator_;
  engine::Snapshot here_;
};

}  // namespace forkmunk::player
