// SPDX-License-Identifier: MIT

#include "message_values.h"

#include <forkmunk/base/excerpt.h>
#include <forkmunk/io/json_reader.h>
#include <forkmunk/io/recording_extras.h>
#include <forkmunk/io/recording_reader.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace forkmunk::io {
namespace {

using formats::SearchTrace;

constexpr std::size_t kTextBytesMax = 400;
constexpr std::size_t kTermCountMax = 64;

std::string read_shown_text(JsonValue value, const FieldPath& path) {
  return is_null(value) ? std::string() : std::string(read_text(value, path).substr(0, kTextBytesMax));
}

double read_drawn(JsonValue value, const FieldPath& path) {
  const double number = read_number(value, path);
  if (std::abs(number) <= kDrawnMax) return number;
  throw JsonError(path, "found " + describe(value) + ", expected a number from -1e7 to 1e7");
}

std::vector<engine::Vec2> read_path(JsonValue value, const FieldPath& path) {
  std::vector<engine::Vec2> points;
  read_entries(value, path, {}, [&](JsonValue number, std::size_t index, const FieldPath& number_path) {
    if (index % 2 == 0) points.emplace_back();
    (index % 2 == 0 ? points.back().x : points.back().y) = read_drawn(number, number_path);
  });
  return points;
}

std::array<std::string, 2> read_shown_texts(JsonValue pair, const FieldPath& path) {
  return read_pair(pair, path, read_shown_text);
}

std::vector<std::string> read_term_names(JsonValue names, const FieldPath& path) {
  return read_list(names, path, {0, kTermCountMax}, read_shown_text);
}

SearchTrace::Term read_term(JsonValue value, const FieldPath& path) {
  return {{}, is_null(value) ? 0 : read_drawn(value, path)};
}

std::shared_ptr<SearchTrace> read_search_trace(JsonValue value, const FieldPath& path) {
  if (is_null(value)) return nullptr;
  auto trace = std::make_shared<SearchTrace>();
  read_entries(value, path, {6, 6}, [&](JsonValue entry, std::size_t index, const FieldPath& entry_path) {
    switch (index) {
      case 0:
        if (!is_null(entry)) trace->score = read_drawn(entry, entry_path);
        break;
      case 1: trace->ticks = static_cast<std::int64_t>(read_drawn(entry, entry_path)); break;
      case 2: trace->plan = read_shown_text(entry, entry_path); break;
      case 3: trace->terms = read_list(entry, entry_path, {0, kTermCountMax}, read_term); break;
      case 4: trace->path = read_path(entry, entry_path); break;
      default: trace->enemy_path = read_path(entry, entry_path);
    }
  });
  return trace;
}

// The names may follow the ticks in the file. Terms without a name are dropped.
std::vector<formats::SearchTraces> read_search_traces(JsonValue value, const FieldPath& path) {
  std::array<std::vector<std::string>, 2> names;
  std::vector<formats::SearchTraces> traces;
  std::vector<std::array<std::shared_ptr<SearchTrace>, 2>> ticks;
  const auto read_names = [&](JsonValue sides, const FieldPath& at) { return read_pair(sides, at, read_term_names); };
  const auto read_ticks = [&](JsonValue list, const FieldPath& at) {
    return read_list(list, at, {}, [](JsonValue pair, const FieldPath& pair_path) {
      return read_pair(pair, pair_path, read_search_trace);
    });
  };
  read_object(value, path, read_into("terms", names, read_names), read_into("ticks", ticks, read_ticks));
  for (const auto& pair : ticks) {
    for (std::size_t player = 0; player < 2; ++player) {
      if (pair[player] == nullptr) continue;
      std::vector<SearchTrace::Term>& terms = pair[player]->terms;
      terms.resize(std::min(terms.size(), names[player].size()));
      for (std::size_t i = 0; i < terms.size(); ++i) terms[i].name = names[player][i];
    }
    traces.push_back({pair[0], pair[1]});
  }
  return traces;
}

}  // namespace

RecordingExtras parse_extras_text(std::string text, std::string_view name) {
  RecordingExtras extras;
  const auto read_trace = [&](JsonValue trace, const FieldPath& path) {
    if (!is_null(trace)) extras.trace = read_list(trace, path, {}, read_shown_texts);
  };
  const auto read_thoughts = [&](JsonValue traces, const FieldPath& path) {
    if (!is_null(traces)) extras.search_traces = read_search_traces(traces, path);
  };
  try {
    JsonDocument(std::move(text)).read([&](JsonObject& root) {
      read_fields(root, {}, Field{"trace", read_trace, false}, Field{"thoughts", read_thoughts, false});
    });
  } catch (const JsonError& error) {
    throw RecordingError(std::string(name) + ": " + error.what());
  }
  return extras;
}

namespace {

std::optional<engine::Command> read_command(JsonValue value, const FieldPath& path) {
  if (is_null(value)) return std::nullopt;
  std::string_view word;
  std::optional<engine::Command> command;
  if (value.get_string().get(word) == simdjson::SUCCESS) command = engine::parse_command(word);
  if (!command) {
    throw JsonError(path, "found " + describe(value) + R"(, expected "left", "stop", "right" or null)");
  }
  return command;
}

formats::RecordedCommands read_commands(JsonValue pair, const FieldPath& path) {
  return is_null(pair) ? formats::RecordedCommands{} : read_pair(pair, path, read_command);
}

/// Reads {"1": …, "2": …}.
template <typename Entry>
std::array<Entry, 2> read_players(JsonValue value, const FieldPath& path, Entry (*read)(JsonValue, const FieldPath&)) {
  std::array<Entry, 2> players{};
  read_object(value, path, read_into("1", players[0], read), read_into("2", players[1], read));
  return players;
}

engine::Lives read_lives(JsonValue value, const FieldPath& path) { return read_players(value, path, read_life_count); }

std::array<formats::RecordedCar, 2> read_cars(JsonValue value, const FieldPath& path) {
  return read_players(value, path, read_car_state);
}

std::string read_player_id(JsonValue id, const FieldPath& path) {
  std::string_view text;
  double number = 0;
  if (id.get_string().get(text) == simdjson::SUCCESS) return std::string(text);
  if (id.get_double().get(number) == simdjson::SUCCESS) return describe(id);
  throw JsonError(path, "found " + describe(id) + ", expected a text or a number");
}

std::array<std::string, 2> read_config(JsonValue config, const FieldPath& path) {
  return read_players(config, path, read_player_id);
}

class RecordingReader {
 public:
  RecordingReader(std::string text, std::string_view name)
      : document_(std::move(text), "gzip data or a JSON object"), name_(name) {}

  formats::Recording read() {
    try {
      document_.read([this](JsonObject& root) { read_root(root); });
    } catch (const JsonError& error) {
      fail(event() + error.what());
    } catch (const engine::InvalidSetup& error) {
      fail(event() + "params." + error.what());
    }
    assign_commands();
    return std::move(recording_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const { throw RecordingError(name_ + ": " + problem); }
  [[nodiscard]] std::string event() const {
    if (!event_index_) return {};
    const std::string type = event_type_.empty() ? "" : " (" + excerpt(event_type_) + ")";
    return "event " + std::to_string(*event_index_) + type + ": ";
  }

  void read_root(JsonObject& root) {
    const auto read_visio_info = [&](JsonValue value, const FieldPath& path) { read_events(value, path); };
    const auto read_command_list = [&](JsonValue value, const FieldPath& path) {
      if (!is_null(value)) commands_ = read_list(value, path, {}, read_commands);
    };
    const auto read_matches = [&](JsonValue value, const FieldPath&) { read_match_names(value); };
    read_fields(root, {}, read_into("config", recording_.player_ids, read_config), Field{"visio_info", read_visio_info},
                Field{"commands", read_command_list, false}, Field{"matches", read_matches, false});
  }

  // Other programs may use this key too, so other forms are skipped.
  void read_match_names(JsonValue names) {
    simdjson::ondemand::array list;
    if (names.get_array().get(list) != simdjson::SUCCESS) return;
    for (auto entry : list) {
      std::string_view text;
      if (entry.get_string().get(text) != simdjson::SUCCESS) return recording_.match_names.clear();
      recording_.match_names.emplace_back(text);
    }
  }

  void read_events(JsonValue visio_info, const FieldPath& path) {
    const auto read = [&](JsonValue event, std::size_t index, const FieldPath& event_path) {
      JsonObject object = read_object(event, event_path);
      event_index_ = index;
      event_type_ = {};
      read_typed(
          object, [&](JsonValue type, const FieldPath& at) { read_type(type, at); },
          [&](JsonValue params, const FieldPath& at) { read_params(params, at); });
      event_index_.reset();
    };
    read_entries(visio_info, path, {}, read);
  }

  void read_type(JsonValue type, const FieldPath& path) {
    event_type_ = read_text(type, path);
    if (event_type_ != "tick" && event_type_ != "new_match" && event_type_ != "end_game") {
      throw JsonError(path, "found " + describe(type) + R"(, expected "new_match", "tick" or "end_game")");
    }
    if (recording_.ended()) throw JsonError(path, "found an event after end_game, the last event of a game");
    if (event_type_ == "tick" && recording_.matches.empty()) {
      throw JsonError(path, "found a tick before the first new_match");
    }
  }

  void read_params(JsonValue params, const FieldPath& path) {
    if (event_type_ == "tick") {
      read_tick(params, path);
    } else if (event_type_ == "new_match") {
      read_new_match(params, path);
    } else {
      recording_.final_lives = read_lives(params, path);
    }
  }

  void read_new_match(JsonValue params, const FieldPath& path) {
    formats::RecordedMatch match;
    read_object(params, path, read_into("lives", match.lives, read_lives),
                read_into("proto_map", match.setup.map, read_map), read_into("proto_car", match.setup.car, read_car));
    engine::validate(match.setup);
    recording_.matches.push_back(std::move(match));
  }

  void read_tick(JsonValue params, const FieldPath& path) {
    formats::RecordedTick tick;
    const auto read_tick_num = [](JsonValue value, const FieldPath& at) {
      return read_integer(value, at, 0, kTickNumMax);
    };
    read_object(params, path, read_into("cars", tick.cars, read_cars),
                read_into("deadline_position", tick.deadline_position, read_number),
                read_into("tick_num", tick.tick_num, read_tick_num));
    recording_.matches.back().ticks.push_back(tick);
  }

  void assign_commands() {
    recording_.has_commands = !commands_.empty();
    const bool by_position = commands_.size() == recording_.tick_count();
    std::size_t position = 0;
    for (formats::RecordedMatch& match : recording_.matches) {
      for (formats::RecordedTick& tick : match.ticks) {
        const std::size_t index = by_position ? position : static_cast<std::size_t>(tick.tick_num);
        if (index < commands_.size()) tick.commands = commands_[index];
        ++position;
      }
    }
    if (!by_position) recording_.commands_by_tick_num = std::move(commands_);
  }

  JsonDocument document_;
  std::string name_;
  std::optional<std::size_t> event_index_;
  std::string_view event_type_;
  formats::Recording recording_;
  std::vector<formats::RecordedCommands> commands_;
};

}  // namespace

formats::Recording parse_recording_text(std::string text, std::string_view name) {
  const std::string prefix = std::string(name) + ": ";
  if (text.starts_with("FMREC")) {
    throw RecordingError(prefix + "the recording of a scene, expected that of a game; see forkmunk scene");
  }
  if (text.starts_with("\x1F\x8B")) {
    throw RecordingError(prefix + "gzip data that contains gzip data; unpack the file once");
  }
  return RecordingReader(std::move(text), name).read();
}

void require_drawn(const formats::Recording& recording, std::string_view name) {
  const auto require = [&](std::size_t match, const formats::RecordedTick& tick, double value) {
    if (std::abs(value) <= kDrawnMax) return;
    JsonWriter number;
    throw RecordingError(std::string(name) + ": match " + std::to_string(match + 1) + ", tick_num " +
                         std::to_string(tick.tick_num) + ": found " + number.value(value).take() +
                         ", expected a number from -1e7 to 1e7");
  };
  for (std::size_t m = 0; m < recording.matches.size(); ++m) {
    for (const formats::RecordedTick& tick : recording.matches[m].ticks) {
      require(m, tick, tick.deadline_position);
      for (const formats::RecordedCar& car : tick.cars) {
        for (const formats::RecordedBody* body : car.parts()) {
          for (const double value : {body->position.x, body->position.y, body->angle}) require(m, tick, value);
        }
      }
    }
  }
}

}  // namespace forkmunk::io
