// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>
#include <forkmunk/base/excerpt.h>
#include <forkmunk/search/two_sided_search.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace forkmunk::search {
namespace {

constexpr std::array<OpponentModelInfo, 6> kModels{{
    {OpponentModel::still, "still", "the opponent stops"},
    {OpponentModel::repeat, "repeat", "the opponent repeats its last command"},
    {OpponentModel::constant3, "constant3", "the worst of left, stop and right, held for the whole horizon"},
    {OpponentModel::planned, "planned", "the opponent's best plan against my last plan"},
    {OpponentModel::robust, "robust", "the worst of: that plan, that plan 4 ticks late, and the plan expected before"},
    {OpponentModel::coevolve, "coevolve", "both plans improve in turns, each against the other"},
}};

constexpr std::array<PlannerInfo, 7> kPlanners{{
    {"straight", "the best of left, stop and right for 50 ticks", OpponentModel::repeat, SearchKind::straight},
    {"stretched", "hill climbing over 8 actions of 5 ticks", OpponentModel::planned, SearchKind::stretched},
    {"coarse", "stretched with actions of 8, then 4, then 2 ticks", OpponentModel::planned, SearchKind::coarse},
    {"genetic", "a small population of plans of 40 commands, crossed and mutated in slices", OpponentModel::planned,
     SearchKind::genetic},
    {"grid", "3x3 branching, the worst of the opponent's replies", OpponentModel::constant3, SearchKind::grid},
    {"coevolve", "both sides' populations improve in turns", OpponentModel::coevolve, SearchKind::genetic},
    {"best", "the strongest: stretched with opponent robust, for all cars", OpponentModel::robust,
     SearchKind::stretched, 0.17},
}};

// `search` links no formatting library.
std::string shown(double value) {
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

StretchedSettings with_options(StretchedSettings settings, const SearchOptions& options) {
  if (options.hold) settings.stages = {{*options.hold, 1.0}}, settings.stride = *options.hold;
  settings.shorter = settings.shorter && !options.horizon && !options.hold;
  settings.horizon = options.horizon.value_or(settings.horizon);
  settings.discount = options.discount.value_or(settings.discount);
  return settings;
}

}  // namespace

std::span<const OpponentModelInfo> opponent_models() noexcept { return kModels; }

std::optional<OpponentModel> parse_opponent_model(std::string_view name) noexcept {
  const auto* const found = std::ranges::find(kModels, name, &OpponentModelInfo::name);
  if (found == kModels.end()) return std::nullopt;
  return found->model;
}

StretchedSettings stretched_settings(const SearchOptions& options) {
  return with_options({.stages = {{5, 1.0}}, .stride = 5, .horizon = 40, .shorter = true, .slices = true}, options);
}

StretchedSettings coarse_settings(const SearchOptions& options) {
  return with_options({.stages = {{8, 0.4}, {4, 0.7}, {2, 1.0}}, .stride = 4}, options);
}

void check_option(std::string_view option, double found, double min, double max) {
  if (found >= min && found <= max) return;
  throw Error("planner option ", option, ": found ", shown(found), ", expected ", shown(min), " to ", shown(max));
}

std::span<const PlannerInfo> planners() noexcept { return kPlanners; }

const PlannerInfo& checked_planner(std::string_view name, const SearchOptions& options) {
  if (options.horizon) check_option("horizon", *options.horizon, 4, kPlanTicksMax);
  if (options.hold) check_option("hold", *options.hold, 1, kPlanTicksMax);
  if (options.discount) check_option("discount", *options.discount, 0.5, 1);
  if (options.opponent_share) check_option("opponent_share", *options.opponent_share, 0, 1);
  const auto* const found = std::ranges::find(kPlanners, name, &PlannerInfo::name);
  if (found != kPlanners.end()) return *found;
  throw Error("planner ", name, ": expected one of ", list_of_names(kPlanners));
}

}  // namespace forkmunk::search
