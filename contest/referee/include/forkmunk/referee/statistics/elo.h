#pragma once

#include <forkmunk/referee/statistics/interval.h>
#include <forkmunk/referee/statistics/score.h>

namespace forkmunk::referee::statistics {

/// The difference in Elo points at which a bot scores `score` on average: 400 * log10(score / (1 - score)).
///
/// \param score  0..1; 0 gives -infinity and 1 +infinity.
/// Source: the logistic curve in A. Elo, "The Rating of Chessplayers, Past and Present", 1978.
[[nodiscard]] double elo_from_score(double score) noexcept;

/// The inverse: 1 / (1 + 10^(-elo / 400)); 0 at -infinity, 1 at +infinity.
[[nodiscard]] double score_from_elo(double elo) noexcept;

/// The Elo difference between a bot and its opponent.
struct EloDifference {
  double value = 0;   ///< -infinity or +infinity if all games were lost or won.
  Interval interval;  ///< 95 %; then infinite at that end, finite at the other.
};

/// The Elo difference of `score`; the ends of its interval are those of the score's interval, converted.
[[nodiscard]] EloDifference elo_of(const Score& score) noexcept;

}  // namespace forkmunk::referee::statistics
