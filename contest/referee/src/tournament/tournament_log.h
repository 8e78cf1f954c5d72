// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/io/files.h>
#include <forkmunk/referee/tournament.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forkmunk::referee {

/// Returns one line of JSON, without a line end, for logs and between ranks.
[[nodiscard]] std::string to_line(const Tournament& tournament, const TournamentResult& result);

/// \return nullopt for a game beyond this tournament's last (the log is of a longer tournament).
/// \throws Error if the line is not a game of this tournament.
[[nodiscard]] std::optional<TournamentResult> parse_line(std::string_view text, const Tournament& tournament);

class TournamentLog {
 public:
  /// Opens or creates the log and locks it. \throws Error if this fails, if another process has locked the log, or if a
  /// line is not a game of this tournament.
  TournamentLog(const std::string& path, const Tournament& tournament);

  /// Without duplicates, in the log's order.
  [[nodiscard]] std::vector<TournamentResult> take_results() { return std::move(results_); }
  /// Appends a game, which then survives a kill of this process. \throws Error if it cannot be written.
  void append(const TournamentResult& result);

 private:
  void read(const std::string& text);

  std::string path_;
  const Tournament& tournament_;
  io::LockedFile file_;
  std::vector<TournamentResult> results_;
};

}  // namespace forkmunk::referee
