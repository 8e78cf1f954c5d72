// SPDX-License-Identifier: MIT

#include "apps/cli/reports/verification_json.h"
#include "command.h"
#include "options.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/cars/random_car.h>
#include <forkmunk/engine/match_setup.h>
#include <forkmunk/engine/testing/lockstep.h>
#include <forkmunk/formats/recording.h>
#include <forkmunk/io/files.h>
#include <forkmunk/io/recording_reader.h>
#include <forkmunk/maps/catalogue.h>
#include <forkmunk/maps/random_map.h>
#include <forkmunk/planning/planner.h>
#include <forkmunk/replay/tolerance.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <fmt/format.h>

namespace forkmunk::cli {
namespace {

namespace fs = std::filesystem;
using engine::Command;
using replay::TolerantMatch;
using replay::Verification;
using reports::FileReport;

struct RandomLockstepReport {
  std::size_t tick_count = 0;
  std::size_t match_count = 0;
  std::size_t diverged_match_count = 0;  ///< whose state became infinite or NaN
  std::uint64_t last_seed = 0;           ///< consecutive games have consecutive seeds
  std::optional<engine::EngineDifference> difference;
};

constexpr int kMatchesPerGame = 9;

engine::MatchSetup random_match(Random& random) {
  const auto& maps = maps::catalogue();
  const auto& cars = cars::catalogue();
  return {random.below(3) == 0 ? maps::random_map(random) : maps[random.below(maps.size())].setup,
          random.below(2) == 0 ? cars::random_car(random) : cars[random.below(cars.size())].setup};
}

class Driver {
 public:
  Driver(Random& random, engine::World& world, engine::Player me) : random_(random) {
    static constexpr std::array kPlanners{"straight", "stretched", "genetic"};
    if (random.below(8) != 0) return;
    planning::PlannerOptions options;
    options.seed = random.next();
    planner_ = planning::make_planner(kPlanners[random.below(kPlanners.size())], options);
    planner_->begin_match(world, me);
  }

  Command next(engine::World& world, Command enemy_last) {
    if (planner_ != nullptr) {
      search::Budget budget = search::Budget::of_ticks(60);
      return planner_->decide(world, enemy_last, budget).command;
    }
    if (held_ticks_-- <= 0) {
      command_ = random_.pick(engine::kCommands);
      held_ticks_ = static_cast<int>(random_.below(40));
    }
    return command_;
  }

 private:
  Random& random_;
  std::unique_ptr<planning::Planner> planner_;
  Command command_ = Command::stop;
  int held_ticks_ = 0;
};

/// Plays random games of nine matches in both engines until `tick_count` ticks are done or the engines differ, on
/// catalogue or random maps and cars. Some matches are cut short, some continue after their end.
RandomLockstepReport check_random_games(std::uint64_t seed, std::size_t tick_count,
                                        const std::function<void(std::size_t)>& progress) {
  RandomLockstepReport report;
  for (std::uint64_t game = seed; report.tick_count < tick_count && !report.difference; ++game) {
    Random random(game);
    engine::Lockstep lockstep;
    for (int match = 0; match < kMatchesPerGame && !lockstep.difference(); ++match) {
      lockstep.begin_match(random_match(random));
      ++report.match_count;
      engine::World& world = lockstep.flat();
      Driver first(random, world, engine::Player::first), second(random, world, engine::Player::second);
      engine::Commands last;
      const int cut = random.below(4) == 0 ? 20 + static_cast<int>(random.below(300)) : 3000;
      int rest = random.below(3) == 0 ? static_cast<int>(random.below(200)) : 0;  // ticks after the match's end
      while (world.tick() < cut && (!world.match_over() || rest-- > 0)) {
        const engine::Commands commands{first.next(world, last.second), second.next(world, last.first)};
        last = commands;
        if (!lockstep.step(commands)) break;
        if (!world.is_finite()) {  // further steps compute nothing
          ++report.diverged_match_count;
          break;
        }
        if (progress && lockstep.tick_count() % 512 == 0) progress(report.tick_count + lockstep.tick_count());
      }
    }
    report.tick_count += lockstep.tick_count();
    report.last_seed = game;
    report.difference = lockstep.difference();
  }
  return report;
}

std::string describe_commands(const Verification& found) {
  if (found.commands != replay::CommandSource::inferred) return "";
  std::string text = fmt::format("; commands inferred, {} ambiguous", found.ambiguous_ticks);
  if (found.followed) text = "; commands inferred";
  if (!found.wrong_commands) return text;
  text += fmt::format(", {} wrong", found.wrong_commands->size());
  if (found.wrong_commands->empty()) return text;
  const replay::WrongCommand& first = found.wrong_commands->front();
  return text + fmt::format(" (first at tick {} of match {}: player {} {}, inferred {})", first.tick, first.match,
                            index_of(first.player) + 1, to_string(first.recorded),
                            first.inferred ? to_string(*first.inferred) : "none");
}

std::string describe_tolerant(const FileReport& report) {
  const replay::TolerantReplay& followed = *report.verification.followed;
  const std::size_t commands = followed.sure_commands() + followed.unsure_commands();
  std::string text = fmt::format(
      "\n            within {:g}: {} of {} commands sure ({:.1f} %), {} resynchronisations, largest error {:.2g}",
      *report.verification.tolerance, followed.sure_commands(), commands,
      commands == 0 ? 100.0 : 100.0 * static_cast<double>(followed.sure_commands()) / static_cast<double>(commands),
      followed.resyncs(), followed.max_error());
  const auto tick = [](const std::optional<std::int64_t>& death) {
    return death ? fmt::format("{}", *death) : std::string("-");
  };
  text +=
      "\n            match                                 commands  unsure  resyncs   median      p99      max  death";
  for (std::size_t m = 0; m < followed.matches.size(); ++m) {
    const TolerantMatch& match = followed.matches[m];
    const std::string death =
        !match.deaths_recorded
            ? fmt::format("not recorded, replayed {}", tick(match.replayed_death))
            : fmt::format("recorded {}, replayed {}{}", tick(match.recorded_death), tick(match.replayed_death),
                          match.recorded_losers == match.replayed_losers ? "" : ", by another player");
    text += fmt::format("\n            {:2} {:33}  {:8} {:7} {:8} {:8.1e} {:8.1e} {:8.1e}  {}", m, report.scenes[m],
                        match.sure_commands + match.unsure_commands, match.unsure_commands, match.resyncs,
                        match.error_quantiles.median, match.error_quantiles.p99, match.error_quantiles.max, death);
  }
  return text;
}

std::string describe(const engine::EngineDifference& difference) {
  return fmt::format("first difference after {} ticks of match {}: chipmunk has {}, flat has {}", difference.tick,
                     difference.match, difference.chipmunk, difference.flat);
}

std::string describe(const FileReport& report) {
  if (!report.error.empty()) return fmt::format("unreadable  {}", report.file);
  const Verification& found = report.verification;
  const char* verdict = !report.good() ? "DIFFERENT" : found.followed ? "followed" : "exact";
  std::string text =
      fmt::format("{:11} {}: {}, {} matches, {} ticks, {:.2f} s{}{}", verdict, report.file,
                  to_string(arithmetic_of(found.physics)), found.match_count, found.tick_count, report.seconds,
                  describe_commands(found), found.ended ? "" : "; the recording ends in mid-game (no end_game)");
  if (const auto first = found.first_mismatch()) {
    const double error = found.replay ? found.replay->max_error : 0;
    text += fmt::format("\n            {} of {} ticks differ{}; first {}", found.mismatching_ticks(), found.tick_count,
                        error > 0 ? fmt::format(", by up to {:.3g}", error) : std::string(),
                        cli::describe(*first, report.scenes[first->match]));
  }
  for (const replay::LabelProblem& problem : found.label_problems) {
    text += fmt::format("\n            labels: match {}: {}", problem.match, problem.text);
  }
  if (found.followed) text += describe_tolerant(report);
  if (found.lockstep) {
    text += fmt::format("\n            engines: {} ticks in lockstep, strict arithmetic: ", found.lockstep->tick_count);
    text += found.lockstep->difference ? describe(*found.lockstep->difference) : "all live state equal";
  }
  if (found.clones) {
    text += fmt::format("\n            clones: {} points, {} ticks compared, {} differ", found.clones->clone_count,
                        found.clones->compared_ticks, found.clones->mismatching_ticks);
    if (found.clones->first_mismatch_tick) text += fmt::format(", first tick {}", *found.clones->first_mismatch_tick);
  }
  if (found.tracker) {
    const replay::TrackerReport& tracker = *found.tracker;
    text += fmt::format(
        "\n            tracker: {} messages to both seats; wrong: {} settled states, {} candidates, {} worlds, "
        "{} commands, {} starts; {} problems",
        tracker.message_count, tracker.wrong_settled, tracker.wrong_candidates, tracker.wrong_worlds,
        tracker.wrong_commands, tracker.wrong_starts, tracker.problem_count);
  }
  return text;
}

std::string summarise(const std::vector<FileReport>& reports) {
  std::size_t good = 0, unreadable = 0, inferred = 0, ticks = 0, mismatching = 0;
  bool followed = false;
  for (const FileReport& report : reports) {
    const Verification& found = report.verification;
    good += report.good() ? 1 : 0;
    unreadable += report.error.empty() ? 0 : 1;
    inferred += found.commands == replay::CommandSource::inferred ? 1 : 0;
    ticks += found.tick_count;
    mismatching += found.mismatching_ticks();
    followed |= found.followed.has_value();
  }
  std::string text = fmt::format("{} of {} files {}, {} mismatching ticks of {}", good, reports.size(),
                                 followed ? "followed" : "exact", mismatching, ticks);
  if (inferred > 0) text += fmt::format("; {} with inferred commands", inferred);
  if (unreadable > 0) text += fmt::format("; {} unreadable", unreadable);
  return text;
}

/// Writes commands by tick_num, as in recordings, and ambiguous ticks.
void write_commands(const fs::path& path, const formats::Recording& recording, const FileReport& report) {
  const replay::GameCommands game = commands_of(recording, report.verification);
  io::JsonWriter json;
  json.object([&] {
    json.field("file", report.file);
    json.field("arithmetic", to_string(arithmetic_of(report.verification.physics)));
    json.field("inferred", !report.verification.inferred.empty()).field("ambiguous_ticks", game.ambiguous_ticks);
    json.key("commands").list(game.by_tick_num, [&](const formats::RecordedCommands& pair) {
      json.list(pair, [&](const auto& command) { command ? json.value(to_string(*command)) : json.null(); });
    });
  });
  io::write_file(path.string(), json.take() + '\n');
}

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
  if (error != std::errc() || end != text.data() + text.size() || !(value > 0 && std::isfinite(value))) {
    throw Error("--tolerance: ", text, " is neither auto nor a number above 0 (map units and radians)");
  }
  return value;
}

// Returns files like game01.commands.json, with a folder as a prefix if names collide.
std::vector<fs::path> commands_files(const VerifyOptions& options) {
  std::vector<fs::path> result(options.files.size());
  if (options.write_commands.empty()) return result;
  std::error_code error;
  fs::create_directories(options.write_commands, error);
  if (error) {
    throw Error("--write-commands: cannot create directory ", options.write_commands, ": ", error.message());
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
      throw Error("--write-commands: two recordings would write ", result[i].string(), "; verify them separately");
    }
  }
  return result;
}

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

// An unreadable file becomes a report, so that the others are verified.
FileReport verify_file(const VerifyOptions& options, const std::string& file, const fs::path& commands,
                       Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  FileReport report;
  report.file = printable(file);
  formats::Recording recording;
  try {
    recording = io::read_recording(file, {.needs_ticks = true});
  } catch (const io::RecordingError& error) {
    report.error = printable(error.what());
    return report;
  }
  for (const formats::RecordedMatch& match : recording.matches) {
    report.scenes.push_back(maps::name_of(match.setup.map) + ", " + cars::name_of(match.setup.car));
  }
  const std::string name = fs::path(file).filename().string();
  const auto show = [&](const char* what, std::size_t done) {
    progress.update(done, recording.tick_count(), fmt::format("{} {}", what, name));
  };
  report.verification = replay::verify(recording, options.verify, show);
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
      "A tick mismatches if any of its 18 numbers (x, y and angle of both cars' bodies and wheels), a side, an alive\n"
      "flag, the deadline or the lives differ (compared by ==), or if the tick is missing or superfluous. The replay\n"
      "continues from its own state. A file also differs if an external_id or a name in `matches` contradicts its map\n"
      "or car. With --tolerance only sides, flags and the deadline are compared exactly; a match agrees if the same\n"
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

}  // namespace forkmunk::cli
