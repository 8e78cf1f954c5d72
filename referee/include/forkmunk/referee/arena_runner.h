#pragma once

#include <forkmunk/referee/arena_games.h>
#include <forkmunk/referee/arena_log.h>
#include <forkmunk/referee/ranks.h>
#include <forkmunk/statistics/sprt.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace forkmunk::referee {

/// A part of an arena's games, pair by pair: what one machine of several plays.
struct ArenaShard {
  std::size_t index = 0;  ///< 0 to count - 1.
  std::size_t count = 1;
};
/// "2/8": the second of eight. \throws Error.
[[nodiscard]] ArenaShard parse_shard(const std::string& text);

/// How an arena is played.
struct ArenaRun {
  std::size_t concurrency = 1;                  ///< Games at once, each on a thread.
  std::optional<statistics::SprtOptions> sprt;  ///< Stop when the games have told.
  ArenaShard shard;                             ///< Which part of the games is played; of one alone there is no SPRT.
  ArenaLog* log = nullptr;                      ///< What is in it is not played again; what is played is appended.
  Ranks* ranks = nullptr;                       ///< That this process leads: they play too.
  /// Called with the games done and how many there are, one call at a time; may be empty.
  std::function<void(std::size_t done, std::size_t total)> progress;
};

/// Plays the games that are missing, of its shard. \return the results by index of all that were played or in the log:
/// all games, or those up to the SPRT's end, which does not depend on how many were played at once. \throws what a game
/// threw, when all threads have stopped.
[[nodiscard]] std::vector<ArenaResult> run_arena(const ArenaPlan& plan, const std::vector<ArenaGame>& games,
                                                 const ArenaRun& run);

/// What the other ranks do meanwhile, with the same plan: they play what the leader's run_arena() hands them, so many
/// games at once.
void follow_arena(const ArenaPlan& plan, const std::vector<ArenaGame>& games, std::size_t concurrency, Ranks& ranks);

}  // namespace forkmunk::referee
