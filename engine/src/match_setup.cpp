// SPDX-License-Identifier: MIT
#include <forkmunk/base/concat.h>
#include <forkmunk/engine/match_setup.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string_view>

namespace forkmunk::engine {
namespace {

// These keep moments of inertia and their inverses finite and above 0.
constexpr double kMassMin = 1e-6;
constexpr double kWheelRadiusMin = 1e-3;
// The normal of a shorter line would be noise: coordinates up to kCoordinateMax are exact to 1e-11.
constexpr double kLengthMin = 1e-6;
// Chipmunk divides by sums of cross products of vertices, whose rounding would show below this area.
constexpr double kPolygonAreaMin = 1e-3;
// Rounding makes collinear vertices turn a little, in either direction.
constexpr double kTurnTolerance = 1e-9;

// Composes the name only for an error.
class Field {
 public:
  constexpr Field(std::string_view object, std::string_view name) : object_(object), name_(name) {}
  constexpr Field operator[](std::size_t index) const {
    Field element = *this;
    element.indices_[element.depth_++] = index;
    return element;
  }
  std::string text() const {
    std::string text{object_};
    text += name_;
    for (std::size_t i = 0; i < depth_; ++i) text += forkmunk::concat('[', indices_[i], ']');
    return text;
  }

 private:
  std::string_view object_;
  std::string_view name_;
  std::array<std::size_t, 3> indices_{};
  std::size_t depth_ = 0;
};

struct Range {
  std::string_view noun;
  double min;
  double max;
};

constexpr Range kCoordinate{"a coordinate", -kCoordinateMax, kCoordinateMax};
constexpr Range kSegmentRadius{"a radius", 0, 1000};
constexpr Range kMass{"a mass", kMassMin, 1e9};
constexpr Range kWheelRadius{"a radius", kWheelRadiusMin, 1000};
constexpr Range kFriction{"a friction", 0, 1e3};
constexpr Range kElasticity{"an elasticity", 0, 1e3};
constexpr Range kSpeed{"a speed", -1e12, 1e12};
constexpr Range kTorque{"a torque", -1e12, 1e12};
constexpr Range kGrooveOffset{"an offset", -kCoordinateMax, kCoordinateMax};
constexpr Range kDampLength{"a length", 0, kCoordinateMax};
constexpr Range kDampStiffness{"a stiffness", 0, 1e9};
constexpr Range kDampDamping{"a damping", 0, 1e9};

// Returns the shortest text that reads back as the same double.
std::string text_of(double value) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

[[noreturn]] void refuse(const Field& field, const std::string& found, const std::string& expected) {
  throw InvalidSetup(field.text(), "found " + found + ", expected " + expected);
}

void check(const Field& field, double value, const Range& range) {
  if (value >= range.min && value <= range.max) return;  // false for NaN
  refuse(field, text_of(value), std::string{range.noun} + " from " + text_of(range.min) + " to " + text_of(range.max));
}

void check(const Field& field, Vec2 point) {
  check(field[0], point.x, kCoordinate);
  check(field[1], point.y, kCoordinate);
}

// Positive if the vertices are counter-clockwise. Coordinates are relative to the first vertex, for precision.
double signed_area(const std::vector<Vec2>& polygon) {
  double sum = 0;
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    sum += cross(polygon[i - 1] - polygon[0], polygon[i] - polygon[0]);
  }
  return sum / 2;
}

// The outline turns to the same side at each vertex, and all turns sum to one revolution.
void check_convex(const Field& field, const std::vector<Vec2>& polygon, double orientation) {
  const std::size_t count = polygon.size();
  double turned = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec2 before = polygon[i] - polygon[(i + count - 1) % count];
    const Vec2 after = polygon[(i + 1) % count] - polygon[i];
    const double turn = orientation * std::atan2(cross(before, after), dot(before, after));
    if (turn < -kTurnTolerance) {
      refuse(field[i], "a turn of " + text_of(turn) + " rad against the other vertices' sense", "a convex polygon");
    }
    turned += turn;
  }
  const double revolutions = std::round(turned / (2 * std::numbers::pi));
  if (revolutions != 1) {
    refuse(field, "an outline that goes around " + text_of(revolutions) + " times", "a convex polygon");
  }
}

void check_polygon(const Field& field, const std::vector<Vec2>& polygon) {
  const std::size_t count = polygon.size();
  if (count < 3 || count > kPolygonVertexCountMax) {
    refuse(field, concat(count, " vertices"), concat("3 to ", kPolygonVertexCountMax));
  }
  for (std::size_t i = 0; i < count; ++i) check(field[i], polygon[i]);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t next = (i + 1) % count;
    const Vec2 edge = polygon[next] - polygon[i];
    const double side = std::hypot(edge.x, edge.y);
    if (side < kLengthMin) {
      refuse(field[std::max(i, next)], "a distance of " + text_of(side) + " to the neighbouring vertex",
             "at least " + text_of(kLengthMin));
    }
  }
  const double area = signed_area(polygon);
  if (std::abs(area) < kPolygonAreaMin) {
    refuse(field, "an area of " + text_of(std::abs(area)), "at least " + text_of(kPolygonAreaMin));
  }
  check_convex(field, polygon, area > 0 ? 1 : -1);
}

void check_map(const MapSetup& map) {
  const Field field{"proto_map.", "segments"};
  if (map.segments.size() > kSegmentCountMax) {
    refuse(field, concat(map.segments.size(), " segments"), concat("at most ", kSegmentCountMax));
  }
  for (std::size_t i = 0; i < map.segments.size(); ++i) {
    const Segment& segment = map.segments[i];
    check(field[i][0], segment.a);
    check(field[i][1], segment.b);
    check(field[i][2], segment.radius, kSegmentRadius);
    const Vec2 along = segment.b - segment.a;
    const double segment_length = std::hypot(along.x, along.y);
    if (segment_length < kLengthMin) {
      refuse(field[i], "a length of " + text_of(segment_length), "at least " + text_of(kLengthMin));
    }
  }
}

void check_wheel(std::string_view wheel_name, const WheelSetup& wheel) {
  const auto field = [wheel_name](std::string_view name) { return Field{wheel_name, name}; };
  check(field("mass"), wheel.mass, kMass);
  check(field("radius"), wheel.radius, kWheelRadius);
  check(field("position"), wheel.position);
  check(field("friction"), wheel.friction, kFriction);
  check(field("elasticity"), wheel.elasticity, kElasticity);
  check(field("joint"), wheel.joint);
  check(field("groove_offset"), wheel.groove_offset, kGrooveOffset);
  check(field("damp_position"), wheel.damp_position);
  check(field("damp_length"), wheel.damp_length, kDampLength);
  check(field("damp_stiffness"), wheel.damp_stiffness, kDampStiffness);
  check(field("damp_damping"), wheel.damp_damping, kDampDamping);

  const double groove_begin = wheel.damp_position.y - wheel.groove_offset;
  const double groove_end = wheel.damp_position.y - 1.5 * wheel.damp_length;
  if (std::abs(groove_begin - groove_end) < kLengthMin) {
    refuse(field("damp_length"), text_of(wheel.damp_length),
           "1.5 times it to differ from the groove_offset of " + text_of(wheel.groove_offset) + " by at least " +
               text_of(kLengthMin));
  }
}

void check_car(const CarSetup& car) {
  const auto field = [](std::string_view name) { return Field{"proto_car.", name}; };
  check_polygon(field("car_body_poly"), car.body_poly);
  check_polygon(field("button_poly"), car.button_poly);
  check(field("car_body_mass"), car.body_mass, kMass);
  check(field("car_body_friction"), car.body_friction, kFriction);
  check(field("car_body_elasticity"), car.body_elasticity, kElasticity);
  check(field("max_speed"), car.max_speed, kSpeed);
  check(field("max_angular_speed"), car.max_angular_speed, kSpeed);
  check(field("torque"), car.torque, kTorque);
  if (car.drive != Drive::front && car.drive != Drive::rear && car.drive != Drive::all) {
    refuse(field("drive"), std::to_string(static_cast<int>(car.drive)), "1 (front), 2 (rear) or 3 (all)");
  }
  check_wheel("proto_car.rear_wheel_", car.rear_wheel);
  check_wheel("proto_car.front_wheel_", car.front_wheel);
}

}  // namespace

void validate(const MatchSetup& setup) {
  check_map(setup.map);
  check_car(setup.car);
}

}  // namespace forkmunk::engine
