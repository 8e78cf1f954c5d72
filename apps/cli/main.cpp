// SPDX-License-Identifier: MIT
#include "apps/mpi/together.h"
#include "command.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/excerpt.h>
#include <forkmunk/io/files.h>
#include <forkmunk/version.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/core.h>

namespace forkmunk::cli {
namespace {

const char* subcommand = "";  // named by the out-of-memory message, which must not allocate

void complain_of_memory() noexcept {
  for (const char* part : {"forkmunk: out of memory while running ", subcommand, "\n"}) std::fputs(part, stderr);
}

/// std::bad_alloc out of a noexcept function is not a bug, so there is no abort().
[[noreturn]] void end_early() noexcept {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    complain_of_memory();
    std::_Exit(kExitBadUse);
  } catch (...) {}
  std::abort();
}

/// CLI11 prints descriptions of options in one line each.
std::string wrapped(const std::string& help) {
  constexpr std::size_t kWidth = 118, kIndent = 30;
  std::istringstream lines(help);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    while (line.size() > kWidth) {
      const std::size_t space = line.rfind(' ', kWidth);
      if (space == std::string::npos || space <= kIndent) break;
      text += line.substr(0, space) + '\n';
      line = std::string(kIndent, ' ') + line.substr(space + 1);
    }
    text += line + '\n';
  }
  return text;
}

/// Makes an empty value of any option an error: commands take an empty text for an option that was not given.
void refuse_empty_values(CLI::App& app) {
  const CLI::Validator is_given(
      [](const std::string& text) { return text.empty() ? std::string("found an empty value") : std::string(); }, "");
  for (CLI::App* command : app.get_subcommands({})) {
    for (CLI::Option* option : command->get_options()) option->check(is_given);
  }
}

int run_program(int argc, char** argv) {
  CLI::App app{
      "forkmunk: the Mad Cars contest's physics, bit for bit, in worlds that are copied by one memcpy; bots, "
      "tournaments\n"
      "and reports for it; measurements of Chipmunk scenes. `forkmunk COMMAND --help` has options and examples.\n"
      "\n"
      "Exit codes: 0 success; 1 the check failed (a mismatch, not exact); 2 invalid options, unreadable input, or\n"
      "output that cannot be written (full disk, closed stdout). A closed pipe (| head) ends the program quietly.",
      "forkmunk"};
  app.require_subcommand(1);
  app.set_version_flag("--version", forkmunk::version());
  Run run;
  add_verify(app, run);
  add_doctor(app, run);
  add_bench(app, run);
  add_bot(app, run);
  add_play(app, run);
  add_arena(app, run);
  add_stats(app, run);
  add_view(app, run);
  add_page(app, run);
  add_scene(app, run);
  add_diff(app, run);
  refuse_empty_values(app);

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", wrapped(app.help()));
    return kExitFine;
  } catch (const CLI::CallForVersion& version) {
    fmt::print("{}\n", version.what());
    return kExitFine;
  } catch (const CLI::ParseError& error) {
    if (const std::vector<std::string> unknown = app.remaining(); app.get_subcommands().empty() && !unknown.empty()) {
      complain(fmt::format("unknown command {} (see forkmunk --help)", excerpt(unknown.front())));
      return kExitBadUse;
    }
    complain(fmt::format("{} (see forkmunk --help, forkmunk COMMAND --help)", error.what()));
    return kExitBadUse;
  }
  return run();
}

/// Reports failed printing, and threads that cannot be started.
void complain_of(const std::system_error& error) {
  try {
    io::flush_stdout(error.code().value());
    complain(error.what());
  } catch (const Error& unprinted) {
    complain(unprinted.what());
  }
}

}  // namespace
}  // namespace forkmunk::cli

int main(int argc, char** argv) {
  using namespace forkmunk::cli;
  forkmunk::io::secure_standard_streams();
  if (argc > 1) subcommand = argv[1];
  std::set_terminate(end_early);
  // Rank 0 alone reports errors and returns the exit code.
  const bool follows = std::string_view(subcommand) == "arena" && forkmunk::mpi::launch().rank > 0;
  if (follows) be_quiet();
  try {
    const int code = run_program(argc, argv);
    if (code != kExitBadUse) forkmunk::io::flush_stdout();
    return follows ? kExitFine : code;
  } catch (const std::bad_alloc&) {
    complain_of_memory();
  } catch (const std::system_error& error) {
    complain_of(error);
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return follows ? kExitFine : kExitBadUse;
}
