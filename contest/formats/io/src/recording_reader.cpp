// SPDX-License-Identifier: MIT

#include "message_values.h"

#include <forkmunk/base/excerpt.h>
#include <forkmunk/io/json_reader.h>
#include <forkmunk/io/recording_extras.h>
#include <forkmunk/io/recording_reader.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace forkmunk::io {
namespace {

using formats::SearchTrace;
using TermNames = std::array<std::vector<std::string>, 2>;

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

std::vector<engine::Vec2> read_path(JsonValue value, const FieldPath& path, std::size_t size_max) {
  std::vector<engine::Vec2> points;
  read_entries(value, path, {0, size_max}, [&](JsonValue number, std::size_t index, const FieldPath& number_path) {
    if (index % 2 == 0) points.emplace_back();
    (index % 2 == 0 ? points.back().x : points.back().y) = read_drawn(number, number_path);
  });
  return points;
}

class ExtrasReader {
 public:
  explicit ExtrasReader(std::size_t size_max) : size_max_(size_max) {}

  RecordingExtras read(JsonObject& root) {
    static constexpr std::array kKeys{FieldKey{"trace", false}, FieldKey{"thoughts", false}};
    read_fields(root, {}, kKeys, [&](JsonValue value, std::size_t index, const FieldPath& path) {
      if (is_null(value)) return;
      index == 0 ? read_trace(value, path) : read_search_traces(value, path);
    });
    return std::move(extras_);
  }

 private:
  void read_trace(JsonValue trace, const FieldPath& path) {
    read_entries(trace, path, {0, size_max_}, [&](JsonValue pair, std::size_t, const FieldPath& pair_path) {
      std::array<std::string, 2>& texts = extras_.trace.emplace_back();
      read_entries(pair, pair_path, {2, 2}, [&](JsonValue text, std::size_t player, const FieldPath& text_path) {
        texts[player] = read_shown_text(text, text_path);
      });
    });
  }

  void read_search_traces(JsonValue traces, const FieldPath& path) {
    static constexpr std::array kKeys{FieldKey{"terms"}, FieldKey{"ticks"}};
    JsonObject object = read_object(traces, path);
    read_fields(object, path, kKeys, [&](JsonValue value, std::size_t index, const FieldPath& value_path) {
      index == 0 ? read_terms(value, value_path) : read_ticks(value, value_path);
    });
    for (formats::SearchTraces& pair : extras_.search_traces) name_terms(pair);
  }

  void read_terms(JsonValue sides, const FieldPath& path) {
    read_entries(sides, path, {2, 2}, [&](JsonValue names, std::size_t player, const FieldPath& names_path) {
      read_entries(names, names_path, {0, kTermCountMax}, [&](JsonValue name, std::size_t, const FieldPath& name_path) {
        names_[player].push_back(read_shown_text(name, name_path));
      });
    });
  }

  void read_ticks(JsonValue ticks, const FieldPath& path) {
    read_entries(ticks, path, {0, size_max_}, [&](JsonValue pair, std::size_t, const FieldPath& pair_path) {
      formats::SearchTraces& traces = extras_.search_traces.emplace_back();
      read_entries(pair, pair_path, {2, 2}, [&](JsonValue trace, std::size_t player, const FieldPath& trace_path) {
        if (!is_null(trace)) traces[player] = read_search_trace(trace, trace_path);
      });
    });
  }

  [[nodiscard]] std::shared_ptr<const SearchTrace> read_search_trace(JsonValue value, const FieldPath& path) const {
    auto trace = std::make_shared<SearchTrace>();
    read_entries(value, path, {6, 6}, [&](JsonValue entry, std::size_t index, const FieldPath& entry_path) {
      switch (index) {
        case 0:
          if (!is_null(entry)) trace->score = read_drawn(entry, entry_path);
          break;
        case 1: trace->ticks = static_cast<std::int64_t>(read_drawn(entry, entry_path)); break;
        case 2: trace->plan = read_shown_text(entry, entry_path); break;
        case 3:
          read_entries(entry, entry_path, {0, kTermCountMax}, [&](JsonValue term, std::size_t, const FieldPath& at) {
            trace->terms.push_back({{}, is_null(term) ? 0 : read_drawn(term, at)});
          });
          break;
        case 4: trace->path = read_path(entry, entry_path, size_max_); break;
        default: trace->enemy_path = read_path(entry, entry_path, size_max_);
      }
    });
    return trace;
  }

  // The names may follow the ticks in the file. Terms without a name are dropped.
  void name_terms(formats::SearchTraces& pair) const {
    for (std::size_t player = 0; player < 2; ++player) {
      if (pair[player] == nullptr) continue;
      SearchTrace named = *pair[player];
      named.terms.resize(std::min(named.terms.size(), names_[player].size()));
      for (std::size_t i = 0; i < named.terms.size(); ++i) named.terms[i].name = names_[player][i];
      pair[player] = std::make_shared<const SearchTrace>(std::move(named));
    }
  }

  std::size_t size_max_;
  RecordingExtras extras_;
  TermNames names_;
};

}  // namespace

RecordingExtras parse_extras_text(std::string text, std::string_view name) {
  ExtrasReader reader(text.size());
  try {
    RecordingExtras extras;
    JsonDocument(std::move(text)).read([&](JsonObject& root) { extras = reader.read(root); });
    return extras;
  } catch (const JsonError& error) {
    throw RecordingError(std::string(name) + ": " + error.what());
  }
}

namespace {

constexpr EntryCount kAnyNumber{0, std::numeric_limits<std::size_t>::max()};

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

/// Reads {"1": …, "2": …}: calls read(value, index_of(player), path).
template <typename Read>
void read_players(JsonValue pair, const FieldPath& path, Read&& read) {
  static constexpr std::array kKeys{FieldKey{"1"}, FieldKey{"2"}};
  JsonObject object = read_object(pair, path);
  read_fields(object, path, kKeys, read);
}

engine::Lives read_lives(JsonValue value, const FieldPath& path) {
  engine::Lives lives{};
  read_players(value, path, [&](JsonValue count, std::size_t player, const FieldPath& player_path) {
    lives[player] = static_cast<int>(read_integer(count, player_path, 0, kLivesMax));
  });
  return lives;
}

std::array<formats::RecordedCar, 2> read_cars(JsonValue value, const FieldPath& path) {
  std::array<formats::RecordedCar, 2> cars;
  read_players(value, path, [&](JsonValue state, std::size_t player, const FieldPath& player_path) {
    cars[player] = read_car_state(state, player_path);
  });
  return cars;
}

class RecordingReader {
 public:
  RecordingReader(std::string text, std::string_view name, std::vector<std::string>* match_names)
      : document_(std::move(text), "gzip data or a JSON object"), name_(name), match_names_(match_names) {}

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
  [[nodiscard]] std::string event() const;

  void read_root(JsonObject& root);
  void read_config(JsonValue config, const FieldPath& path);
  void read_events(JsonValue visio_info, const FieldPath& path);
  void read_event(JsonObject& event);
  void read_type(JsonValue type, const FieldPath& path);
  void read_params(JsonValue params, const FieldPath& path);
  void read_new_match(JsonValue params, const FieldPath& path);
  void read_tick(JsonValue params, const FieldPath& path);
  void read_commands(JsonValue commands, const FieldPath& path);
  void read_match_names(JsonValue names);
  void assign_commands();

  JsonDocument document_;
  std::string name_;
  std::vector<std::string>* match_names_;  // may be null
  std::optional<std::size_t> event_index_;
  std::string_view event_type_;
  formats::Recording recording_;
  std::vector<formats::RecordedCommands> commands_;
};

std::string RecordingReader::event() const {
  if (!event_index_) return {};
  const std::string type = event_type_.empty() ? "" : " (" + excerpt(event_type_) + ")";
  return "event " + std::to_string(*event_index_) + type + ": ";
}

void RecordingReader::read_root(JsonObject& root) {
  static constexpr std::array kKeys{FieldKey{"config"}, FieldKey{"visio_info"}, FieldKey{"commands", false},
                                    FieldKey{"matches", false}};
  read_fields(root, {}, kKeys, [&](JsonValue value, std::size_t index, const FieldPath& path) {
    switch (index) {
      case 0: read_config(value, path); break;
      case 1: read_events(value, path); break;
      case 2: read_commands(value, path); break;
      default: read_match_names(value);
    }
  });
}

// Other programs may use this key too, so other forms are skipped.
void RecordingReader::read_match_names(JsonValue names) {
  simdjson::ondemand::array list;
  if (match_names_ == nullptr || names.get_array().get(list) != simdjson::SUCCESS) return;
  for (auto entry : list) {
    std::string_view text;
    if (entry.get_string().get(text) != simdjson::SUCCESS) return match_names_->clear();
    match_names_->emplace_back(text);
  }
}

void RecordingReader::read_config(JsonValue config, const FieldPath& path) {
  read_players(config, path, [&](JsonValue id, std::size_t player, const FieldPath& player_path) {
    std::string_view text;
    double number = 0;
    if (id.get_string().get(text) == simdjson::SUCCESS) {
      recording_.player_ids[player] = text;
    } else if (id.get_double().get(number) == simdjson::SUCCESS) {
      recording_.player_ids[player] = describe(id);
    } else {
      throw JsonError(player_path, "found " + describe(id) + ", expected a text or a number");
    }
  });
}

void RecordingReader::read_events(JsonValue visio_info, const FieldPath& path) {
  const auto read = [&](JsonValue event, std::size_t index, const FieldPath& event_path) {
    JsonObject object = read_object(event, event_path);
    event_index_ = index;
    event_type_ = {};
    read_event(object);
    event_index_.reset();
  };
  read_entries(visio_info, path, kAnyNumber, read);
}

void RecordingReader::read_event(JsonObject& event) {
  read_typed(
      event, [&](JsonValue type, const FieldPath& path) { read_type(type, path); },
      [&](JsonValue params, const FieldPath& path) { read_params(params, path); });
}

void RecordingReader::read_type(JsonValue type, const FieldPath& path) {
  event_type_ = read_text(type, path);
  if (event_type_ != "tick" && event_type_ != "new_match" && event_type_ != "end_game") {
    throw JsonError(path, "found " + describe(type) + R"(, expected "new_match", "tick" or "end_game")");
  }
  if (recording_.ended()) throw JsonError(path, "found an event after end_game, the last event of a game");
  if (event_type_ == "tick" && recording_.matches.empty()) {
    throw JsonError(path, "found a tick before the first new_match");
  }
}

void RecordingReader::read_params(JsonValue params, const FieldPath& path) {
  if (event_type_ == "tick") {
    read_tick(params, path);
  } else if (event_type_ == "new_match") {
    read_new_match(params, path);
  } else {
    recording_.final_lives = read_lives(params, path);
  }
}

void RecordingReader::read_new_match(JsonValue params, const FieldPath& path) {
  static constexpr std::array kKeys{FieldKey{"lives"}, FieldKey{"proto_map"}, FieldKey{"proto_car"}};
  JsonObject object = read_object(params, path);
  formats::RecordedMatch match;
  read_fields(object, path, kKeys, [&](JsonValue value, std::size_t index, const FieldPath& field_path) {
    switch (index) {
      case 0: match.lives = read_lives(value, field_path); break;
      case 1: match.setup.map = read_map(value, field_path); break;
      default: match.setup.car = read_car(value, field_path);
    }
  });
  engine::validate(match.setup);
  recording_.matches.push_back(std::move(match));
}

void RecordingReader::read_tick(JsonValue params, const FieldPath& path) {
  static constexpr std::array kKeys{FieldKey{"cars"}, FieldKey{"deadline_position"}, FieldKey{"tick_num"}};
  JsonObject object = read_object(params, path);
  formats::RecordedTick tick;
  read_fields(object, path, kKeys, [&](JsonValue value, std::size_t index, const FieldPath& field_path) {
    switch (index) {
      case 0: tick.cars = read_cars(value, field_path); break;
      case 1: tick.deadline_position = read_number(value, field_path); break;
      default: tick.tick_num = read_integer(value, field_path, 0, kTickNumMax);
    }
  });
  recording_.matches.back().ticks.push_back(tick);
}

void RecordingReader::read_commands(JsonValue commands, const FieldPath& path) {
  if (is_null(commands)) return;
  const auto read_pair = [&](JsonValue pair, std::size_t, const FieldPath& pair_path) {
    formats::RecordedCommands& taken = commands_.emplace_back();
    if (is_null(pair)) return;
    read_entries(pair, pair_path, {2, 2}, [&](JsonValue command, std::size_t player, const FieldPath& command_path) {
      taken[player] = read_command(command, command_path);
    });
  };
  read_entries(commands, path, kAnyNumber, read_pair);
}

void RecordingReader::assign_commands() {
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

}  // namespace

formats::Recording parse_recording_text(std::string text, std::string_view name,
                                        std::vector<std::string>* match_names) {
  const std::string prefix = std::string(name) + ": ";
  if (text.starts_with("FMREC")) {
    throw RecordingError(prefix + "the recording of a scene, expected that of a game; see forkmunk scene");
  }
  if (text.starts_with("\x1F\x8B")) {
    throw RecordingError(prefix + "gzip data that contains gzip data; unpack the file once");
  }
  return RecordingReader(std::move(text), name, match_names).read();
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
