// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/physics.h>
#include <forkmunk/formats/recording.h>
#include <forkmunk/referee/bot_factory.h>
#include <forkmunk/referee/play.h>
#include <forkmunk/referee/ranks.h>
#include <forkmunk/referee/statistics.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace forkmunk::referee {

/// Times of answers.
struct TimeHistogram {
  std::map<int, std::size_t> buckets;  ///< Counts by log2 of microseconds in eighths: a bucket is about 9 % wide.
  double total_ms = 0;
  double max_ms = 0;

  void add(double ms);
  void add(const TimeHistogram& other);
  [[nodiscard]] std::size_t count() const noexcept;
  [[nodiscard]] double mean_ms() const noexcept;
  /// Returns the upper end of the bucket of the p-quantile (nearest rank), at most max_ms.
  [[nodiscard]] double quantile_ms(double p) const noexcept;
};

struct TournamentResult {
  struct Match {
    std::string name;  ///< "Map,Car"
    formats::MatchOutcome outcome;
  };
  std::size_t index = 0;
  engine::Lives lives{};
  std::optional<engine::Player> winner;  ///< nullopt for a draw.
  std::int64_t ticks = 0;
  std::vector<Match> matches;
  std::array<TimeHistogram, 2> times;
  std::array<std::size_t, 2> garbled{};
  std::array<std::size_t, 2> surplus_lines{};
  std::array<std::string, 2> verdicts;  ///< Why a bot was disconnected, or empty.
  std::string verdict;                  ///< As GameResult::verdict.
};

/// Every two bots play pairs of games with equal matches and seeds and exchanged seats.
struct TournamentPlan {
  std::vector<std::string> bots;      ///< Two or more.
  std::size_t games_per_pairing = 0;  ///< Even.
  std::uint64_t seed = 0;
  engine::Physics physics = engine::Physics::flat;
  BotLimits limits;
};

struct TournamentGame {
  /// Games 2 k and 2 k + 1 are a pair.
  std::size_t index = 0;
  std::array<std::size_t, 2> seats{};  ///< The bots that play first and second.
  std::uint64_t seed = 0;              ///< The pair's seed for matches, bots and the referee.
};

/// All results are kept in memory.
inline constexpr std::size_t kTournamentGamesMax = 1'000'000;

/// A part of the pairs of games, e.g. for one of several machines.
struct Shard {
  std::size_t index = 0;  ///< 0 to count - 1.
  std::size_t count = 1;
};
/// Parses a text like "2/8", the second of eight. \throws Error.
[[nodiscard]] Shard parse_shard(const std::string& text);

struct TournamentRun {
  std::size_t concurrency = 1;  ///< The number of parallel games.
  /// Ends the run once the test has decided. Not for one shard of several.
  std::optional<statistics::SprtOptions> sprt;
  Shard shard;
  /// A file with one JSON line per game, or empty. Games in the file are not played again, and each finished game is
  /// appended. An incomplete last line, which a kill can leave, is dropped.
  std::string log;
  Ranks* ranks = nullptr;  ///< Ranks that share the games, or null.
  /// Unless empty, is called by one thread at a time.
  std::function<void(std::size_t done, std::size_t total)> progress;
};

class Tournament {
 public:
  /// \throws Error for an unknown builtin or invalid options of one, and for a total number of games that is odd, zero
  /// or above kTournamentGamesMax.
  explicit Tournament(TournamentPlan plan);

  [[nodiscard]] const TournamentPlan& plan() const noexcept { return plan_; }
  /// Returns a pair of each pairing, (0, 1), (0, 2), ..., (1, 2), ..., then the next pair of each.
  [[nodiscard]] const std::vector<TournamentGame>& games() const noexcept { return games_; }

  /// Plays, on a follower rank, the games that the leader's TournamentRunner with the same plan distributes.
  void follow(const TournamentRun& run) const;

  /// Thread: any number of games at once.
  [[nodiscard]] TournamentResult play(const TournamentGame& game) const;

 private:
  TournamentPlan plan_;
  std::vector<BotMaker> bots_;
  std::vector<TournamentGame> games_;
};

class TournamentLog;

/// Plays a tournament's games, and keeps their results.
class TournamentRunner {
 public:
  /// Reads the log. \throws Error for a log that cannot be written, is in use, or belongs to another tournament. Both
  /// arguments must outlive the runner.
  TournamentRunner(const Tournament& tournament, const TournamentRun& run);
  ~TournamentRunner();

  /// Plays the missing games. \return results(). \throws the first exception of a game, after all threads have ended.
  std::vector<TournamentResult> play();

  /// Returns, by index, the results of all games that were played or in the log. With an SPRT they end where the test
  /// ends, whatever the number of threads. Thread: any, also while games are played.
  [[nodiscard]] std::vector<TournamentResult> results() const;

 private:
  void hand_out(std::atomic<bool>& stop);
  void take(TournamentResult result);
  [[nodiscard]] bool is_missing(std::size_t game) const;
  const TournamentGame* next();
  void check_sprt();

  const Tournament& tournament_;
  const TournamentRun& run_;
  std::unique_ptr<TournamentLog> log_;
  mutable std::mutex mutex_;  // guards all members below
  std::vector<std::optional<TournamentResult>> results_;
  std::size_t played_ = 0;
  std::size_t missing_ = 0;  // of this shard
  std::size_t next_ = 0;
  statistics::PairRecord pairs_;
  std::size_t settled_ = 0;  // games before this index are in pairs_
  std::size_t end_ = 0;
};

}  // namespace forkmunk::referee
