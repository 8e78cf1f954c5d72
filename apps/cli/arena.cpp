// SPDX-License-Identifier: MIT
#include "apps/cli/reports/page.h"
#include "apps/mpi/together.h"
#include "command.h"
#include "options.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/io/files.h>
#include <forkmunk/io/json_writer.h>
#include <forkmunk/referee/bot_factory.h>
#include <forkmunk/referee/statistics.h>
#include <forkmunk/referee/tournament.h>
#include <forkmunk/referee/tournament_report.h>
#include <forkmunk/version.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/core.h>
#include <fmt/format.h>

namespace forkmunk::cli {

using io::JsonWriter;
using referee::Conduct;
using referee::MatchTally;
using referee::Standing;
using referee::TournamentReport;
using referee::statistics::EloDifference;
using referee::statistics::Interval;
using referee::statistics::SprtDecision;
using referee::statistics::SprtOptions;

namespace {

// The Elo of all wins or all losses is infinite, which becomes null.
void write_interval(JsonWriter& json, const char* key, const Interval& interval) {
  json.field(key, std::array{interval.low, interval.high});
}

void write_fields(JsonWriter& json, const Standing& standing) {
  json.field("games", standing.games.games()).field("pairs", standing.pairs.pairs());
  json.field("wins", standing.games.wins).field("draws", standing.games.draws).field("losses", standing.games.losses);
  const auto score = score_of(standing);
  if (!score) {
    for (const char* key : {"score", "score_ci95", "elo", "elo_ci95"}) json.key(key).null();
    return;
  }
  const EloDifference elo = elo_of(*score);
  write_interval(json.field("score", score->value), "score_ci95", score->interval);
  write_interval(json.field("elo", elo.value), "elo_ci95", elo.interval);
  json.field("lives", standing.lives);
}

void write_matches(JsonWriter& json, const std::map<std::string, MatchTally>& tallies) {
  json.list(tallies, [&](const auto& entry) {
    const auto& [name, tally] = entry;
    json.object([&, &name = name, &tally = tally] {
      write_scene(json, name);
      json.field("matches", tally.matches).field("wins", tally.wins).field("draws", tally.draws);
      json.field("losses", tally.losses);
      json.field("mean_ticks", static_cast<double>(tally.ticks) / static_cast<double>(tally.matches));
    });
  });
}

void write_bots(JsonWriter& json, const TournamentReport& report) {
  const auto ratings = ratings_of(report);
  json.list([&] {
    for (std::size_t b = 0; b < report.plan.bots.size(); ++b) {
      const Conduct& conduct = report.conduct[b];
      json.object([&] {
        json.field("bot", report.plan.bots[b]).key("time_ms").object([&] {
          json.field("mean", conduct.times.mean_ms()).field("p99", conduct.times.quantile_ms(0.99));
          json.field("max", conduct.times.max_ms);
        });
        json.field("answers", conduct.times.count()).field("garbled", conduct.garbled);
        json.field("surplus_lines", conduct.surplus_lines);
        json.field("disconnections", conduct.disconnections).field("last_verdict", conduct.last_verdict);
        if (!report.with_rating) return;
        json.key("rating").object(
            [&] { write_interval(json.field("elo", ratings[b].elo), "ci95", ratings[b].interval); });
      });
    }
  });
}

const char* name_of(SprtDecision decision) {
  switch (decision) {
    case SprtDecision::accept_h0: return "accept_h0";
    case SprtDecision::accept_h1: return "accept_h1";
    case SprtDecision::undecided: break;
  }
  return "undecided";
}

void write_sprt(JsonWriter& json, const TournamentReport& report) {
  const referee::statistics::SprtBounds bounds = sprt_bounds(*report.sprt);
  json.object([&] {
    json.field("elo0", report.sprt->elo0).field("elo1", report.sprt->elo1);
    json.field("alpha", report.sprt->alpha).field("beta", report.sprt->beta).field("llr", report.llr);
    json.field("lower", bounds.lower).field("upper", bounds.upper).field("decision", name_of(report.decision));
  });
}

void write_tournament(JsonWriter& json, const TournamentReport& report) {
  json.object([&] {
    write_fields(json, report.first);
    write_bots(json.key("bots"), report);
    write_matches(json.key("by_map_car"), report.first.by_map_car);
    json.key("pairings").list([&] {
      for (const auto& [bots, standing] : report.pairings) {
        json.object([&, &bots = bots, &standing = standing] {
          json.field("first", report.plan.bots[bots.first]).field("second", report.plan.bots[bots.second]);
          write_fields(json, standing);
        });
      }
    });
    json.field("broken_off", report.broken_off);
    if (report.broken_off > 0) json.field("last_verdict", report.last_verdict);
    if (report.sprt) write_sprt(json.key("sprt"), report);
  });
}

std::string describe_score(const Standing& standing) {
  const auto score = score_of(standing);
  if (!score) return "no games";
  const EloDifference elo = elo_of(*score);
  return fmt::format("+{} ={} -{}, score {:.1f} % ({:.1f} to {:.1f}), Elo {:+.0f} ({:+.0f} to {:+.0f})",
                     standing.games.wins, standing.games.draws, standing.games.losses, 100 * score->value,
                     100 * score->interval.low, 100 * score->interval.high, elo.value, elo.interval.low,
                     elo.interval.high);
}

std::string describe_tournament(const TournamentReport& report) {
  std::string text;
  for (std::size_t b = 0; b < report.plan.bots.size(); ++b) {
    if (report.conduct[b].disconnections == 0) continue;
    text += fmt::format("WARNING: {} was disconnected in {} games, in which its car stood still: see answers below\n",
                        report.plan.bots[b], report.conduct[b].disconnections);
  }
  for (const auto& [bots, standing] : report.pairings) {
    text += fmt::format("{} against {}: {} games, {}\n", report.plan.bots[bots.first], report.plan.bots[bots.second],
                        standing.games.games(), describe_score(standing));
  }
  if (report.pairings.size() > 1) {
    text += fmt::format("{} against all: {}\n", report.plan.bots[0], describe_score(report.first));
  }
  if (report.sprt) {
    const referee::statistics::SprtBounds bounds = sprt_bounds(*report.sprt);
    text += fmt::format("SPRT of Elo {:g} against {:g}: log-likelihood ratio {:.2f} (bounds {:.2f}, {:.2f}): {}\n",
                        report.sprt->elo0, report.sprt->elo1, report.llr, bounds.lower, bounds.upper,
                        name_of(report.decision));
  }
  if (report.with_rating) {
    const auto ratings = ratings_of(report);
    text += "\nrating (95 % interval)\n";
    for (std::size_t b = 0; b < ratings.size(); ++b) {
      text += fmt::format("  {:+7.0f} ({:+.0f} to {:+.0f})  {}\n", ratings[b].elo, ratings[b].interval.low,
                          ratings[b].interval.high, report.plan.bots[b]);
    }
  }
  text += fmt::format("\nmatches of {}\n  {:34} {:>7} {:>5} {:>5} {:>6} {:>9}\n", report.plan.bots[0], "map,car",
                      "played", "won", "drawn", "lost", "ticks");
  for (const auto& [name, tally] : report.first.by_map_car) {
    text += fmt::format("  {:34} {:7} {:5} {:5} {:6} {:9.0f}\n", name, tally.matches, tally.wins, tally.draws,
                        tally.losses, static_cast<double>(tally.ticks) / static_cast<double>(tally.matches));
  }
  if (report.broken_off > 0)
    text += fmt::format("\n{} games aborted, the last one because {}\n", report.broken_off, report.last_verdict);
  text += "\nanswers\n";
  for (std::size_t b = 0; b < report.plan.bots.size(); ++b) {
    const Conduct& conduct = report.conduct[b];
    text += fmt::format("  {}: {}, mean {:.3g} ms, p99 {:.3g}, max {:.3g}; {} garbled, {} games disconnected{}\n",
                        report.plan.bots[b], conduct.times.count(), conduct.times.mean_ms(),
                        conduct.times.quantile_ms(0.99), conduct.times.max_ms, conduct.garbled, conduct.disconnections,
                        conduct.last_verdict.empty() ? "" : " (last: " + conduct.last_verdict + ")");
  }
  return text;
}

struct ArenaOptions {
  referee::TournamentPlan plan;
  PhysicsOptions physics;
  std::size_t concurrency = mpi::default_concurrency();
  std::string resume;
  std::string shard;
  std::string plot;
  TimeOptions time;
  std::vector<double> sprt;
  bool rating = false;
  bool json = false;
};

/// Prints the report, and writes the page of charts. \param out  for text.
void write_report(std::FILE* out, const ArenaOptions& options, const TournamentReport& report) {
  const auto write = [&](JsonWriter& json) { write_tournament(json, report); };
  if (!options.plot.empty()) {
    reports::write_plot(options.plot,
                        fmt::format("forkmunk {}: {} games, {} requested per pairing, seed {}", version(),
                                    report.results.size(), report.plan.games_per_pairing, report.plan.seed),
                        json_text(write));
  }
  if (options.json) {
    print_json(write);
  } else {
    fmt::print(out, "{}", describe_tournament(report));
    if (!options.plot.empty()) fmt::print(out, "\ncharts: {}\n", printable(options.plot));
  }
  for (std::size_t b = 0; b < report.conduct.size(); ++b) {
    const std::size_t count = report.conduct[b].surplus_lines;
    if (count > 0) complain(surplus_lines_problem(report.plan.bots[b], count));
  }
}

int run_arena(ArenaOptions& options, referee::Ranks* ranks) {
  options.plan.physics = options.physics.physics();
  options.plan.limits = options.time.limits();
  const referee::Tournament tournament(options.plan);
  referee::TournamentRun run;
  run.concurrency = options.concurrency;
  run.log = options.resume;
  run.ranks = ranks;
  if (!options.sprt.empty()) {
    run.sprt = SprtOptions{.elo0 = options.sprt[0], .elo1 = options.sprt[1]};
    if (!is_valid(*run.sprt)) throw Error("--sprt: ELO0 must be below ELO1");
    if (options.plan.bots.size() != 2) throw Error("--sprt: needs exactly two bots");
  }

  if (ranks != nullptr && !ranks->lead()) {
    tournament.follow(run);
    return kExitFine;
  }
  std::FILE* out = io::check_outputs({{"--plot", options.plot}}, options.json ? "--json" : "", {options.resume});
  if (std::error_code error; std::filesystem::equivalent(options.resume, "/dev/stdout", error))
    throw Error("--resume ", options.resume, ": is stdout, which gets the report; name another file");
  if (!options.plot.empty()) reports::check_plot(options.plot);

  if (!options.shard.empty()) {
    if (run.sprt || options.resume.empty())
      throw Error("--shard: needs --resume FILE for the shard's log, and cannot be combined with --sprt");
    run.shard = referee::parse_shard(options.shard);
  }
  Progress progress("game");
  run.progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
  referee::TournamentRunner runner(tournament, run);
  const auto report_all = [&] {
    progress.end();
    TournamentReport report = referee::make_report(tournament, runner.results(), run.sprt);
    report.with_rating = options.rating;
    write_report(out, options, report);
    return report.results.size();
  };
  if (ranks != nullptr) {  // the launcher handles signals
    runner.play();
  } else {
    const OnInterrupt interrupted([&](int signal) {
      complain(fmt::format("{} after {} of {} games; {}", strsignal(signal), report_all(), tournament.games().size(),
                           options.resume.empty() ? "with --resume FILE, a later command can play the others"
                                                  : "the same command plays the others"));
    });
    runner.play();
  }
  report_all();
  return kExitFine;
}

}  // namespace

void add_arena(CLI::App& app, Run& run) {
  auto options = std::make_shared<ArenaOptions>();
  CLI::App* command = app.add_subcommand(
      "arena", "Play a tournament between bots and report scores, Elo differences and confidence intervals");
  command->add_option("bots", options->plan.bots, "Two or more bots; every pair of them plays")
      ->required()
      ->expected(2, 1000)
      ->type_name("BOT");
  command->add_option("--games", options->plan.games_per_pairing, "Games per pairing; even, half of them in each seat")
      ->required()
      ->check(whole_number(2, referee::kTournamentGamesMax));
  command->add_option("--seed", options->plan.seed, "Random seed; the same seed gives the same matches")
      ->check(whole_number())
      ->capture_default_str();
  command
      ->add_option("--concurrency", options->concurrency,
                   "Games played in parallel, per rank under mpirun (default: the number of cores; under mpirun 1)")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command
      ->add_option("--resume", options->resume,
                   "Log each finished game to FILE (one JSON line), and skip the games that FILE already has")
      ->type_name("FILE");
  command
      ->add_option(
          "--shard", options->shard,
          "Play only part I (1 to N) of N, e.g. in a job array, each with its own --resume FILE. If a part was killed, "
          "run its command again. Then concatenate the logs with cat: --resume of the result plays missing games and "
          "reports all")
      ->type_name("I/N");
  command
      ->add_option(
          "--sprt", options->sprt,
          "Stop early by a pentanomial SPRT of the first bot's Elo above the second: H0 = ELO0, H1 = ELO1, with "
          "error rates of 5 %")
      ->expected(2)
      ->check(number_between(-referee::statistics::kSprtEloMax, referee::statistics::kSprtEloMax))
      ->type_name("ELO0 ELO1");
  command
      ->add_option("--plot", options->plot,
                   "Write a page of charts of the results (FILE.html; - is stdout, and the report goes to stderr)")
      ->type_name("FILE");
  command->add_flag("--rating", options->rating, "Also report Bradley-Terry ratings of all bots");
  options->physics.add_to(*command);
  options->time.add_to(*command);
  command->add_flag("--json", options->json, "Print JSON only");
  command->footer(
      referee::bot_help() +
      "\n"
      "Games are played in pairs: the same 9 matches and seeds from both seats. Intervals are 95 % and are\n"
      "computed over pairs. score = (wins + draws / 2) / games of the first bot. The results of builtin\n"
      "bots do not depend on --concurrency. Under mpirun the ranks share the games; if a rank dies, the\n"
      "job ends, and the same command with --resume plays the missing games. Without mpirun, SIGHUP, SIGINT\n"
      "and SIGTERM end an arena with a report of the games so far.\n"
      "\n"
      "Exit codes: 0 the games were played; 2 invalid options, or a file cannot be read or written.\n"
      "\n"
      "Examples:\n"
      "  forkmunk arena builtin:chase builtin:level --games 40\n"
      "  forkmunk arena ./my_bot builtin:bot --games 20 --plot arena.html\n"
      "  forkmunk arena ./new_bot ./old_bot --games 1000 --sprt 0 20 --resume new_old.jsonl\n"
      "  mpirun -n 8 forkmunk arena ./my_bot builtin:bot --games 1000 --resume games.jsonl");
  command->callback([options, &run] {
    run = [options] { return mpi::together([&](auto* ranks) { return run_arena(*options, ranks); }); };
  });
}

}  // namespace forkmunk::cli
