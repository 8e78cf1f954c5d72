#pragma once

#include <forkmunk/referee/statistics/record.h>

namespace forkmunk::referee::statistics {

/// A sequential probability ratio test: games go on until one of two claims about a bot is refuted.
///
/// H0 says that the bot is elo0 above its opponent, H1 that it is elo1 above.
struct SprtOptions {
  double elo0 = 0;  ///< Logistic Elo (elo.h).
  double elo1 = 10;
  double alpha = 0.05;  ///< Probability of accepting H1 where H0 is true.
  double beta = 0.05;   ///< Probability of accepting H0 where H1 is true.
};

/// The largest elo1 and -elo0: the score expected there is within 1e-10 of 1 or 0.
inline constexpr double kSprtEloMax = 4000;

/// Whether the functions below may be called with `options`: -kSprtEloMax <= elo0 < elo1 <= kSprtEloMax, alpha and beta
/// above 0, alpha + beta < 1.
[[nodiscard]] bool is_valid(const SprtOptions& options) noexcept;

/// Where the test ends, in natural logarithms of the likelihood ratio.
struct SprtBounds {
  double lower = 0;  ///< H0 is accepted at or below.
  double upper = 0;  ///< H1 is accepted at or above.
};

/// Wald's bounds: log(beta / (1 - alpha)) and log((1 - beta) / alpha).
///
/// Source: A. Wald, "Sequential tests of statistical hypotheses", Ann. Math. Stat. 16 (1945), 117-186.
/// \pre is_valid(options)
[[nodiscard]] SprtBounds sprt_bounds(const SprtOptions& options) noexcept;

/// The logarithm of how much likelier the results are under H1 than under H0, each with the distribution of results of
/// that mean that explains them best (the generalized SPRT, as fastchess and fishtest have it).
///
/// With results a_i in 0..1 (a pair's points / 2) that came up n_i times, the best distribution of mean s is
///   p_i = (n_i / n) / (1 + x * (a_i - s)),   x the only root of   sum n_i * (a_i - s) / (1 + x * (a_i - s)) = 0
/// and the ratio is   sum n_i * log(p_i(s1) / p_i(s0)),   s0 and s1 being the scores expected at elo0 and elo1.
/// Close to n / 2 * (s1 - s0) * (2 * mean - s0 - s1) / variance, but unlike it finite and modest where all results are
/// equal: the variance is 0 after one pair, and two pairs won must not end a test. For p_i to exist, counts of 0 are
/// taken as 0.001 (as in fishtest), which moves the ratio by less than 0.001 at 0 against 50 Elo.
///
/// Sources: M. Van den Bergh, "A practical introduction to the GSPRT"; for p_i his "support_MLE_multinomial",
/// Proposition 1.1, as fishtest cites it.
/// \pre is_valid(options)
/// \return 0 without pairs.
/// Cost: some microseconds, no allocation.
[[nodiscard]] double log_likelihood_ratio(const PairRecord& record, const SprtOptions& options) noexcept;

enum class SprtDecision {
  undecided,  ///< Play on.
  accept_h0,
  accept_h1,
};

/// \param llr  from log_likelihood_ratio() with the same options.   \pre is_valid(options)
[[nodiscard]] SprtDecision sprt_decision(double llr, const SprtOptions& options) noexcept;

}  // namespace forkmunk::referee::statistics
