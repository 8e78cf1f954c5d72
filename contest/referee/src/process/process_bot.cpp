// SPDX-License-Identifier: MIT
#include "answer_reader.h"
#include "child_process.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/excerpt.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/engine/game.h>
#include <forkmunk/io/message_lines.h>
#include <forkmunk/referee/process_bot.h>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace forkmunk::referee {
namespace {

constexpr std::size_t kShownErrorBytesMax = 400;
constexpr std::chrono::milliseconds kCrashWait{100};  // an exiting process closes its pipes one by one
constexpr std::chrono::milliseconds kBetweenCalls{20};

std::string to_text(Seconds time) { return fmt::format("{:g} s", time.count()); }

/// Returns the end of a bot's stderr as one line of UTF-8 without control characters.
std::string error_tail(std::string_view errors) {
  errors = errors.substr(0, errors.find_last_not_of(" \t\r\n") + 1);
  if (errors.size() > kShownErrorBytesMax) errors.remove_prefix(errors.size() - kShownErrorBytesMax);
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  errors.remove_prefix(static_cast<std::size_t>(std::ranges::find_if_not(errors, continues) - errors.begin()));
  // Otherwise only ASCII characters are shown.
  const bool is_utf8 = utf8(errors) == errors;
  std::string words;
  for (const char c : errors) {
    if (c == '\n') {
      words += " | ";
    } else {
      words += static_cast<unsigned char>(c) > 0x7F && !is_utf8 ? '?' : c;
    }
  }
  return printable(words);
}

}  // namespace

void validate(const BotLimits& limits) {
  for (const auto& [what, time] :
       {std::pair{"time limit per answer", limits.answer_time}, std::pair{"time limit per game", limits.game_time}}) {
    if (time >= Seconds(0) && time <= kBotTimeMax) continue;  // false for NaN
    throw Error(what, ": found ", to_text(time), ", expected 0 to ", to_text(kBotTimeMax));
  }
}

ProcessBot::ProcessBot(const std::string& command_line, const BotLimits& limits) : limits_(limits) {
  validate(limits);
  process_ = std::make_unique<ChildProcess>(command_line);
}

ProcessBot::~ProcessBot() = default;

void ProcessBot::begin_match(const engine::World& world, engine::Player me, const engine::Lives& lives) {
  me_ = me;
  send(io::to_line(formats::NewMatchMessage{lives[index_of(me)], lives[index_of(opponent_of(me))], world.setup()}));
}

void ProcessBot::send_tick(const engine::World& world) {
  std::string line = io::to_line(formats::message_for(me_, world));
  wait_.reset();
  sent_ = Clock::now();  // before send(), which may return after the answer
  send(std::move(line));
}

void ProcessBot::send(std::string line) {
  if (lost_ || process_->unsent_bytes() > limits_.unread_bytes_max) return;
  line += '\n';
  process_->send(line);
}

void ProcessBot::await_answers(ProcessBot* first, ProcessBot* second) {
  constexpr std::size_t kPipes = ChildProcess::kPipes;
  const std::array<ProcessBot*, 2> bots{first, second};
  std::array<pollfd, 2 * kPipes> polled{};
  const auto pipes_of = [&](std::size_t i) { return ChildProcess::Pipes(&polled[i * kPipes], kPipes); };
  Clock::time_point now = Clock::now();
  while (true) {
    std::array<bool, 2> waiting{};
    Clock::time_point until = Clock::time_point::max();
    for (std::size_t i = 0; i < bots.size(); ++i) {
      std::ranges::fill(pipes_of(i), pollfd{-1, 0, 0});
      waiting[i] = bots[i] != nullptr && !bots[i]->settled(now);
      if (!waiting[i]) continue;
      bots[i]->process_->watch(pipes_of(i), bots[i]->hang_up_until_.has_value());
      until = std::min(until, bots[i]->hang_up_until_.value_or(bots[i]->answer_deadline()));
    }
    if (!waiting[0] && !waiting[1]) return;
    const auto& while_waiting = bots[waiting[0] ? 0 : 1]->limits_.while_waiting;
    if (while_waiting) until = std::min(until, now + kBetweenCalls);
    wait_for(polled, until);
    if (while_waiting) {
      try {
        while_waiting();
      } catch (...) {  // a bot that is still computing gets no grace
        for (ProcessBot* bot : bots) {
          if (bot != nullptr) bot->process_->kill();
        }
        throw;
      }
    }
    now = Clock::now();  // one arrival time for both, whichever is read first
    for (std::size_t i = 0; i < bots.size(); ++i) {
      if (!waiting[i]) continue;
      bots[i]->process_->exchange(pipes_of(i));
      const bool silent = pipes_of(i)[0].revents == 0;
      if (silent && !bots[i]->hang_up_until_ && now >= bots[i]->answer_deadline()) bots[i]->settle(Wait::too_late, now);
    }
  }
}

bool ProcessBot::settled(Clock::time_point now) {
  if (lost_ || wait_) return true;
  if (const std::optional<Wait> wait = look(now)) settle(*wait, now);
  return wait_.has_value();
}

void ProcessBot::settle(Wait wait, Clock::time_point now) {
  wait_ = wait;
  charged_ = now - sent_;
}

ProcessBot::Clock::time_point ProcessBot::answer_deadline() const {
  return sent_ + std::chrono::duration_cast<Clock::duration>(limits_.answer_time);
}

std::optional<ProcessBot::Wait> ProcessBot::look(Clock::time_point now) {
  if (process_->unsent_bytes() > limits_.unread_bytes_max) return Wait::unwritable;
  if (process_->input_broken() && !process_->output_hung_up()) {
    if (!hang_up_until_) hang_up_until_ = now + kCrashWait;
    if (now >= *hang_up_until_) return Wait::unwritable;
    return std::nullopt;
  }
  hang_up_until_.reset();
  std::string& output = process_->output();
  const std::size_t end = output.find('\n', scanned_bytes_);
  const std::size_t size = std::min(end, output.size());
  if (size > limits_.line_bytes_max) return Wait::too_long;
  if (end != std::string::npos || (process_->output_ended() && size > 0)) {
    line_.assign(output, 0, size);
    output.erase(0, size + 1);
    scanned_bytes_ = 0;
    return Wait::line;
  }
  scanned_bytes_ = size;
  return process_->output_ended() ? std::optional(Wait::closed) : std::nullopt;
}

Answer ProcessBot::answer(const engine::World& /*world*/) {
  if (lost_) return *lost_;
  await_answers(this, nullptr);
  waited_ += charged_;
  Answer answer = judge(*wait_);
  answer.charged = charged_;
  return answer;
}

Answer ProcessBot::judge(Wait wait) {
  if (wait != Wait::line) return lose(wait);
  if (waited_ > limits_.game_time) {
    return lose(Answer::Kind::gone,
                "used " + to_text(waited_) + " for its answers, more than the limit of " + to_text(limits_.game_time));
  }
  Answer answer = read_answer(line_);
  if (answer.kind == Answer::Kind::gone) return lose(answer.kind, std::move(answer.verdict));
  if (answer.kind == Answer::Kind::garbled) answer.verdict = excerpt(line_);
  return answer;
}

Answer ProcessBot::lose(Wait reason) {
  if (reason == Wait::unwritable) {
    return lose(Answer::Kind::unwritable, process_->input_broken() ? "closed its input" : "did not read its input");
  }
  std::string verdict = "closed its output";
  if (reason == Wait::too_long) {
    verdict = "answered a line of more than " + std::to_string(limits_.line_bytes_max) + " bytes";
  } else if (reason == Wait::too_late) {
    verdict = "gave no answer within " + to_text(limits_.answer_time);
    if (!process_->output().empty()) {
      verdict += ", only \"" + excerpt(process_->output()) + "\" without a line end";
    } else if (waited_ == charged_) {  // its first answer
      verdict += "; a bot must flush its output after each line";
    }
  } else if (process_->exits(Clock::now() + kCrashWait)) {
    process_->kill();
    verdict += " (" + process_->exit_text() + ")";
  }
  return lose(Answer::Kind::gone, std::move(verdict));
}

Answer ProcessBot::lose(Answer::Kind kind, std::string verdict) {
  process_->kill();
  const std::string words = error_tail(process_->error_text());
  if (!words.empty()) verdict += "; stderr: " + words;
  lost_ = Answer{kind, engine::Command::stop, {}, std::move(verdict)};
  return *lost_;
}

void ProcessBot::end_game() { process_->end(); }

std::size_t ProcessBot::surplus_lines() const noexcept { return lost_ ? 0 : process_->dropped_lines(); }

}  // namespace forkmunk::referee
