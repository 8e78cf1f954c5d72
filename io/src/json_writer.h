#pragma once

#include <forkmunk/engine/match_setup.h>
#include <forkmunk/formats/recording.h>

#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace forkmunk::io {

/// Writes the contest's JSON piece by piece. Numbers read back to the same doubles.
class JsonWriter {
 public:
  JsonWriter& text(std::string_view raw) {
    line_ += raw;
    return *this;
  }
  /// JSON knows no NaN and no infinity: they become null.
  JsonWriter& number(double value) {
    if (!std::isfinite(value)) return text("null");
    std::array<char, 32> digits;
    line_.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
    return *this;
  }
  JsonWriter& field(std::string_view key, double value) { return text(",\"").text(key).text("\":").number(value); }
  JsonWriter& field(std::string_view key, engine::Vec2 value) { return text(",\"").text(key).text("\":").vec2(value); }
  JsonWriter& vec2(engine::Vec2 value) { return text("[").number(value.x).text(",").number(value.y).text("]"); }

  template <typename Items, typename Write>
  JsonWriter& list(const Items& items, Write write) {
    const char* separator = "[";
    for (const auto& item : items) {
      text(separator);
      write(item);
      separator = ",";
    }
    return text(items.empty() ? "[]" : "]");
  }

  JsonWriter& polygon(std::string_view key, const std::vector<engine::Vec2>& vertices) {
    text("\"").text(key).text("\":");
    return list(vertices, [&](engine::Vec2 vertex) { vec2(vertex); });
  }

  JsonWriter& body(const formats::RecordedBody& body) {
    return text("[").number(body.position.x).text(",").number(body.position.y).text(",").number(body.angle).text("]");
  }

  /// A car's state; with whether it lives if that is known.
  JsonWriter& car(const formats::RecordedCar& car) {
    text("[").vec2(car.body.position).text(",").number(car.body.angle).text(",").number(car.side).text(",");
    body(car.rear_wheel).text(",").body(car.front_wheel);
    if (car.alive) text(*car.alive ? ",true" : ",false");
    return text("]");
  }

  JsonWriter& wheel(const std::string& prefix, const engine::WheelSetup& wheel) {
    field(prefix + "_wheel_mass", wheel.mass).field(prefix + "_wheel_radius", wheel.radius);
    field(prefix + "_wheel_position", wheel.position).field(prefix + "_wheel_friction", wheel.friction);
    field(prefix + "_wheel_elasticity", wheel.elasticity).field(prefix + "_wheel_joint", wheel.joint);
    field(prefix + "_wheel_groove_offset", wheel.groove_offset);
    field(prefix + "_wheel_damp_position", wheel.damp_position);
    field(prefix + "_wheel_damp_length", wheel.damp_length);
    field(prefix + "_wheel_damp_stiffness", wheel.damp_stiffness);
    return field(prefix + "_wheel_damp_damping", wheel.damp_damping);
  }

  /// {"external_id":…,"segments":[…]}
  JsonWriter& map(const engine::MapSetup& map) {
    text(R"({"external_id":)").number(static_cast<double>(map.external_id)).text(R"(,"segments":)");
    list(map.segments, [&](const engine::Segment& segment) {
      text("[").vec2(segment.a).text(",").vec2(segment.b).text(",").number(segment.radius).text("]");
    });
    return text("}");
  }

  /// A `proto_car`.
  JsonWriter& car_setup(const engine::CarSetup& car) {
    text("{").polygon("car_body_poly", car.body_poly).text(",").polygon("button_poly", car.button_poly);
    field("external_id", static_cast<double>(car.external_id)).field("car_body_mass", car.body_mass);
    field("car_body_friction", car.body_friction).field("car_body_elasticity", car.body_elasticity);
    field("max_speed", car.max_speed).field("max_angular_speed", car.max_angular_speed).field("torque", car.torque);
    field("drive", static_cast<double>(car.drive)).wheel("rear", car.rear_wheel).wheel("front", car.front_wheel);
    if (car.squared_wheels) text(R"(,"squared_wheels":true)");
    return text("}");
  }

  /// A JSON string: quotes, backslashes and control characters escaped; U+FFFD for what is no UTF-8.
  JsonWriter& quoted(std::string_view text);

  [[nodiscard]] std::string take() { return std::move(line_); }

 private:
  std::string line_;
};

}  // namespace forkmunk::io
