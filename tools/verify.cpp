#include "command.h"
#include "progress.h"
#include "verify_report.h"

#include <forkmunk/cars/catalogue.h>
#include <forkmunk/engine/error.h>
#include <forkmunk/maps/catalogue.h>
#include <forkmunk/referee/recording_reader.h>
#include <forkmunk/referee/replay.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>

#include <fmt/core.h>

namespace forkmunk::tools {
namespace {

using engine::Arithmetic;

struct Options {
  std::vector<std::string> files;
  std::string arithmetic = "auto";
  std::string engine = "chipmunk";
  bool clones = false;
  bool json = false;
};

FileReport verify_file(const Options& options, const std::string& file, Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  FileReport report;
  report.file = file;
  referee::Recording recording;
  try {
    recording = referee::read_recording(file);
  } catch (const referee::RecordingError& error) {
    report.error = error.what();
    return report;
  }
  report.tick_count = recording.tick_count();
  report.match_count = recording.matches.size();
  report.ended = recording.ended();
  if (recording.has_commands) {
    const std::string name = std::filesystem::path(file).filename().string();
    const auto show = [&](const char* what) {
      return [&progress, name, what](std::size_t done) { progress.update(done, fmt::format("{} {}", what, name)); };
    };
    report.arithmetic = engine::parse_arithmetic(options.arithmetic);
    if (!report.arithmetic) report.arithmetic = detect_arithmetic(recording);
    report.replay = replay(recording, *report.arithmetic, 0, show("replaying"));
    if (report.replay->first_mismatch) {
      const engine::MatchSetup& setup = recording.matches[report.replay->first_mismatch->match].setup;
      report.first_mismatch_scene = maps::name_of(setup.map) + ", " + cars::name_of(setup.car);
    }
    if (options.clones) report.clones = check_clones(recording, *report.arithmetic, show("cloning along"));
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

int run_verify(const Options& options) {
  const auto arithmetic = engine::parse_arithmetic(options.arithmetic);
  if (arithmetic && !engine::is_available(*arithmetic)) {
    throw Error("this build has no referee arithmetic: it needs gcc; --arithmetic strict works");
  }

  std::vector<FileReport> reports;
  bool readable = true;
  bool exact = true;
  for (const std::string& file : options.files) {
    {
      Progress progress(fmt::format("file {} of {}, tick", reports.size() + 1, options.files.size()), 0);
      reports.push_back(verify_file(options, file, progress));
    }
    const FileReport& report = reports.back();
    readable = readable && report.error.empty();
    exact = exact && report.exact();
    if (!report.error.empty()) fmt::print(stderr, "forkmunk: {}\n", report.error);
    if (!options.json) fmt::print("{}\n", describe(report));
    std::fflush(stdout);
  }
  if (options.json) {
    fmt::print("{}\n", to_json(reports).dump(2));
  } else {
    fmt::print("{}\n", summarise(reports));
  }
  return !readable ? kExitBadUse : exact ? kExitFine : kExitNo;
}

}  // namespace

void add_verify(CLI::App& app, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("verify", "Replay recorded games and compare every tick, bit for bit");
  command->add_option("files", options->files, "Recordings: visio.gz, or the same as plain JSON")->required();
  command
      ->add_option("--arithmetic", options->arithmetic,
                   "How floating point is evaluated. auto tries both on each file's first ticks and takes the one that "
                   "fits, strict if both do")
      ->check(CLI::IsMember({"referee", "strict", "auto"}))
      ->capture_default_str();
  command->add_option("--engine", options->engine, "Which implementation replays")
      ->check(CLI::IsMember({"chipmunk"}))
      ->capture_default_str();
  command->add_flag("--clones", options->clones,
                    "Also the clone test: at every 97th tick save, step 200 by other commands, restore, step 200 by the "
                    "recorded ones, and the same for a fork; all solver state must be the undisturbed replay's");
  command->add_flag("--json", options->json, "Only JSON on stdout");
  command->footer(
      "A tick mismatches when any of its 18 numbers (x, y and angle of both cars' bodies and wheels), an alive flag or\n"
      "the deadline differs by ==, or when it is missing or one too many. The replay goes on from its own state.\n"
      "In reports, matches and ticks count from 0; ticks over the whole game, as tick_num does. 'expected' is the\n"
      "recording's value, 'found' the replay's.\n"
      "\n"
      "Exit codes: 0 every file is exact; 1 a mismatch, or a file without commands; 2 a file cannot be read.\n"
      "\n"
      "Examples:\n"
      "  forkmunk verify game.visio.gz\n"
      "  forkmunk verify --json --arithmetic strict games/*.visio.gz\n"
      "  forkmunk verify --clones game.visio.gz");
  command->callback([options, &run] { run = [options] { return run_verify(*options); }; });
}

}  // namespace forkmunk::tools
