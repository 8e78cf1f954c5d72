// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/referee/bot.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace forkmunk::referee {

class ChildProcess;

/// Largest time limit of a bot: clocks count nanoseconds in 64 bits.
inline constexpr Seconds kBotTimeMax{1e6};

/// Limits of a bot; the defaults are the contest's.
struct BotLimits {
  Seconds answer_time{5};                  ///< For one answer.
  Seconds game_time{120};                  ///< For all answers of a game.
  std::size_t line_bytes_max = 64 * 1024;  ///< Of an answer, without its line end.
  /// Bytes of messages that the bot has not read. The longest game has less than half of that, so that a bot need not
  /// read at all.
  std::size_t unread_bytes_max = 32 * 1024 * 1024;
  std::function<void()> while_waiting;  ///< Called about every 20 ms while an answer is awaited; may throw.
};

/// \throws Error for a time outside 0 to kBotTimeMax, or NaN.
void validate(const BotLimits& limits);

/// A bot that is a separate program in any language and speaks the contest's JSON lines on stdin and stdout. It plays
/// one game.
///
/// Cases that the contest's rules leave open:
/// - Ticks that the bot has not read stay in a queue; that is not a failed write.
/// - A write fails if the bot closed its input but not its output (unwritable). If its output is closed too, as after a
///   crash, the remaining output is judged, and then the bot is gone: whether a crash is noticed by writing or by
///   reading is random, and must not decide a game.
/// - A last line without line end counts once the output is closed.
/// - A bot that writes too much blocks until the referee waits for its answer.
///
/// Time: send_tick() starts the clock. The arrival of a line stops it, if await_answers() is waiting; it waits for both
/// bots of a game, so that neither is charged for the other. A line that arrives before its tick costs nothing.
/// Builtins must compute while no process has an open tick: nothing would read the answer of the process, and it would
/// be charged for that time. A thread for it would cost two more wake-ups per tick, and on a busy machine the two
/// players would compete for the processor. So the times of both players of such a game add up.
///
/// Thread: one at a time.
class ProcessBot final : public Bot {
 public:
  /// Starts `command_line` with /bin/sh. \throws Error if the system call fails, or for invalid limits. A command that
  /// does not exist is gone at the first answer.
  explicit ProcessBot(const std::string& command_line, const BotLimits& limits = {});
  /// Like end_game().
  ~ProcessBot() override;

  void begin_match(const engine::World& world, engine::Player me, const engine::Lives& lives) override;
  /// Starts the clock of this tick.
  void send_tick(const engine::World& world) override;
  /// Waits until both bots have answered the tick or failed, and records the time of each. answer() then returns
  /// without waiting; it reports failures and kills the process. Either may be null.
  static void await_answers(ProcessBot* first, ProcessBot* second);
  /// Waits for the answer, unless await_answers() has. Once a bot is gone or unwritable, its process group is killed,
  /// and all further answers are the same.
  [[nodiscard]] Answer answer(const engine::World& world) override;
  /// Closes the bot's input and waits at most 1.5 s for it to exit; then kills its process group.
  void end_game() override;
  /// Lines that it wrote beyond one for each tick, once the game has ended.
  [[nodiscard]] std::size_t surplus_lines() const noexcept;

 private:
  using Clock = std::chrono::steady_clock;
  enum class Wait : std::uint8_t { line, too_late, closed, too_long, unwritable };

  void send(std::string line);
  /// Judges the output read so far; moves a line to line_. \return nullopt to continue waiting.
  [[nodiscard]] std::optional<Wait> look(Clock::time_point now);
  /// Whether waiting for this tick is over.
  [[nodiscard]] bool settled(Clock::time_point now);
  void settle(Wait wait, Clock::time_point now);
  [[nodiscard]] Clock::time_point answer_deadline() const;
  [[nodiscard]] Answer judge(Wait wait);
  [[nodiscard]] Answer lose(Wait reason);
  [[nodiscard]] Answer lose(Answer::Kind kind, std::string verdict);

  BotLimits limits_;
  std::unique_ptr<ChildProcess> process_;
  engine::Player me_ = engine::Player::first;
  std::size_t scanned_bytes_ = 0;  // of the process's output, without a line end
  std::string line_;
  Clock::time_point sent_;                          // when this tick was sent
  std::optional<Wait> wait_;                        // how waiting for this tick ended, if it has
  Seconds charged_{};                               // for this tick
  std::optional<Clock::time_point> hang_up_until_;  // its input is closed; wait so long for its output to close
  Seconds waited_{};
  std::optional<Answer> lost_;
};

}  // namespace forkmunk::referee
