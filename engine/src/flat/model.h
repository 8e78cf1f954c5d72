// SPDX-License-Identifier: MIT
#pragma once

#include "flat/vector.h"
#include "match_rules.h"

#include <forkmunk/engine/match_setup.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// The constant half of the flat engine, which clones of a match share.
namespace forkmunk::engine::flat {

/// The penetration that contacts tolerate. Chipmunk writes it as a float.
inline constexpr double kSlop = 0.1F;

/// The moving shapes of a car, in the referee's order.
enum class Part : std::uint8_t { button, body, rear, front };
inline constexpr std::size_t kDeadlineShape = 0;
inline constexpr std::size_t kBodyCount = 6;
inline constexpr std::size_t kWheelCount = 4;
inline constexpr std::size_t kStaticShapeCountMax = kSegmentCountMax + kWallCount;
inline constexpr std::size_t kShapeCountMax = kMovingShapeCount + kStaticShapeCountMax;

constexpr std::size_t shape_of(std::size_t player, Part part) noexcept {
  return 1 + 4 * player + static_cast<std::size_t>(part);
}
/// \pre shape != kDeadlineShape.
constexpr std::size_t player_of(std::size_t shape) noexcept { return (shape - 1) / 4; }
constexpr Part part_of(std::size_t shape) noexcept { return static_cast<Part>((shape - 1) % 4); }
constexpr bool is_button(std::size_t shape) noexcept {
  return shape != kDeadlineShape && shape < kMovingShapeCount && part_of(shape) == Part::button;
}
/// Body 3 p is the car of player p, followed by its rear and its front wheel.
constexpr std::size_t body_of(std::size_t shape) noexcept {
  const std::size_t part = (shape - 1) % 4;
  return 3 * player_of(shape) + (part <= 1 ? 0 : part - 1);
}

/// The vertices that are processed at a time.
inline constexpr std::size_t kPolygonPadding = 8;

/// A convex polygon in its body's coordinates, counter-clockwise. Copies of the first vertex, which do not change the
/// farthest one, fill a multiple of kPolygonPadding. normals[i] belongs to the side that ends in vertex i.
struct Polygon {
  std::size_t count = 0;
  alignas(32) std::array<double, kPolygonVertexCountMax> x{};
  alignas(32) std::array<double, kPolygonVertexCountMax> y{};
  std::array<Vec, kPolygonVertexCountMax> normals{};
};

struct StaticSegment {
  Vec a{}, b{};
  Vec normal{};
  double radius = 0;
  Box box{};
  bool sensor = false;
};

/// Consecutive segments in the order of Chipmunk's static tree. Neighbours in this order are neighbours on the map, so
/// most blocks are skipped as a whole. Unused slots have empty boxes, which intersect nothing.
struct SegmentBlock {
  static constexpr std::size_t kSize = 8;
  Box box{};
  alignas(16) std::array<double, kSize> left{}, bottom{}, right{}, top{};
  std::array<std::uint16_t, kSize> segments{};
  std::uint8_t sensors = 0;  ///< A bit for each segment.
};
inline constexpr std::size_t kSegmentBlockCountMax =
    (kStaticShapeCountMax + SegmentBlock::kSize - 1) / SegmentBlock::kSize;

struct BodyModel {
  double inverse_mass = 0;
  double inverse_moment = 0;
  Vec centre_of_gravity{};  ///< Relative to the body's origin.
};

struct ShapeModel {
  double friction = 0;
  double elasticity = 0;
};

/// A wheel's joints. Points are relative to the car's origin.
struct SuspensionModel {
  Vec groove_a{}, groove_b{};
  Vec groove_normal{};
  Vec spring_anchor{};  ///< Relative to the car's centre of gravity.
  double rest_length = 0;
  double stiffness = 0;
  double damping_dt = 0;     ///< -damping dt.
  double motor_inertia = 0;  ///< 1 / (the sum of both bodies' inverse moments).
};

/// Returns a hash of all numbers that physics depend on. A state fits a model if their keys are equal.
[[nodiscard]] std::uint64_t match_key(const MatchSetup& setup);

struct MatchModel {
  explicit MatchModel(const MatchSetup& match_setup);

  MatchSetup setup;
  std::uint64_t key = 0;

  std::vector<StaticSegment> segments;  ///< The four walls of the outer box, then the map's.
  std::vector<Box> segment_boxes;
  std::vector<SegmentBlock> segment_blocks;

  std::array<BodyModel, kBodyCount> bodies;
  std::array<ShapeModel, kMovingShapeCount> shapes;
  std::array<Polygon, kMovingShapeCount> polygons;  ///< Empty for round wheels.
  std::array<double, 2> wheel_radius{};             ///< The rear and the front radius of round wheels.
  /// By car, rear and front.
  std::array<SuspensionModel, kWheelCount> suspensions;
  std::array<bool, kMovingShapeCount> is_circle{};
  bool round_wheels = true;
  bool rear_motor = false, front_motor = false;
  double torque = 0;
  double max_speed = 0;
  /// A wheel, rear or front, that is this near to anything is not in the air.
  std::array<double, 2> reach{};

  double damping = 0;       ///< The factor of velocities per step.
  double gravity_dt = 0;    ///< The change of the vertical velocity per step.
  double contact_bias = 0;  ///< The share of a penetration that a step corrects, negated.
  /// The share of a joint's error that a step corrects, negated and divided by dt.
  double joint_bias = 0;

  [[nodiscard]] std::size_t static_count() const noexcept { return segments.size(); }
  /// The pairs that a step can test, each of which has one contact.
  [[nodiscard]] std::size_t pair_count_max() const noexcept;
  /// The pairs that can touch with forces between them.
  [[nodiscard]] std::size_t solid_pair_count_max() const noexcept;
};

/// Returns whether a contact can have an effect. Parts of one car do not collide, and sensors affect only buttons.
constexpr bool concerns(std::size_t a, std::size_t b) noexcept {
  if (a == kDeadlineShape) return is_button(b);
  if (b == kDeadlineShape) return is_button(a);
  return player_of(a) != player_of(b);
}
inline bool concerns(std::size_t a, const StaticSegment& segment) noexcept {
  return a != kDeadlineShape && (!segment.sensor || is_button(a));
}

/// \pre at most kPolygonVertexCountMax vertices, counter-clockwise.
[[nodiscard]] Polygon make_polygon(std::span<const Vec> vertices) noexcept;

}  // namespace forkmunk::engine::flat
