// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/referee/statistics.h>
#include <forkmunk/referee/tournament.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace forkmunk::referee {

[[nodiscard]] statistics::Result result_for(const TournamentResult& result, std::size_t seat) noexcept;

struct MatchTally {
  std::size_t matches = 0;
  std::size_t wins = 0;   ///< Matches in which only the opponent died.
  std::size_t draws = 0;  ///< Matches in which both died, or neither.
  std::size_t losses = 0;
  std::size_t ticks = 0;
};

/// A bot's results against another one, or against all others.
struct Standing {
  statistics::Record games;
  statistics::PairRecord pairs;  ///< Complete pairs only.
  std::map<std::string, MatchTally> by_map_car;
  /// The lives left, summed over all games: the bot's, and its opponents'.
  std::array<std::size_t, 2> lives{};

  void add(const TournamentResult& result, std::size_t seat);
};

struct Conduct {
  TimeHistogram times;
  std::size_t garbled = 0;
  std::size_t surplus_lines = 0;
  std::size_t disconnections = 0;
  std::string last_verdict;
};

struct TournamentReport {
  TournamentPlan plan;                    ///< The bots have printable names.
  std::vector<TournamentResult> results;  ///< By index.
  Standing first;                         ///< The first bot against all others.
  /// Keys (a, b) with a < b.
  std::map<std::pair<std::size_t, std::size_t>, Standing> pairings;
  std::vector<Conduct> conduct;  ///< By bot.
  std::optional<statistics::SprtOptions> sprt;
  double llr = 0;
  statistics::SprtDecision decision = statistics::SprtDecision::undecided;
  bool with_rating = false;
  std::size_t broken_off = 0;  ///< Aborted games, which count as draws.
  std::string last_verdict;
};

[[nodiscard]] TournamentReport make_report(const Tournament& tournament, std::vector<TournamentResult> results,
                                           const std::optional<statistics::SprtOptions>& sprt);

/// Returns the score from pairs, in which the seats' advantages cancel, if every game is in a complete pair; otherwise
/// from single games. Returns nullopt without games.
[[nodiscard]] std::optional<statistics::Score> score_of(const Standing& standing);
[[nodiscard]] std::vector<statistics::Rating> ratings_of(const TournamentReport& report);

}  // namespace forkmunk::referee
