// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/match_setup.h>
#include <forkmunk/formats/recording.h>
#include <forkmunk/io/json_reader.h>
#include <forkmunk/io/json_writer.h>

namespace forkmunk::io {

/// Reads {"type": …, "params": …}: calls on_type(value, path), then on_params(value, path), whatever the order of keys.
template <typename OnType, typename OnParams>
void read_typed(JsonObject& object, OnType&& on_type, OnParams&& on_params) {
  const FieldPath root;
  bool has_type = false;
  bool params_came_first = false;
  const auto read_type = [&](JsonValue type, const FieldPath& path) {
    on_type(type, path);
    has_type = true;
  };
  const auto read_params = [&](JsonValue params, const FieldPath& path) {
    has_type ? on_params(params, path) : static_cast<void>(params_came_first = true);
  };
  read_fields(object, root, Field{"type", read_type}, Field{"params", read_params});
  if (!params_came_first) return;
  [[maybe_unused]] const bool has_fields = intact(object.reset(), root);
  read_fields(object, root, Field{"params", on_params});
}

[[nodiscard]] int read_life_count(JsonValue value, const FieldPath& path);
/// engine::validate() checks the physical limits.
[[nodiscard]] engine::MapSetup read_map(JsonValue proto_map, const FieldPath& path);
/// Keys that the oldest logs or most cars omit have defaults: `*_groove_offset` 5, `squared_wheels` false, and 0 for
/// keys that the referee ignores (`max_angular_speed`, `*_wheel_joint`).
[[nodiscard]] engine::CarSetup read_car(JsonValue proto_car, const FieldPath& path);
/// Reads [[x,y], angle, side, [x,y,angle], [x,y,angle]] and optionally the alive flag.
[[nodiscard]] formats::RecordedCar read_car_state(JsonValue state, const FieldPath& path);

/// Writes {"external_id":…,"segments":[…]}
void write_map(JsonWriter& json, const engine::MapSetup& map);
void write_car_setup(JsonWriter& json, const engine::CarSetup& car);
void write_car_state(JsonWriter& json, const formats::RecordedCar& car);

}  // namespace forkmunk::io
