// SPDX-License-Identifier: MIT

#include "tournament_log.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/excerpt.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/engine/game.h>
#include <forkmunk/io/json_reader.h>
#include <forkmunk/io/json_writer.h>
#include <forkmunk/referee/match_list.h>

#include <array>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace forkmunk::referee {
namespace {

using engine::DeathCause;
using io::Field;
using io::FieldPath;
using io::JsonError;
using io::JsonObject;
using io::JsonValue;
using io::JsonWriter;
using io::read_into;

/// The keys and values (as JSON) that identify a game of this tournament.
using Identity = std::array<std::pair<std::string_view, std::string>, 8>;

Identity identity_of(const TournamentPlan& plan, const TournamentGame& game) {
  const auto json = [](const auto& value) { return JsonWriter().value(value).take(); };
  return {{{"game", json(game.index)},
           {"first", json(printable(plan.bots[game.seats[0]]))},
           {"second", json(printable(plan.bots[game.seats[1]]))},
           {"seed", json(game.seed)},
           {"arithmetic", json(to_string(arithmetic_of(plan.physics)))},
           {"engine", json(engine_name(plan.physics))},
           {"answer_seconds", json(plan.limits.answer_time.count())},
           {"total_seconds", json(plan.limits.game_time.count())}}};
}

std::string usual(std::string_view key) {
  const BotLimits limits;
  if (key == "answer_seconds") return JsonWriter().value(limits.answer_time.count()).take();
  if (key == "total_seconds") return JsonWriter().value(limits.game_time.count()).take();
  return {};
}

void write(JsonWriter& json, const TimeHistogram& times) {
  json.object([&] {
    json.field("total_ms", times.total_ms).field("max_ms", times.max_ms);
    json.key("buckets").list(
        times.buckets, [&](const auto& bucket) { json.list([&] { json.value(bucket.first).value(bucket.second); }); });
  });
}

void write(JsonWriter& json, const TournamentResult::Match& match) {
  const auto& [name, outcome] = match;
  json.object([&, &name = name, &outcome = outcome] {
    json.field("name", name).field("ticks", outcome.ticks).field("died", outcome.died);
    json.key("causes").list([&] {
      for (std::size_t seat = 0; seat < 2; ++seat) json.value(outcome.died[seat] ? to_string(outcome.cause[seat]) : "");
    });
  });
}

constexpr std::int64_t kBucketMax = 1000;  // no clock gets near

double read_ms(JsonValue value, const FieldPath& path) {
  constexpr double kMsMax = 1e3 * kBotTimeMax.count() * engine::kGameTicksMax;
  const double ms = read_number(value, path);
  if (!(ms >= 0 && ms <= kMsMax)) throw JsonError(path, fmt::format("found {}, expected 0 to {}", ms, kMsMax));
  return ms;
}

/// Control characters could affect the user's terminal.
std::string read_plain_text(JsonValue value, const FieldPath& path) {
  const std::string found = io::describe(value);
  const std::string_view text = read_text(value, path);
  if (printable(text) != text) {
    throw JsonError(path, "found " + found + ", expected a text without control characters");
  }
  return std::string(text);
}

std::size_t read_count(JsonValue value, const FieldPath& path) {
  return static_cast<std::size_t>(read_integer(value, path, 0, engine::kGameTicksMax));
}

int read_lives(JsonValue value, const FieldPath& path) {
  return static_cast<int>(read_integer(value, path, 0, kDrawnMatchCount));
}

std::optional<engine::Player> read_winner(JsonValue value, const FieldPath& path) {
  const std::int64_t winner = read_integer(value, path, 0, 2);
  return winner == 0 ? std::nullopt : std::optional(engine::kPlayers[static_cast<std::size_t>(winner) - 1]);
}

TimeHistogram read_times(JsonValue value, const FieldPath& path) {
  TimeHistogram times;
  const auto read_bucket = [&](JsonValue bucket, std::size_t, const FieldPath& bucket_path) {
    int index = 0;
    read_entries(bucket, bucket_path, {2, 2}, [&](JsonValue entry, std::size_t i, const FieldPath& entry_path) {
      if (i == 0) {
        index = static_cast<int>(read_integer(entry, entry_path, -kBucketMax, kBucketMax));
      } else {
        times.buckets[index] = read_count(entry, entry_path);
      }
    });
  };
  const auto read_buckets = [&](JsonValue list, const FieldPath& at) {
    read_entries(list, at, {0, 2 * kBucketMax + 1}, read_bucket);
  };
  read_object(value, path, read_into("total_ms", times.total_ms, read_ms), read_into("max_ms", times.max_ms, read_ms),
              Field{"buckets", read_buckets});
  return times;
}

DeathCause read_cause(JsonValue value, const FieldPath& path) {
  const std::string_view text = read_text(value, path);
  for (const DeathCause cause :
       {DeathCause::map, DeathCause::box, DeathCause::deadline, DeathCause::enemy, DeathCause::none}) {
    if (text == to_string(cause)) return cause;
  }
  if (text.empty()) return DeathCause::none;  // of a player who survived
  throw JsonError(path, "found \"" + excerpt(text) + "\", expected map, box, deadline, enemy or none");
}

std::string read_match_name(JsonValue value, const FieldPath& path) {
  return parse_matches({read_plain_text(value, path)}).names[0];
}

int read_match_ticks(JsonValue value, const FieldPath& path) {
  return static_cast<int>(read_integer(value, path, 0, engine::kGameTicksMax));
}

/// Returns a function that reads a pair with one entry for each seat.
template <typename Entry>
auto both(Entry (*read)(JsonValue, const FieldPath&)) {
  return [read](JsonValue list, const FieldPath& path) { return read_pair(list, path, read); };
}

TournamentResult::Match read_match(JsonValue value, const FieldPath& path) {
  TournamentResult::Match match;
  formats::MatchOutcome& outcome = match.outcome;
  read_object(value, path, read_into("name", match.name, read_match_name),
              read_into("ticks", outcome.ticks, read_match_ticks), read_into("died", outcome.died, both(io::read_bool)),
              read_into("causes", outcome.cause, both(read_cause)));
  return match;
}

std::vector<TournamentResult::Match> read_matches(JsonValue list, const FieldPath& path) {
  return read_list(list, path, {1, kDrawnMatchCount}, read_match);
}

// If lives, winner or ticks do not follow from the matches, the line was edited.
void check_sums(const TournamentResult& result) {
  const int start = engine::starting_lives(kDrawnMatchCount);
  std::int64_t ticks = 0;
  engine::Lives lives{start, start};
  for (const TournamentResult::Match& match : result.matches) {
    ticks += match.outcome.ticks;
    for (std::size_t seat = 0; seat < 2; ++seat) lives[seat] -= match.outcome.died[seat] ? 1 : 0;
  }
  if (ticks != result.ticks) {
    throw Error(fmt::format("ticks: found {}, expected {}, the sum over the matches", result.ticks, ticks));
  }
  // An aborted game does not subtract the lives of its last match.
  const bool aborted = ticks >= engine::kGameTicksMax || !result.verdict.empty();
  if (result.lives != lives && aborted) {
    for (std::size_t seat = 0; seat < 2; ++seat) lives[seat] += result.matches.back().outcome.died[seat] ? 1 : 0;
  }
  if (result.lives != lives) {
    throw Error(fmt::format("lives: found {} and {}, expected {} and {} after these matches", result.lives[0],
                            result.lives[1], lives[0], lives[1]));
  }
  if (result.winner != (result.verdict.empty() ? engine::leader_of(lives) : std::nullopt)) {
    throw Error(fmt::format("winner: does not follow from {} and {} lives", lives[0], lives[1]));
  }
}

}  // namespace

std::string to_line(const Tournament& tournament, const TournamentResult& result) {
  JsonWriter json;
  json.object([&] {
    for (const auto& [key, value] : identity_of(tournament.plan(), tournament.games()[result.index])) {
      if (value != usual(key)) json.key(key).raw(value);
    }
    json.field("winner", result.winner ? index_of(*result.winner) + 1 : 0);
    json.field("lives", result.lives).field("ticks", result.ticks);
    json.key("matches").list(result.matches, [&](const TournamentResult::Match& match) { write(json, match); });
    json.key("times").list(result.times, [&](const TimeHistogram& times) { write(json, times); });
    json.field("garbled", result.garbled).field("verdicts", result.verdicts);
    if (!result.verdict.empty()) json.field("verdict", result.verdict);
    if (result.surplus_lines != std::array<std::size_t, 2>{}) json.field("surplus_lines", result.surplus_lines);
  });
  return json.take();
}

std::optional<TournamentResult> parse_line(std::string_view text, const Tournament& tournament) {
  TournamentResult result;
  std::map<std::string_view, std::string> identity;
  const auto text_of = [&](std::string_view key, bool required = true) {
    return Field{key, [&, key](JsonValue value, const FieldPath&) { identity[key] = io::token_of(value); }, required};
  };
  const auto read_index = [&](JsonValue value, const FieldPath& path) {
    identity["game"] = io::token_of(value);
    return static_cast<std::size_t>(read_integer(value, path, 0, kTournamentGamesMax));
  };
  io::JsonDocument document(std::string(text), "a game of an arena as JSON; give another file");
  document.read([&](JsonObject& line) {
    read_fields(line, {}, read_into("game", result.index, read_index), text_of("first"), text_of("second"),
                text_of("seed"), text_of("arithmetic"), text_of("engine"), text_of("answer_seconds", false),
                text_of("total_seconds", false), read_into("winner", result.winner, read_winner),
                read_into("lives", result.lives, both(read_lives)), read_into("ticks", result.ticks, read_match_ticks),
                read_into("matches", result.matches, read_matches), read_into("times", result.times, both(read_times)),
                read_into("garbled", result.garbled, both(read_count)),
                read_into("verdicts", result.verdicts, both(read_plain_text)),
                read_into("verdict", result.verdict, read_plain_text, false),
                read_into("surplus_lines", result.surplus_lines, both(read_count), false));
  });
  check_sums(result);
  if (result.index >= tournament.games().size()) return std::nullopt;
  for (const auto& [key, expected] : identity_of(tournament.plan(), tournament.games()[result.index])) {
    std::string& found = identity[key];
    if (found.empty()) found = usual(key);
    if (found == expected) continue;
    throw Error(fmt::format("{}: found {}, expected {}: the log belongs to another arena{}", key, excerpt(found),
                            excerpt(expected), key == "seed" ? "; give that one's --seed" : ""));
  }
  return result;
}

namespace {

constexpr std::string_view kLineBegin = R"({"game":)";

bool begins_a_line(std::string_view text) {
  return text.substr(0, kLineBegin.size()) == kLineBegin.substr(0, text.size());
}

}  // namespace

TournamentLog::TournamentLog(const std::string& path, const Tournament& tournament) try
    : path_(path), tournament_(tournament), file_(path) {
  const std::string text = file_.read();
  const std::size_t whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  read(text.substr(0, whole));
  if (!begins_a_line(std::string_view(text).substr(whole))) {
    throw Error(path, ": its last line is not of a game; give another file name");
  }
  // The game of an incomplete last line is played again.
  if (whole < text.size()) file_.truncate(whole);
} catch (const Error& error) {
  throw Error("--resume: ", error.what());
}

void TournamentLog::read(const std::string& text) {
  std::set<std::size_t> seen;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string where = fmt::format("{}: line {}", path_, ++number);
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    try {
      const std::optional<TournamentResult> result = parse_line(line, tournament_);
      if (result && seen.insert(result->index).second) results_.push_back(*result);
    } catch (const Error& error) {
      // A killed shard leaves a part of a line, to which cat appends the next shard.
      const bool is_cut = line.find(kLineBegin, 1) != std::string_view::npos;
      throw Error(fmt::format("{}: {}", where,
                              is_cut ? "a game that was cut off, and another; delete the first, or continue the killed "
                                       "arena with its own log before joining the logs"
                                     : error.what()));
    }
  }
}

void TournamentLog::append(const TournamentResult& result) { file_.append(to_line(tournament_, result) + '\n'); }

}  // namespace forkmunk::referee
