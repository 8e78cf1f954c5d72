// SPDX-License-Identifier: MIT
#include "command.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/io/recording_reader.h>
#include <forkmunk/referee/match_list.h>
#include <forkmunk/replay/tolerance.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include <fmt/core.h>

namespace forkmunk::cli {
namespace {

using formats::MatchOutcome;

struct Tally {
  std::size_t matches = 0;
  std::array<std::size_t, 2> lost{};  ///< by player, without both_lost
  std::size_t both_lost = 0;
  std::size_t unfinished = 0;
  std::map<std::string, std::size_t> causes;
  std::vector<int> ticks;

  void add(const MatchOutcome& outcome) {
    ++matches;
    ticks.push_back(outcome.ticks);
    if (outcome.died[0] && outcome.died[1]) {
      ++both_lost;
    } else if (outcome.died[0] || outcome.died[1]) {
      ++lost[outcome.died[0] ? 0 : 1];
    } else {
      ++unfinished;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      if (outcome.died[i]) ++causes[std::string(engine::to_string(outcome.cause[i]))];
    }
  }

  [[nodiscard]] int median_ticks() const {
    std::vector<int> sorted = ticks;
    std::ranges::sort(sorted);
    return sorted.empty() ? 0 : sorted[sorted.size() / 2];
  }
};

using Table = std::map<std::string, Tally>;

constexpr std::array<const char*, 5> kCauses{"map", "box", "deadline", "enemy", "none"};

void write_table(io::JsonWriter& json, const Table& table, const char* key) {
  json.list(table, [&](const auto& entry) {
    const Tally& tally = entry.second;
    json.object([&] {
      json.field(key, entry.first).field("matches", tally.matches);
      json.field("lost_by_first", tally.lost[0]).field("lost_by_second", tally.lost[1]);
      json.field("lost_by_both", tally.both_lost).field("unfinished", tally.unfinished);
      json.key("causes").object([&] {
        for (const auto& [cause, count] : tally.causes) json.field(cause, count);
      });
      json.key("ticks").object([&] {
        json.field("median", tally.median_ticks()).field("min", std::ranges::min(tally.ticks));
        json.field("max", std::ranges::max(tally.ticks));
      });
    });
  });
}

void print(const Table& table, const char* title) {
  fmt::print("\n{:34} {:>7} {:>6} {:>6} {:>5} {:>5} |", title, "matches", "1 lost", "2 lost", "both", "cut");
  for (const char* cause : kCauses) fmt::print(" {:>8}", cause);
  fmt::print(" | {:>6} {:>6} {:>6}\n", "median", "min", "max");
  for (const auto& [name, tally] : table) {
    fmt::print("{:34} {:7} {:6} {:6} {:5} {:5} |", name, tally.matches, tally.lost[0], tally.lost[1], tally.both_lost,
               tally.unfinished);
    for (const char* cause : kCauses) {
      const auto found = tally.causes.find(cause);
      fmt::print(" {:8}", found == tally.causes.end() ? 0 : found->second);
    }
    fmt::print(" | {:6} {:6} {:6}\n", tally.median_ticks(), std::ranges::min(tally.ticks),
               std::ranges::max(tally.ticks));
  }
}

int run_stats(const std::vector<std::string>& files, bool as_json) {
  Table all, by_map_car, by_winner;
  bool readable = true;
  {
    Progress progress("file");
    for (std::size_t i = 0; i < files.size(); ++i) {
      progress.update(i, files.size(), std::filesystem::path(files[i]).filename().string());
      try {
        const formats::Recording recording = io::read_recording(files[i], {.needs_ticks = true});
        const std::vector<MatchOutcome> outcomes = replay::match_outcomes(recording);
        for (std::size_t m = 0; m < outcomes.size(); ++m) {
          all["all"].add(outcomes[m]);
          by_map_car[referee::name_of(recording.matches[m].setup)].add(outcomes[m]);
          for (std::size_t player = 0; player < 2; ++player) {
            if (outcomes[m].died[1 - player] && !outcomes[m].died[player]) {
              by_winner[printable(recording.player_ids[player])].add(outcomes[m]);
            }
          }
        }
      } catch (const Error& error) {
        complain(error.what());
        readable = false;
      }
    }
  }
  if (as_json) {
    print_json([&](io::JsonWriter& json) {
      json.object([&] {
        json.field("files", files.size()).field("matches", all["all"].matches);
        write_table(json.key("by_map_car"), by_map_car, "map_car");
        write_table(json.key("by_winner"), by_winner, "player");
      });
    });
  } else if (!by_map_car.empty()) {
    print(all, "recordings");
    print(by_map_car, "map,car");
    print(by_winner, "won by");
  }
  return readable ? kExitFine : kExitBadUse;
}

}  // namespace

void add_stats(CLI::App& app, Run& run) {
  struct Options {
    std::vector<std::string> files;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("stats", "Tabulate the results of recorded games: losses, causes of death and match lengths");
  command->add_option("files", options->files, "Recordings (visio.gz)")->required();
  command->add_flag("--json", options->json, "Print JSON only");
  command->footer(
      "One table of all recordings, one per map and car, one per winner. Columns: matches; lost by player 1, by\n"
      "player 2, by both; cut (ended without a death); causes of death (map, box: the outer walls, deadline, enemy,\n"
      "none: unknown); ticks of a match, with the ticks after its end. Recordings do not have the causes: the games\n"
      "are replayed, with commands that are inferred from the positions.\n"
      "\n"
      "Exit codes: 0 success; 2 invalid options, or a file cannot be read (the tables have the others).\n"
      "\n"
      "Examples:\n"
      "  forkmunk stats game.visio.gz\n"
      "  forkmunk stats --json games/*.visio.gz");
  command->callback([options, &run] { run = [options] { return run_stats(options->files, options->json); }; });
}

}  // namespace forkmunk::cli
