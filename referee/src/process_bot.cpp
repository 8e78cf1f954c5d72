#include "answer_reader.h"
#include "child_process.h"
#include <forkmunk/base/excerpt.h>

#include <forkmunk/engine/game.h>
#include <forkmunk/io/message_lines.h>
#include <forkmunk/referee/process_bot.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <utility>

#include <simdjson.h>

namespace forkmunk::referee {
namespace {

constexpr std::size_t kShownErrorBytesMax = 400;
constexpr std::chrono::milliseconds kCrashWait{100};  // for a process that closes its pipes one by one as it exits

std::string in_seconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%g s", seconds);
  return text;
}

/// The end of what a bot wrote to stderr, as one line of UTF-8 without control characters.
std::string last_words(std::string_view errors) {
  errors = errors.substr(0, errors.find_last_not_of(" \t\r\n") + 1);
  if (errors.size() > kShownErrorBytesMax) errors.remove_prefix(errors.size() - kShownErrorBytesMax);
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  errors.remove_prefix(static_cast<std::size_t>(std::ranges::find_if_not(errors, continues) - errors.begin()));
  const bool is_utf8 = simdjson::validate_utf8(errors.data(), errors.size());
  std::string words;
  for (const char c : errors) {
    if (c == '\n') {
      words += " | ";
    } else {
      const auto byte = static_cast<unsigned char>(c);
      words += byte < ' ' || byte == 0x7F || (byte > 0x7F && !is_utf8) ? '?' : c;
    }
  }
  return words;
}

}  // namespace

ProcessBot::ProcessBot(const std::string& command_line, const BotLimits& limits)
    : limits_(limits), process_(std::make_unique<ChildProcess>(command_line)) {
  times_.reserve(static_cast<std::size_t>(engine::kGameTicksMax));
}

ProcessBot::~ProcessBot() = default;

void ProcessBot::begin_match(const engine::World& world, engine::Player me, const engine::Lives& lives) {
  me_ = me;
  send(io::to_line(formats::NewMatchMessage{lives[index_of(me)], lives[index_of(opponent_of(me))], world.setup()}));
}

void ProcessBot::tell(const engine::World& world) { send(io::to_line(formats::message_for(me_, world))); }

void ProcessBot::send(std::string line) {
  if (lost_ || process_->unsent_bytes() > limits_.unread_bytes_max) return;
  line += '\n';
  process_->send(line);
}

Answer ProcessBot::answer(const engine::World& /*world*/) {
  if (lost_) return *lost_;
  const Clock::time_point start = Clock::now();
  const auto limit = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits_.answer_seconds));
  const Wait wait = await_line(start + limit);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  waited_seconds_ += seconds;
  if (wait != Wait::line) return lose(wait);
  times_.push_back(seconds);
  if (waited_seconds_ > limits_.total_seconds) {
    return lose(Answer::Kind::gone, "its answers took " + in_seconds(waited_seconds_) + " in all, more than " +
                                        in_seconds(limits_.total_seconds));
  }
  Answer answer = read_answer(line_);
  if (answer.kind == Answer::Kind::gone) return lose(answer.kind, std::move(answer.verdict));
  return answer;
}

ProcessBot::Wait ProcessBot::await_line(Clock::time_point deadline) {
  std::string& output = process_->output();
  while (true) {
    if (process_->unsent_bytes() > limits_.unread_bytes_max) return Wait::unwritable;
    if (process_->input_broken() && !process_->output_hangs_up(Clock::now() + kCrashWait)) return Wait::unwritable;
    const std::size_t end = output.find('\n', scanned_bytes_);
    const std::size_t size = std::min(end, output.size());
    if (size > limits_.line_bytes_max) return Wait::too_long;
    if (end != std::string::npos || (process_->output_ended() && size > 0)) {
      line_.assign(output, 0, size);
      output.erase(0, size + 1);
      scanned_bytes_ = 0;
      return Wait::line;
    }
    if (process_->output_ended()) return Wait::closed;
    if (Clock::now() >= deadline) return Wait::too_late;
    scanned_bytes_ = size;
    process_->exchange(deadline);
  }
}

Answer ProcessBot::lose(Wait reason) {
  if (reason == Wait::unwritable) {
    return lose(Answer::Kind::unwritable, process_->input_broken() ? "closed its input" : "did not read its input");
  }
  std::string verdict = "closed its output";
  if (reason == Wait::too_long) {
    verdict = "answered a line of more than " + std::to_string(limits_.line_bytes_max) + " bytes";
  } else if (reason == Wait::too_late) {
    verdict = "gave no answer within " + in_seconds(limits_.answer_seconds);
    if (!process_->output().empty()) verdict += ", only \"" + excerpt(process_->output()) + "\" without a line end";
  } else if (process_->exits(Clock::now() + kCrashWait)) {
    process_->kill();
    verdict += " (" + process_->exit_text() + ")";
  }
  return lose(Answer::Kind::gone, std::move(verdict));
}

Answer ProcessBot::lose(Answer::Kind kind, std::string verdict) {
  process_->kill();
  const std::string words = last_words(process_->error_text());
  if (!words.empty()) verdict += "; stderr: " + words;
  lost_ = Answer{kind, engine::Command::stop, {}, std::move(verdict)};
  return *lost_;
}

void ProcessBot::end_game() { process_->end(); }

AnswerTimes ProcessBot::answer_times() const {
  AnswerTimes result;
  result.waited = waited_seconds_;
  if (times_.empty()) return result;
  std::vector<double> times = times_;
  std::ranges::sort(times);
  const auto count = static_cast<double>(times.size());
  result.count = times.size();
  result.mean = std::accumulate(times.begin(), times.end(), 0.0) / count;
  result.p99 = times[static_cast<std::size_t>(std::ceil(0.99 * count)) - 1];
  result.max = times.back();
  return result;
}

}  // namespace forkmunk::referee
