#include "message_reader.h"

#include <forkmunk/engine/command.h>
#include <forkmunk/io/json_writer.h>
#include <forkmunk/io/message_lines.h>
#include <forkmunk/io/recording_reader.h>

#include <array>

namespace forkmunk::io {
namespace {

formats::NewMatchMessage read_new_match(JsonValue params, const FieldPath& path) {
  static constexpr std::array kKeys{FieldKey{"my_lives"}, FieldKey{"enemy_lives"}, FieldKey{"proto_map"},
                                    FieldKey{"proto_car"}};
  JsonObject object = read_object(params, path);
  formats::NewMatchMessage message;
  read_fields(object, path, kKeys, [&](JsonValue value, std::size_t index, const FieldPath& field_path) {
    switch (index) {
      case 0: message.my_lives = static_cast<int>(read_integer(value, field_path, 0, kLivesMax)); break;
      case 1: message.enemy_lives = static_cast<int>(read_integer(value, field_path, 0, kLivesMax)); break;
      case 2: message.setup.map = read_map(value, field_path); break;
      default: message.setup.car = read_car(value, field_path);
    }
  });
  engine::validate(message.setup);
  return message;
}

formats::TickMessage read_tick(JsonValue params, const FieldPath& path) {
  static constexpr std::array kKeys{FieldKey{"my_car"}, FieldKey{"enemy_car"}, FieldKey{"deadline_position"}};
  JsonObject object = read_object(params, path);
  formats::TickMessage message;
  read_fields(object, path, kKeys, [&](JsonValue value, std::size_t index, const FieldPath& field_path) {
    switch (index) {
      case 0: message.my_car = read_car_state(value, field_path); break;
      case 1: message.enemy_car = read_car_state(value, field_path); break;
      default: message.deadline_position = read_number(value, field_path);
    }
  });
  if (message.my_car.side == message.enemy_car.side) {
    throw MessageError(path, "found both cars on one side, expected my_car[2] and enemy_car[2] to be 1 and -1");
  }
  return message;
}

}  // namespace

formats::Message parse_message(std::string_view line) {
  const simdjson::padded_string padded(line);
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document;
  JsonObject object;
  simdjson::error_code error = parser.iterate(padded).get(document);
  if (error == simdjson::SUCCESS) error = document.get_object().get(object);
  if (error != simdjson::SUCCESS) {
    throw MessageError({}, "found \"" + excerpt(line) + "\", expected a JSON object: " + error_message(error));
  }
  std::string type;
  formats::Message message;
  const auto on_type = [&](JsonValue value, const FieldPath& path) {
    type = read_text(value, path);
    if (type != "tick" && type != "new_match") {
      throw MessageError(path, "found \"" + excerpt(type) + R"(", expected "new_match" or "tick")");
    }
  };
  const auto on_params = [&](JsonValue params, const FieldPath& path) {
    if (type == "tick") {
      message = read_tick(params, path);
    } else {
      message = read_new_match(params, path);
    }
  };
  read_typed(object, on_type, on_params);
  return message;
}

std::string to_line(const formats::NewMatchMessage& message) {
  JsonWriter line;
  line.text(R"({"type":"new_match","params":{"my_lives":)").number(message.my_lives);
  line.field("enemy_lives", message.enemy_lives).text(R"(,"proto_map":)").map(message.setup.map);
  return line.text(R"(,"proto_car":)").car_setup(message.setup.car).text("}}").take();
}

std::string to_line(const formats::TickMessage& message) {
  JsonWriter line;
  line.text(R"({"type":"tick","params":{"my_car":)").car(message.my_car);
  line.text(R"(,"enemy_car":)").car(message.enemy_car);
  return line.field("deadline_position", message.deadline_position).text("}}").take();
}

}  // namespace forkmunk::io
