#include "parallel_planner.h"
#include "planners/planners.h"
#include "two_sided_planner.h"

#include <forkmunk/base/error.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace forkmunk::search {
namespace {

struct Entry {
  PlannerInfo info;
  std::unique_ptr<Planner> (*make)(OpponentModel model, const PlannerOptions& options);
};

template <MakePlanSearch search>
std::unique_ptr<Planner> two_sided(OpponentModel model, const PlannerOptions& options) {
  return std::make_unique<TwoSidedPlanner>(search, model, options);
}

constexpr std::array<Entry, 7> kPlanners{{
    {{"straight", "the best of left, stop and right for 50 ticks", OpponentModel::repeat}, two_sided<make_straight>},
    {{"stretched", "hill climbing over 8 actions of 5 ticks", OpponentModel::planned}, two_sided<make_stretched>},
    {{"coarse", "the same with actions of 8, then 4, then 2 ticks", OpponentModel::planned}, two_sided<make_coarse>},
    {{"genetic", "a small population of 40 commands, crossed and mutated in slices", OpponentModel::planned},
     two_sided<make_genetic>},
    {{"grid", "3x3 branching, the worst of the opponent's replies", OpponentModel::constant3}, two_sided<make_grid>},
    {{"coevolve", "both sides' populations improve in turns", OpponentModel::coevolve}, two_sided<make_genetic>},
    {{"best", "the strongest: stretched, for all cars", OpponentModel::planned}, two_sided<make_stretched>},
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

std::unique_ptr<Planner> make_planner(std::string_view name, const PlannerOptions& options) {
  if (options.horizon) check_range("horizon", *options.horizon, 4, kPlanTicksMax);
  if (options.hold) check_range("hold", *options.hold, 1, kPlanTicksMax);
  if (options.discount) check_range("discount", *options.discount, 0.5, 1);
  if (options.opponent_share) check_range("opponent_share", *options.opponent_share, 0, 1);
  const auto* const found = std::ranges::find(kPlanners, name, [](const Entry& entry) { return entry.info.name; });
  if (found == kPlanners.end()) {
    std::string names;
    for (const Entry& entry : kPlanners) names += (names.empty() ? "" : ", ") + std::string(entry.info.name);
    throw Error("planner " + std::string(name) + ": expected one of " + names);
  }
  check_range("threads", options.threads, 1, kPlannerThreadsMax);
  if (options.threads > 1) return std::make_unique<ParallelPlanner>(name, options);
  return found->make(found->info.opponent, options);
}

}  // namespace forkmunk::search
