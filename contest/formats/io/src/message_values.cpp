// SPDX-License-Identifier: MIT
#include "message_values.h"

#include <forkmunk/base/excerpt.h>
#include <forkmunk/io/message_lines.h>
#include <forkmunk/io/recording_reader.h>

#include <array>
#include <vector>

namespace forkmunk::io {
namespace {

constexpr std::int64_t kIntegerMax = std::int64_t{1} << 53;  // doubles represent every integer up to this one

template <std::size_t count>
std::array<double, count> read_numbers(JsonValue value, const FieldPath& path) {
  std::array<double, count> numbers{};
  const auto read = [&](JsonValue entry, std::size_t index, const FieldPath& entry_path) {
    numbers[index] = read_number(entry, entry_path);
  };
  read_entries(value, path, {count, count}, read);
  return numbers;
}

engine::Vec2 read_vec2(JsonValue value, const FieldPath& path) {
  const auto [x, y] = read_numbers<2>(value, path);
  return {x, y};
}

formats::RecordedBody read_body(JsonValue value, const FieldPath& path) {
  const auto [x, y, angle] = read_numbers<3>(value, path);
  return {{x, y}, angle};
}

/// Reads [[x, y], [x, y], radius].
engine::Segment read_segment(JsonValue value, const FieldPath& path) {
  engine::Segment segment;
  const auto read = [&](JsonValue entry, std::size_t index, const FieldPath& entry_path) {
    if (index == 2) {
      segment.radius = read_number(entry, entry_path);
    } else {
      (index == 0 ? segment.a : segment.b) = read_vec2(entry, entry_path);
    }
  };
  read_entries(value, path, {3, 3}, read);
  return segment;
}

int read_side(JsonValue value, const FieldPath& path) {
  const double side = read_number(value, path);
  if (side != 1 && side != -1) throw JsonError(path, "found " + describe(value) + ", expected 1 or -1");
  return side == 1 ? 1 : -1;
}

void read_value(JsonValue value, const FieldPath& path, double& target) { target = read_number(value, path); }
void read_value(JsonValue value, const FieldPath& path, bool& target) { target = read_bool(value, path); }
void read_value(JsonValue value, const FieldPath& path, engine::Vec2& target) { target = read_vec2(value, path); }
void read_value(JsonValue value, const FieldPath& path, std::int64_t& target) {
  target = read_integer(value, path, -kIntegerMax, kIntegerMax);
}
void read_value(JsonValue value, const FieldPath& path, engine::Drive& target) {
  target = static_cast<engine::Drive>(read_integer(value, path, 1, 3));
}
void read_value(JsonValue value, const FieldPath& path, std::vector<engine::Vec2>& target) {
  target = read_list(value, path, {0, engine::kPolygonVertexCountMax}, read_vec2);
}
void read_value(JsonValue value, const FieldPath& path, std::vector<engine::Segment>& target) {
  target = read_list(value, path, {0, engine::kSegmentCountMax}, read_segment);
}

void write_value(JsonWriter& json, double value) { json.number(value); }
void write_value(JsonWriter& json, std::int64_t value) { json.value(value); }
void write_value(JsonWriter& json, engine::Drive value) { json.value(static_cast<int>(value)); }
void write_value(JsonWriter& json, engine::Vec2 value) {
  json.list([&] { json.number(value.x).number(value.y); });
}
void write_value(JsonWriter& json, const formats::RecordedBody& body) {
  json.list([&] { json.number(body.position.x).number(body.position.y).number(body.angle); });
}
void write_value(JsonWriter& json, const engine::Segment& segment) {
  json.list([&] {
    write_value(json, segment.a);
    write_value(json, segment.b);
    json.number(segment.radius);
  });
}
template <typename Entry>
void write_value(JsonWriter& json, const std::vector<Entry>& entries) {
  json.list(entries, [&](const Entry& entry) { write_value(json, entry); });
}

template <typename Value>
void write_field(JsonWriter& json, std::string_view key, const Value& value) {
  write_value(json.key(key), value);
}
/// Omits a flag that is not set, as the contest's messages do.
void write_field(JsonWriter& json, std::string_view key, bool value) {
  if (value) json.field(key, true);
}

template <typename Target>
struct TableField : FieldKey {
  void (*read)(JsonValue value, const FieldPath& path, Target& target);
  void (*write)(JsonWriter& json, std::string_view key, const Target& source);
};

template <typename Target, auto... members>
constexpr TableField<Target> field(std::string_view name, bool required = true) {
  return {
      {name, required},
      [](JsonValue value, const FieldPath& path, Target& target) { read_value(value, path, (target.*....*members)); },
      [](JsonWriter& json, std::string_view key, const Target& source) {
        write_field(json, key, (source.*....*members));
      }};
}

constexpr bool kOptional = false;

using Map = engine::MapSetup;
constexpr std::array kMapFields{
    field<Map, &Map::external_id>("external_id"),
    field<Map, &Map::segments>("segments"),
};

using Car = engine::CarSetup;
using Wheel = engine::WheelSetup;
#define FORKMUNK_WHEEL_FIELDS(wheel)                                                                                \
  field<Car, &Car::wheel, &Wheel::mass>(#wheel "_mass"), field<Car, &Car::wheel, &Wheel::radius>(#wheel "_radius"), \
      field<Car, &Car::wheel, &Wheel::position>(#wheel "_position"),                                                \
      field<Car, &Car::wheel, &Wheel::friction>(#wheel "_friction"),                                                \
      field<Car, &Car::wheel, &Wheel::elasticity>(#wheel "_elasticity"),                                            \
      field<Car, &Car::wheel, &Wheel::joint>(#wheel "_joint", kOptional),                                           \
      field<Car, &Car::wheel, &Wheel::groove_offset>(#wheel "_groove_offset", kOptional),                           \
      field<Car, &Car::wheel, &Wheel::damp_position>(#wheel "_damp_position"),                                      \
      field<Car, &Car::wheel, &Wheel::damp_length>(#wheel "_damp_length"),                                          \
      field<Car, &Car::wheel, &Wheel::damp_stiffness>(#wheel "_damp_stiffness"),                                    \
      field<Car, &Car::wheel, &Wheel::damp_damping>(#wheel "_damp_damping")
constexpr std::array kCarFields{
    field<Car, &Car::body_poly>("car_body_poly"),
    field<Car, &Car::button_poly>("button_poly"),
    field<Car, &Car::external_id>("external_id"),
    field<Car, &Car::body_mass>("car_body_mass"),
    field<Car, &Car::body_friction>("car_body_friction"),
    field<Car, &Car::body_elasticity>("car_body_elasticity"),
    field<Car, &Car::max_speed>("max_speed"),
    field<Car, &Car::max_angular_speed>("max_angular_speed", kOptional),
    field<Car, &Car::torque>("torque"),
    field<Car, &Car::drive>("drive"),
    FORKMUNK_WHEEL_FIELDS(rear_wheel),
    FORKMUNK_WHEEL_FIELDS(front_wheel),
    field<Car, &Car::squared_wheels>("squared_wheels", kOptional),
};

template <typename Target, std::size_t count>
Target read_by_table(JsonValue value, const FieldPath& path, const std::array<TableField<Target>, count>& fields) {
  Target target;
  JsonObject object = read_object(value, path);
  read_fields(object, path, fields, [&](JsonValue field, std::size_t index, const FieldPath& field_path) {
    fields[index].read(field, field_path, target);
  });
  return target;
}

template <typename Source, std::size_t count>
void write_by_table(JsonWriter& json, const Source& source, const std::array<TableField<Source>, count>& fields) {
  json.object([&] {
    for (const TableField<Source>& each : fields) each.write(json, each.key, source);
  });
}

}  // namespace

int read_life_count(JsonValue value, const FieldPath& path) {
  return static_cast<int>(read_integer(value, path, 0, kLivesMax));
}

engine::MapSetup read_map(JsonValue proto_map, const FieldPath& path) {
  return read_by_table(proto_map, path, kMapFields);
}

engine::CarSetup read_car(JsonValue proto_car, const FieldPath& path) {
  return read_by_table(proto_car, path, kCarFields);
}

formats::RecordedCar read_car_state(JsonValue state, const FieldPath& path) {
  formats::RecordedCar car;
  const auto read = [&](JsonValue entry, std::size_t index, const FieldPath& entry_path) {
    switch (index) {
      case 0: car.body.position = read_vec2(entry, entry_path); break;
      case 1: car.body.angle = read_number(entry, entry_path); break;
      case 2: car.side = read_side(entry, entry_path); break;
      case 3: car.rear_wheel = read_body(entry, entry_path); break;
      case 4: car.front_wheel = read_body(entry, entry_path); break;
      default: car.alive = read_bool(entry, entry_path);
    }
  };
  read_entries(state, path, {5, 6}, read);
  return car;
}

void write_map(JsonWriter& json, const engine::MapSetup& map) { write_by_table(json, map, kMapFields); }

void write_car_setup(JsonWriter& json, const engine::CarSetup& car) { write_by_table(json, car, kCarFields); }

void write_car_state(JsonWriter& json, const formats::RecordedCar& car) {
  json.list([&] {
    write_value(json, car.body.position);
    json.number(car.body.angle).value(car.side);
    write_value(json, car.rear_wheel);
    write_value(json, car.front_wheel);
    if (car.alive) json.value(*car.alive);
  });
}

namespace {

formats::NewMatchMessage read_new_match(JsonValue params, const FieldPath& path) {
  formats::NewMatchMessage message;
  read_object(params, path, read_into("my_lives", message.my_lives, read_life_count),
              read_into("enemy_lives", message.enemy_lives, read_life_count),
              read_into("proto_map", message.setup.map, read_map), read_into("proto_car", message.setup.car, read_car));
  engine::validate(message.setup);
  return message;
}

formats::TickMessage read_tick(JsonValue params, const FieldPath& path) {
  formats::TickMessage message;
  read_object(params, path, read_into("my_car", message.my_car, read_car_state),
              read_into("enemy_car", message.enemy_car, read_car_state),
              read_into("deadline_position", message.deadline_position, read_number));
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
