// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

/// The program's subcommands, with a file for each. A command registers its options, and sets `run` when it is parsed.
namespace forkmunk::cli {

/// Exit codes.
inline constexpr int kExitFine = 0;
inline constexpr int kExitNo = 1;      ///< The check failed: a mismatch, not exact.
inline constexpr int kExitBadUse = 2;  ///< Invalid options or unreadable input, with one line on stderr.

/// Carries out the parsed command and returns the exit code. If a Run throws forkmunk::Error, the program ends with
/// kExitBadUse.
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

}  // namespace forkmunk::cli
