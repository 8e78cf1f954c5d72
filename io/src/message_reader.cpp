#include "message_reader.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace forkmunk::io {
namespace {

constexpr std::int64_t kIntegerMax = std::int64_t{1} << 53;  // up to here a double holds every integer

[[noreturn]] void throw_mismatch(JsonValue value, const FieldPath& path, const std::string& expected) {
  throw MessageError(path, "found " + describe(value) + ", expected " + expected);
}

template <typename Entry>
std::vector<Entry> read_list(JsonValue value, const FieldPath& path, std::size_t count_max,
                             Entry (*read_entry)(JsonValue, const FieldPath&)) {
  std::vector<Entry> list;
  read_entries(value, path, {0, count_max}, [&](JsonValue entry, std::size_t, const FieldPath& entry_path) {
    list.push_back(read_entry(entry, entry_path));
  });
  return list;
}

/// A list of exactly `count` numbers.
template <std::size_t count>
std::array<double, count> read_numbers(JsonValue value, const FieldPath& path) {
  std::array<double, count> numbers{};
  const auto read = [&](JsonValue entry, std::size_t index, const FieldPath& entry_path) {
    numbers[index] = read_number(entry, entry_path);
  };
  read_entries(value, path, {count, count}, read);
  return numbers;
}

formats::RecordedBody read_body(JsonValue value, const FieldPath& path) {
  const auto [x, y, angle] = read_numbers<3>(value, path);
  return {{x, y}, angle};
}

/// A segment: [[x, y], [x, y], radius].
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
  if (side != 1 && side != -1) throw_mismatch(value, path, "1 or -1");
  return side == 1 ? 1 : -1;
}

// One overload for each kind of member that a table below fills.
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
  target = read_list(value, path, engine::kPolygonVertexCountMax, read_vec2);
}
void read_value(JsonValue value, const FieldPath& path, std::vector<engine::Segment>& target) {
  target = read_list(value, path, engine::kSegmentCountMax, read_segment);
}

/// A key and how its value gets into a Target.
template <typename Target>
struct Field : FieldKey {
  void (*read)(JsonValue value, const FieldPath& path, Target& target);
};

/// Reads a value into the member, or the member's member, of a target.
template <typename Target, auto... members>
void read_into(JsonValue value, const FieldPath& path, Target& target) {
  read_value(value, path, (target.*....*members));
}

constexpr bool kOptional = false;

using Map = engine::MapSetup;
constexpr std::array kMapFields{
    Field<Map>{{"external_id"}, read_into<Map, &Map::external_id>},
    Field<Map>{{"segments"}, read_into<Map, &Map::segments>},
};

using Car = engine::CarSetup;
using Wheel = engine::WheelSetup;
template <auto member>
constexpr auto kReadCar = read_into<Car, member>;
template <auto member>
constexpr auto kReadRear = read_into<Car, &Car::rear_wheel, member>;
template <auto member>
constexpr auto kReadFront = read_into<Car, &Car::front_wheel, member>;
constexpr std::array kCarFields{
    Field<Car>{{"external_id"}, kReadCar<&Car::external_id>},
    Field<Car>{{"car_body_poly"}, kReadCar<&Car::body_poly>},
    Field<Car>{{"button_poly"}, kReadCar<&Car::button_poly>},
    Field<Car>{{"car_body_mass"}, kReadCar<&Car::body_mass>},
    Field<Car>{{"car_body_friction"}, kReadCar<&Car::body_friction>},
    Field<Car>{{"car_body_elasticity"}, kReadCar<&Car::body_elasticity>},
    Field<Car>{{"max_speed"}, kReadCar<&Car::max_speed>},
    Field<Car>{{"max_angular_speed", kOptional}, kReadCar<&Car::max_angular_speed>},
    Field<Car>{{"torque"}, kReadCar<&Car::torque>},
    Field<Car>{{"drive"}, kReadCar<&Car::drive>},
    Field<Car>{{"squared_wheels", kOptional}, kReadCar<&Car::squared_wheels>},
    Field<Car>{{"rear_wheel_mass"}, kReadRear<&Wheel::mass>},
    Field<Car>{{"rear_wheel_radius"}, kReadRear<&Wheel::radius>},
    Field<Car>{{"rear_wheel_position"}, kReadRear<&Wheel::position>},
    Field<Car>{{"rear_wheel_friction"}, kReadRear<&Wheel::friction>},
    Field<Car>{{"rear_wheel_elasticity"}, kReadRear<&Wheel::elasticity>},
    Field<Car>{{"rear_wheel_joint", kOptional}, kReadRear<&Wheel::joint>},
    Field<Car>{{"rear_wheel_groove_offset", kOptional}, kReadRear<&Wheel::groove_offset>},
    Field<Car>{{"rear_wheel_damp_position"}, kReadRear<&Wheel::damp_position>},
    Field<Car>{{"rear_wheel_damp_length"}, kReadRear<&Wheel::damp_length>},
    Field<Car>{{"rear_wheel_damp_stiffness"}, kReadRear<&Wheel::damp_stiffness>},
    Field<Car>{{"rear_wheel_damp_damping"}, kReadRear<&Wheel::damp_damping>},
    Field<Car>{{"front_wheel_mass"}, kReadFront<&Wheel::mass>},
    Field<Car>{{"front_wheel_radius"}, kReadFront<&Wheel::radius>},
    Field<Car>{{"front_wheel_position"}, kReadFront<&Wheel::position>},
    Field<Car>{{"front_wheel_friction"}, kReadFront<&Wheel::friction>},
    Field<Car>{{"front_wheel_elasticity"}, kReadFront<&Wheel::elasticity>},
    Field<Car>{{"front_wheel_joint", kOptional}, kReadFront<&Wheel::joint>},
    Field<Car>{{"front_wheel_groove_offset", kOptional}, kReadFront<&Wheel::groove_offset>},
    Field<Car>{{"front_wheel_damp_position"}, kReadFront<&Wheel::damp_position>},
    Field<Car>{{"front_wheel_damp_length"}, kReadFront<&Wheel::damp_length>},
    Field<Car>{{"front_wheel_damp_stiffness"}, kReadFront<&Wheel::damp_stiffness>},
    Field<Car>{{"front_wheel_damp_damping"}, kReadFront<&Wheel::damp_damping>},
};

template <typename Target, std::size_t count>
Target read_by_table(JsonValue value, const FieldPath& path, const std::array<Field<Target>, count>& fields) {
  Target target;
  JsonObject object = read_object(value, path);
  read_fields(object, path, fields, [&](JsonValue field, std::size_t index, const FieldPath& field_path) {
    fields[index].read(field, field_path, target);
  });
  return target;
}

}  // namespace

std::string FieldPath::text() const {
  if (parent_ == nullptr) return {};
  const std::string parent = parent_->text();
  if (key_.empty()) return parent + "[" + std::to_string(index_) + "]";
  return parent.empty() ? std::string(key_) : parent + "." + std::string(key_);
}

MessageError::MessageError(const FieldPath& path, const std::string& problem, bool broken_json)
    : Error((path.text().empty() ? "" : path.text() + ": ") + problem), broken_json_(broken_json) {}

std::string describe(JsonValue value) {
  const std::string_view token = value.raw_json_token();
  if (token.starts_with('[')) return "a list";
  if (token.starts_with('{')) return "an object";
  // The token reaches to the next one: the space between them belongs to neither.
  return excerpt(token.substr(0, token.find_last_not_of(" \t\r\n") + 1));
}

void throw_entry_count(const FieldPath& path, std::size_t found, EntryCount expected) {
  const std::string range = expected.min == expected.max
                                ? std::to_string(expected.max)
                                : std::to_string(expected.min) + " to " + std::to_string(expected.max);
  throw MessageError(path, "found " + std::to_string(found) + (found == 1 ? " entry" : " entries") +
                               (found > expected.max ? " or more" : "") + ", expected " + range);
}

JsonObject read_object(JsonValue value, const FieldPath& path) {
  simdjson::simdjson_result<JsonObject> object = value.get_object();
  if (object.error() == simdjson::INCORRECT_TYPE) throw_mismatch(value, path, "an object");
  return intact<JsonObject>(std::move(object), path);
}

JsonArray read_array(JsonValue value, const FieldPath& path) {
  simdjson::simdjson_result<JsonArray> array = value.get_array();
  if (array.error() == simdjson::INCORRECT_TYPE) throw_mismatch(value, path, "a list");
  return intact<JsonArray>(std::move(array), path);
}

double read_number(JsonValue value, const FieldPath& path) {
  double number = 0;
  if (value.get_double().get(number) != simdjson::SUCCESS) throw_mismatch(value, path, "a finite number");
  return number;
}

std::int64_t read_integer(JsonValue value, const FieldPath& path, std::int64_t min, std::int64_t max) {
  double number = 0;
  if (value.get_double().get(number) != simdjson::SUCCESS || std::trunc(number) != number ||
      number < static_cast<double>(min) || number > static_cast<double>(max)) {
    throw_mismatch(value, path, "an integer from " + std::to_string(min) + " to " + std::to_string(max));
  }
  return static_cast<std::int64_t>(number);
}

bool read_bool(JsonValue value, const FieldPath& path) {
  bool truth = false;
  if (value.get_bool().get(truth) != simdjson::SUCCESS) throw_mismatch(value, path, "true or false");
  return truth;
}

std::string_view read_text(JsonValue value, const FieldPath& path) {
  std::string_view text;
  if (value.get_string().get(text) != simdjson::SUCCESS) throw_mismatch(value, path, "a text");
  return text;
}

engine::Vec2 read_vec2(JsonValue value, const FieldPath& path) {
  const auto [x, y] = read_numbers<2>(value, path);
  return {x, y};
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

}  // namespace forkmunk::io
