#include "json_brackets.h"
#include "message_reader.h"

#include <forkmunk/io/recording_reader.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace forkmunk::io {
namespace {

std::string at_byte(std::size_t offset) { return " at byte " + std::to_string(offset) + " of the text"; }

/// Where the object that `text` begins with is closed: the offset of the byte after it, or nothing if it is not.
std::optional<std::size_t> end_of_object(std::string_view text) {
  std::optional<std::size_t> end;
  for_each_bracket(text, [&end](std::size_t i, std::size_t depth) {
    if (depth == 0) end = i + 1;
    return depth > 0;
  });
  return end;
}

/// Where the first byte is that does not belong to UTF-8; the text's size if there is none.
std::size_t first_bad_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    const std::string_view character = text.substr(at, length);
    if (length > 1 && !simdjson::validate_utf8(character)) return at;
    at += length;
  }
  return at;
}

std::optional<engine::Command> read_command(JsonValue value, const FieldPath& path) {
  if (is_null(value)) return std::nullopt;
  std::string_view word;
  std::optional<engine::Command> command;
  if (value.get_string().get(word) == simdjson::SUCCESS) command = engine::parse_command(word);
  if (!command) {
    throw MessageError(path, "found " + describe(value) + R"(, expected "left", "stop", "right" or null)");
  }
  return command;
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

/// Reads one recording's text.
class RecordingReader {
 public:
  /// `text` is followed by SIMDJSON_PADDING bytes that may be read, and outlives the reader.
  RecordingReader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  formats::Recording read() {
    try {
      read_document();
    } catch (const MessageError& error) {
      fail(event() + error.what() + (error.broken_json() ? place() : ""));
    } catch (const engine::InvalidSetup& error) {
      fail(event() + "params." + error.what());
    }
    assign_commands();
    return std::move(recording_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const { throw RecordingError(name_ + ": " + problem); }
  [[nodiscard]] std::string event() const;
  [[nodiscard]] std::string place();

  JsonObject open_document();
  void read_document();
  void expect_nothing_after(std::size_t end) const;
  void read_config(JsonValue config, const FieldPath& path);
  void read_events(JsonValue visio_info, const FieldPath& path);
  void read_event(JsonObject& event);
  void read_type(JsonValue type, const FieldPath& path);
  void read_params(JsonValue params, const FieldPath& path);
  void read_new_match(JsonValue params, const FieldPath& path);
  void read_tick(JsonValue params, const FieldPath& path);
  void read_commands(JsonValue commands, const FieldPath& path);
  void assign_commands();

  std::string_view text_;
  std::string name_;
  simdjson::ondemand::parser parser_;
  simdjson::ondemand::document document_;
  std::optional<std::size_t> event_index_;  // of the event that is being read
  std::string_view event_type_;
  formats::Recording recording_;
  std::vector<formats::RecordedCommands> commands_;
};

std::string RecordingReader::event() const {
  if (!event_index_) return {};
  const std::string type = event_type_.empty() ? "" : " (" + excerpt(event_type_) + ")";
  return "event " + std::to_string(*event_index_) + type + ": ";
}

/// Where broken JSON was seen, to go on after "found broken JSON".
std::string RecordingReader::place() {
  const char* location = nullptr;
  if (document_.current_location().get(location) != simdjson::SUCCESS) location = text_.data() + text_.size();
  const auto offset = static_cast<std::size_t>(location - text_.data());
  return at_byte(std::min(offset, text_.size())) + ", expected a comma, a key, a value or a closing bracket";
}

JsonObject RecordingReader::open_document() {
  const std::size_t start = text_.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) fail("found no text, expected a recording");
  if (text_[start] != '{') fail("found \"" + excerpt(text_.substr(start)) + "\", expected gzip data or a JSON object");
  const simdjson::padded_string_view padded(text_.data(), text_.size(), text_.size() + simdjson::SIMDJSON_PADDING);
  simdjson::error_code error = parser_.iterate(padded).get(document_);
  if (error == simdjson::UTF8_ERROR) fail("found broken UTF-8" + at_byte(first_bad_utf8(text_)) + ", expected JSON");
  if (error == simdjson::UNCLOSED_STRING) {
    fail("found the end inside a string" + at_byte(text_.size()) + ", expected a closing quote");
  }
  JsonObject root;
  if (error == simdjson::SUCCESS) error = document_.get_object().get(root);
  if (error == simdjson::INCOMPLETE_ARRAY_OR_OBJECT) {
    const std::optional<std::size_t> end = end_of_object(text_);
    if (end) expect_nothing_after(*end);
    fail("found the end inside an object or a list" + at_byte(text_.size()) + ", expected a closing bracket");
  }
  if (error != simdjson::SUCCESS) fail(std::string("found broken JSON, expected an object: ") + error_message(error));
  return root;
}

void RecordingReader::expect_nothing_after(std::size_t end) const {
  const std::size_t start = text_.find_first_not_of(" \t\r\n", end);
  if (start == std::string_view::npos) return;
  fail("found \"" + excerpt(text_.substr(start)) + "\"" + at_byte(start) + ", expected nothing after the JSON object");
}

void RecordingReader::read_document() {
  static constexpr std::array kKeys{FieldKey{"config"}, FieldKey{"visio_info"}, FieldKey{"commands", false}};
  JsonObject root = open_document();
  read_fields(root, {}, kKeys, [&](JsonValue value, std::size_t index, const FieldPath& path) {
    switch (index) {
      case 0: read_config(value, path); break;
      case 1: read_events(value, path); break;
      default: read_commands(value, path);
    }
  });
  const char* rest = nullptr;
  if (document_.current_location().get(rest) == simdjson::SUCCESS) {
    expect_nothing_after(static_cast<std::size_t>(rest - text_.data()));
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
      throw MessageError(player_path, "found " + describe(id) + ", expected a text or a number");
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
  read_entries(visio_info, path, {0, text_.size()}, read);
}

void RecordingReader::read_event(JsonObject& event) {
  read_typed(
      event, [&](JsonValue type, const FieldPath& path) { read_type(type, path); },
      [&](JsonValue params, const FieldPath& path) { read_params(params, path); });
}

void RecordingReader::read_type(JsonValue type, const FieldPath& path) {
  event_type_ = read_text(type, path);
  if (event_type_ != "tick" && event_type_ != "new_match" && event_type_ != "end_game") {
    throw MessageError(path, "found " + describe(type) + R"(, expected "new_match", "tick" or "end_game")");
  }
  if (recording_.ended()) throw MessageError(path, "found an event after end_game, expected none");
  if (event_type_ == "tick" && recording_.matches.empty()) {
    throw MessageError(path, "found a tick, expected a new_match before any tick");
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
  read_entries(commands, path, {0, text_.size()}, read_pair);
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

formats::Recording parse_recording_text(std::string text, std::string_view name) {
  const std::size_t size = text.size();
  text.resize(size + simdjson::SIMDJSON_PADDING);
  return RecordingReader({text.data(), size}, name).read();
}

}  // namespace forkmunk::io
