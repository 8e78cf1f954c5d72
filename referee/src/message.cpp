#include <forkmunk/referee/message.h>

#include <forkmunk/engine/command.h>
#include <forkmunk/referee/recording_reader.h>

#include <array>
#include <charconv>

#include "message_reader.h"

namespace forkmunk::referee {
namespace {

using engine::Vec2;

NewMatchMessage read_new_match(JsonValue params, const FieldPath& path) {
  static constexpr std::array kKeys{FieldKey{"my_lives"}, FieldKey{"enemy_lives"}, FieldKey{"proto_map"},
                                    FieldKey{"proto_car"}};
  JsonObject object = read_object(params, path);
  NewMatchMessage message;
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

TickMessage read_tick(JsonValue params, const FieldPath& path) {
  static constexpr std::array kKeys{FieldKey{"my_car"}, FieldKey{"enemy_car"}, FieldKey{"deadline_position"}};
  JsonObject object = read_object(params, path);
  TickMessage message;
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

// Writes JSON whose numbers read back to the same doubles.
class LineWriter {
 public:
  LineWriter& text(std::string_view raw) {
    line_ += raw;
    return *this;
  }
  LineWriter& number(double value) {
    std::array<char, 32> digits;
    line_.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
    return *this;
  }
  LineWriter& field(std::string_view key, double value) { return text(",\"").text(key).text("\":").number(value); }
  LineWriter& field(std::string_view key, Vec2 value) { return text(",\"").text(key).text("\":").vec2(value); }
  LineWriter& vec2(Vec2 value) { return text("[").number(value.x).text(",").number(value.y).text("]"); }

  template <typename Items, typename Write>
  LineWriter& list(const Items& items, Write write) {
    const char* separator = "[";
    for (const auto& item : items) {
      text(separator);
      write(item);
      separator = ",";
    }
    return text(items.empty() ? "[]" : "]");
  }

  LineWriter& polygon(std::string_view key, const std::vector<Vec2>& vertices) {
    text("\"").text(key).text("\":");
    return list(vertices, [&](Vec2 vertex) { vec2(vertex); });
  }

  LineWriter& body(const RecordedBody& body) {
    return text("[").number(body.position.x).text(",").number(body.position.y).text(",").number(body.angle).text("]");
  }

  LineWriter& car(const RecordedCar& car) {
    text("[").vec2(car.position).text(",").number(car.angle).text(",").number(car.side).text(",");
    return body(car.rear_wheel).text(",").body(car.front_wheel).text("]");
  }

  LineWriter& wheel(const std::string& prefix, const engine::WheelSetup& wheel) {
    field(prefix + "_wheel_mass", wheel.mass).field(prefix + "_wheel_radius", wheel.radius);
    field(prefix + "_wheel_position", wheel.position).field(prefix + "_wheel_friction", wheel.friction);
    field(prefix + "_wheel_elasticity", wheel.elasticity).field(prefix + "_wheel_joint", wheel.joint);
    field(prefix + "_wheel_groove_offset", wheel.groove_offset);
    field(prefix + "_wheel_damp_position", wheel.damp_position);
    field(prefix + "_wheel_damp_length", wheel.damp_length);
    field(prefix + "_wheel_damp_stiffness", wheel.damp_stiffness);
    return field(prefix + "_wheel_damp_damping", wheel.damp_damping);
  }

  [[nodiscard]] std::string take() { return std::move(line_); }

 private:
  std::string line_;
};

}  // namespace

Message parse_message(std::string_view line) {
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
  Message message;
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

std::string to_line(const NewMatchMessage& message) {
  const engine::CarSetup& car = message.setup.car;
  LineWriter line;
  line.text(R"({"type":"new_match","params":{"my_lives":)").number(message.my_lives);
  line.field("enemy_lives", message.enemy_lives);
  line.text(R"(,"proto_map":{"external_id":)").number(static_cast<double>(message.setup.map.external_id));
  line.text(R"(,"segments":)").list(message.setup.map.segments, [&](const engine::Segment& segment) {
    line.text("[").vec2(segment.a).text(",").vec2(segment.b).text(",").number(segment.radius).text("]");
  });
  line.text(R"(},"proto_car":{)").polygon("car_body_poly", car.body_poly).text(",");
  line.polygon("button_poly", car.button_poly).field("external_id", static_cast<double>(car.external_id));
  line.field("car_body_mass", car.body_mass).field("car_body_friction", car.body_friction);
  line.field("car_body_elasticity", car.body_elasticity).field("max_speed", car.max_speed);
  line.field("max_angular_speed", car.max_angular_speed).field("torque", car.torque);
  line.field("drive", static_cast<double>(car.drive));
  line.wheel("rear", car.rear_wheel).wheel("front", car.front_wheel);
  if (car.squared_wheels) line.text(R"(,"squared_wheels":true)");
  return line.text("}}}").take();
}

std::string to_line(const TickMessage& message) {
  LineWriter line;
  line.text(R"({"type":"tick","params":{"my_car":)").car(message.my_car);
  line.text(R"(,"enemy_car":)").car(message.enemy_car);
  return line.field("deadline_position", message.deadline_position).text("}}").take();
}

TickMessage message_for(engine::Player player, const RecordedTick& tick) {
  TickMessage message{tick.cars[index_of(player)], tick.cars[index_of(opponent_of(player))], tick.deadline_position};
  message.my_car.alive.reset();  // bots are not told
  message.enemy_car.alive.reset();
  return message;
}

NewMatchMessage message_for(engine::Player player, const RecordedMatch& match) {
  return {match.lives[index_of(player)], match.lives[index_of(opponent_of(player))], match.setup};
}

}  // namespace forkmunk::referee
