#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace forkmunk::referee::statistics {

/// The result of a game for a bot; the value is its half points.
enum class Result { loss = 0, draw = 1, win = 2 };

/// A bot's results in single games.
struct Record {
  std::uint64_t wins = 0;
  std::uint64_t draws = 0;
  std::uint64_t losses = 0;

  void add(Result result) noexcept;
  [[nodiscard]] std::uint64_t games() const noexcept { return wins + draws + losses; }
  friend bool operator==(const Record&, const Record&) = default;
};

/// A bot's results in pairs of games with the same matches (map, car) and exchanged seats.
///
/// The games of a pair are dependent, pairs are independent: if one seat always wins, every pair is 1:1, which the
/// trinomial model of single games would count as noise. This is the pentanomial model of chess engine testing.
struct PairRecord {
  std::array<std::uint64_t, 5> counts{};  ///< [half points of the bot in the pair]: pairs worth 0, 0.5, 1, 1.5, 2.

  void add(Result first, Result second) noexcept;
  [[nodiscard]] std::uint64_t pairs() const noexcept;
  friend bool operator==(const PairRecord&, const PairRecord&) = default;
};

}  // namespace forkmunk::referee::statistics
