#pragma once

#include "plan_search.h"

/// One maker for each planner, for each of game_kinds.h; registry.h lists them under their names.
namespace forkmunk::search {

template <typename G>
[[nodiscard]] std::unique_ptr<PlanSearch<G>> make_straight(const PlannerOptions& options,
                                                           typename G::CommandSet commands, Random random);
template <typename G>
[[nodiscard]] std::unique_ptr<PlanSearch<G>> make_stretched(const PlannerOptions& options,
                                                            typename G::CommandSet commands, Random random);
template <typename G>
[[nodiscard]] std::unique_ptr<PlanSearch<G>> make_coarse(const PlannerOptions& options, typename G::CommandSet commands,
                                                         Random random);
template <typename G>
[[nodiscard]] std::unique_ptr<PlanSearch<G>> make_genetic(const PlannerOptions& options,
                                                          typename G::CommandSet commands, Random random);
template <typename G>
[[nodiscard]] std::unique_ptr<PlanSearch<G>> make_grid(const PlannerOptions& options, typename G::CommandSet commands,
                                                       Random random);

}  // namespace forkmunk::search
