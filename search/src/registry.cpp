#include "registry.h"

#include "parallel_planner.h"
#include "planners/planners.h"

#include <forkmunk/base/error.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace forkmunk::search {
namespace {

constexpr std::array<PlannerEntry, 7> kPlanners{{
    {{"straight", "the best of left, stop and right for 50 ticks", OpponentModel::repeat},
     make_straight<Contest>,
     make_straight<AnyGame>},
    {{"stretched", "hill climbing over 8 actions of 5 ticks", OpponentModel::planned},
     make_stretched<Contest>,
     make_stretched<AnyGame>},
    {{"coarse", "the same with actions of 8, then 4, then 2 ticks", OpponentModel::planned},
     make_coarse<Contest>,
     make_coarse<AnyGame>},
    {{"genetic", "a small population of plans of 40 commands, crossed and mutated in slices", OpponentModel::planned},
     make_genetic<Contest>,
     make_genetic<AnyGame>},
    {{"grid", "3x3 branching, the worst of the opponent's replies", OpponentModel::constant3},
     make_grid<Contest>,
     make_grid<AnyGame>},
    {{"coevolve", "both sides' populations improve in turns", OpponentModel::coevolve},
     make_genetic<Contest>,
     make_genetic<AnyGame>},
    {{"best", "the strongest: stretched with opponent robust, for all cars", OpponentModel::robust},
     make_stretched<Contest>,
     make_stretched<AnyGame>},
}};

// The shortest text of a number; search links no formatting library.
std::string shown(double value) {
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

void check_range(std::string_view option, double found, double min, double max) {
  if (found >= min && found <= max) return;
  throw Error("planner option " + std::string(option) + ": found " + shown(found) + ", expected " + shown(min) +
              " to " + shown(max));
}

}  // namespace

std::span<const PlannerInfo> planners() noexcept {
  static constexpr auto kInfos = [] {
    std::array<PlannerInfo, kPlanners.size()> infos;
    for (std::size_t i = 0; i < infos.size(); ++i) infos[i] = kPlanners[i].info;
    return infos;
  }();
  return kInfos;
}

const PlannerEntry& checked_planner(std::string_view name, const PlannerOptions& options) {
  if (options.horizon) check_range("horizon", *options.horizon, 4, kPlanTicksMax);
  if (options.hold) check_range("hold", *options.hold, 1, kPlanTicksMax);
  if (options.discount) check_range("discount", *options.discount, 0.5, 1);
  if (options.opponent_share) check_range("opponent_share", *options.opponent_share, 0, 1);
  const auto* const found =
      std::ranges::find(kPlanners, name, [](const PlannerEntry& entry) { return entry.info.name; });
  if (found == kPlanners.end()) {
    std::string names;
    for (const PlannerEntry& entry : kPlanners) names += (names.empty() ? "" : ", ") + std::string(entry.info.name);
    throw Error("planner " + std::string(name) + ": expected one of " + names);
  }
  check_range("threads", options.threads, 1, kPlannerThreadsMax);
  return *found;
}

std::unique_ptr<Planner> make_planner(std::string_view name, const PlannerOptions& options) {
  const PlannerEntry& entry = checked_planner(name, options);
  if (options.threads > 1) return std::make_unique<ParallelPlanner>(name, options);
  return std::make_unique<TwoSidedPlanner>(entry.contest, entry.info.opponent, options);
}

}  // namespace forkmunk::search
