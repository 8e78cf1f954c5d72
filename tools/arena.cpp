#include "arena_games.h"
#include "arena_log.h"
#include "arena_report.h"
#include "bot_factory.h"
#include "command.h"
#include "physics_options.h"
#include "plot_report.h"
#include "progress.h"
#include "replay_page.h"

#include <forkmunk/base/error.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include <fmt/core.h>

namespace forkmunk::tools {
namespace {

using statistics::SprtDecision;
using statistics::SprtOptions;

struct Options {
  ArenaPlan plan;
  PhysicsOptions physics;
  std::size_t concurrency = std::max(1u, std::thread::hardware_concurrency());
  std::string resume;
  std::string plot;
  std::vector<double> sprt;
  bool rating = false;
  bool json = false;
  bool csv = false;
};

/// Plays the games that are missing, on as many threads as asked for.
class Runner {
 public:
  Runner(const ArenaPlan& plan, const std::vector<ArenaGame>& games, const std::optional<SprtOptions>& sprt,
         ArenaLog* log)
      : plan_(plan), games_(games), sprt_(sprt), log_(log), results_(games.size()) {
    if (log_ == nullptr) return;
    for (ArenaResult& result : log_->take_results()) results_[result.index] = std::move(result);
    played_ = static_cast<std::size_t>(std::ranges::count_if(results_, [](const auto& r) { return r.has_value(); }));
    check_sprt();
  }

  std::vector<ArenaResult> run(std::size_t concurrency) {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < concurrency; ++i) threads.emplace_back([this] { work(); });
    for (std::thread& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
    // What was played beyond the test's end is left out: it depends on the number of threads.
    std::vector<ArenaResult> played;
    for (std::size_t i = 0; i < end_; ++i) played.push_back(std::move(*results_[i]));
    for (std::size_t i = end_; i < results_.size(); ++i) {
      if (results_[i] && !results_[i]->page.empty()) std::filesystem::remove(results_[i]->page);
    }
    return played;
  }

 private:
  void work() {
    try {
      while (const ArenaGame* game = next()) {
        ArenaResult result = play_arena_game(plan_, *game);
        const std::scoped_lock lock(mutex_);
        if (log_ != nullptr) log_->append(result);
        results_[game->index] = std::move(result);
        progress_.update(++played_, games_.size());
        check_sprt();
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  const ArenaGame* next() {
    const std::scoped_lock lock(mutex_);
    while (next_ < end_ && results_[next_]) ++next_;
    if (failure_ || next_ >= end_) return nullptr;
    return &games_[next_++];
  }

  // Looks at the pairs in their order, so that the end does not depend on which was over first.
  void check_sprt() {
    if (!sprt_) return;
    for (; settled_ + 1 < end_ && results_[settled_] && results_[settled_ + 1]; settled_ += 2) {
      pairs_.add(result_for(*results_[settled_], 0), result_for(*results_[settled_ + 1], 1));
      if (sprt_decision(log_likelihood_ratio(pairs_, *sprt_), *sprt_) != SprtDecision::undecided) end_ = settled_ + 2;
    }
  }

  const ArenaPlan& plan_;
  const std::vector<ArenaGame>& games_;
  const std::optional<SprtOptions>& sprt_;
  ArenaLog* log_;
  std::mutex mutex_;  // of all that follows
  std::vector<std::optional<ArenaResult>> results_;
  std::size_t played_ = 0;
  std::size_t next_ = 0;  // games before it are played or being played
  statistics::PairRecord pairs_;
  std::size_t settled_ = 0;  // games before it are in pairs_
  std::size_t end_ = games_.size();
  std::exception_ptr failure_;
  Progress progress_{"game"};
};

/// Where the pages and the picture are.
void print_files(const Options& options, const ArenaReport& report) {
  if (!options.plan.view_lost.empty()) {
    fmt::print("\ngames that {} lost and that were played now: {}\n", options.plan.bots[0], report.pages.size());
    for (const std::string& page : report.pages) fmt::print("  {}\n", page);
  }
  if (!options.plot.empty()) fmt::print("\npicture: {}\n", options.plot);
}

int run_arena(Options& options) {
  ArenaPlan& plan = options.plan;
  plan.physics = options.physics.physics();
  if (plan.games_per_pairing == 0 || plan.games_per_pairing % 2 != 0) {
    throw Error(fmt::format("--games: found {}, expected an even number: every pair of games is played from both seats",
                            plan.games_per_pairing));
  }
  for (const std::string& bot : plan.bots) (void)is_builtin(bot);  // an unknown builtin is refused before any game
  std::optional<SprtOptions> sprt;
  if (!options.sprt.empty()) {
    sprt = SprtOptions{.elo0 = options.sprt[0], .elo1 = options.sprt[1]};
    if (!is_valid(*sprt)) throw Error("--sprt: expected elo0 below elo1");
    if (plan.bots.size() != 2) throw Error("--sprt tests two bots");
  }

  if (!options.plot.empty()) check_plot(options.plot);
  if (!plan.view_lost.empty()) {
    require_page();
    std::error_code error;
    std::filesystem::create_directories(plan.view_lost, error);
    if (!std::filesystem::is_directory(plan.view_lost)) {
      throw Error("--view-lost " + plan.view_lost + ": found no directory there and no way to make one");
    }
  }

  const std::vector<ArenaGame> games = schedule(plan);
  std::optional<ArenaLog> log;
  if (!options.resume.empty()) log.emplace(options.resume, plan, games);
  std::vector<ArenaResult> results = Runner(plan, games, sprt, log ? &*log : nullptr).run(options.concurrency);
  ArenaReport report = make_report(plan, games, std::move(results), sprt);
  report.with_rating = options.rating;
  for (const ArenaResult& result : report.results) {
    if (!result.page.empty()) report.pages.push_back(result.page);
  }
  if (!options.plot.empty()) write_plot(options.plot, picture_of(report));
  if (options.json) {
    fmt::print("{}\n", to_json(report).dump(2));
  } else {
    fmt::print("{}", options.csv ? to_csv(report) : describe(report));
    if (!options.csv) print_files(options, report);
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
      ->required();
  command->add_option("--seed", options->plan.seed, "Of all draws; the same seed plays the same matches")
      ->capture_default_str();
  command->add_option("--concurrency", options->concurrency, "Games at once; a game with process bots is one")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command
      ->add_option("--resume", options->resume,
                   "Append each game to FILE, one JSON line; called again with it, go on where it ends")
      ->type_name("FILE");
  command
      ->add_option("--sprt", options->sprt,
                   "Stop as soon as the games tell whether the first bot is ELO1 rather than ELO0 above the second "
                   "(pentanomial SPRT, 5 % errors)")
      ->expected(2)
      ->type_name("ELO0 ELO1");
  command->add_option("--view-lost", options->plan.view_lost, "Write a page of each game that the first bot loses")
      ->type_name("DIR");
  command->add_option("--plot", options->plot, "Also draw the results: FILE.svg or FILE.html")->type_name("FILE");
  command->add_flag("--rating", options->rating, "Also rate all bots by all games (Bradley-Terry)");
  options->physics.add_to(*command);
  command->add_option("--answer-seconds", options->plan.limits.answer_seconds, "Longest that a bot may take to answer")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--total-seconds", options->plan.limits.total_seconds, "Longest that a bot may take in a game")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  auto* json = command->add_flag("--json", options->json, "Only JSON on stdout");
  command->add_flag("--csv", options->csv, "Only CSV on stdout: a row per pairing, map and car")->excludes(json);
  command->footer(bot_help() +
                  "\n"
                  "Games are played in pairs: the same 9 matches and seeds from both seats. Intervals are 95 %, over\n"
                  "pairs. score = (wins + draws / 2) / games of the first bot. Games between builtins have the same\n"
                  "results for any concurrency.\n"
                  "\n"
                  "Exit codes: 0 the games were played; 2 bad use.\n"
                  "\n"
                  "Examples:\n"
                  "  forkmunk arena builtin:chase builtin:level --games 40\n"
                  "  forkmunk arena ./my_bot builtin:bot --games 20 --view-lost lost --plot arena.html\n"
                  "  forkmunk arena ./new_bot ./old_bot --games 1000 --sprt 0 20 --resume new_old.jsonl");
  command->callback([options, &run] { run = [options] { return run_arena(*options); }; });
}

}  // namespace forkmunk::tools
