// SPDX-License-Identifier: MIT
#include "term_evaluator.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/excerpt.h>

#include <algorithm>
#include <array>

namespace forkmunk::planning {

TermEvaluator::TermEvaluator(std::string_view name, std::span<const std::string_view> terms, const Weights& weights) {
  for (const std::string_view term : terms) {
    const auto row = std::ranges::find_if(
        weights, [&](const TermWeight& weight) { return weight.evaluator == name && weight.term == term; });
    if (row == weights.end()) throw Error("weights: no row for ", name, ".", term);
    rows_.push_back(*row);
  }
  weights_.resize(rows_.size());
}

void TermEvaluator::begin_match(const engine::MatchSetup& setup) {
  kind_ = kind_of(setup.car);
  shape_.emplace(setup.car);
  for (std::size_t i = 0; i < rows_.size(); ++i) weights_[i] = rows_[i].weight[static_cast<std::size_t>(kind_)];
  prepare(setup);
}

double TermEvaluator::evaluate(const engine::World& world, engine::Player side, int ahead) const noexcept {
  Values values{};
  measure(world, side, Scene(world, side, *shape_), values);
  double sum = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) sum += values[i] * weight_at(i, ahead);
  return sum;
}

std::vector<Evaluator::Term> TermEvaluator::explain(const engine::World& world, engine::Player side, int ahead) const {
  Values values{};
  measure(world, side, Scene(world, side, *shape_), values);
  std::vector<Term> terms;
  for (std::size_t i = 0; i < rows_.size(); ++i) terms.push_back({rows_[i].term, values[i], weight_at(i, ahead)});
  return terms;
}

namespace {

constexpr std::array<EvaluatorInfo, 5> kEvaluators{{
    {"normalised", "attack, ram and tilt by geometry, speed, height", make_normalised},
    {"mirrored", "angles, reach and speed of both sides, height", make_mirrored},
    {"distance", "room around both buttons, height", make_distance},
    {"combined", "attack, room, tilt and the deadline: Forkmunk's own", make_combined},
    {"learned", "combined, and the chance to win by a value network trained on self-play", make_learned},
}};

}  // namespace

std::span<const EvaluatorInfo> evaluators() noexcept { return kEvaluators; }

std::unique_ptr<Evaluator> make_evaluator(std::string_view name, const Weights& weights) {
  const auto* const found = std::ranges::find(kEvaluators, name, &EvaluatorInfo::name);
  if (found != kEvaluators.end()) return found->make(weights);
  throw Error("evaluator ", name, ": expected one of ", list_of_names(kEvaluators));
}

}  // namespace forkmunk::planning
