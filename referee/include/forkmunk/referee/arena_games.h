#pragma once

#include <forkmunk/engine/physics.h>
#include <forkmunk/referee/play.h>
#include <forkmunk/referee/process_bot.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace forkmunk::referee {

struct ArenaGame;

/// A game that is handed out to be looked at.
struct LostGame {
  GameRecord record;
  std::vector<std::string> match_names;  ///< As drawn.
  GameResult result;
};

/// What an arena plays: every two of the bots meet, in pairs of games with the same matches and seeds, one from each
/// seat.
struct ArenaPlan {
  std::vector<std::string> bots;      ///< At least two.
  std::size_t games_per_pairing = 0;  ///< Even.
  std::uint64_t seed = 0;
  engine::Physics physics = engine::Physics::flat;
  BotLimits limits;
  /// Given a game that the first bot lost: its recording with what is beside it, and its result; may be empty. Called
  /// from the game's thread. \return what it wrote, for ArenaResult::page.
  std::function<std::string(const ArenaGame& game, const LostGame& lost)> on_lost;
};

/// One game of an arena.
struct ArenaGame {
  std::size_t index = 0;               ///< Within the arena; games 2 k and 2 k + 1 are a pair.
  std::array<std::size_t, 2> seats{};  ///< Indices of the bots who play first and second.
  std::uint64_t seed = 0;              ///< The pair's: of matches, bots and the referee.
};

/// Most games of an arena: what is kept of them has to fit into memory.
inline constexpr std::size_t kArenaGamesMax = 1'000'000;

/// All games, the pairings one after the other: (0, 1), (0, 2), ..., (1, 2), ... \throws Error for a number of games
/// that is odd, none or above kArenaGamesMax in all.
[[nodiscard]] std::vector<ArenaGame> schedule(const ArenaPlan& plan);

/// Times in buckets of about 9 %: log2 of microseconds in eighths. Adds up over games, and is small in a log.
class TimeHistogram {
 public:
  void add(double ms);
  void add(const TimeHistogram& other);
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] double mean_ms() const noexcept;
  /// The upper end of the bucket in which the p-quantile lies (nearest rank), never above max_ms().
  [[nodiscard]] double quantile_ms(double p) const noexcept;
  [[nodiscard]] double max_ms() const noexcept { return max_ms_; }

  /// For logs.
  struct Data {
    std::map<int, std::size_t> buckets;
    double total_ms = 0;
    double max_ms = 0;
  };
  [[nodiscard]] Data data() const { return {buckets_, total_ms_, max_ms_}; }
  static TimeHistogram from(const Data& data);

 private:
  std::map<int, std::size_t> buckets_;
  std::size_t count_ = 0;
  double total_ms_ = 0;
  double max_ms_ = 0;
};

/// What remains of a game that was played.
struct ArenaResult {
  struct Match {
    std::string name;  ///< "Map,Car"
    int ticks = 0;
    std::array<bool, 2> died{};           ///< By seat.
    std::array<std::string, 2> causes{};  ///< Of those who died.
  };
  std::size_t index = 0;
  std::array<int, 2> lives{};
  int winner = 0;  ///< 1 the first seat, 2 the second, 0 a draw.
  std::int64_t ticks = 0;
  std::vector<Match> matches;
  std::array<TimeHistogram, 2> times;
  std::array<std::size_t, 2> garbled{};
  std::array<std::string, 2> verdicts;  ///< Why a bot was disconnected; empty: it was not.
  std::string verdict;                  ///< Why the game was broken off, as GameResult::verdict; empty: it was not.
  std::string page;                     ///< That was written of it; empty: none.
};

/// Plays one game. Thread rule: any number of games at once.
[[nodiscard]] ArenaResult play_arena_game(const ArenaPlan& plan, const ArenaGame& game);

}  // namespace forkmunk::referee
