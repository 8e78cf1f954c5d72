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
#include <cerrno>
#include <cstring>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace forkmunk::referee {
namespace {

using engine::DeathCause;
using io::FieldKey;
using io::FieldPath;
using io::JsonError;
using io::JsonObject;
using io::JsonValue;
using io::JsonWriter;

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
  const TimeHistogram::Data data = times.data();
  json.object([&] {
    json.field("total_ms", data.total_ms).field("max_ms", data.max_ms);
    json.key("buckets").list(
        data.buckets, [&](const auto& bucket) { json.list([&] { json.value(bucket.first).value(bucket.second); }); });
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

template <typename Entry>
void read_pair(JsonValue list, const FieldPath& path, std::array<Entry, 2>& pair,
               Entry (*read)(JsonValue, const FieldPath&)) {
  read_entries(list, path, {2, 2}, [&](JsonValue entry, std::size_t seat, const FieldPath& entry_path) {
    pair[seat] = read(entry, entry_path);
  });
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
  static constexpr std::array kKeys{FieldKey{"total_ms"}, FieldKey{"max_ms"}, FieldKey{"buckets"}};
  TimeHistogram::Data data;
  const auto read_bucket = [&](JsonValue bucket, std::size_t, const FieldPath& bucket_path) {
    int index = 0;
    read_entries(bucket, bucket_path, {2, 2}, [&](JsonValue entry, std::size_t i, const FieldPath& entry_path) {
      if (i == 0) {
        index = static_cast<int>(read_integer(entry, entry_path, -kBucketMax, kBucketMax));
      } else {
        data.buckets[index] = read_count(entry, entry_path);
      }
    });
  };
  JsonObject object = read_object(value, path);
  read_fields(object, path, kKeys, [&](JsonValue field, std::size_t key, const FieldPath& field_path) {
    switch (key) {
      case 0: data.total_ms = read_ms(field, field_path); break;
      case 1: data.max_ms = read_ms(field, field_path); break;
      default: read_entries(field, field_path, {0, 2 * kBucketMax + 1}, read_bucket);
    }
  });
  return TimeHistogram::from(data);
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

TournamentResult::Match read_match(JsonValue value, const FieldPath& path) {
  static constexpr std::array kKeys{FieldKey{"name"}, FieldKey{"ticks"}, FieldKey{"died"}, FieldKey{"causes"}};
  TournamentResult::Match match;
  formats::MatchOutcome& outcome = match.outcome;
  JsonObject object = read_object(value, path);
  read_fields(object, path, kKeys, [&](JsonValue field, std::size_t key, const FieldPath& field_path) {
    switch (key) {
      case 0: match.name = parse_matches({read_plain_text(field, field_path)}).names[0]; break;
      case 1: outcome.ticks = static_cast<int>(read_integer(field, field_path, 0, engine::kGameTicksMax)); break;
      case 2: read_pair(field, field_path, outcome.died, io::read_bool); break;
      default: read_pair(field, field_path, outcome.cause, read_cause);
    }
  });
  return match;
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

// The keys of an Identity come first.
constexpr std::array kKeys{FieldKey{"game"},
                           FieldKey{"first"},
                           FieldKey{"second"},
                           FieldKey{"seed"},
                           FieldKey{"arithmetic"},
                           FieldKey{"engine"},
                           FieldKey{"answer_seconds", false},
                           FieldKey{"total_seconds", false},
                           FieldKey{"winner"},
                           FieldKey{"lives"},
                           FieldKey{"ticks"},
                           FieldKey{"matches"},
                           FieldKey{"times"},
                           FieldKey{"garbled"},
                           FieldKey{"verdicts"},
                           FieldKey{"verdict", false},
                           FieldKey{"surplus_lines", false}};

void read_field(JsonValue value, std::size_t key, const FieldPath& path, TournamentResult& result) {
  switch (key) {
    case 0: result.index = static_cast<std::size_t>(read_integer(value, path, 0, kTournamentGamesMax)); break;
    case 8: result.winner = read_winner(value, path); break;
    case 9: read_pair(value, path, result.lives, read_lives); break;
    case 10: result.ticks = read_integer(value, path, 0, engine::kGameTicksMax); break;
    case 11:
      read_entries(value, path, {1, kDrawnMatchCount}, [&](JsonValue match, std::size_t, const FieldPath& match_path) {
        result.matches.push_back(read_match(match, match_path));
      });
      break;
    case 12: read_pair(value, path, result.times, read_times); break;
    case 13: read_pair(value, path, result.garbled, read_count); break;
    case 14: read_pair(value, path, result.verdicts, read_plain_text); break;
    case 15: result.verdict = read_plain_text(value, path); break;
    case 16: read_pair(value, path, result.surplus_lines, read_count); break;
    default: break;  // compared as text
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
  std::array<std::string, std::tuple_size_v<Identity>> identity;
  io::JsonDocument document(std::string(text), "a game of an arena as JSON; give another file");
  document.read([&](JsonObject& line) {
    read_fields(line, {}, kKeys, [&](JsonValue value, std::size_t key, const FieldPath& path) {
      if (key < identity.size()) identity[key] = io::token_of(value);
      read_field(value, key, path, result);
    });
  });
  check_sums(result);
  if (result.index >= tournament.games().size()) return std::nullopt;
  const Identity expected = identity_of(tournament.plan(), tournament.games()[result.index]);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (identity[i].empty()) identity[i] = usual(expected[i].first);
    if (identity[i] == expected[i].second) continue;
    throw Error(fmt::format("{}: found {}, expected {}: the log belongs to another arena{}", expected[i].first,
                            excerpt(identity[i]), excerpt(expected[i].second),
                            std::string_view(expected[i].first) == "seed" ? "; give that one's --seed" : ""));
  }
  return result;
}

namespace {

/// \return nullopt on errors, with errno.
std::optional<std::string> read_whole(int descriptor) {
  std::string text;
  std::array<char, 64 * 1024> chunk;
  while (true) {
    const ssize_t size = pread(descriptor, chunk.data(), chunk.size(), static_cast<off_t>(text.size()));
    if (size == 0) return text;
    if (size > 0) text.append(chunk.data(), static_cast<std::size_t>(size));
    if (size < 0 && errno != EINTR) return std::nullopt;
  }
}

constexpr std::string_view kLineBegin = R"({"game":)";

bool begins_a_line(std::string_view text) {
  return text.substr(0, kLineBegin.size()) == kLineBegin.substr(0, text.size());
}

}  // namespace

TournamentLog::TournamentLog(const std::string& path, const Tournament& tournament)
    : path_(path), tournament_(tournament) {
  // O_NONBLOCK, because opening a pipe must not wait for its other end.
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644);
  if (descriptor_ < 0) {
    throw Error("--resume: cannot write " + path + ": " + std::strerror(errno));
  }
  try {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
      throw Error("--resume: " + path + ": not a regular file; give another file name");
    }
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      throw Error("--resume: " + path + ": " +
                  (errno == EWOULDBLOCK ? "another arena is writing this log"
                                        : std::string("cannot lock it: ") + std::strerror(errno)));
    }
    const std::optional<std::string> text = read_whole(descriptor_);
    if (!text) throw Error("--resume: cannot read " + path + ": " + std::strerror(errno));
    const std::size_t whole = text->rfind('\n') == std::string::npos ? 0 : text->rfind('\n') + 1;
    read(text->substr(0, whole));
    if (!begins_a_line(std::string_view(*text).substr(whole))) {
      throw Error("--resume: " + path + ": its last line is not of a game; give another file name");
    }
    // The game of an incomplete last line is played again.
    if (whole < text->size() && ftruncate(descriptor_, static_cast<off_t>(whole)) != 0) {
      throw Error("--resume: cannot write " + path + ": " + std::strerror(errno));
    }
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

TournamentLog::~TournamentLog() { close(descriptor_); }

void TournamentLog::read(const std::string& text) {
  std::set<std::size_t> seen;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string where = fmt::format("--resume: {}: line {}", path_, ++number);
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

void TournamentLog::append(const TournamentResult& result) {
  const std::string line = to_line(tournament_, result) + '\n';
  const off_t size = lseek(descriptor_, 0, SEEK_END);
  for (std::size_t written = 0; written < line.size();) {
    const ssize_t count = ::write(descriptor_, line.data() + written, line.size() - written);
    if (count < 0 && errno != EINTR) {
      const std::string why = std::strerror(errno);
      // Other games' results must not be appended to the part.
      if (size >= 0) std::ignore = ftruncate(descriptor_, size);
      throw Error("--resume: cannot write " + path_ + ": " + why);
    }
    if (count > 0) written += static_cast<std::size_t>(count);
  }
}

}  // namespace forkmunk::referee
