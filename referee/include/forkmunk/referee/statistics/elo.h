#pragma once

#include <forkmunk/referee/statistics/interval.h>
#include <forkmunk/referee/statistics/score.h>

namespace forkmunk::referee::statistics {

/// The difference in Elo points at which a bot scores `score` on average: 400 * log10(score / (1 - score)).
///
/// \param score  0..1; 0 gives -infinity and 1 +infinity, for no finite difference predicts them.
/// Source: the logistic curve in A. Elo, "The Rating of Chessplayers, Past and Present", 1978.
[[nodiscard]] double elo_from_score(double score) noexcept;

/// The inverse: 1 / (1 + 10^(-elo / 400)); 0 at -infinity, 1 at +infinity.
[[nodiscard]] double score_from_elo(double elo) noexcept;

/// How many Elo points a bot is above its opponent.
struct EloDifference {
  double value = 0;   ///< -infinity or +infinity if all games were lost or won.
  Interval interval;  ///< 95 %; the end on that side is infinite then, the other one is finite.
};

/// The Elo difference that `score` means, with the ends of the score's interval as the ends of its own.
[[nodiscard]] EloDifference elo_of(const Score& score) noexcept;

}  // namespace forkmunk::referee::statistics
