// SPDX-License-Identifier: MIT
#include "command.h"
#include "options.h"

#include <forkmunk/io/files.h>
#include <forkmunk/player/line_player.h>
#include <forkmunk/player/weights_file.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

namespace forkmunk::cli {
namespace {

struct BotOptions {
  player::PlayerOptions bot;
  std::int64_t ticks = 0;
  double time_ms = 0;
  std::string opponent;
  std::string weights;
  bool no_ponder = false;
  std::string arithmetic = "auto";
};

// The referee's clock adds the latency of the pipes.
void report(const player::Effort& effort) {
  const std::chrono::duration<double, std::milli> total = effort.total, search = effort.search;
  const double mean = effort.answers == 0 ? 0 : total.count() / static_cast<double>(effort.answers);
  const double share = total.count() > 0 ? 100 * search.count() / total.count() : 0;
  complain(fmt::format("{} answers, {} without a plan, mean {:.3f} ms, search {:.0f} %", effort.answers,
                       effort.answers_without_plan, mean, share),
           "forkmunk bot");
  if (effort.pondered_ticks == 0) return;
  complain(fmt::format("{} more ticks an answer were searched between answers", effort.pondered_ticks / effort.answers),
           "forkmunk bot");
}

bool has_input() {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return poll(&input, 1, 0) != 0;
}

int run_bot(BotOptions& options) {
  player::PlayerOptions& bot = options.bot;
  if (options.arithmetic != "auto") {
    bot.arithmetic = arithmetic_of(engine::parse_physics(*parse_arithmetic(options.arithmetic), "auto"));
  }
  if (options.ticks > 0) bot.ticks = options.ticks;
  if (options.time_ms > 0) {
    const std::chrono::duration<double, std::milli> time(options.time_ms);
    bot.time = std::chrono::duration_cast<std::chrono::nanoseconds>(time);
  }
  if (!options.opponent.empty()) bot.search.opponent = search::parse_opponent_model(options.opponent);
  if (!options.weights.empty()) bot.search.weights = player::read_weights(options.weights);
  player::PlannerPlayer player(bot);
  if (isatty(STDIN_FILENO) == 1) {
    fmt::print(stderr, "forkmunk bot: waiting for the referee's messages on stdin (see forkmunk bot --help)\n");
  }
  const auto log = [](std::string_view line) { complain(line, "forkmunk bot"); };
  player::serve(player, std::cin, std::cout, log, options.no_ponder ? nullptr : std::function<bool()>(&has_input));
  if (!std::cout) io::flush_stdout(errno);
  io::check_stdin();
  report(player.effort());
  return kExitFine;
}

template <typename Infos>
std::string list_of(std::string_view title, const Infos& infos) {
  std::string text = fmt::format("{}:\n", title);
  for (const auto& info : infos) text += fmt::format("  {:14} {}\n", info.name, info.what);
  return text;
}

}  // namespace

void add_bot(CLI::App& app, Run& run) {
  auto options = std::make_shared<BotOptions>();
  CLI::App* command =
      app.add_subcommand("bot", "Play the contest: read the referee's JSON lines on stdin, answer on stdout");
  command->add_option("--planner", options->bot.planner, "Search algorithm")
      ->check(one_of(search::planners()))
      ->capture_default_str();
  command->add_option("--evaluator", options->bot.search.evaluator, "Evaluator of states")
      ->check(one_of(planning::evaluators()))
      ->capture_default_str();
  command->add_option("--opponent", options->opponent, "Opponent model (default: the planner's own)")
      ->check(one_of(search::opponent_models()));
  auto* time = command
                   ->add_option("--time-ms", options->time_ms,
                                "Mean milliseconds per answer (default: what the contest's 120 s per game allow). With "
                                "pondering, expected states are answered at once and others take several times as long")
                   ->check(number_between(0.1, 4000));
  command->add_option("--ticks", options->ticks, "Simulated ticks per answer (reproducible), instead of a time")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{100'000'000}))
      ->excludes(time);
  command->add_option("--threads", options->bot.search.threads, "Parallel searches; the best plan is used (default 1)")
      ->check(CLI::Range(1, 64));
  command->add_flag("--no-ponder", options->no_ponder,
                    "Do not ponder (search between an answer and the next message, when the contest's clock does not "
                    "run). The bot never ponders with --ticks, or with --threads above 1");
  command->add_option("--seed", options->bot.search.seed, "Random seed of the search")
      ->check(whole_number())
      ->capture_default_str();
  command->add_option("--weights", options->weights, "JSON file of evaluator weights that override the built-in ones")
      ->type_name("FILE");
  command
      ->add_option(
          "--arithmetic", options->arithmetic,
          "Arithmetic of the referee. auto: detect it from the first ticks of a match and report it on stderr: "
          "strict, referee, or other (tracked approximately)")
      ->check(CLI::IsMember({"auto", "referee", "strict"}))
      ->capture_default_str();
  command->footer(
      list_of("Planners", search::planners()) + list_of("Evaluators", planning::evaluators()) +
      list_of("Opponents", search::opponent_models()) +
      "\n"
      "The debug text of an answer has the score of the plan (\"no plan\" if none was tried), the\n"
      "ticks simulated, the plan (R5 L3: 5 ticks right, then 3 left) and whether tracking of the game is exact.\n"
      "\n"
      "Exit codes: 0 end of input; 2 invalid options, or a file or stream cannot be read or written.\n"
      "\n"
      "Examples:\n"
      "  forkmunk play --first 'forkmunk bot' --second 'python3 my_bot.py'\n"
      "  forkmunk bot --planner genetic --evaluator distance --time-ms 6\n"
      "  forkmunk bot --ticks 1000 --seed 7                   # the same answers on every run");
  command->callback([options, &run] { run = [options] { return run_bot(*options); }; });
}

}  // namespace forkmunk::cli
