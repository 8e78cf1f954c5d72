// SPDX-License-Identifier: MIT

#include "command.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/io/files.h>
#include <forkmunk/io/gzip.h>
#include <forkmunk/referee/statistics.h>
#include <forkmunk/version.h>

#include <cstdio>
#include <istream>

#include <fmt/format.h>
#include <unistd.h>

namespace forkmunk::cli {
namespace {

bool quiet = false;

}  // namespace

std::string json_text(const WriteJson& write) {
  io::JsonWriter json(io::JsonWriter::Layout::indented);
  write(json);
  return json.take();
}

void print_json(const WriteJson& write) { fmt::print("{}\n", json_text(write)); }

void write_build(io::JsonWriter& json, const BuildInfo& build) {
  json.field("version", version()).field("compiler", build.compiler).field("build_type", build.build_type);
  json.field("check_level", build.check_level).field("sanitizer", build.sanitizer);
  json.key("arithmetics").list(build.arithmetics, [&](Arithmetic arithmetic) { json.value(to_string(arithmetic)); });
  json.field("processor", build.processor);
}

void complain(std::string_view problem, std::string_view who) {
  if (quiet) return;
  // fmt::print() would throw if stderr is full.
  std::fputs(fmt::format("{}: {}\n", who, one_line(problem)).c_str(), stderr);
}

void be_quiet() { quiet = std::freopen("/dev/null", "w", stdout) != nullptr; }

using std::chrono::duration;
using std::chrono::steady_clock;

Progress::Progress(std::string label)
    : label_(std::move(label)),
      terminal_(isatty(STDERR_FILENO) == 1),
      start_(steady_clock::now()),
      last_draw_(start_) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void Progress::update(std::size_t done, std::size_t total, std::string_view detail) {
  if (!terminal_) return;
  if (!first_done_) first_done_ = done;
  const auto now = steady_clock::now();
  const double elapsed = duration<double>(now - start_).count();
  if (elapsed < 1 || duration<double>(now - last_draw_).count() < 0.1) return;
  last_draw_ = now;
  drawn_ = true;
  const double share = total == 0 ? 1 : static_cast<double>(done) / static_cast<double>(total);
  std::string left;
  if (done > *first_done_ && done <= total) {
    const auto rate = static_cast<double>(done - *first_done_) / elapsed;
    left = fmt::format(", {:.0f} s left", static_cast<double>(total - done) / rate);
  }
  // fmt::print() would throw if the terminal is gone, but the work must continue.
  std::fputs(fmt::format("\r\033[K{} {}/{} ({:.0f} %{}) {}", label_, done, total, 100 * share, left, printable(detail))
                 .c_str(),
             stderr);
  std::fflush(stderr);
}

using referee::statistics::Summary;

namespace {

void write_match(io::JsonWriter& json, const formats::MatchOutcome& match, const std::string& name) {
  json.object([&] {
    json.field("map", name.substr(0, name.find(','))).field("car", name.substr(name.find(',') + 1));
    json.field("ticks", match.ticks);
    json.key("losers").list([&] {
      for (std::size_t i = 0; i < 2; ++i) {
        if (match.died[i]) json.value(i + 1);
      }
    });
    json.key("causes").list([&] {
      for (std::size_t i = 0; i < 2; ++i) {
        if (match.died[i]) json.value(engine::to_string(match.cause[i]));
      }
    });
  });
}

std::string number_or(const std::optional<double>& value, const char* otherwise) {
  return value ? fmt::format("{}", *value) : otherwise;
}

}  // namespace

void write(io::JsonWriter& json, const referee::GameResult& result, const std::vector<std::string>& match_names) {
  json.object([&] {
    json.field("lives", result.lives).field("ticks", result.ticks);
    json.field("winner", result.winner ? index_of(*result.winner) + 1 : 0);
    if (!result.verdict.empty()) json.field("verdict", result.verdict);
    json.key("matches").list([&] {
      for (std::size_t m = 0; m < result.matches.size(); ++m) write_match(json, result.matches[m], match_names[m]);
    });
    json.key("time_ms").list(result.players, [&](const referee::PlayerResult& player) {
      const Summary time = referee::statistics::summary_of(player.answer_ms).value_or(Summary{});
      json.object([&] { json.field("mean", time.mean).field("p99", time.p99).field("max", time.max); });
    });
    json.key("bots").list(result.players, [&](const referee::PlayerResult& player) {
      json.object([&] {
        json.field("answers", player.answer_ms.size()).field("garbled", player.garbled_answers);
        json.field("without_plan", player.answers_without_plan).field("surplus_lines", player.surplus_lines);
        json.field("disconnected", player.disconnected).field("verdict", player.verdict);
      });
    });
  });
}

std::string describe(const referee::GameResult& result, const std::vector<std::string>& match_names,
                     const std::array<std::string, 2>& bots) {
  std::string text =
      fmt::format("{}: {} {} : {} {}, {} matches, {} ticks\n",
                  result.winner ? fmt::format("player {} won", index_of(*result.winner) + 1) : std::string("draw"),
                  bots[0], result.lives[0], result.lives[1], bots[1], result.matches.size(), result.ticks);
  if (!result.verdict.empty()) text += fmt::format("  {}\n", result.verdict);
  for (std::size_t m = 0; m < result.matches.size(); ++m) {
    const formats::MatchOutcome& match = result.matches[m];
    text += fmt::format("  {:32} {:5} ticks ", match_names[m], match.ticks);
    for (std::size_t i = 0; i < 2; ++i) {
      if (match.died[i]) text += fmt::format(" player {} lost ({})", i + 1, engine::to_string(match.cause[i]));
    }
    text += match.died[0] || match.died[1] ? "\n" : " neither lost\n";
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const referee::PlayerResult& player = result.players[i];
    const Summary time = referee::statistics::summary_of(player.answer_ms).value_or(Summary{});
    text += fmt::format("  player {}: {} answers, mean {:.3g} ms, p99 {:.3g}, max {:.3g}", i + 1,
                        player.answer_ms.size(), time.mean, time.p99, time.max);
    if (player.garbled_answers > 0) text += fmt::format("; {} garbled", player.garbled_answers);
    if (player.answers_without_plan > 0) text += fmt::format("; {} without a plan", player.answers_without_plan);
    if (player.surplus_lines > 0)
      text += fmt::format("; {} line{} too many", player.surplus_lines, player.surplus_lines == 1 ? "" : "s");
    if (player.disconnected) text += fmt::format("; disconnected: {}", player.verdict);
    text += '\n';
  }
  return text;
}

std::string surplus_lines_problem(const std::string& bot, std::size_t count) {
  return fmt::format(
      "the bot {} wrote {} line{} more than there were ticks, so later ticks got answers to earlier ones; write one "
      "line "
      "for each tick, and none for new_match",
      bot, count, count == 1 ? "" : "s");
}

std::string describe(const replay::Mismatch& mismatch, const std::string& scene) {
  const std::string where =
      fmt::format("tick {} (tick {} of match {}: {})", mismatch.tick, mismatch.match_tick, mismatch.match, scene);
  if (mismatch.value == "tick_num" && !mismatch.expected) return where + ": missing in the recording";
  if (mismatch.value == "tick_num") {
    return where + fmt::format(": the recording has tick {} instead: a duplicate, or after the end of the match",
                               *mismatch.expected);
  }
  return where + fmt::format(": {}: recorded {}, replayed {}", mismatch.value, number_or(mismatch.expected, "none"),
                             number_or(mismatch.found, "none"));
}

void require_end(std::istream& in) {
  if (in.peek() != std::istream::traits_type::eof()) throw Error("found more bytes after its end");
}

std::string read_scene_file(const std::string& file) {
  constexpr std::size_t kBytesMax = std::size_t{1} << 30;
  std::string bytes = io::read_file(file, kBytesMax);
  if (io::is_gzip(bytes)) {
    throw Error(io::input_name(file) + ": the recording of a game, expected that of a scene; see forkmunk view");
  }
  return bytes;
}

}  // namespace forkmunk::cli
