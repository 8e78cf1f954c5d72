// SPDX-License-Identifier: MIT

#include "command.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/io/files.h>
#include <forkmunk/io/gzip.h>
#include <forkmunk/version.h>

#include <cstdio>
#include <exception>
#include <sstream>
#include <system_error>

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

Progress::Progress(std::string label, steady_clock::duration pause)
    : label_(std::move(label)),
      terminal_(isatty(STDERR_FILENO) == 1),
      pause_(terminal_ ? std::chrono::milliseconds(100) : pause),
      start_(steady_clock::now()),
      last_draw_(start_) {}

Progress::~Progress() { end(); }

void Progress::end() {
  ended_ = true;
  if (drawn_.exchange(false) && terminal_) std::fputs("\r\033[K", stderr);
}

void Progress::update(std::size_t done, std::size_t total, std::string_view detail) {
  if (ended_) return;
  if (!first_done_) first_done_ = done;
  const auto now = steady_clock::now();
  const double elapsed = duration<double>(now - start_).count();
  if ((terminal_ && elapsed < 1) || now - last_draw_ < pause_) return;
  last_draw_ = now;
  drawn_ = true;
  const double share = total == 0 ? 1 : static_cast<double>(done) / static_cast<double>(total);
  std::string left;
  if (done > *first_done_ && done <= total) {
    const auto rate = static_cast<double>(done - *first_done_) / elapsed;
    left = fmt::format(", {:.0f} s left", static_cast<double>(total - done) / rate);
  }
  // fmt::print() would throw if the terminal is gone, but the work must continue.
  std::string line = fmt::format("{} {}/{} ({:.0f} %{})", label_, done, total, 100 * share, left);
  if (!detail.empty()) line += ' ' + printable(detail);
  std::fputs((terminal_ ? "\r\033[K" + line : "forkmunk: " + line + '\n').c_str(), stderr);
  std::fflush(stderr);
}

constexpr int kWake = SIGURG;  // has no other use here, and is ignored by default

OnInterrupt::OnInterrupt(std::function<void(int)> report) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, kWake);
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) sigaddset(&signals, signal);
  }
  pthread_sigmask(SIG_BLOCK, &signals, &before_);
  const auto watch = [signals, report = std::move(report)] {
    int signal = 0;
    sigwait(&signals, &signal);
    if (signal == kWake) return;
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    try {
      report(signal);
      io::flush_stdout();
    } catch (const std::exception& error) {
      complain(error.what());
    }
    std::raise(signal);
  };
  try {
    watcher_ = std::thread(watch);
  } catch (const std::system_error&) {  // without a thread, signals end the program without a report
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
}

OnInterrupt::~OnInterrupt() {
  if (!watcher_.joinable()) return;
  pthread_kill(watcher_.native_handle(), kWake);
  watcher_.join();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void write_scene(io::JsonWriter& json, const std::string& name) {
  const std::size_t comma = name.find(',');
  json.field("map", name.substr(0, comma)).field("car", name.substr(comma + 1));
}

std::string surplus_lines_problem(const std::string& bot, std::size_t count) {
  return fmt::format(
      "the bot {} wrote {} line{} more than there were ticks, so later ticks got answers to earlier ones; write one "
      "line for each tick, and none for new_match",
      bot, count, count == 1 ? "" : "s");
}

std::string describe(const replay::Mismatch& mismatch, const std::string& scene) {
  const auto number = [](const std::optional<double>& value) { return value ? fmt::format("{}", *value) : "none"; };
  const std::string where =
      fmt::format("tick {} (tick {} of match {}: {})", mismatch.tick, mismatch.match_tick, mismatch.match, scene);
  if (mismatch.value == "tick_num" && !mismatch.expected) return where + ": missing in the recording";
  if (mismatch.value == "tick_num") {
    return where + fmt::format(": the recording has tick {} instead: a duplicate, or after the end of the match",
                               *mismatch.expected);
  }
  return where + fmt::format(": {}: recorded {}, replayed {}", mismatch.value, number(mismatch.expected),
                             number(mismatch.found));
}

SceneFile read_scene_file(const std::string& file) {
  constexpr std::size_t kBytesMax = std::size_t{1} << 30;
  SceneFile scene{io::read_file(file, kBytesMax), {}, {}};
  if (io::is_gzip(scene.bytes)) {
    throw Error(io::input_name(file), ": the recording of a game, expected that of a scene; see forkmunk view");
  }
  std::istringstream in(scene.bytes);
  try {
    if (scene.bytes.starts_with("FORKSPAC")) {
      scene.state.emplace();
      if (!scene.state->restore(space::Snapshot::read(in))) throw Error("found no room for the state");
    } else {
      scene.recording = space::Recording::read(in);
    }
    if (in.peek() != std::istream::traits_type::eof()) throw Error("found more bytes after its end");
  } catch (const Error& error) {
    throw Error(io::input_name(file), ": ", error.what());
  }
  return scene;
}

}  // namespace forkmunk::cli
