#include "evaluators/term_evaluator.h"

#include <forkmunk/base/error.h>

#include <algorithm>
#include <string>

namespace forkmunk::search {

TermEvaluator::TermEvaluator(std::string_view name, std::span<const std::string_view> terms, const Weights& weights) {
  for (const std::string_view term : terms) {
    const auto row = std::ranges::find_if(
        weights, [&](const TermWeight& weight) { return weight.evaluator == name && weight.term == term; });
    if (row == weights.end()) throw Error("weights: no row for " + std::string(name) + "." + std::string(term));
    rows_.push_back({term, row->weight, row->per_tick});
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

}  // namespace forkmunk::search
