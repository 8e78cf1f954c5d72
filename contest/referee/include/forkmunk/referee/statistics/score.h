#pragma once

#include <forkmunk/referee/statistics/interval.h>
#include <forkmunk/referee/statistics/record.h>

#include <optional>

namespace forkmunk::referee::statistics {

/// The score of a bot as a share of the possible points, with its statistical uncertainty.
struct Score {
  double value = 0;           ///< (wins + draws / 2) / games, 0..1.
  double standard_error = 0;  ///< From the variance of the results (below); 0 if all were equal, so use the interval.
  Interval interval;          ///< 95 %, within 0..1; never a point.
};

/// The score in independent games. With n games, value m and results x of 0, 0.5 or 1:
///
///   standard error = sqrt(v / n),   v = sum (x - m)^2 / n    (the trinomial variance)
///   interval       = wilson_interval(m, n / f)
///
/// f is the ratio of the variance to that of m without draws, m * (1 - m), with two wins and two losses added to the
/// results (the "plus four" of Agresti and Coull), so that ten draws in ten games do not make it 0. Without draws the
/// interval is Wilson's (10:0 gives 0.72..1), and with many games it converges to m -+ 1.96 standard errors.
/// Sources: wilson_interval(); A. Agresti, B. Coull, "Approximate is better than 'exact'", Am. Stat. 52 (1998),
/// 119-126; the effective sample size n / f: E. Korn, B. Graubard, "Confidence intervals for proportions with small
/// expected number of positive counts estimated from survey data", Survey Methodology 24 (1998), 193-201.
///
/// \return nullopt without games.
[[nodiscard]] std::optional<Score> score_of(const Record& record) noexcept;

/// The same for pairs of games: x is 0, 0.25, 0.5, 0.75 or 1 and n the number of pairs.
///
/// \return nullopt without pairs.
[[nodiscard]] std::optional<Score> score_of(const PairRecord& record) noexcept;

}  // namespace forkmunk::referee::statistics
