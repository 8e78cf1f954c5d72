#include "message_reader.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace forkmunk::referee {
namespace {

constexpr std::size_t kFoundSizeMax = 40;                    // bytes of a strange value that a message shows
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

RecordedBody read_body(JsonValue value, const FieldPath& path) {
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

/// The fields of an object by their names.
class Fields {
 public:
  Fields(JsonValue value, const FieldPath& path) : object_(read_object(value, path)), path_(path) {}

  double number(std::string_view key) { return read_number(field(key), FieldPath(path_, key)); }
  double number_or(std::string_view key, double otherwise) {
    const std::optional<JsonValue> value = find_field(object_, key, path_);
    return value ? read_number(*value, FieldPath(path_, key)) : otherwise;
  }
  engine::Vec2 vec2(std::string_view key) { return read_vec2(field(key), FieldPath(path_, key)); }
  engine::Vec2 vec2_or_zero(std::string_view key) {
    const std::optional<JsonValue> value = find_field(object_, key, path_);
    return value ? read_vec2(*value, FieldPath(path_, key)) : engine::Vec2{};
  }
  std::int64_t integer(std::string_view key, std::int64_t min, std::int64_t max) {
    return read_integer(field(key), FieldPath(path_, key), min, max);
  }
  bool bool_or_false(std::string_view key) {
    const std::optional<JsonValue> value = find_field(object_, key, path_);
    return value && read_bool(*value, FieldPath(path_, key));
  }
  std::vector<engine::Vec2> polygon(std::string_view key) {
    return read_list(field(key), FieldPath(path_, key), engine::kPolygonVertexCountMax, read_vec2);
  }
  std::vector<engine::Segment> segments(std::string_view key) {
    return read_list(field(key), FieldPath(path_, key), engine::kSegmentCountMax, read_segment);
  }

 private:
  JsonValue field(std::string_view key) { return read_field(object_, key, path_); }

  JsonObject object_;
  const FieldPath& path_;
};

engine::WheelSetup read_wheel(Fields& car, const std::string& prefix) {
  engine::WheelSetup wheel;
  wheel.mass = car.number(prefix + "mass");
  wheel.radius = car.number(prefix + "radius");
  wheel.position = car.vec2(prefix + "position");
  wheel.friction = car.number(prefix + "friction");
  wheel.elasticity = car.number(prefix + "elasticity");
  wheel.joint = car.vec2_or_zero(prefix + "joint");
  wheel.groove_offset = car.number_or(prefix + "groove_offset", wheel.groove_offset);
  wheel.damp_position = car.vec2(prefix + "damp_position");
  wheel.damp_length = car.number(prefix + "damp_length");
  wheel.damp_stiffness = car.number(prefix + "damp_stiffness");
  wheel.damp_damping = car.number(prefix + "damp_damping");
  return wheel;
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

std::string excerpt(std::string_view text) {
  std::string shown(text.substr(0, kFoundSizeMax));
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text.size() > kFoundSizeMax ? shown + "..." : shown;
}

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

std::optional<JsonValue> find_field(JsonObject& object, std::string_view key, const FieldPath& object_path) {
  simdjson::simdjson_result<JsonValue> result = object.find_field_unordered(key);
  if (result.error() == simdjson::NO_SUCH_FIELD) return std::nullopt;
  return intact<JsonValue>(std::move(result), object_path);
}

JsonValue read_field(JsonObject& object, std::string_view key, const FieldPath& object_path) {
  const std::optional<JsonValue> value = find_field(object, key, object_path);
  if (!value) throw MessageError(FieldPath(object_path, key), "found nothing, expected a value");
  return *value;
}

engine::MapSetup read_map(JsonValue proto_map, const FieldPath& path) {
  engine::MapSetup map;
  Fields fields(proto_map, path);
  map.external_id = fields.integer("external_id", -kIntegerMax, kIntegerMax);
  map.segments = fields.segments("segments");
  return map;
}

engine::CarSetup read_car(JsonValue proto_car, const FieldPath& path) {
  engine::CarSetup car;
  Fields fields(proto_car, path);
  car.external_id = fields.integer("external_id", -kIntegerMax, kIntegerMax);
  car.body_poly = fields.polygon("car_body_poly");
  car.button_poly = fields.polygon("button_poly");
  car.body_mass = fields.number("car_body_mass");
  car.body_friction = fields.number("car_body_friction");
  car.body_elasticity = fields.number("car_body_elasticity");
  car.max_speed = fields.number("max_speed");
  car.max_angular_speed = fields.number_or("max_angular_speed", 0);
  car.torque = fields.number("torque");
  car.drive = static_cast<engine::Drive>(fields.integer("drive", 1, 3));
  car.squared_wheels = fields.bool_or_false("squared_wheels");
  car.rear_wheel = read_wheel(fields, "rear_wheel_");
  car.front_wheel = read_wheel(fields, "front_wheel_");
  return car;
}

RecordedCar read_car_state(JsonValue state, const FieldPath& path) {
  RecordedCar car;
  const auto read = [&](JsonValue entry, std::size_t index, const FieldPath& entry_path) {
    switch (index) {
      case 0:
        car.position = read_vec2(entry, entry_path);
        break;
      case 1:
        car.angle = read_number(entry, entry_path);
        break;
      case 2:
        car.side = read_side(entry, entry_path);
        break;
      case 3:
        car.rear_wheel = read_body(entry, entry_path);
        break;
      case 4:
        car.front_wheel = read_body(entry, entry_path);
        break;
      default:
        car.alive = read_bool(entry, entry_path);
    }
  };
  read_entries(state, path, {5, 6}, read);
  return car;
}

}  // namespace forkmunk::referee
