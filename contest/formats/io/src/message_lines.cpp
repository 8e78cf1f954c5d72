// SPDX-License-Identifier: MIT
#include "message_values.h"

#include <forkmunk/base/excerpt.h>
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
    throw JsonError(path, "my_car[2] and enemy_car[2] are equal; one must be 1, the other -1");
  }
  return message;
}

}  // namespace

formats::Message parse_message(std::string_view line) {
  std::string type;
  formats::Message message;
  const auto on_type = [&](JsonValue value, const FieldPath& path) {
    type = read_text(value, path);
    if (type != "tick" && type != "new_match") {
      throw JsonError(path, "found \"" + excerpt(type) + R"(", expected "new_match" or "tick")");
    }
  };
  const auto on_params = [&](JsonValue params, const FieldPath& path) {
    if (type == "tick") {
      message = read_tick(params, path);
    } else {
      message = read_new_match(params, path);
    }
  };
  JsonDocument(std::string(line)).read([&](JsonObject& object) { read_typed(object, on_type, on_params); });
  return message;
}

std::string to_line(const formats::NewMatchMessage& message) {
  JsonWriter json;
  json.object([&] {
    json.field("type", "new_match").key("params").object([&] {
      json.field("my_lives", message.my_lives).field("enemy_lives", message.enemy_lives);
      write_map(json.key("proto_map"), message.setup.map);
      write_car_setup(json.key("proto_car"), message.setup.car);
    });
  });
  return json.take();
}

std::string to_line(const formats::TickMessage& message) {
  JsonWriter json;
  json.object([&] {
    json.field("type", "tick").key("params").object([&] {
      write_car_state(json.key("my_car"), message.my_car);
      write_car_state(json.key("enemy_car"), message.enemy_car);
      json.key("deadline_position").number(message.deadline_position);
    });
  });
  return json.take();
}

}  // namespace forkmunk::io
