#pragma once

#include <forkmunk/search/evaluator.h>

/// One maker for each evaluator; evaluator.cpp lists them under their names.
namespace forkmunk::search {

[[nodiscard]] std::unique_ptr<Evaluator> make_normalised(const Weights& weights);
[[nodiscard]] std::unique_ptr<Evaluator> make_mirrored(const Weights& weights);
[[nodiscard]] std::unique_ptr<Evaluator> make_distance(const Weights& weights);
[[nodiscard]] std::unique_ptr<Evaluator> make_combined(const Weights& weights);
[[nodiscard]] std::unique_ptr<Evaluator> make_learned(const Weights& weights);

}  // namespace forkmunk::search
