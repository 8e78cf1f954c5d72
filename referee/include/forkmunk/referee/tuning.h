#pragma once

#include <forkmunk/referee/ranks.h>
#include <forkmunk/search/weights.h>
#include <forkmunk/statistics/spsa.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// An evaluator's weights, improved by games of a bot against itself (SPSA, statistics/spsa.h).
namespace forkmunk::referee {

struct TuningOptions {
  std::string file;  ///< Where the weights are kept; if it is there, it is gone on with. "-": stdout.
  std::string bot = "stretched:ticks=150";  ///< As player::parse_player_options() takes it; with ticks.
  std::string start;                        ///< A file of weights to begin with; empty: the shipped ones.
  std::string car = "Buggy";                ///< Whose column of the table is tuned.
  std::int64_t games = 0;                   ///< Matches in all, those before a resumption too; even.
  std::uint64_t seed = 1;                   ///< Of all draws.
  std::size_t concurrency = 1;              ///< Matches at once; the result does not depend on it.
  std::int64_t batch = 8;  ///< Pairs of matches before the weights move: as many can be played at once.
  statistics::Spsa::Options spsa{.rate = 0.06, .settling = 1000};
};

/// What is tuned, and how far it has come.
struct Tuning {
  search::Weights weights;
  std::vector<double> perturbation;  ///< Of each tuned weight, as it was at the start.
  std::int64_t comparisons = 0;      ///< Pairs of matches.
  double score = 0;                  ///< Of the upper sides, summed: near 0 if nothing is amiss.
};

/// Plays the matches that are missing, in batches, and writes the file after each: a kill loses the batch at most.
/// What is no regular file (a pipe, stdout) is written once, at the end, and never read.
/// \param ranks  that this process leads: they play too; may be null.
/// \param progress  called with pairs of matches done and in all; may be empty.
/// \throws Error for options or a file that cannot be used.
[[nodiscard]] Tuning tune(const TuningOptions& options,
                          const std::function<void(std::size_t done, std::size_t total)>& progress = {},
                          Ranks* ranks = nullptr);

/// What the other ranks do meanwhile, with the same options: they play the matches that the leader's tune() hands them.
/// They read and write no file.
void follow_tune(const TuningOptions& options, Ranks& ranks);

}  // namespace forkmunk::referee
