#pragma once

#include "plan_search.h"

/// One maker for each planner; registry.cpp lists them under their names.
namespace forkmunk::search {

[[nodiscard]] std::unique_ptr<PlanSearch> make_straight(const PlannerOptions& options, Random random);
[[nodiscard]] std::unique_ptr<PlanSearch> make_stretched(const PlannerOptions& options, Random random);
[[nodiscard]] std::unique_ptr<PlanSearch> make_coarse(const PlannerOptions& options, Random random);
[[nodiscard]] std::unique_ptr<PlanSearch> make_genetic(const PlannerOptions& options, Random random);
[[nodiscard]] std::unique_ptr<PlanSearch> make_grid(const PlannerOptions& options, Random random);

}  // namespace forkmunk::search
