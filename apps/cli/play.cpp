// SPDX-License-Identifier: MIT
#include "apps/cli/reports/page.h"
#include "command.h"
#include "options.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/engine/game.h>
#include <forkmunk/io/files.h>
#include <forkmunk/referee/bot_factory.h>
#include <forkmunk/referee/match_list.h>
#include <forkmunk/referee/play.h>
#include <forkmunk/referee/statistics.h>

#include <cstdio>
#include <memory>

#include <fmt/format.h>

namespace forkmunk::cli {
namespace {

struct PlayOptions {
  std::array<std::string, 2> bots;
  std::uint64_t seed = 0;
  std::vector<std::string> matches;
  std::string matches_from;
  PhysicsOptions physics;
  std::string record;
  std::string view;
  bool trace = false;
  bool json = false;
  TimeOptions time;
};

using referee::statistics::Summary;

void write_match(io::JsonWriter& json, const formats::MatchOutcome& match, const std::string& name) {
  json.object([&] {
    write_scene(json, name);
    json.field("ticks", match.ticks);
    json.key("losers").list([&] {
      for (std::size_t i = 0; i < 2; ++i) {
        if (match.died[i]) json.value(i + 1);
      }
    });
    json.key("causes").list([&] {
      for (std::size_t i = 0; i < 2; ++i) {
        if (match.died[i]) json.value(engine::to_string(match.cause[i]));
      }
    });
  });
}

/// Writes the report that docs/reference/file_formats.md describes. \param match_names  "Map,Car" of each match.
void write(io::JsonWriter& json, const referee::GameResult& result, const std::vector<std::string>& match_names) {
  json.object([&] {
    json.field("lives", result.lives).field("ticks", result.ticks);
    json.field("winner", result.winner ? index_of(*result.winner) + 1 : 0);
    if (!result.verdict.empty()) json.field("verdict", result.verdict);
    json.key("matches").list([&] {
      for (std::size_t m = 0; m < result.matches.size(); ++m) write_match(json, result.matches[m], match_names[m]);
    });
    json.key("time_ms").list(result.players, [&](const referee::PlayerResult& player) {
      const Summary time = referee::statistics::summary_of(player.answer_ms).value_or(Summary{});
      json.object([&] { json.field("mean", time.mean).field("p99", time.p99).field("max", time.max); });
    });
    json.key("bots").list(result.players, [&](const referee::PlayerResult& player) {
      json.object([&] {
        json.field("answers", player.answer_ms.size()).field("garbled", player.garbled_answers);
        json.field("first_garbled", player.first_garbled).field("without_plan", player.answers_without_plan);
        json.field("surplus_lines", player.surplus_lines);
        json.field("disconnected", player.disconnected).field("verdict", player.verdict);
      });
    });
  });
}

/// Returns a line for the game, each match and each bot.
std::string describe(const referee::GameResult& result, const std::vector<std::string>& match_names,
                     const std::array<std::string, 2>& bots) {
  std::string text =
      fmt::format("{}: {} {} : {} {}, {} matches, {} ticks\n",
                  result.winner ? fmt::format("player {} won", index_of(*result.winner) + 1) : std::string("draw"),
                  bots[0], result.lives[0], result.lives[1], bots[1], result.matches.size(), result.ticks);
  if (!result.verdict.empty()) text += fmt::format("  {}\n", result.verdict);
  for (std::size_t m = 0; m < result.matches.size(); ++m) {
    const formats::MatchOutcome& match = result.matches[m];
    text += fmt::format("  {:32} {:5} ticks ", match_names[m], match.ticks);
    for (std::size_t i = 0; i < 2; ++i) {
      if (match.died[i]) text += fmt::format(" player {} lost ({})", i + 1, engine::to_string(match.cause[i]));
    }
    text += match.died[0] || match.died[1] ? "\n" : " neither lost\n";
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const referee::PlayerResult& player = result.players[i];
    const Summary time = referee::statistics::summary_of(player.answer_ms).value_or(Summary{});
    text += fmt::format("  player {}: {} answers, mean {:.3g} ms, p99 {:.3g}, max {:.3g}", i + 1,
                        player.answer_ms.size(), time.mean, time.p99, time.max);
    if (player.garbled_answers > 0) text += fmt::format("; {} garbled", player.garbled_answers);
    if (player.answers_without_plan > 0) text += fmt::format("; {} without a plan", player.answers_without_plan);
    if (player.surplus_lines > 0)
      text += fmt::format("; {} line{} too many", player.surplus_lines, player.surplus_lines == 1 ? "" : "s");
    if (player.disconnected) text += fmt::format("; disconnected: {}", player.verdict);
    text += '\n';
  }
  return text;
}

referee::MatchList matches_of(const PlayOptions& options, Random& random) {
  if (!options.matches.empty()) return referee::parse_matches(options.matches);
  if (!options.matches_from.empty()) return referee::matches_of_recording(options.matches_from);
  return referee::draw_matches(random);
}

int run_play(const PlayOptions& options) {
  Random random(options.seed);
  const referee::MatchList matches = matches_of(options, random);
  if (options.trace && options.record.empty() && options.view.empty()) {
    throw Error("--trace: needs a recording to write to; add --record FILE or --view FILE");
  }
  std::FILE* out = io::check_outputs({{"--record", options.record}, {"--view", options.view}},
                                     options.json ? "--json" : "", {options.matches_from});
  if (!options.view.empty()) reports::require_page();
  const referee::GamePlan plan{matches.setups, options.physics.physics(), random.next()};
  const std::array seeds{random.next(), random.next()};
  std::array<std::unique_ptr<referee::Bot>, 2> bots;
  for (std::size_t i = 0; i < 2; ++i)
    bots[i] = referee::make_bot(options.bots[i], seeds[i], options.time.limits(), options.trace);

  referee::GameRecord record;
  referee::GameResult result;
  {
    Progress progress("tick");
    result = referee::play_game(
        plan, *bots[0], *bots[1], options.record.empty() && options.view.empty() ? nullptr : &record,
        [&](std::int64_t ticks) { progress.update(static_cast<std::size_t>(ticks), engine::kGameTicksMax); });
  }
  const std::array names{printable(options.bots[0]), printable(options.bots[1])};
  record.recording.player_ids = names;
  if (!options.trace) record.extras = {};
  record.recording.match_names = matches.names;
  if (!options.record.empty()) io::write_recording(options.record, record.recording, record.extras);
  if (!options.view.empty()) {
    io::write_file(options.view,
                   reports::replay_page(options.record.empty() ? "game" : options.record, record.recording,
                                        io::to_visio_gz(record.recording, record.extras)));
  }
  if (options.json) {
    print_json([&](io::JsonWriter& json) { write(json, result, matches.names); });
  } else {
    fmt::print(out, "{}", describe(result, matches.names, names));
    if (!options.view.empty()) fmt::print(out, "  page: {}\n", printable(options.view));
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const referee::PlayerResult& player = result.players[i];
    if (player.failed_at_once())
      complain(fmt::format("the bot {} failed at its first answer: {}", names[i], player.verdict));
    if (player.garbled_answers > 0) {
      complain(fmt::format(
          "the bot {} gave garbled answers ({}), which count as random commands; the first one is: {}; expected e.g. "
          "{{\"command\": \"left\"}}, \"right\" or \"stop\"",
          names[i], player.garbled_answers, player.first_garbled.empty() ? "an empty line" : player.first_garbled));
    }
    if (player.surplus_lines > 0) complain(surplus_lines_problem(names[i], player.surplus_lines));
  }
  return kExitFine;
}

}  // namespace

void add_play(CLI::App& app, Run& run) {
  auto options = std::make_shared<PlayOptions>();
  CLI::App* command = app.add_subcommand("play", "Play a game between two bots by the contest's rules");
  command->add_option("--first", options->bots[0], "The bot that starts on the left")->required()->type_name("BOT");
  command->add_option("--second", options->bots[1], "The bot that starts on the right")->required()->type_name("BOT");
  command
      ->add_option("--seed", options->seed,
                   "Random seed (match draw, builtin bots, replacement of invalid answers); the same seed repeats a "
                   "game of builtin bots")
      ->check(whole_number())
      ->capture_default_str();
  auto* given = command
                    ->add_option("--matches", options->matches,
                                 "Matches to play instead of 9 random ones, e.g. PillMap,Buggy IslandMap,Bus")
                    ->type_name("MAP,CAR");
  command
      ->add_option("--matches-from", options->matches_from, "Play the matches of a recording, with its maps and cars")
      ->type_name("RECORDING")
      ->excludes(given);
  options->physics.add_to(*command);
  command->add_option("--record", options->record, "Write the game, with both players' commands, as visio.gz")
      ->type_name("FILE");
  command->add_option("--view", options->view, "Write a page that replays the game in a browser")->type_name("FILE");
  command->add_flag("--trace", options->trace,
                    "Also record the bots' debug texts and the search traces of builtin planners (plans, evaluator "
                    "terms), for the page; about doubles the file");
  options->time.add_to(*command);
  command->add_flag("--json", options->json, "Print JSON only");
  command->footer(
      referee::bot_help() +
      "\n"
      "A game has up to 9 matches. Each player starts with half as many lives, rounded up, and the loser of a match\n"
      "loses one. Causes of death: map, box (the outer walls), deadline, enemy.\n"
      "FILE may be - (stdout): the report then goes to stderr, and --json is refused. Bot processes end with this\n"
      "program, even if it is killed.\n"
      "\n"
      "Exit codes: 0 the game was played; 2 invalid options, or a file cannot be read or written.\n"
      "\n"
      "Examples:\n"
      "  forkmunk play --first builtin:bot --second builtin:level --view game.html --trace\n"
      "  forkmunk play --first builtin:chase --second builtin:level --record game.visio.gz\n"
      "  forkmunk play --first 'python3 my_bot.py' --second ./old_bot --matches PillMap,Bus --json");
  command->callback([options, &run] { run = [options] { return run_play(*options); }; });
}

}  // namespace forkmunk::cli
