#pragma once

#include <forkmunk/referee/statistics/record.h>

namespace forkmunk::referee::statistics {

/// A sequential probability ratio test: play continues until one of two hypotheses is accepted.
///
/// H0: the bot is elo0 above its opponent; H1: it is elo1 above.
struct SprtOptions {
  double elo0 = 0;  ///< Logistic Elo (elo.h).
  double elo1 = 10;
  double alpha = 0.05;  ///< Type I error rate: accepting H1 when H0 is true.
  double beta = 0.05;   ///< Type II error rate: accepting H0 when H1 is true.
};

/// The largest elo1 and -elo0: the expected score there is within 1e-10 of 1 or 0.
inline constexpr double kSprtEloMax = 4000;

/// The precondition of the functions below: -kSprtEloMax <= elo0 < elo1 <= kSprtEloMax, alpha and beta
/// above 0, alpha + beta < 1.
[[nodiscard]] bool is_valid(const SprtOptions& options) noexcept;

/// The bounds of the test, in natural logarithms of the likelihood ratio.
struct SprtBounds {
  double lower = 0;  ///< H0 is accepted at or below.
  double upper = 0;  ///< H1 is accepted at or above.
};

/// Wald's bounds: log(beta / (1 - alpha)) and log((1 - beta) / alpha).
///
/// Source: A. Wald, "Sequential tests of statistical hypotheses", Ann. Math. Stat. 16 (1945), 117-186.
/// \pre is_valid(options)
[[nodiscard]] SprtBounds sprt_bounds(const SprtOptions& options) noexcept;

/// The log-likelihood ratio of the results under H1 and H0, each with the most likely distribution of results with that
/// mean (the generalized SPRT of fastchess and fishtest).
///
/// With results a_i in 0..1 (a pair's points / 2) that occurred n_i times, the most likely distribution of mean s is
///   p_i = (n_i / n) / (1 + x * (a_i - s)),   x the only root of   sum n_i * (a_i - s) / (1 + x * (a_i - s)) = 0
/// and the ratio is   sum n_i * log(p_i(s1) / p_i(s0)),   s0 and s1 being the scores expected at elo0 and elo1.
/// It is close to n / 2 * (s1 - s0) * (2 * mean - s0 - s1) / variance, but finite and small if all results are equal:
/// the variance is 0 after one pair, and two won pairs must not end a test. Counts of 0 are replaced by 0.001 (as in
/// fishtest), so that p_i exist; this changes the ratio by less than 0.001 at 0 against 50 Elo.
///
/// Sources: M. Van den Bergh, "A practical introduction to the GSPRT"; for p_i his "support_MLE_multinomial",
/// Proposition 1.1, as fishtest cites it.
/// \pre is_valid(options)
/// \return 0 without pairs.
/// Cost: some microseconds, no allocation.
[[nodiscard]] double log_likelihood_ratio(const PairRecord& record, const SprtOptions& options) noexcept;

enum class SprtDecision {
  undecided,  ///< Continue.
  accept_h0,
  accept_h1,
};

/// \param llr  from log_likelihood_ratio() with the same options.   \pre is_valid(options)
[[nodiscard]] SprtDecision sprt_decision(double llr, const SprtOptions& options) noexcept;

}  // namespace forkmunk::referee::statistics
