// SPDX-License-Identifier: MIT
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include <unistd.h>

/// An honest bot answers left, right, stop in turn, and counts matches and ticks in `debug`.
namespace {

constexpr std::size_t kForEver = std::size_t{1} << 40;
constexpr std::string_view kCommands[] = {"left", "right", "stop"};

/// \return false if the pipe has no reader.
bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = write(fd, text.data(), text.size());
    if (size < 0 && errno != EINTR) return false;
    if (size > 0) text.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

void write_much(int fd, std::string_view piece, std::size_t bytes) {
  std::string block;
  while (block.size() < (1 << 20)) block += piece;
  for (std::size_t written = 0; written < bytes && write_all(fd, block); written += block.size()) {}
}

bool print(std::string_view line) { return write_all(STDOUT_FILENO, std::string(line) + '\n'); }

bool await_tick() {
  std::string line;
  while (std::getline(std::cin, line)) {
    if (line.find("\"tick\"") != std::string::npos) return true;
  }
  return false;
}

std::string command_line(int tick, const std::string& debug) {
  return R"({"command":")" + std::string(kCommands[tick % 3]) + R"(","debug":")" + debug + "\"}";
}

void be_honest(int ticks = 0, int ticks_max = 1'000'000) {
  int matches = 0;
  for (std::string line; ticks < ticks_max && std::getline(std::cin, line);) {
    if (line.find("\"new_match\"") != std::string::npos) {
      ++matches;
    } else {
      const std::string counts = std::to_string(matches) + " " + std::to_string(ticks + 1);
      print(command_line(ticks++, counts));
    }
  }
}

[[noreturn]] void sleep_on() {
  while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

void pause_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

/// `debug` has the measured microseconds.
void answer_slowly(int tick, int ms) {
  const auto start = std::chrono::steady_clock::now();
  pause_ms(ms);
  const auto taken = std::chrono::steady_clock::now() - start;
  const auto us = std::chrono::duration_cast<std::chrono::microseconds>(taken).count();
  print(command_line(tick, std::to_string(us)));
}

/// A child keeps all pipes open.
void leave_grandchild() {
  if (!await_tick()) return;
  const pid_t child = fork();
  if (child == 0) sleep_on();
  print(command_line(0, std::to_string(child)));
}

void list_descriptors() {
  const auto count = std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  while (await_tick()) print(command_line(0, std::to_string(count - 1)));  // without the folder's own
}

void answer_by_halves() {
  for (int tick = 0; await_tick(); ++tick) {
    const std::string line = command_line(tick, "") + '\n';
    write_all(STDOUT_FILENO, line.substr(0, line.size() / 2));
    pause_ms(20);
    write_all(STDOUT_FILENO, line.substr(line.size() / 2));
  }
}

void report_signals() {
  sigset_t blocked;
  sigprocmask(SIG_BLOCK, nullptr, &blocked);
  const bool usual = sigismember(&blocked, SIGTERM) == 0 && std::signal(SIGPIPE, SIG_DFL) == SIG_DFL;
  while (await_tick()) print(command_line(0, usual ? "usual" : "unusual"));
}

[[noreturn]] void leave_with_words(std::string_view words) {
  write_all(STDERR_FILENO, words);
  std::exit(1);
}

struct Mode {
  std::string_view name;
  void (*run)(const std::string& argument);
};
using Argument = const std::string&;

constexpr Mode kAnswering[] = {
    {"honest", [](Argument) { be_honest(); }},
    {"print",
     [](Argument line) {
       while (await_tick()) print(line);
     }},
    {"half_line",
     [](Argument) {
       await_tick();
       write_all(STDOUT_FILENO, "{\"comm");
       sleep_on();
     }},
    {"by_halves", [](Argument) { answer_by_halves(); }},
    {"last_line",
     [](Argument) {
       await_tick();
       write_all(STDOUT_FILENO, command_line(0, "last"));
     }},
    {"long_line",
     [](Argument bytes) {
       await_tick();
       print(std::string(std::stoul(bytes), ' '));
       be_honest(1);
     }},
    {"slow_start",
     [](Argument ms) {
       pause_ms(std::stoi(ms));
       be_honest();
     }},
    {"slow",
     [](Argument ms) {
       for (int tick = 0; await_tick(); ++tick) answer_slowly(tick, std::stoi(ms));
     }},
    {"early",
     [](Argument) {
       for (int tick = 0; tick < 5; ++tick) print(command_line(tick, "early"));
       for (int tick = 0; tick < 5; ++tick) await_tick();
       be_honest(5);
     }},
    {"early_and_gone",
     [](Argument) {
       for (int tick = 0; tick < 3; ++tick) print(command_line(tick, "early"));
     }},
    {"descriptors", [](Argument) { list_descriptors(); }},
    {"signals", [](Argument) { report_signals(); }},
};

constexpr Mode kFailing[] = {
    {"exit", [](Argument code) { std::exit(std::stoi(code)); }},
    {"crash",
     [](Argument) {
       be_honest(0, 2);
       std::raise(SIGKILL);
     }},
    {"crash_with_words",
     [](Argument) { leave_with_words("Trace:\n  \tline 7: \xd0\xb4\xd0\xb0\nZeroDivisionError\n\n"); }},
    {"words_of_bytes", [](Argument) { leave_with_words("\xff\x01 bad\n"); }},
    {"hang",
     [](Argument) {
       while (await_tick()) {}
     }},
    {"deaf", [](Argument) { sleep_on(); }},
    {"stopped", [](Argument) { std::raise(SIGSTOP); }},
    {"flood_stderr",
     [](Argument) {
       write_much(STDERR_FILENO, "I think aloud. ", std::size_t{2} << 30);
       be_honest();
     }},
    {"flood_stderr_for_ever", [](Argument) { write_much(STDERR_FILENO, "mumble ", kForEver); }},
    {"flood_stdout", [](Argument) { write_much(STDOUT_FILENO, "x", kForEver); }},
    {"flood_lines", [](Argument) { write_much(STDOUT_FILENO, "no JSON\n", kForEver); }},
    {"answer_unread", [](Argument) { write_much(STDOUT_FILENO, "{\"command\":\"right\"}\n", kForEver); }},
    {"close_stdin",
     [](Argument) {
       await_tick();
       close(STDIN_FILENO);
       print(command_line(0, ""));
       sleep_on();
     }},
    {"close_stdout",
     [](Argument) {
       await_tick();
       close(STDOUT_FILENO);
       sleep_on();
     }},
    {"close_both",
     [](Argument) {
       be_honest(0, 1);
       close(STDIN_FILENO);
       close(STDOUT_FILENO);
       sleep_on();
     }},
    {"close_all",
     [](Argument) {
       close(STDIN_FILENO);
       close(STDOUT_FILENO);
       close(STDERR_FILENO);
       sleep_on();
     }},
    {"ignore_sigterm",
     [](Argument) {
       std::signal(SIGTERM, SIG_IGN);
       be_honest();
       sleep_on();
     }},
    {"slow_exit",
     [](Argument file) {
       be_honest();
       pause_ms(100);
       std::ofstream(file) << "done";
     }},
    {"grandchild", [](Argument) { leave_grandchild(); }},
};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  const std::string argument = argc > 2 ? argv[2] : "";
  std::ios::sync_with_stdio(false);
  for (const auto modes : {std::span<const Mode>(kAnswering), std::span<const Mode>(kFailing)}) {
    for (const Mode& mode : modes) {
      if (mode.name != name) continue;
      mode.run(argument);
      return 0;
    }
  }
  std::cerr << "no such mode\n";
  return 2;
}
