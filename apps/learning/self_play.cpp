// SPDX-License-Identifier: MIT

#include "apps/cli/options.h"
#include "evaluators/learned.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/random.h>
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/io/files.h>
#include <forkmunk/maps/catalogue.h>
#include <forkmunk/player/player_options.h>
#include <forkmunk/referee/bot_factory.h>
#include <forkmunk/referee/tournament.h>
#include <forkmunk/referee/workers.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace forkmunk::learning {
namespace {

using engine::Command;
using engine::Player;

/// A float represents all integers up to it.
constexpr std::size_t kMatchesMax = 10'000'000;
/// The last state is at most this many ticks before the match's end.
constexpr int kTicksBetweenStates = 7;

/// A state as one player sees it, for NumPy's fromfile(). The first player's row comes first.
struct Row {
  std::array<float, planning::kFeatureCount> features;
  std::array<float, planning::kMapFeatureCount> map;
  float match;    ///< From 0
  float outcome;  ///< 1 if the player won the match, -1 if the other one did, 0 if both died
  float car;      ///< The index in cars::catalogue()
  float tick;
  float left;  ///< The ticks to the match's end
};
using Rows = std::vector<Row>;

// Random commands lead to states that good play avoids: at the beginning of most matches, and occasionally in half of
// them.
constexpr std::uint64_t kOpeningTicksMax = 50;
constexpr double kSlipsATick = 0.02;
constexpr std::uint32_t kSlipTicksMin = 4, kSlipTicksMax = 20;

struct Options {
  std::string file;
  std::vector<std::string> bots{"stretched:ticks=280,horizon=40"};
  std::size_t matches = 0;
  std::uint64_t seed = 1;
  std::string shard;
  std::size_t concurrency = std::max(1u, std::thread::hardware_concurrency());
};

using Bots = std::vector<referee::BotMaker>;

struct Slip {
  Command command = Command::stop;
  std::uint32_t ticks = 0;

  [[nodiscard]] Command command_instead_of(Command wanted, bool again, Random& random) {
    if (ticks == 0 && again) {
      command = random.pick(engine::kCommands);
      ticks = kSlipTicksMin + random.below(kSlipTicksMax - kSlipTicksMin + 1);
    }
    if (ticks == 0) return wanted;
    --ticks;
    return command;
  }
};

Rows play_match(const Bots& bots, std::uint64_t seed, std::size_t number) {
  Random random = Random::stream(seed, number);
  const auto maps = maps::catalogue();
  const auto cars = cars::catalogue();
  const std::size_t map = random.below(maps.size()), car = random.below(cars.size());
  engine::World world;
  world.begin_match({maps[map].setup, cars[car].setup});

  const planning::DistanceField field(maps[map].setup);
  const planning::CarShape shape(cars[car].setup);

  std::array<std::unique_ptr<referee::Bot>, 2> players;
  for (const Player player : engine::kPlayers) {
    const referee::BotMaker& make = bots.size() == 1 ? bots.front() : bots[random.below(bots.size())];
    players[engine::index_of(player)] = make(random.next(), {}, false);
    players[engine::index_of(player)]->begin_match(world, player, {1, 1});
  }
  const int opening = random.below(4) == 0 ? 0 : static_cast<int>(random.below(kOpeningTicksMax));
  const double slips = random.below(2) == 0 ? 0 : kSlipsATick;
  const int phase = static_cast<int>(random.below(kTicksBetweenStates));
  std::array<Slip, 2> slip;

  Rows rows;
  while (world.takes_commands() && world.is_finite()) {
    if (world.tick() >= opening && world.tick() % kTicksBetweenStates == phase) {
      for (const Player player : engine::kPlayers) {
        Row& row = rows.emplace_back();
        const planning::Scene scene(world, player, shape);
        const double deadline = world.deadline_y();
        planning::measure_features(scene, player, field, deadline, world.tick(),
                                   planning::measure_combined(scene, field, deadline, world.tick()), row.features);
        planning::measure_map(field, player, row.map);
        row.match = static_cast<float>(number);
        row.car = static_cast<float>(car);
        row.tick = static_cast<float>(world.tick());
      }
    }
    std::array<Command, 2> now{};
    for (const auto& player : players) player->send_tick(world);
    for (std::size_t i = 0; i < 2; ++i) now[i] = players[i]->answer(world).command;
    for (std::size_t i = 0; i < 2; ++i) {
      const bool again = world.tick() < opening || random.between(0, 1) < slips;
      now[i] = slip[i].command_instead_of(now[i], again, random);
    }
    world.step({now[0], now[1]});
  }

  if (!world.is_finite()) return {};
  const int lost = static_cast<int>(world.dead(Player::first)) - static_cast<int>(world.dead(Player::second));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].outcome = static_cast<float>(i % 2 == 0 ? -lost : lost);
    rows[i].left = static_cast<float>(world.tick()) - rows[i].tick;
  }
  return rows;
}

// A second file names the players, so that matches of others are not mixed with these.
std::string players_file(const Options& options) { return options.file + ".players"; }
std::string players_of(const Options& options) {
  const std::string shard = options.shard.empty() ? "" : fmt::format(" shard {}", options.shard);
  return fmt::format("{} seed {}{}", fmt::join(options.bots, " "), options.seed, shard);
}

void check_players(const Options& options) {
  const std::string players = players_of(options);
  std::string found;
  if (std::getline(std::ifstream(players_file(options)), found) && found != players) {
    throw Error(fmt::format("{}: has matches of {}, not of {}; give another file", options.file, found, players));
  }
}

bool is_row(const Row& row) {
  const auto whole = [](float x, std::size_t count) {
    return x >= 0 && x < static_cast<float>(count) && x == std::floor(x);
  };
  const auto is_finite = [](float x) { return std::isfinite(x); };
  return std::ranges::all_of(row.features, is_finite) && std::ranges::all_of(row.map, is_finite) &&
         std::abs(row.outcome) <= 1 && whole(row.match, kMatchesMax) && whole(row.car, cars::catalogue().size()) &&
         whole(row.tick, kMatchesMax) && whole(row.left, kMatchesMax);
}

// Drops an incomplete last match. \return the first match to play.
std::size_t first_missing(const std::string& file) {
  if (!std::filesystem::exists(file)) return 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error(fmt::format("cannot read {}", file));
  Row row{}, last{};
  std::uintmax_t rows = 0, begin = 0;  // of the last match
  for (; in.read(reinterpret_cast<char*>(&row), sizeof row); ++rows) {
    if (!is_row(row) || (rows > 0 && row.match < last.match))
      throw Error(fmt::format("{}: row {} is not the next one of self_play; give another file", file, rows));
    if (rows == 0 || row.match > last.match) begin = rows;
    last = row;
  }
  if (in.bad() || !in.eof()) throw Error(fmt::format("cannot read {} to its end", file));
  if (rows == 0 && in.gcount() > 0) throw Error(fmt::format("{}: not a file of self_play; give another file", file));
  if (rows == 0) return 0;
  const bool whole = in.gcount() == 0 && (rows - begin) % 2 == 0 && last.left <= kTicksBetweenStates;
  std::filesystem::resize_file(file, (whole ? rows : begin) * sizeof(Row));
  return static_cast<std::size_t>(last.match) + (whole ? 1 : 0);
}

// Writes matches in order, whatever the order in which they finish.   Thread: any.
class OrderedFile {
 public:
  OrderedFile(const Options& options, referee::Shard shard, io::LockedFile& file)
      : options_(options),
        shard_(shard),
        file_(file),
        written_(of_shard(first_missing(options.file))),
        next_(written_) {}

  std::optional<std::size_t> next() {
    const std::lock_guard lock(mutex_);
    if (next_ >= options_.matches) return std::nullopt;
    return std::exchange(next_, next_ + shard_.count);
  }

  void put(std::size_t number, Rows rows) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(number, std::move(rows));
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == written_; first = waiting_.begin()) {
      const Rows& next = first->second;
      file_.append({reinterpret_cast<const char*>(next.data()), next.size() * sizeof(Row)});
      waiting_.erase(first);
      written_ += shard_.count;
      if (++put_ % 100 == 0) {
        std::fputs(fmt::format("match {} of {}\n", written_, options_.matches).c_str(), stderr);  // never throws
      }
    }
  }

 private:
  // Returns the shard's first match from `number` on.
  [[nodiscard]] std::size_t of_shard(std::size_t number) const {
    return number + (shard_.index + shard_.count - number % shard_.count) % shard_.count;
  }

  const Options& options_;
  referee::Shard shard_;
  io::LockedFile& file_;
  std::mutex mutex_;
  std::size_t written_;  // the first match that is not in the file
  std::size_t put_ = 0;
  std::size_t next_;
  std::map<std::size_t, Rows> waiting_;
};

// Planners must be reproducible.
void check(const player::PlayerOptions& bot) {
  if (!bot.ticks) throw Error("needs ticks=N, so that matches are reproducible");
  if (bot.arithmetic) {
    throw Error("arithmetic is not supported: matches are played in strict arithmetic by ticks");
  }
}

referee::BotMaker parse_player(const std::string& text) {
  const auto names = referee::scripted_bots();
  if (std::ranges::find(names, text, &referee::ScriptedBotInfo::name) == names.end())
    check(player::parse_player_options(text, text));
  return referee::parse_bot("builtin:" + text);
}

int run(const Options& options) {
  Bots bots;
  for (const std::string& bot : options.bots) {
    try {
      bots.push_back(parse_player(bot));
    } catch (const Error& error) {
      throw Error("--bot: ", error.what());
    }
  }
  const referee::Shard shard = options.shard.empty() ? referee::Shard{} : referee::parse_shard(options.shard);
  io::LockedFile file(options.file);
  check_players(options);
  OrderedFile out(options, shard, file);
  io::write_file(players_file(options), players_of(options) + '\n');
  referee::run_workers(options.concurrency, [&](std::atomic<bool>& stop) {
    while (!stop) {
      const auto number = out.next();
      if (!number) return;
      out.put(*number, play_match(bots, options.seed, *number));
    }
  });
  return 0;
}

}  // namespace

}  // namespace forkmunk::learning

int main(int argc, char** argv) {
  forkmunk::io::secure_standard_streams();
  forkmunk::learning::Options options;
  CLI::App app(
      "Self-play: play matches of players against each other, and write features of their states with the outcomes of "
      "the matches, for apps/learning/fit_values.py (format: Row in apps/learning/self_play.cpp)");
  app.add_option("file", options.file, "File of features; an existing file is continued")
      ->required()
      ->type_name("FILE");
  app.add_option("--matches", options.matches, "Total number of matches, including those already in FILE")
      ->required()
      ->check(forkmunk::cli::whole_number(1, forkmunk::learning::kMatchesMax));
  app.add_option("--bot", options.bots,
                 "The player: PLANNER:ticks=N,evaluator=NAME,..., camper, still, ... (repeatable: each side of a match "
                 "is one of them, at random)")
      ->take_all()
      ->allow_extra_args(false)
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Random seed")->check(forkmunk::cli::whole_number())->capture_default_str();
  app.add_option("--shard", options.shard,
                 "Play only part I (1 to N) of N, into a file of its own; scripts/learn_values uses all parts")
      ->type_name("I/N");
  app.add_option("--concurrency", options.concurrency, "Matches played in parallel; does not affect the file")
      ->check(forkmunk::cli::whole_number(1, 1024))
      ->capture_default_str();
  app.footer(
      "Exit codes: 0 success; 2 invalid options, or a file cannot be read or written.\n"
      "\n"
      "Examples:\n"
      "  self_play played.features --matches 20000 --concurrency 2\n"
      "  self_play mixed.features --matches 20000 --bot best:ticks=300 --bot best:ticks=1000 --bot camper");
  try {
    app.parse(argc, argv);
    return forkmunk::learning::run(options);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "self_play: {}\n", error.what());
    return 2;
  }
}
