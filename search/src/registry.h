#pragma once

#include "two_sided_planner.h"

#include <string_view>

namespace forkmunk::search {

/// A planner of planners(), for each of game_kinds.h.
struct PlannerEntry {
  PlannerInfo info;
  MakePlanSearch<Contest> contest;
  MakePlanSearch<AnyGame> game;
};

/// \throws Error for an unknown planner, or an option out of range.
[[nodiscard]] const PlannerEntry& checked_planner(std::string_view name, const PlannerOptions& options);

}  // namespace forkmunk::search
