#pragma once

#include <forkmunk/engine/physics.h>
#include <forkmunk/referee/bot_factory.h>
#include <forkmunk/referee/play.h>
#include <forkmunk/referee/ranks.h>
#include <forkmunk/referee/statistics/sprt.h>
#include <forkmunk/referee/tournament_result.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace forkmunk::referee {

/// What a tournament plays: every two of the bots meet, in pairs of games with the same matches and seeds, one from
/// each seat.
struct TournamentPlan {
  std::vector<std::string> bots;      ///< At least two.
  std::size_t games_per_pairing = 0;  ///< Even.
  std::uint64_t seed = 0;
  engine::Physics physics = engine::Physics::flat;
  BotLimits limits;
};

/// One game of a tournament.
struct TournamentGame {
  std::size_t index = 0;               ///< Within the tournament; games 2 k and 2 k + 1 are a pair.
  std::array<std::size_t, 2> seats{};  ///< Indices of the bots who play first and second.
  std::uint64_t seed = 0;              ///< The pair's: of matches, bots and the referee.
};

/// Most games of a tournament: what is kept of them has to fit into memory.
inline constexpr std::size_t kTournamentGamesMax = 1'000'000;

/// A part of the games, pair by pair: what one machine of several plays.
struct Shard {
  std::size_t index = 0;  ///< 0 to count - 1.
  std::size_t count = 1;
};
/// "2/8": the second of eight. \throws Error.
[[nodiscard]] Shard parse_shard(const std::string& text);

/// A game that the first bot lost, for TournamentRun::on_lost.
struct LostGame {
  GameRecord record;
  std::vector<std::string> match_names;  ///< As drawn.
  GameResult result;
};

/// How a tournament is played.
struct TournamentRun {
  std::size_t concurrency = 1;                  ///< Games at once, each on a thread.
  std::optional<statistics::SprtOptions> sprt;  ///< Stop when the test has decided.
  Shard shard;                                  ///< Which part of the games is played; of one alone there is no SPRT.
  /// A file of one JSON line a game, or empty. Its games are not played again; each game that is played is appended
  /// when it is over. A kill leaves at most a last line without its end, which is cut off when the log is opened again.
  std::string log;
  Ranks* ranks = nullptr;  ///< That this process leads, or follows: they play too.
  /// Called with the games done and how many there are, one call at a time; may be empty.
  std::function<void(std::size_t done, std::size_t total)> progress;
  /// Called with each game that the first bot lost, from the game's thread; may be empty. \return the path of what it
  /// wrote, for TournamentResult::page.
  std::function<std::string(const TournamentGame& game, const LostGame& lost)> on_lost;
};

/// Plays the games of a plan: all, those that a log lacks, or a shard of them.
class Tournament {
 public:
  /// \throws Error for an unknown builtin or bad options of one, and for a number of games that is odd, zero or above
  /// kTournamentGamesMax in all.
  explicit Tournament(TournamentPlan plan);

  [[nodiscard]] const TournamentPlan& plan() const noexcept { return plan_; }
  /// The pairings one after the other: (0, 1), (0, 2), ..., (1, 2), ...
  [[nodiscard]] const std::vector<TournamentGame>& games() const noexcept { return games_; }

  /// \return the results by index of all that were played or in the log: all games, or those up to the SPRT's end,
  /// which does not depend on the number of threads. \throws Error for a log that cannot be written, that another
  /// process has open, or that is another tournament's; and what a game threw, when all threads have stopped.
  [[nodiscard]] std::vector<TournamentResult> run(const TournamentRun& run) const;

  /// For a rank that does not lead: plays what the leader's run() hands out, with the same plan.
  void follow(const TournamentRun& run) const;

  /// Plays one game.   Thread: any number of games at once.
  [[nodiscard]] TournamentResult play(const TournamentGame& game, const TournamentRun& run) const;

 private:
  TournamentPlan plan_;
  std::vector<BotMaker> bots_;
  std::vector<TournamentGame> games_;
};

}  // namespace forkmunk::referee
