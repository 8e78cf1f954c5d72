#include "command.h"
#include "game_report.h"
#include "numbers.h"
#include "physics_options.h"
#include "print.h"
#include "progress.h"
#include "reports/chart_page.h"
#include "reports/replay_page.h"
#include "reports/tournament_json.h"
#include "tools/mpi/launcher.h"
#include "tools/mpi/together.h"
#include "tournament_report.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/io/output_file.h>
#include <forkmunk/io/recording_writer.h>
#include <forkmunk/referee/bot_factory.h>
#include <forkmunk/referee/tournament.h>
#include <forkmunk/version.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/core.h>

namespace forkmunk::tools {
namespace {

using referee::TournamentGame;
using referee::TournamentReport;
using referee::TournamentResult;
using referee::statistics::SprtOptions;

struct Options {
  referee::TournamentPlan plan;
  PhysicsOptions physics;
  std::size_t concurrency = mpi::default_concurrency();
  std::string resume;
  std::string shard;
  std::string plot;
  std::string view_lost;
  double answer_seconds = referee::BotLimits{}.answer_time.count();
  double total_seconds = referee::BotLimits{}.game_time.count();
  std::vector<double> sprt;
  SprtOptions errors;
  bool rating = false;
  bool json = false;
  bool csv = false;
};

/// Writes the page of a lost game, "game_12_second.html" with the first bot's seat, and returns its path.
std::string write_lost_page(const std::string& folder, const TournamentGame& game, const referee::LostGame& lost) {
  const std::string stem = fmt::format("game_{}_{}", game.index, game.seats[0] == 0 ? "first" : "second");
  const std::string path = (std::filesystem::path(folder) / (stem + ".html")).string();
  const io::RecordingExtras extras{lost.match_names, lost.record.trace, {}};
  io::write_file(path, reports::replay_page(stem + ".visio.gz", io::to_visio_gz(lost.record.recording, extras),
                                            reports::replay_extras(lost.record.recording)));
  return path;
}

/// Where the pages are.
void print_files(std::FILE* out, const Options& options, const TournamentReport& report) {
  if (!options.view_lost.empty()) {
    fmt::print(out, "\ngames that {} lost and that were played now: {}\n", report.plan.bots[0], report.pages.size());
    for (const std::string& page : report.pages) fmt::print(out, "  {}\n", printable(page));
  }
  if (!options.plot.empty()) fmt::print(out, "\ncharts: {}\n", printable(options.plot));
}

int run_arena(Options& options, referee::Ranks* ranks) {
  options.plan.physics = options.physics.physics();
  options.plan.limits.answer_time = referee::Seconds(options.answer_seconds);
  options.plan.limits.game_time = referee::Seconds(options.total_seconds);
  const referee::Tournament tournament(options.plan);
  referee::TournamentRun run;
  run.concurrency = options.concurrency;
  run.log = options.resume;
  run.ranks = ranks;
  if (!options.sprt.empty()) {
    run.sprt = SprtOptions{options.sprt[0], options.sprt[1], options.errors.alpha, options.errors.beta};
    if (!is_valid(*run.sprt)) throw Error("--sprt: expected elo0 below elo1, and alpha + beta below 1");
    if (options.plan.bots.size() != 2) throw Error("--sprt tests two bots");
  }

  if (!options.view_lost.empty()) {
    reports::require_page();
    std::error_code error;
    std::filesystem::create_directories(options.view_lost, error);
    if (!std::filesystem::is_directory(options.view_lost)) {
      throw Error("--view-lost " + options.view_lost + ": found no directory there and no way to make one");
    }
    run.on_lost = [&options](const TournamentGame& game, const referee::LostGame& lost) {
      return write_lost_page(options.view_lost, game, lost);
    };
  }
  if (ranks != nullptr && !ranks->lead()) {
    tournament.follow(run);
    return kExitFine;
  }
  const char* printed = options.json ? "--json" : options.csv ? "--csv" : "";
  std::FILE* out = io::check_outputs({{"--plot", options.plot}}, printed) ? stderr : stdout;
  if (!options.plot.empty()) reports::check_plot(options.plot);

  if (!options.shard.empty()) {
    if (run.sprt || options.resume.empty())
      throw Error("--shard: plays a part into a log: expected --resume FILE, and no --sprt");
    run.shard = referee::parse_shard(options.shard);
  }
  std::vector<TournamentResult> results;
  {
    Progress progress("game");
    run.progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
    results = tournament.run(run);
  }
  TournamentReport report = referee::make_report(tournament, std::move(results), run.sprt);
  report.with_rating = options.rating;
  for (const TournamentResult& result : report.results) {
    if (!result.page.empty()) report.pages.push_back(result.page);
  }
  const auto write_report = [&](io::JsonWriter& json) { reports::write(json, report); };
  if (!options.plot.empty()) {
    reports::write_plot(options.plot, "arena",
                        fmt::format("forkmunk {}: {} games, {} of each pairing asked for, seed {}", version(),
                                    report.results.size(), report.plan.games_per_pairing, report.plan.seed),
                        json_text(write_report));
  }
  if (options.json) {
    print_json(write_report);
  } else {
    fmt::print(out, "{}", options.csv ? to_csv(report) : describe(report));
    if (!options.csv) print_files(out, options, report);
  }
  return kExitFine;
}

}  // namespace

void add_arena(CLI::App& app, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("arena", "Play many games between bots and say which one is better");
  command->add_option("bots", options->plan.bots, "Two or more; every two of them meet")
      ->required()
      ->expected(2, 1000)
      ->type_name("BOT");
  command->add_option("--games", options->plan.games_per_pairing, "Games of each pairing, both seats counted: even")
      ->required()
      ->check(whole_number(2, referee::kTournamentGamesMax));
  command->add_option("--seed", options->plan.seed, "Of all draws; the same seed plays the same matches")
      ->check(whole_number())
      ->capture_default_str();
  command
      ->add_option("--concurrency", options->concurrency,
                   "Games at once, of each rank under mpirun; a game with process bots is one")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command
      ->add_option("--resume", options->resume,
                   "Append each game to FILE, one JSON line; called again with it, go on where it ends")
      ->type_name("FILE");
  command
      ->add_option(
          "--shard", options->shard,
          "Play part I of N only, into a log of its own; logs of one arena are put together by cat, and --resume of "
          "the whole plays what is missing")
      ->type_name("I/N");
  auto* sprt = command
                   ->add_option("--sprt", options->sprt,
                                "Stop as soon as the games tell whether the first bot is ELO1 rather than ELO0 above "
                                "the second (pentanomial SPRT)")
                   ->expected(2)
                   ->check(number_between(-10'000, 10'000))
                   ->type_name("ELO0 ELO1");
  command->add_option("--alpha", options->errors.alpha, "How likely the SPRT may say ELO1 where ELO0 is true")
      ->check(number_between(1e-9, 0.5))
      ->needs(sprt)
      ->capture_default_str();
  command->add_option("--beta", options->errors.beta, "How likely it may say ELO0 where ELO1 is true")
      ->check(number_between(1e-9, 0.5))
      ->needs(sprt)
      ->capture_default_str();
  command->add_option("--view-lost", options->view_lost, "Write a page of each game that the first bot loses")
      ->type_name("DIR");
  command
      ->add_option("--plot", options->plot,
                   "Also draw the results: a page of charts, FILE.html; - is stdout: then the report goes to stderr")
      ->type_name("FILE");
  command->add_flag("--rating", options->rating, "Also rate all bots by all games (Bradley-Terry)");
  options->physics.add_to(*command);
  command->add_option("--answer-seconds", options->answer_seconds, "Longest that a bot may take to answer")
      ->check(number_between(1e-6, referee::kBotTimeMax.count()))
      ->capture_default_str();
  command->add_option("--total-seconds", options->total_seconds, "Longest that a bot may take in a game")
      ->check(number_between(1e-6, referee::kBotTimeMax.count()))
      ->capture_default_str();
  auto* json = command->add_flag("--json", options->json, "Only JSON on stdout");
  command->add_flag("--csv", options->csv, "Only CSV on stdout: a row per pairing, map and car")->excludes(json);
  command->footer(referee::bot_help() +
                  "\n"
                  "Games are played in pairs: the same 9 matches and seeds from both seats. Intervals are 95 %, over\n"
                  "pairs. score = (wins + draws / 2) / games of the first bot. Games between builtins have the same\n"
                  "results for any concurrency. Under mpirun the ranks share the games; a rank that dies ends the\n"
                  "job, and the same command plays what --resume's FILE lacks.\n"
                  "\n"
                  "Exit codes: 0 the games were played; 2 bad use.\n"
                  "\n"
                  "Examples:\n"
                  "  forkmunk arena builtin:chase builtin:level --games 40\n"
                  "  forkmunk arena ./my_bot builtin:bot --games 20 --view-lost lost --plot arena.html\n"
                  "  forkmunk arena ./new_bot ./old_bot --games 1000 --sprt 0 20 --resume new_old.jsonl\n"
                  "  mpirun -n 8 forkmunk arena ./my_bot builtin:bot --games 1000 --resume games.jsonl");
  command->callback([options, &run] {
    run = [options] { return mpi::together([&](auto* ranks) { return run_arena(*options, ranks); }); };
  });
}

}  // namespace forkmunk::tools
