#pragma once

#include <chrono>

namespace forkmunk::player {

/// Deals out a game's time, answer by answer, so that it is never used up before the game is over.
///
/// Idea: of T seconds for a game, what is left after a floor of f ms for every answer that could still be asked for is
/// spread over the answers that are likely: a match lasts at most about 1,200 ticks, and mostly half of that; of the
/// matches that may come as many as two equal players would play, because few games go to the last life of both.
/// `steady` gives the same time to each answer as long as the bank bears it, and saves what an answer took too long on
/// the next ones, so that the mean stays below. The contest's third place dealt by the longest matches that could come;
/// the fourth found time that rises towards the end harmful.
class TimeBank {
 public:
  using Duration = std::chrono::nanoseconds;

  /// A bank of `total` for a game.
  explicit TimeBank(Duration total) : left_(total) {}
  /// The same with at most `steady` an answer, on average.
  TimeBank(Duration total, Duration steady) : left_(total), steady_(steady) {}

  /// What the next answer may take.
  /// \param lives, enemy_lives  that are left, this match's included: at most lives + enemy_lives - 1 matches come.
  /// \param tick  of this match.
  [[nodiscard]] Duration allowance(int lives, int enemy_lives, int tick) const noexcept;
  /// An answer took so long, from reading the question to having written the answer.
  void spend(Duration time) noexcept;

  [[nodiscard]] Duration left() const noexcept { return left_; }

 private:
  Duration left_;
  Duration steady_{0};  // 0: none
  Duration debt_{0};    // by which the last answers were above steady_
};

}  // namespace forkmunk::player
