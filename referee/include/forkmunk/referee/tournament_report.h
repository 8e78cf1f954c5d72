#pragma once

#include <forkmunk/referee/statistics/ratings.h>
#include <forkmunk/referee/statistics/record.h>
#include <forkmunk/referee/statistics/score.h>
#include <forkmunk/referee/statistics/sprt.h>
#include <forkmunk/referee/tournament.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace forkmunk::referee {

/// How the game ended for the bot in `seat`.
[[nodiscard]] statistics::Result result_for(const TournamentResult& result, std::size_t seat) noexcept;

/// What a bot did in the matches of one map and car.
struct MatchTally {
  std::size_t matches = 0;
  std::size_t wins = 0;   ///< The other one died alone.
  std::size_t draws = 0;  ///< Both died, or nobody.
  std::size_t losses = 0;
  std::size_t ticks = 0;
};

/// One bot against another, or against all others.
struct Standing {
  statistics::Record games;
  statistics::PairRecord pairs;  ///< Only of whole pairs.
  std::map<std::string, MatchTally> by_map_car;
  std::array<std::size_t, 2> lives{};  ///< Left over all games: mine, theirs.

  /// Counts a game from `seat`'s side.
  void add(const TournamentResult& result, std::size_t seat);
};

/// How a bot behaved over all its games.
struct Conduct {
  TimeHistogram times;
  std::size_t garbled = 0;
  std::size_t disconnections = 0;
  std::string last_verdict;
};

/// The outcome of a tournament.
struct TournamentReport {
  TournamentPlan plan;                                               ///< Its bots' names printable.
  std::vector<TournamentResult> results;                             ///< By index.
  Standing first;                                                    ///< The first bot against all others.
  std::map<std::pair<std::size_t, std::size_t>, Standing> pairings;  ///< a < b, from a's side.
  std::vector<Conduct> conduct;                                      ///< By bot.
  std::optional<statistics::SprtOptions> sprt;
  double llr = 0;
  statistics::SprtDecision decision = statistics::SprtDecision::undecided;
  bool with_rating = false;
  std::size_t broken_off = 0;      ///< Games that ended by a verdict, as draws.
  std::string last_verdict;        ///< On the last of them.
  std::vector<std::string> pages;  ///< Of the games that the first bot lost, if they were asked for.
};

[[nodiscard]] TournamentReport make_report(const Tournament& tournament, std::vector<TournamentResult> results,
                                           const std::optional<statistics::SprtOptions>& sprt);

/// By whole pairs where there are some, which tell more than their games: the seats' luck cancels out. None without
/// games.
[[nodiscard]] std::optional<statistics::Score> score_of(const Standing& standing);
/// Of all bots, by all games.
[[nodiscard]] std::vector<statistics::Rating> ratings_of(const TournamentReport& report);

}  // namespace forkmunk::referee
