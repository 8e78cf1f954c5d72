#include "arena_line.h"

#include "json_values.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/excerpt.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/engine/game.h>
#include <forkmunk/io/json_guard.h>
#include <forkmunk/referee/match_list.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace forkmunk::referee {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json to_json(const TimeHistogram& times) {
  const TimeHistogram::Data data = times.data();
  ordered_json buckets = ordered_json::array();
  for (const auto& [bucket, count] : data.buckets) buckets.push_back({bucket, count});
  return {{"total_ms", data.total_ms}, {"max_ms", data.max_ms}, {"buckets", buckets}};
}

constexpr std::int64_t kBucketMax = 1000;  // log2 of microseconds in eighths: far more than any clock

TimeHistogram times_from(const json& object) {
  TimeHistogram::Data data;
  constexpr double kMsMax = 1e3 * kBotSecondsMax * engine::kGameTicksMax;
  data.total_ms = number_in(value_at(object, "total_ms"), "total_ms", 0, kMsMax);
  data.max_ms = number_in(value_at(object, "max_ms"), "max_ms", 0, kMsMax);
  const json& buckets = value_at(object, "buckets");
  if (!buckets.is_array()) throw Error("buckets: found " + excerpt(buckets.dump()) + ", expected a list");
  for (const json& bucket : buckets) {
    const json& pair = list_of(bucket, "buckets", 2);
    const auto index = static_cast<int>(integer_in(pair[0], "bucket", -kBucketMax, kBucketMax));
    data.buckets[index] = static_cast<std::size_t>(integer_in(pair[1], "count", 0, engine::kGameTicksMax));
  }
  return TimeHistogram::from(data);
}

/// What tells a game from those of another arena.
ordered_json identity_of(const ArenaPlan& plan, const ArenaGame& game) {
  return {{"game", game.index},
          {"first", printable(plan.bots[game.seats[0]])},
          {"second", printable(plan.bots[game.seats[1]])},
          {"seed", game.seed},
          {"arithmetic", to_string(arithmetic_of(plan.physics))},
          {"engine", engine_name(plan.physics)}};
}

ordered_json to_json(const ArenaPlan& plan, const ArenaGame& game, const ArenaResult& result) {
  ordered_json line = identity_of(plan, game);
  line["winner"] = result.winner;
  line["lives"] = result.lives;
  line["ticks"] = result.ticks;
  line["matches"] = ordered_json::array();
  for (const ArenaResult::Match& match : result.matches) {
    line["matches"].push_back(
        {{"name", match.name}, {"ticks", match.ticks}, {"died", match.died}, {"causes", match.causes}});
  }
  line["times"] = {to_json(result.times[0]), to_json(result.times[1])};
  line["garbled"] = result.garbled;
  line["verdicts"] = result.verdicts;
  if (!result.verdict.empty()) line["verdict"] = result.verdict;
  return line;
}

ArenaResult::Match match_from(const json& entry) {
  static constexpr std::array<std::string_view, 6> kCauses{"", "none", "map", "box", "deadline", "enemy"};
  ArenaResult::Match match;
  match.name = plain_text(value_at(entry, "name"), "name");
  (void)parse_matches({match.name});  // refuses what is in no catalogue
  match.ticks = static_cast<int>(integer_in(value_at(entry, "ticks"), "ticks", 0, engine::kGameTicksMax));
  for (std::size_t seat = 0; seat < 2; ++seat) {
    match.died[seat] = list_of(value_at(entry, "died"), "died", 2)[seat].get<bool>();
    match.causes[seat] = plain_text(list_of(value_at(entry, "causes"), "causes", 2)[seat], "causes");
    if (std::ranges::find(kCauses, match.causes[seat]) == kCauses.end()) {
      throw Error("causes: found \"" + excerpt(match.causes[seat]) + "\", expected map, box, deadline, enemy or none");
    }
  }
  return match;
}

// Lives, winner and ticks follow from the matches: a line in which they do not was changed by hand.
void check_sums(const ArenaResult& result) {
  const int start = engine::starting_lives(kDrawnMatchCount);
  std::int64_t ticks = 0;
  engine::Lives lives{start, start};
  for (const ArenaResult::Match& match : result.matches) {
    ticks += match.ticks;
    for (std::size_t seat = 0; seat < 2; ++seat) lives[seat] -= match.died[seat] ? 1 : 0;
  }
  if (ticks != result.ticks) {
    throw Error(fmt::format("ticks: found {}, expected {}, those of the matches", result.ticks, ticks));
  }
  // A game that is broken off does not take the lives of its last match.
  const bool broken_off = ticks >= engine::kGameTicksMax || !result.verdict.empty();
  if (result.lives != lives && broken_off) {
    for (std::size_t seat = 0; seat < 2; ++seat) lives[seat] += result.matches.back().died[seat] ? 1 : 0;
  }
  if (result.lives != lives) {
    throw Error(fmt::format("lives: found {} and {}, expected {} and {} after these matches", result.lives[0],
                            result.lives[1], lives[0], lives[1]));
  }
  const int winner = lives[0] == lives[1] || !result.verdict.empty() ? 0 : lives[0] > lives[1] ? 1 : 2;
  if (result.winner != winner) {
    throw Error(
        fmt::format("winner: found {}, expected {} with {} and {} lives", result.winner, winner, lives[0], lives[1]));
  }
}

ArenaResult result_from(const json& line) {
  ArenaResult result;
  result.index = static_cast<std::size_t>(integer_in(value_at(line, "game"), "game", 0, kArenaGamesMax));
  result.winner = static_cast<int>(integer_in(value_at(line, "winner"), "winner", 0, 2));
  result.ticks = integer_in(value_at(line, "ticks"), "ticks", 0, engine::kGameTicksMax);
  const json& matches = value_at(line, "matches");
  if (!matches.is_array() || matches.empty() || matches.size() > kDrawnMatchCount) {
    throw Error(
        fmt::format("matches: found {}, expected a list of 1 to {}", excerpt(matches.dump()), kDrawnMatchCount));
  }
  for (const json& entry : matches) result.matches.push_back(match_from(entry));
  for (std::size_t seat = 0; seat < 2; ++seat) {
    result.lives[seat] =
        static_cast<int>(integer_in(list_of(value_at(line, "lives"), "lives", 2)[seat], "lives", 0, kDrawnMatchCount));
    result.times[seat] = times_from(list_of(value_at(line, "times"), "times", 2)[seat]);
    result.garbled[seat] = static_cast<std::size_t>(
        integer_in(list_of(value_at(line, "garbled"), "garbled", 2)[seat], "garbled", 0, engine::kGameTicksMax));
    result.verdicts[seat] = plain_text(list_of(value_at(line, "verdicts"), "verdicts", 2)[seat], "verdicts");
  }
  if (line.contains("verdict")) result.verdict = plain_text(line.at("verdict"), "verdict");
  check_sums(result);
  return result;
}

}  // namespace

std::string to_line(const ArenaPlan& plan, const ArenaGame& game, const ArenaResult& result) {
  return to_json(plan, game, result).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<ArenaResult> parse_arena_line(std::string_view text, const ArenaPlan& plan,
                                            const std::vector<ArenaGame>& games) {
  try {
    io::check_json_depth(text);
    const json line = json::parse(text);
    ArenaResult result = result_from(line);
    if (result.index >= games.size()) return std::nullopt;
    const json expected = identity_of(plan, games[result.index]);
    for (const auto& [key, value] : expected.items()) {
      const json& found = value_at(line, key.c_str());
      if (found == value) continue;
      throw Error(fmt::format("found {} {}, expected {}: the log is another arena's", key, excerpt(found.dump()),
                              excerpt(value.dump())));
    }
    return result;
  } catch (const json::parse_error& error) {
    throw Error(
        fmt::format("found no JSON (at its byte {}), expected a game of an arena: name another file", error.byte));
  } catch (const json::exception& error) {
    throw Error(fmt::format("found no game of an arena: {}", io::json_problem(error.what())));
  }
}

}  // namespace forkmunk::referee
