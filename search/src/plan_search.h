#pragma once

#include "playouts.h"

#include <forkmunk/engine/random.h>
#include <forkmunk/search/planner.h>

#include <memory>
#include <span>

namespace forkmunk::search {

/// Improves one side's plan against given replies. What the planners differ in; the rest is TwoSidedPlanner.
class PlanSearch {
 public:
  PlanSearch() = default;
  PlanSearch(const PlanSearch&) = delete;
  PlanSearch& operator=(const PlanSearch&) = delete;
  virtual ~PlanSearch() = default;

  /// Forgets everything: a match begins at `tick`.
  virtual void begin_match(int tick) = 0;
  /// `ticks` went by since the last improve() or begin_match(); best() moves on with them.
  virtual void advance(int ticks) = 0;
  /// Looks for a better plan for `side` until that part of the budget is used up, or there is nothing left to try.
  /// May be called several times at a tick.
  virtual void improve(Playouts& playouts, engine::Player side, std::span<const Plan> replies, double until) = 0;
  [[nodiscard]] virtual const Plan& best() const noexcept = 0;
  /// Of best(), against the replies of the last improve().
  [[nodiscard]] virtual double score() const noexcept = 0;
};

/// Makes the search of one side. Each side has random numbers of its own.
using MakePlanSearch = std::unique_ptr<PlanSearch> (*)(const PlannerOptions& options, engine::Random random);

}  // namespace forkmunk::search
