#pragma once

#include <chrono>

namespace forkmunk::player {

/// Allocates the time of a game to its answers, so that it never runs out before the game is over.
///
/// Idea: reserve a floor of f ms for every answer that could still be requested, and spread the remaining time over the
/// expected number of answers. A match lasts at most about 1,200 ticks, usually half of that; the expected number of
/// matches is that of two equal players, because few games go to the last life of both. With `steady`, every answer
/// gets the same time while the bank allows it. What an answer does not use of that time is saved for later ones, and
/// an overrun is subtracted from the next ones, so that the mean stays below `steady`. Time in which other programs ran
/// instead is subtracted from the bank only.
class TimeBank {
 public:
  using Duration = std::chrono::nanoseconds;

  /// Allocates `total` for a game.
  explicit TimeBank(Duration total) : left_(total) {}
  /// The same, with a mean of at most `steady` per answer.
  /// 4 % are held back, so that it stays below by any clock.
  TimeBank(Duration total, Duration steady) : left_(total), steady_(steady - steady / 25) {}

  /// The time for the next answer.
  /// \param lives, enemy_lives  lives left, including this match: at most lives + enemy_lives - 1 matches remain.
  /// \param tick  tick of this match.
  [[nodiscard]] Duration allowance(int lives, int enemy_lives, int tick) const noexcept;
  /// Time that an answer which needs more may use in addition to its allowance: half of what earlier ones saved, so
  /// that some is left if the next one needs more, too. 0 without `steady`.
  [[nodiscard]] Duration extra(int lives, int enemy_lives, int tick) const noexcept;
  /// Whether time that an answer does not use is saved: with `steady`, until enough is saved.
  [[nodiscard]] bool saves() const noexcept;
  /// Maximum delay by other programs within the next answer: a part of what is left that never empties the bank.
  [[nodiscard]] Duration ceiling(int lives, int enemy_lives, int tick) const noexcept;
  /// Whether answers that take as long as the last ones, with the delays before them, leave enough for the likely
  /// rest of the game.
  [[nodiscard]] bool lasts(int lives, int enemy_lives, int tick) const noexcept;
  /// Records the time of an answer, from the arrival of the message to the written answer, without delays.
  void spend(Duration time) noexcept;
  /// Records time in which the bot was ready to run and did not.
  void delay(Duration time) noexcept { left_ -= time; }

  [[nodiscard]] Duration left() const noexcept { return left_; }

 private:
  [[nodiscard]] Duration latency() const noexcept;
  [[nodiscard]] Duration dealt(int lives, int enemy_lives, int tick) const noexcept;

  Duration left_;
  Duration left_before_ = left_;  // after the last answer
  Duration recent_{0};            // weighted mean time of the last answers, with delays
  Duration steady_{0};            // what is used of it; 0: none
  Duration debt_{0};              // overrun of the last answers above steady_; negative: saved
};

}  // namespace forkmunk::player
