#pragma once

#include <forkmunk/referee/statistics/interval.h>
#include <forkmunk/referee/statistics/record.h>

#include <cstddef>
#include <span>
#include <vector>

namespace forkmunk::referee::statistics {

/// The record of bot `first` against bot `second`; both are indices below the number of bots, and differ.
struct Pairing {
  std::size_t first = 0;
  std::size_t second = 0;
  Record record;
};

/// A bot's rating among the bots of one call.
struct Rating {
  double elo = 0;             ///< The mean over all bots is 0.
  double standard_error = 0;  ///< Elo points, of `elo` relative to that mean; not of the difference between two bots.
  Interval interval;          ///< 95 %: elo -+ kNormalQuantile95 * standard_error.
};

/// Rates bots by all their games (Bradley-Terry: bot i beats bot j with probability g_i / (g_i + g_j), and
/// elo = 400 * log10(g)); a draw counts as half a win for each side.
///
/// The prior adds `prior_draws` draws to every bot, in equal parts against each other bot. It moves ratings slightly
/// towards each other, and keeps them finite if a bot won every game or played none.
///
/// Method: the cyclic MM algorithm, g_i = points_i / sum_j (games_ij / (g_i + g_j)), until each bot's expected points
/// are within a relative error of 1e-12 of its points. Standard errors are from the Fisher information for ratings of
/// mean 0; they treat a draw as half a win and half a loss, so that many draws make them too large, not too small.
///
/// Sources: D. Hunter, "MM algorithms for generalized Bradley-Terry models", Ann. Stat. 32 (2004), 384-406; the prior
/// is in the manner of R. Coulom's BayesElo.
/// \param pairings     in any order; two bots may have several entries.
/// \param prior_draws  above 0
/// \return [bot], bot_count long.
/// Cost: bot_count^2 for each of ten to some thousand sweeps, and bot_count^3 once.
[[nodiscard]] std::vector<Rating> ratings_of(std::size_t bot_count, std::span<const Pairing> pairings,
                                             double prior_draws = 1);

}  // namespace forkmunk::referee::statistics
