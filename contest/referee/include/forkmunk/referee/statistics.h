// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace forkmunk::referee::statistics {

struct Interval {
  double low = 0;
  double high = 0;
};

/// Half the width of a 95 % interval, in standard errors.
inline constexpr double kNormalQuantile95 = 1.959963984540054;

/// Returns Wilson's 95 % score interval for a proportion (J. Am. Stat. Assoc. 22 (1927), 209-212), which is no single
/// point at 0 and 1.
/// \param sample_size  > 0; may be a fractional effective sample size.
/// \return within 0..1; ends in exactly 0 at proportion 0 and in exactly 1 at proportion 1.
[[nodiscard]] Interval wilson_interval(double proportion, double sample_size) noexcept;

/// The value is in half points.
enum class Result { loss = 0, draw = 1, win = 2 };

struct Record {
  std::uint64_t wins = 0;
  std::uint64_t draws = 0;
  std::uint64_t losses = 0;

  void add(Result result) noexcept;
  [[nodiscard]] std::uint64_t games() const noexcept { return wins + draws + losses; }
  friend bool operator==(const Record&, const Record&) = default;
};

/// A bot's results in pairs of games with the same matches (map, car) and exchanged seats: the pentanomial model of
/// chess engine testing. If one seat always wins, every pair is 1:1, which the trinomial model would count as noise.
struct PairRecord {
  /// Pairs worth 0, 0.5, 1, 1.5, 2 points to the bot.
  std::array<std::uint64_t, 5> counts{};

  void add(Result first, Result second) noexcept;
  [[nodiscard]] std::uint64_t pairs() const noexcept;
  friend bool operator==(const PairRecord&, const PairRecord&) = default;
};

struct Score {
  double value = 0;  ///< (wins + draws / 2) / games, 0..1.
  /// It is 0 for equal results, so use the interval.
  double standard_error = 0;
  Interval interval;  ///< 95 %, within 0..1; never a single point.
};

/// Returns the score in independent games. With n games, value m and results x of 0, 0.5 or 1:
///
///   standard error = sqrt(v / n),   v = sum (x - m)^2 / n    (the trinomial variance)
///   interval       = wilson_interval(m, n / f)
///
/// f is the ratio of the variance to that of m without draws, m * (1 - m), with two wins and two losses added to the
/// results ("plus four"), so that f is not 0 after ten draws. Without draws the interval is Wilson's. Sources: "plus
/// four": A. Agresti, B. Coull, Am. Stat. 52 (1998), 119-126; n / f: E. Korn, B. Graubard, Survey Methodology 24
/// (1998), 193-201.
///
/// \return nullopt without games.
[[nodiscard]] std::optional<Score> score_of(const Record& record) noexcept;

/// Returns the score by the same formula, where x is 0, 0.25, 0.5, 0.75 or 1, and n the number of pairs.
[[nodiscard]] std::optional<Score> score_of(const PairRecord& record) noexcept;

/// Returns the difference in Elo points at which a bot scores `score` on average: 400 * log10(score / (1 - score)).
/// \param score  0..1; 0 gives -infinity and 1 +infinity.
[[nodiscard]] double elo_from_score(double score) noexcept;

/// Returns 1 / (1 + 10^(-elo / 400)); 0 at -infinity, 1 at +infinity.
[[nodiscard]] double score_from_elo(double elo) noexcept;

struct EloDifference {
  double value = 0;   ///< Infinite if all games were lost or won.
  Interval interval;  ///< 95 %. The end on the side of an infinite `value` is infinite.
};

[[nodiscard]] EloDifference elo_of(const Score& score) noexcept;

/// Different indices below the number of bots; the record is of `first`.
struct Pairing {
  std::size_t first = 0;
  std::size_t second = 0;
  Record record;
};

struct Rating {
  double elo = 0;  ///< The mean over all bots is 0.
  /// The error relative to the mean, not between two bots.
  double standard_error = 0;
  Interval interval;  ///< 95 %: elo -+ kNormalQuantile95 * standard_error.
};

/// Rates bots by all their games (Bradley-Terry: bot i beats bot j with probability g_i / (g_i + g_j), and elo = 400 *
/// log10(g)). A draw counts as half a win for each side. The prior adds `prior_draws` draws to every bot, in equal
/// parts against each other bot, which keeps ratings finite.
///
/// Method: the cyclic MM algorithm, g_i = points_i / sum_j (games_ij / (g_i + g_j)), until each bot's expected points
/// are within a relative error of 1e-12. Standard errors are from the Fisher information for ratings of mean 0; many
/// draws make them too large.
///
/// Sources: D. Hunter, Ann. Stat. 32 (2004), 384-406; for the prior, R. Coulom's BayesElo.
/// \param pairings     in any order; two bots may have several entries.
/// \param prior_draws  above 0
/// \return [bot], bot_count long. Cost: bot_count^2 for each of ten to some thousand sweeps, and bot_count^3 once.
[[nodiscard]] std::vector<Rating> ratings_of(std::size_t bot_count, std::span<const Pairing> pairings,
                                             double prior_draws = 1);

/// A sequential probability ratio test between H0 (the bot is elo0 above its opponent) and H1 (it is elo1 above).
struct SprtOptions {
  double elo0 = 0;  ///< Elo differences by elo_from_score().
  double elo1 = 10;
  double alpha = 0.05;  ///< The rate of accepting H1 when H0 is true.
  double beta = 0.05;   ///< The rate of accepting H0 when H1 is true.
};

/// The largest elo1 and -elo0; the expected score is within 1e-10 of 1 or 0.
inline constexpr double kSprtEloMax = 4000;

/// Returns whether elo0 < elo1 and all numbers are in their ranges.
[[nodiscard]] bool is_valid(const SprtOptions& options) noexcept;

/// Natural logarithms of the likelihood ratio.
struct SprtBounds {
  double lower = 0;  ///< H0 is accepted at or below it.
  double upper = 0;  ///< H1 is accepted at or above it.
};

/// Returns Wald's bounds: log(beta / (1 - alpha)) and log((1 - beta) / alpha). \pre is_valid(options)
/// Source: A. Wald, Ann. Math. Stat. 16 (1945), 117-186.
[[nodiscard]] SprtBounds sprt_bounds(const SprtOptions& options) noexcept;

/// Returns the log-likelihood ratio of the results under H1 and H0, each with the most likely distribution of results
/// with that mean (the generalized SPRT of fastchess and fishtest).
///
/// With results a_i in 0..1 (a pair's points / 2) that occurred n_i times, the most likely distribution of mean s is
///   p_i = (n_i / n) / (1 + x * (a_i - s)),   x the only root of   sum n_i * (a_i - s) / (1 + x * (a_i - s)) = 0
/// and the ratio is sum n_i * log(p_i(s1) / p_i(s0)), s0 and s1 being the scores expected at elo0 and elo1. Counts of 0
/// are replaced by 0.001 (as in fishtest), so that p_i exist, and two won pairs do not end a test.
///
/// Sources: M. Van den Bergh, "A practical introduction to the GSPRT"; for p_i his "support_MLE_multinomial",
/// Proposition 1.1.
/// \pre is_valid(options)
/// \return 0 without pairs.
[[nodiscard]] double log_likelihood_ratio(const PairRecord& record, const SprtOptions& options) noexcept;

enum class SprtDecision {
  undecided,
  accept_h0,
  accept_h1,
};

/// \param llr  from log_likelihood_ratio() with the same options.   \pre is_valid(options)
[[nodiscard]] SprtDecision sprt_decision(double llr, const SprtOptions& options) noexcept;

struct Summary {
  double mean = 0;
  double p99 = 0;  ///< Nearest rank, not interpolated.
  double max = 0;
};

/// \return nullopt without values. \param values  finite, in any order. Cost: linear.
[[nodiscard]] std::optional<Summary> summary_of(std::vector<double> values);

}  // namespace forkmunk::referee::statistics
