#include "command.h"
#include "labels.h"
#include "numbers.h"
#include "physics_options.h"
#include "print.h"
#include "progress.h"
#include "verify_random.h"
#include "verify_report.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/io/recording_reader.h>
#include <forkmunk/io/standard_streams.h>
#include <forkmunk/maps/catalogue.h>
#include <forkmunk/replay/tolerance.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>

#include <fmt/core.h>

namespace forkmunk::tools {
namespace {

namespace fs = std::filesystem;
using reports::FileReport;

struct VerifyOptions {
  std::vector<std::string> files;
  std::string arithmetic = "auto";
  std::string tolerance;
  std::string write_commands;
  std::string engine = "auto";  // "auto", "chipmunk", "flat" or "both"
  replay::VerifyOptions verify;
  std::size_t random_ticks = 0;
  std::uint64_t seed = 1;
  bool json = false;
};

double parse_tolerance(const std::string& text) {
  if (text == "auto") return replay::kToleranceDefault;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value > 0)) {
    throw Error("--tolerance: " + text + " is neither auto nor a number above 0 (map units and radians)");
  }
  return value;
}

// One file per recording: game01.commands.json, with its folder as a prefix if two recordings have the same name.
std::vector<fs::path> commands_files(const VerifyOptions& options) {
  std::vector<fs::path> result(options.files.size());
  if (options.write_commands.empty()) return result;
  std::error_code error;
  fs::create_directories(options.write_commands, error);
  if (error) {
    throw Error("--write-commands: cannot create directory " + options.write_commands + ": " + error.message());
  }
  const auto stem = [](const fs::path& file) {
    const std::string name = file.filename().string();
    return name.substr(0, name.find(".visio"));
  };
  std::map<std::string, int> uses;
  for (const std::string& file : options.files) ++uses[stem(file)];
  for (std::size_t i = 0; i < options.files.size(); ++i) {
    const fs::path file = options.files[i];
    const std::string folder = uses[stem(file)] > 1 ? fs::absolute(file).parent_path().filename().string() + "-" : "";
    result[i] = fs::path(options.write_commands) / (folder + stem(file) + ".commands.json");
    if (std::count(result.begin(), result.end(), result[i]) > 1) {
      throw Error("--write-commands: two recordings would write " + result[i].string() + "; verify them separately");
    }
  }
  return result;
}

// Random games in lockstep.
int run_random(const VerifyOptions& options) {
  if (options.engine != "both" && options.engine != "auto") {
    throw Error("--random: compares both engines; omit --engine, or use --engine both");
  }
  if (options.arithmetic == "referee") {
    throw Error("--random: compares the engines in strict arithmetic; omit --arithmetic, or use --arithmetic strict");
  }
  RandomLockstepReport report;
  {
    Progress progress("tick");
    report = check_random_games(options.seed, options.random_ticks,
                                [&](std::size_t done) { progress.update(done, options.random_ticks); });
  }
  if (options.json) {
    print_json([&](io::JsonWriter& json) {
      json.object([&] {
        json.field("ticks", report.tick_count).field("matches", report.match_count);
        json.field("lost_matches", report.diverged_match_count).field("first_seed", options.seed);
        json.field("last_seed", report.last_seed).key("first_difference");
        report.difference ? json.value(describe(*report.difference)) : json.null();
      });
    });
  } else {
    fmt::print("{} ticks in {} matches of random games, {} of them diverged to infinity or NaN, seeds {} to {}: {}\n",
               report.tick_count, report.match_count, report.diverged_match_count, options.seed, report.last_seed,
               report.difference ? describe(*report.difference) : "all live state of both engines equal");
  }
  return report.difference ? kExitNo : kExitFine;
}

// Returns an unreadable file as a report, so that verification continues with the other files.
FileReport verify_file(const VerifyOptions& options, const std::string& file, const fs::path& commands,
                       Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  FileReport report;
  report.file = printable(file);
  formats::Recording recording;
  try {
    std::vector<std::string> match_names;
    recording = io::read_recording(file, {.needs_ticks = true, .match_names = &match_names});
    report.label_problems = label_problems(recording, match_names);
  } catch (const io::RecordingError& error) {
    report.error = printable(error.what());
    return report;
  }
  const auto scene = [](const engine::MatchSetup& setup) {
    return maps::name_of(setup.map) + ", " + cars::name_of(setup.car);
  };
  const std::string name = fs::path(file).filename().string();
  const auto show = [&](const char* what, std::size_t done) {
    progress.update(done, recording.tick_count(), fmt::format("{} {}", what, name));
  };
  report.verification = replay::verify(recording, options.verify, scene, show);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!commands.empty()) write_commands(commands, recording, report);
  return report;
}

int run_verify(VerifyOptions& options) {
  if (options.random_ticks > 0) return run_random(options);
  if (options.files.empty()) throw Error("verify: no recording given; name recordings, or use --random TICKS");
  if (options.engine == "flat" && options.arithmetic == "auto") options.arithmetic = "strict";
  options.verify.both_engines = options.engine == "both";
  options.verify.chipmunk = options.engine == "chipmunk";
  if (const auto arithmetic = parse_arithmetic(options.arithmetic)) {
    options.verify.physics = engine::parse_physics(*arithmetic, options.verify.both_engines ? "auto" : options.engine);
  }
  if (!options.tolerance.empty()) options.verify.tolerance = parse_tolerance(options.tolerance);
  if (options.verify.tolerance && (options.verify.clones || options.verify.tracker)) {
    throw Error("--tolerance: cannot be combined with --clones or --tracker, which need an exact replay");
  }
  const std::vector<fs::path> commands = commands_files(options);

  std::vector<FileReport> reports;
  bool readable = true;
  bool good = true;
  for (std::size_t i = 0; i < options.files.size(); ++i) {
    {
      Progress progress(fmt::format("file {} of {}, tick", i + 1, options.files.size()));
      reports.push_back(verify_file(options, options.files[i], commands[i], progress));
    }
    const FileReport& report = reports.back();
    readable = readable && report.error.empty();
    good = good && report.good();
    if (!report.error.empty()) complain(report.error);
    if (!options.json) fmt::print("{}\n", describe(report));
    io::flush_stdout();
  }
  if (options.json) {
    print_json([&](io::JsonWriter& json) { write(json, reports); });
  } else {
    fmt::print("{}\n", summarise(reports));
  }
  return !readable ? kExitBadUse : good ? kExitFine : kExitNo;
}

}  // namespace

void add_verify(CLI::App& app, Run& run) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = app.add_subcommand("verify", "Replay recorded games and compare every tick, bit for bit");
  auto* files =
      command->add_option("files", options->files, "Recordings (visio.gz, or its JSON uncompressed; - is stdin)");
  command
      ->add_option("--arithmetic", options->arithmetic,
                   "Floating point of the physics. auto: try both on the first ticks of each file; strict if both fit")
      ->check(CLI::IsMember({"referee", "strict", "auto"}))
      ->capture_default_str();
  command
      ->add_option(
          "--engine", options->engine,
          "Physics engine. auto: flat in strict arithmetic, chipmunk in referee arithmetic. both: auto, and also step "
          "both engines in lockstep (strict arithmetic) and compare all live state after every tick")
      ->check(CLI::IsMember({"auto", "chipmunk", "flat", "both"}))
      ->capture_default_str();
  auto* random =
      command
          ->add_option(
              "--random", options->random_ticks,
              "Instead of files: step both engines in lockstep for this many ticks of random games (random maps, cars "
              "and commands, some of them planned)")
          ->type_name("TICKS")
          ->excludes(files)
          ->check(whole_number(1, 1'000'000'000'000));
  command->add_option("--seed", options->seed, "Random seed of the first random game; the n-th game has seed + n - 1")
      ->needs(random)
      ->check(whole_number())
      ->capture_default_str();
  command->add_flag("--ignore-commands", options->verify.ignore_commands,
                    "Infer the commands from the positions even if the file has them, and count the differences. "
                    "Files without commands are always replayed this way");
  command
      ->add_option("--write-commands", options->write_commands,
                   "Write the commands of each file, recorded or inferred, to DIR/NAME.commands.json, by tick_num")
      ->type_name("DIR");
  command
      ->add_option("--tolerance", options->tolerance,
                   "For recordings of other builds, which are not exact: follow the game within this error (map units "
                   "and radians), and resynchronise with the recording where it is exceeded. auto: 1e-4")
      ->type_name("E|auto");
  command->add_flag(
      "--clones", options->verify.clones,
      "Also test snapshots: every 97 ticks save, step 200 ticks with other commands, restore, step 200 ticks with the "
      "recorded commands, and do the same with a fork; all solver state must equal the replay's");
  command->add_flag("--tracker", options->verify.tracker,
                    "Also test the tracker: send it the messages that a bot in either seat would receive; its states "
                    "must equal the replay's");
  for (const char* of_files : {"--ignore-commands", "--write-commands", "--tolerance", "--clones", "--tracker"}) {
    random->excludes(command->get_option(of_files));
  }
  command->add_flag("--json", options->json, "Print JSON only");
  command->footer(
      "A tick mismatches if any of its 18 numbers (x, y and angle of both cars' bodies and wheels), an alive flag or\n"
      "the deadline differs (compared by ==), or if the tick is missing or superfluous. The replay continues from its\n"
      "own state. With --tolerance only the flags and the deadline are compared exactly; a match agrees if the same\n"
      "player dies within 2 ticks. Matches and ticks count from 0; ticks count over the whole game, like tick_num.\n"
      "In JSON, \"expected\" is the value of the recording and \"found\" that of the replay.\n"
      "\n"
      "Exit codes: 0 all files agree; 1 a file differs; 2 invalid options, or a file cannot be read.\n"
      "\n"
      "Examples:\n"
      "  forkmunk verify game.visio.gz\n"
      "  forkmunk verify --json --arithmetic strict games/*.visio.gz\n"
      "  forkmunk verify --clones --tracker game.visio.gz\n"
      "  forkmunk verify --tolerance auto downloaded.visio.gz --write-commands commands/");
  command->callback([options, &run] { run = [options] { return run_verify(*options); }; });
}

}  // namespace forkmunk::tools
