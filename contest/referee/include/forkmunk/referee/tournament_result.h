#pragma once

#include <forkmunk/engine/match_setup.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/formats/match_outcome.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace forkmunk::referee {

/// A histogram of times with buckets of about 9 % (log2 of microseconds in eighths): mergeable, and small in a log.
class TimeHistogram {
 public:
  void add(double ms);
  void add(const TimeHistogram& other);
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] double mean_ms() const noexcept;
  /// The upper end of the bucket of the p-quantile (nearest rank), at most max_ms().
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

/// The stored result of a game of a tournament.
struct TournamentResult {
  struct Match {
    std::string name;  ///< "Map,Car"
    formats::MatchOutcome outcome;
  };
  std::size_t index = 0;  ///< TournamentGame::index.
  engine::Lives lives{};
  std::optional<engine::Player> winner;  ///< nullopt: a draw.
  std::int64_t ticks = 0;
  std::vector<Match> matches;
  std::array<TimeHistogram, 2> times;
  std::array<std::size_t, 2> garbled{};
  std::array<std::string, 2> verdicts;  ///< Why a bot was disconnected; empty if it was not.
  std::string verdict;                  ///< Why the game was aborted, as GameResult::verdict; empty if it was not.
};

}  // namespace forkmunk::referee
