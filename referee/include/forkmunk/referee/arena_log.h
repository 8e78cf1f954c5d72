#pragma once

#include <forkmunk/referee/arena_games.h>

#include <string>
#include <vector>

namespace forkmunk::referee {

/// The file that an arena can be resumed from: one JSON line a game, appended whole when the game is over. Whenever the
/// program is killed, at most a last line without its end is left; it is cut off when the log is opened again.
class ArenaLog {
 public:
  /// Opens or creates the log for this arena and locks it. \throws Error if it cannot be, if another process has it, or
  /// if a line is no game of this arena.
  ArenaLog(const std::string& path, const ArenaPlan& plan, const std::vector<ArenaGame>& games);
  ~ArenaLog();
  ArenaLog(const ArenaLog&) = delete;
  ArenaLog& operator=(const ArenaLog&) = delete;

  /// The games that were in the log, in its order, none twice.
  [[nodiscard]] std::vector<ArenaResult> take_results() { return std::move(results_); }
  /// Appends a game; once this returns, a kill does not lose it. \throws Error if the disk is full.
  void append(const ArenaResult& result);

 private:
  void read(const std::string& text);

  std::string path_;
  const ArenaPlan& plan_;
  const std::vector<ArenaGame>& games_;
  int descriptor_ = -1;
  std::vector<ArenaResult> results_;
};

}  // namespace forkmunk::referee
