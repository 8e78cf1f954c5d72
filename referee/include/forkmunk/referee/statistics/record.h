#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace forkmunk::referee::statistics {

/// How a game ended for the bot in question; the value is its half points.
enum class Result { loss = 0, draw = 1, win = 2 };

/// What a bot did in single games.
struct Record {
  std::uint64_t wins = 0;
  std::uint64_t draws = 0;
  std::uint64_t losses = 0;

  void add(Result result) noexcept;
  [[nodiscard]] std::uint64_t games() const noexcept { return wins + draws + losses; }
  friend bool operator==(const Record&, const Record&) = default;
};

/// What a bot did in pairs of games that share what matters beside the bots (map, car) with the seats exchanged.
///
/// The games of a pair depend on each other, the pairs do not: a strong seat that wins whoever sits in it makes every
/// pair 1:1, which single games would count as noise. This is the pentanomial model of the chess engine testers.
struct PairRecord {
  std::array<std::uint64_t, 5> counts{};  ///< [half points of the bot in the pair]: pairs worth 0, 0.5, 1, 1.5, 2.

  void add(Result first, Result second) noexcept;
  [[nodiscard]] std::uint64_t pairs() const noexcept;
  friend bool operator==(const PairRecord&, const PairRecord&) = default;
};

}  // namespace forkmunk::referee::statistics
