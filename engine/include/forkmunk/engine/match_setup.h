// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/error.h>
#include <forkmunk/engine/vec2.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// A map and one car type. Lengths are in map units, angles in radians, masses and torques in game units.
namespace forkmunk::engine {

/// The field begins at (0, 0). The box around it kills.
inline constexpr double kFieldWidth = 1200, kFieldHeight = 800;

/// A static piece of a map: all points within `radius` of the line from a to b.
struct Segment {
  Vec2 a;
  Vec2 b;
  double radius = 0;
  friend bool operator==(const Segment&, const Segment&) = default;
};

/// A map. The order of its segments fixes the last bits.
struct MapSetup {
  std::int64_t external_id = 0;
  std::vector<Segment> segments;  ///< 0 to kSegmentCountMax
  friend bool operator==(const MapSetup&, const MapSetup&) = default;
};

/// A wheel and its suspension. Positions are relative to the first player's car, which is not mirrored.
struct WheelSetup {
  double mass = 0;
  double radius = 0;  ///< Or half the side of a square wheel.
  Vec2 position;      ///< The wheel's centre.
  double friction = 0;
  double elasticity = 0;
  Vec2 joint;                ///< The referee does not use it.
  double groove_offset = 5;  ///< The distance of the groove's beginning below damp_position.
  Vec2 damp_position;        ///< The anchor of spring and groove on the car.
  double damp_length = 0;    ///< The spring's rest length.
  double damp_stiffness = 0;
  double damp_damping = 0;
  friend bool operator==(const WheelSetup&, const WheelSetup&) = default;
};

/// The wheels that have a motor, with the values of the message.
enum class Drive : std::uint8_t { front = 1, rear = 2, all = 3 };

/// The car that both players drive.
struct CarSetup {
  std::int64_t external_id = 0;
  std::vector<Vec2> body_poly;    ///< Convex, 3 to kPolygonVertexCountMax vertices in either sense.
  std::vector<Vec2> button_poly;  ///< Like body_poly; the player dies if anything touches it.
  double body_mass = 0;
  double body_friction = 0;
  double body_elasticity = 0;
  double max_speed = 0;          ///< The rate of the driven wheels' motors, rad/s.
  double max_angular_speed = 0;  ///< The referee does not use it.
  double torque = 0;             ///< Turns the body while no wheel is near anything.
  Drive drive = Drive::rear;
  bool squared_wheels = false;
  WheelSetup rear_wheel;
  WheelSetup front_wheel;
  friend bool operator==(const CarSetup&, const CarSetup&) = default;
};

struct MatchSetup {
  MapSetup map;
  CarSetup car;
  friend bool operator==(const MatchSetup&, const MatchSetup&) = default;
};

inline constexpr std::size_t kSegmentCountMax = 512;
inline constexpr std::size_t kPolygonVertexCountMax = 32;
inline constexpr double kCoordinateMax = 1e5;  ///< The maximum of |x|, |y| and lengths.

/// A number of a MatchSetup is out of range. what(): "<field>: found <value>, expected <range>".
class InvalidSetup : public Error {
 public:
  InvalidSetup(std::string field, const std::string& problem)
      : Error(field + ": " + problem), field_(std::move(field)) {}
  /// Returns the name in the message, e.g. "proto_car.rear_wheel_mass" or "proto_map.segments[3][0][1]".
  [[nodiscard]] const std::string& field() const noexcept { return field_; }

 private:
  std::string field_;
};

/// Checks all ranges and counts, and that polygons are convex. \throws InvalidSetup for the first bad field.
void validate(const MatchSetup& setup);

}  // namespace forkmunk::engine
