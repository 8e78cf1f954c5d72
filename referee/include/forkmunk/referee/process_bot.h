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

/// What a bot may take; the contest's limits.
struct BotLimits {
  double answer_seconds = 5;               ///< For one answer.
  double total_seconds = 120;              ///< For all answers of a game.
  std::size_t line_bytes_max = 64 * 1024;  ///< Of an answer, its line end not counted.
  /// Of messages that wait for the bot to read them. The longest game has less than half of that, so that a bot need
  /// not read at all.
  std::size_t unread_bytes_max = 32 * 1024 * 1024;
};

/// How long a bot was waited for, in seconds.
struct AnswerTimes {
  std::size_t count = 0;  ///< Answers that came in time.
  double mean = 0;
  double p99 = 0;  ///< Nearest rank: 99 of 100 answers took no longer.
  double max = 0;
  double waited = 0;  ///< In all, also for an answer that never came.
};

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
/// Thread: one at a time.
class ProcessBot final : public Bot {
 public:
  /// Starts `command_line` with /bin/sh. \throws Error if the system refuses. A command that does not exist is gone at
  /// the first answer.
  explicit ProcessBot(const std::string& command_line, const BotLimits& limits = {});
  /// Like end_game().
  ~ProcessBot() override;

  void begin_match(const engine::World& world, engine::Player me, const engine::Lives& lives) override;
  void tell(const engine::World& world) override;
  /// Once the bot is gone or unwritable, its process group has been killed, and every further answer is the same.
  [[nodiscard]] Answer answer(const engine::World& world) override;
  /// Closes the bot's input and waits for it to exit: at most 1.5 s, after which nothing of its process group is left.
  void end_game() override;

  /// Cost: O(answers).
  [[nodiscard]] AnswerTimes answer_times() const;

 private:
  using Clock = std::chrono::steady_clock;
  enum class Wait : std::uint8_t { line, too_late, closed, too_long, unwritable };

  void send(std::string line);
  /// Waits for a line and puts it into line_.
  [[nodiscard]] Wait await_line(Clock::time_point deadline);
  [[nodiscard]] Answer lose(Wait reason);
  [[nodiscard]] Answer lose(Answer::Kind kind, std::string verdict);

  BotLimits limits_;
  std::unique_ptr<ChildProcess> process_;
  engine::Player me_ = engine::Player::first;
  std::size_t scanned_bytes_ = 0;  // of the process's output: no line end is in them
  std::string line_;
  std::vector<double> times_;  // seconds, of the answers that came
  double waited_seconds_ = 0;
  std::optional<Answer> lost_;
};

}  // namespace forkmunk::referee
