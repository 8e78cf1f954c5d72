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

namespace forkmunk::referee {

class ChildProcess;

/// Clocks count nanoseconds in 64 bits.
inline constexpr Seconds kBotTimeMax{1e6};

/// The limits of a bot. The defaults are the contest's.
struct BotLimits {
  Seconds answer_time{5};
  Seconds game_time{120};                  ///< The sum of a game's answers.
  std::size_t line_bytes_max = 64 * 1024;  ///< The limit of an answer without its line end.
  /// The limit of messages that the bot has not read: more than twice the longest game.
  std::size_t unread_bytes_max = 32 * 1024 * 1024;
  /// Called about every 20 ms while an answer is awaited. It may throw.
  std::function<void()> while_waiting;
};

/// \throws Error for a time outside 0 to kBotTimeMax, or NaN.
void validate(const BotLimits& limits);

/// A program that speaks the contest's JSON lines on stdin and stdout. It plays one game.
///
/// The contest's rules leave these cases open:
///   - Ticks that the bot has not read stay in a queue; this is not a failed write.
///   - A write fails if the bot closed its input but not its output (unwritable). After a crash, which closes both, the
///     remaining output is judged, and then the bot is gone, whether writing or reading notices the crash first.
///   - A last line without a line end counts once the output is closed.
///   - A bot that writes too much blocks until the referee waits for its answer.
///
/// send_tick() starts the clock, and the arrival of a line stops it, if await_answers() is waiting. A line that arrives
/// before its tick costs nothing. Builtins must compute while no process has an open tick, because nothing would read
/// the answer of the process, and the process would be charged.
///
/// Thread: one at a time.
class ProcessBot final : public Bot {
 public:
  /// Runs `command_line` by /bin/sh. \throws Error if the system call fails, or for invalid limits. A command that does
  /// not exist is gone at the first answer.
  explicit ProcessBot(const std::string& command_line, const BotLimits& limits = {});
  ~ProcessBot() override;

  void begin_match(const engine::World& world, engine::Player me, const engine::Lives& lives) override;
  void send_tick(const engine::World& world) override;
  /// Waits until both bots (either may be null) have answered the tick or failed, so that neither is charged for the
  /// other. answer() then returns without waiting, reports failures and kills the process.
  static void await_answers(ProcessBot* first, ProcessBot* second);
  /// Waits for the answer unless await_answers() has. Once a bot is gone or unwritable, its process group is killed,
  /// and all further answers are the same.
  [[nodiscard]] Answer answer(const engine::World& world) override;
  /// Closes the bot's input and waits at most 1.5 s for it to exit; then kills its process group.
  void end_game() override;
  [[nodiscard]] std::size_t surplus_lines() const noexcept;

 private:
  using Clock = std::chrono::steady_clock;
  enum class Wait : std::uint8_t { line, too_late, closed, too_long, unwritable };

  void send(std::string line);
  /// Judges the output read so far, and moves a line to line_. \return nullopt to continue waiting.
  [[nodiscard]] std::optional<Wait> look(Clock::time_point now);
  [[nodiscard]] bool settled(Clock::time_point now);
  void settle(Wait wait, Clock::time_point now);
  [[nodiscard]] Clock::time_point answer_deadline() const;
  [[nodiscard]] Answer judge(Wait wait);
  [[nodiscard]] Answer lose(Wait reason);
  [[nodiscard]] Answer lose(Answer::Kind kind, std::string verdict);

  BotLimits limits_;
  std::unique_ptr<ChildProcess> process_;
  engine::Player me_ = engine::Player::first;
  std::size_t scanned_bytes_ = 0;  // bytes of output without a line end
  std::string line_;
  Clock::time_point sent_;
  std::optional<Wait> wait_;  // nullopt while this tick is awaited
  Seconds charged_{};
  // The wait for the end of the output of a process that has closed its input.
  std::optional<Clock::time_point> hang_up_until_;
  Seconds waited_{};
  std::optional<Answer> lost_;
};

}  // namespace forkmunk::referee
