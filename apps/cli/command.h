// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/build_info.h>
#include <forkmunk/io/json_writer.h>
#include <forkmunk/replay/replay.h>
#include <forkmunk/space/recorder.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include <CLI/CLI.hpp>

/// The program's subcommands, which register options and set `run` when they are parsed.
namespace forkmunk::cli {

inline constexpr int kExitFine = 0;
inline constexpr int kExitNo = 1;      ///< A check failed.
inline constexpr int kExitBadUse = 2;  ///< Invalid options or unreadable input, with one line on stderr.

/// Returns the exit code. forkmunk::Error ends the program with kExitBadUse.
using Run = std::function<int()>;

void add_verify(CLI::App& app, Run& run);
void add_doctor(CLI::App& app, Run& run);
void add_bench(CLI::App& app, Run& run);
void add_bot(CLI::App& app, Run& run);
void add_play(CLI::App& app, Run& run);
void add_arena(CLI::App& app, Run& run);
void add_stats(CLI::App& app, Run& run);
void add_view(CLI::App& app, Run& run);
void add_page(CLI::App& app, Run& run);
void add_scene(CLI::App& app, Run& run);
void add_diff(CLI::App& app, Run& run);

using WriteJson = std::function<void(io::JsonWriter& json)>;

[[nodiscard]] std::string json_text(const WriteJson& write);
void print_json(const WriteJson& write);

void write_build(io::JsonWriter& json, const BuildInfo& build);

/// Prints "WHO: PROBLEM", one line of less than 400 bytes, on stderr.
void complain(std::string_view problem, std::string_view who = "forkmunk");

/// Silences stdout and complain(): rank 0 prints.
void be_quiet();

/// Shows the progress of long work on stderr: label, share done, estimated seconds left. On a terminal, one line is
/// redrawn after the first second, and the destructor erases it. Elsewhere, e.g. in a log, each `pause` adds a line.
class Progress {
 public:
  explicit Progress(std::string label, std::chrono::steady_clock::duration pause = std::chrono::minutes(1));
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `detail` names the current item. The items of the first call do not count for the estimate. Draws at most ten
  /// times a second on a terminal.
  void update(std::size_t done, std::size_t total, std::string_view detail = {});

  /// Erases the line; update() then does nothing. Thread: any.
  void end();

 private:
  std::string label_;
  bool terminal_;
  std::chrono::steady_clock::duration pause_;
  std::atomic<bool> drawn_{false}, ended_{false};
  std::optional<std::size_t> first_done_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_draw_;
};

/// While it lives, SIGHUP, SIGINT and SIGTERM call `report` on another thread, and then end the program by the same
/// signal. A second signal ends the program at once. An ignored signal stays ignored. Exceptions of `report` become
/// complaints.
class OnInterrupt {
 public:
  explicit OnInterrupt(std::function<void(int signal)> report);
  ~OnInterrupt();
  OnInterrupt(const OnInterrupt&) = delete;
  OnInterrupt& operator=(const OnInterrupt&) = delete;

 private:
  sigset_t before_{};
  std::thread watcher_;
};

/// Writes "map" and "car" of a match that is called "Map,Car".
void write_scene(io::JsonWriter& json, const std::string& name);

/// Returns a line about a bot that wrote lines beyond its answers.
[[nodiscard]] std::string surplus_lines_problem(const std::string& bot, std::size_t count);

/// Returns e.g. "tick 812 (tick 12 of match 3: IslandMap, Buggy): cars.1.rear.x: recorded 1.5, replayed 1.25".
[[nodiscard]] std::string describe(const replay::Mismatch& mismatch, const std::string& scene);

/// A recorded scene, or the state of a written snapshot.
struct SceneFile {
  std::string bytes;
  std::optional<space::Recording> recording;
  std::optional<space::Space> state;
};
/// \throws Error, also for a recorded game.
[[nodiscard]] SceneFile read_scene_file(const std::string& file);

}  // namespace forkmunk::cli
