// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>
#include <forkmunk/io/files.h>
#include <forkmunk/io/json_writer.h>
#include <forkmunk/io/message_lines.h>
#include <forkmunk/player/line_player.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <istream>
#include <ostream>
#include <variant>

#include <fcntl.h>
#include <unistd.h>

namespace forkmunk::player {
namespace {

using Clock = search::Budget::Clock;

/// Measures while pondering whether other programs run on the bot's processor. If they did for a good part of the time,
/// the bot does not ponder for some ticks: a process that runs all the time waits longer for the processor when a
/// message arrives.
class Ponderer {
 public:
  explicit Ponderer(PlannerPlayer& player) : player_(player) {}

  void ponder(const std::function<bool()>& arrived) {
    if (busy_ticks_ > 0) {
      --busy_ticks_;
      player_.ponder(arrived, true);
      return;
    }
    const Clocks& clocks = player_.clocks();
    const auto delay_before = clocks.run_delay();
    const Clock::time_point begin = clocks.now();
    player_.ponder(arrived);
    time_ += clocks.now() - begin;
    waited_ += clocks.run_delay() - delay_before;
    if (++count_ < kTicksBetweenLooks) return;
    if (waited_ > time_ / 4) busy_ticks_ = kBusyTicks;
    time_ = waited_ = {};
    count_ = 0;
  }

 private:
  static constexpr int kTicksBetweenLooks = 10;
  static constexpr int kBusyTicks = 50;

  PlannerPlayer& player_;
  std::chrono::nanoseconds time_{0}, waited_{0};  // since the last measurement
  int count_ = 0;
  int busy_ticks_ = 0;  // for which the machine still counts as busy
};

std::string to_line(const Answer& answer) {
  io::JsonWriter json;
  json.object([&] { json.field("command", to_string(answer.command)).field("debug", answer.debug); });
  return json.take();
}

}  // namespace

std::chrono::nanoseconds Clocks::process_run_delay() noexcept {
  static const io::FileDescriptor statistics(open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC));
  std::array<char, 100> text{};
  if (pread(statistics.get(), text.data(), text.size() - 1, 0) <= 0) return {};
  long long running = 0, waiting = 0;
  if (std::sscanf(text.data(), "%lld %lld", &running, &waiting) != 2) return {};
  return std::chrono::nanoseconds(waiting);
}

void serve(PlannerPlayer& player, std::istream& in, std::ostream& out,
           const std::function<void(std::string_view line)>& log, const std::function<bool()>& arrived) {
  const Clocks& clocks = player.clocks();
  Ponderer ponderer(player);
  std::chrono::nanoseconds delay_before = clocks.run_delay();
  bool named = log == nullptr;
  for (std::string line; std::getline(in, line); delay_before = clocks.run_delay()) {
    const Clock::time_point since = clocks.now();
    // Doubled: waking the referee for the answer is assumed to take as long as waking this process did.
    player.delayed(2 * (clocks.run_delay() - delay_before));
    LineAnswer answer = answer_line(player, line, since);
    if (!answer.problem.empty() && log) log(answer.problem);
    if (answer.line && !(out << *answer.line + '\n' << std::flush)) return;
    player.prepare();
    if (answer.line && arrived) ponderer.ponder(arrived);
    if (!named && player.referee() != replay::RefereeKind::unknown) {
      log(to_string(player.referee()));
      named = true;
    }
  }
}

LineAnswer answer_line(PlannerPlayer& player, std::string_view line, Clock::time_point since) {
  formats::Message message;
  try {
    message = io::parse_message(line);
  } catch (const Error& error) {
    LineAnswer result{std::nullopt, error.what()};
    if (line.find("\"tick\"") != std::string_view::npos) {
      result.line = to_line({engine::Command::stop, result.problem.substr(0, formats::kDebugCharactersMax), nullptr});
    }
    return result;
  }
  if (const auto* match = std::get_if<formats::NewMatchMessage>(&message)) {
    player.receive(*match, since);
    return {};
  }
  return {to_line(player.answer(std::get<formats::TickMessage>(message), since)), {}};
}

}  // namespace forkmunk::player
