#include "command.h"
#include "tools/mpi/launcher.h"
#include "tools/mpi/together.h"
#include "numbers.h"
#include "print.h"
#include "progress.h"

#include <forkmunk/base/printable.h>
#include <forkmunk/io/output_file.h>
#include <forkmunk/player/weights_file.h>
#include <forkmunk/referee/tuning.h>

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace forkmunk::tools {
namespace {

struct Options : referee::TuningOptions {
  Options() { concurrency = mpi::default_concurrency(); }
  bool json = false;
};

int run_tune(const Options& options, referee::Ranks* ranks) {
  if (ranks != nullptr && !ranks->lead()) {
    referee::follow_tune(options, *ranks);
    return kExitFine;
  }
  std::FILE* out = io::check_outputs({{"FILE", options.file}}, options.json ? "--json" : "") ? stderr : stdout;
  Progress progress("pair of matches");
  const referee::Tuning tuning = tune(
      options, [&](std::size_t done, std::size_t total) { progress.update(done, total); }, ranks);
  if (options.json) {
    print_json({{"games", 2 * tuning.comparisons},
                {"weights", nlohmann::ordered_json::parse(player::to_json_text(tuning.weights))}});
  } else {
    fmt::print(out, "{} after {} matches:\n{}", printable(options.file), 2 * tuning.comparisons,
               player::to_source(tuning.weights));
  }
  return kExitFine;
}

}  // namespace

void add_tune(CLI::App& app, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("tune", "Improve an evaluator's weights by games against itself (SPSA)");
  command->add_option("file", options->file, "Where the weights are kept; called again with it, go on where it ends")
      ->required()
      ->type_name("FILE");
  command->add_option("--games", options->games, "Matches in all, those before a resumption too; even")
      ->required()
      ->check(CLI::Range(std::int64_t{2}, std::int64_t{100'000'000}));
  command->add_option("--car", options->car, "Whose column of the table is tuned")
      ->check(CLI::IsMember({"Buggy", "Bus", "SquareWheelsBuggy"}))
      ->capture_default_str();
  command->add_option("--bot", options->bot, "Who plays, as builtin:... names it: PLANNER:ticks=N,evaluator=NAME,...")
      ->capture_default_str();
  command->add_option("--start", options->start, "Weights to begin with; the shipped ones otherwise")
      ->type_name("FILE");
  command->add_option("--seed", options->seed, "Of all draws")->check(whole_number())->capture_default_str();
  command->add_option("--rate", options->spsa.rate, "Part of a perturbation by which a won pair moves a weight")
      ->check(number_between(1e-6, 10))
      ->capture_default_str();
  command->add_option("--settling", options->spsa.settling, "Pairs after which steps have become small")
      ->check(number_between(1, 1e9))
      ->capture_default_str();
  command->add_option("--batch", options->batch, "Pairs before the weights move: so many can be played at once")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}))
      ->capture_default_str();
  command
      ->add_option("--concurrency", options->concurrency,
                   "Pairs of matches at once, of each rank under mpirun; the result does not depend on it")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Only JSON on stdout");
  command->footer(
      "Each pair of matches is played with all weights of one car moved up or down at random, against the same\n"
      "moved the other way. What it prints are rows of search/src/weights.cpp; bots take the file itself:\n"
      "builtin:stretched:weights=FILE, forkmunk bot --weights FILE.\n"
      "A FILE that is a device, a pipe or - (stdout) is written once, at the end, and not gone on with.\n"
      "\n"
      "Exit codes: 0 the matches were played; 2 bad use.\n"
      "\n"
      "Examples:\n"
      "  forkmunk tune bus.json --car Bus --games 4000\n"
      "  mpirun -n 64 forkmunk tune bus.json --car Bus --games 100000 --batch 64");
  command->callback([options, &run] {
    run = [options] { return mpi::together([&](auto* ranks) { return run_tune(*options, ranks); }); };
  });
}

}  // namespace forkmunk::tools
