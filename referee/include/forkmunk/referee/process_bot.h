#pragma once

#include <forkmunk/referee/bot.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace forkmunk::referee {

class ChildProcess;

/// Longest time that a bot may be given: clocks count in nanoseconds of 64 bits.
inline constexpr Seconds kBotTimeMax{1e6};

/// What a bot may take; the contest's limits.
struct BotLimits {
  Seconds answer_time{5};                  ///< For one answer.
  Seconds game_time{120};                  ///< For all answers of a game.
  std::size_t line_bytes_max = 64 * 1024;  ///< Of an answer, its line end not counted.
  /// Of messages that wait for the bot to read them. The longest game has less than half of that, so that a bot need
  /// not read at all.
  std::size_t unread_bytes_max = 32 * 1024 * 1024;
};

/// \throws Error for a time that is no number from 0 to kBotTimeMax.
void validate(const BotLimits& limits);

/// A bot that is a program of its own, in any language, and speaks the contest's JSON lines on stdin and stdout. It
/// plays one game.
///
/// Where the rules leave room:
/// - A tick that the bot does not read waits in a queue; that is no failed write.
/// - A failed write is one to a bot that closed its input and keeps its output open (unwritable). If the output is
///   closed too, as after a crash, the bot is judged by what is left to read, and then gone: whether a crash is noticed
///   writing or reading is chance, and must not decide a game.
/// - A last line without line end counts as a line once the output is closed.
/// - While nobody waits for its answer, a bot that writes too much stands still; it can go on once it is waited for.
///
/// Time. tell() starts the clock; the arrival of a line stops it, if somebody waits then: await_answers() for both bots
/// of a game, so that neither pays for the other. A line that is there before its tick is told costs nothing.
/// Builtins must compute when no process is waited for: their opponent would run on unwatched, and be charged until it
/// is looked at. A thread to watch it meanwhile would cost two more wake-ups a tick, and on a busy machine the two
/// would take processor time from each other. The price is that such a game takes both sides' times, one after the
/// other.
///
/// Thread: one at a time.
class ProcessBot final : public Bot {
 public:
  /// Starts `command_line` with /bin/sh. \throws Error if the system refuses, or for bad limits. A command that does
  /// not exist is gone at the first answer.
  explicit ProcessBot(const std::string& command_line, const BotLimits& limits = {});
  /// Like end_game().
  ~ProcessBot() override;

  void begin_match(const engine::World& world, engine::Player me, const engine::Lives& lives) override;
  /// Starts the clock of this tick.
  void tell(const engine::World& world) override;
  /// Waits for the tick's answers of both until each has come or is lost, and notes each one's time as it comes; what
  /// is lost is said, and killed, only by answer(), which then waits for nobody. Either may be null.
  static void await_answers(ProcessBot* first, ProcessBot* second);
  /// Waits, unless await_answers() has. Once the bot is gone or unwritable, its process group has been killed, and
  /// every further answer is the same.
  [[nodiscard]] Answer answer(const engine::World& world) override;
  /// Closes the bot's input and waits for it to exit: at most 1.5 s, after which nothing of its process group is left.
  void end_game() override;

 private:
  using Clock = std::chrono::steady_clock;
  enum class Wait : std::uint8_t { line, too_late, closed, too_long, unwritable };

  void send(std::string line);
  /// Judges what has been read; a line is put into line_. \return nothing if there is more to wait for.
  [[nodiscard]] std::optional<Wait> look(Clock::time_point now);
  /// Whether there is nothing (more) to wait for in this tick.
  [[nodiscard]] bool settled(Clock::time_point now);
  void settle(Wait wait, Clock::time_point now);
  [[nodiscard]] Clock::time_point answer_deadline() const;
  [[nodiscard]] Answer judge(Wait wait);
  [[nodiscard]] Answer lose(Wait reason);
  [[nodiscard]] Answer lose(Answer::Kind kind, std::string verdict);

  BotLimits limits_;
  std::unique_ptr<ChildProcess> process_;
  engine::Player me_ = engine::Player::first;
  std::size_t scanned_bytes_ = 0;  // of the process's output: no line end is in them
  std::string line_;
  Clock::time_point told_;                          // when this tick was sent
  std::optional<Wait> wait_;                        // how it ended for this tick, if it has
  Seconds charged_{};                               // for this tick
  std::optional<Clock::time_point> hang_up_until_;  // its input is closed; its output is expected to be by then
  Seconds waited_{};
  std::optional<Answer> lost_;
};

}  // namespace forkmunk::referee
