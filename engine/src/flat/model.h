// SPDX-License-Identifier: MIT
#pragma once

#include "flat/vector.h"
#include "match_rules.h"

#include <forkmunk/engine/command.h>
#include <forkmunk/engine/match_setup.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

/// The constant half of the flat engine: a MatchSetup and everything that can be computed from it once. All clones of a
/// match share one model.
namespace forkmunk::engine::flat {

/// Penetration that contacts tolerate; Chipmunk writes it as a float.
inline constexpr double kSlop = 0.1F;

/// Moving shapes, by index, in the order in which the referee adds them to the space.
enum class Part : std::uint8_t { button, body, rear, front };
inline constexpr std::size_t kDeadlineShape = 0;
inline constexpr std::size_t kBodyCount = 6;
inline constexpr std::size_t kWheelCount = 4;  // one suspension each
/// The map's segments and the four walls of the outer box.
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
/// Bodies of a player: 3 p is the car, then its rear and its front wheel.
constexpr std::size_t body_of(std::size_t shape) noexcept {
  const std::size_t part = (shape - 1) % 4;
  return 3 * player_of(shape) + (part <= 1 ? 0 : part - 1);
}

/// Vertices are processed so many at a time.
inline constexpr std::size_t kPolygonPadding = 8;

/// A convex polygon in its body's coordinates, counter-clockwise. Padded to a multiple of kPolygonPadding by copies of
/// the first vertex, which do not change the farthest one. normals[i] belongs to the side that ends in vertex i.
struct Polygon {
  std::size_t count = 0;
  alignas(32) std::array<double, kPolygonVertexCountMax> x{};
  alignas(32) std::array<double, kPolygonVertexCountMax> y{};
  std::array<Vec, kPolygonVertexCountMax> normals{};
};

/// A shape of the static body.
struct StaticSegment {
  Vec a{}, b{};
  Vec normal{};
  double radius = 0;
  Box box{};
  bool sensor = false;
};

/// Consecutive segments in the order of the leaves of Chipmunk's static tree, first children first. Neighbours in that
/// order are neighbours on the map, so most blocks are skipped as a whole; the boxes of a block are tested all at once.
/// Unused slots have empty boxes, which intersect none.
struct SegmentBlock {
  static constexpr std::size_t kSize = 8;
  Box box{};  ///< Around all of them.
  alignas(16) std::array<double, kSize> left{}, bottom{}, right{}, top{};
  std::array<std::uint16_t, kSize> segments{};
  std::uint8_t sensors = 0;  ///< A bit for each segment.
};
inline constexpr std::size_t kSegmentBlockCountMax =
    (kStaticShapeCountMax + SegmentBlock::kSize - 1) / SegmentBlock::kSize;

struct BodyModel {
  double inverse_mass = 0;
  double inverse_moment = 0;
  Vec centre_of_gravity{};  ///< From the body's origin.
};

/// Properties of a moving shape other than its polygon.
struct ShapeModel {
  double friction = 0;
  double elasticity = 0;
};

/// A wheel's groove joint, spring and motor. Points are relative to the car's origin.
struct SuspensionModel {
  Vec groove_a{}, groove_b{};
  Vec groove_normal{};
  Vec spring_anchor{};  ///< From the car's centre of gravity.
  double rest_length = 0;
  double stiffness = 0;
  double damping_dt = 0;     ///< -damping dt.
  double motor_inertia = 0;  ///< 1 / (the sum of both bodies' inverse moments).
};

/// A hash of all numbers of `setup` that physics depend on: states fit models of equal keys.
[[nodiscard]] std::uint64_t match_key(const MatchSetup& setup);

struct MatchModel {
  explicit MatchModel(const MatchSetup& match_setup);

  MatchSetup setup;
  std::uint64_t key = 0;  ///< match_key() of `setup`.

  std::vector<StaticSegment> segments;  ///< The four walls of the outer box, then the map's.
  std::vector<Box> segment_boxes;
  std::vector<SegmentBlock> segment_blocks;

  std::array<BodyModel, kBodyCount> bodies;
  std::array<ShapeModel, kMovingShapeCount> shapes;
  std::array<Polygon, kMovingShapeCount> polygons;       ///< Empty for round wheels.
  std::array<double, 2> wheel_radius{};                  ///< Rear, front; of round wheels.
  std::array<SuspensionModel, kWheelCount> suspensions;  ///< Rear and front of the first car, then of the second.
  std::array<bool, kMovingShapeCount> is_circle{};
  bool round_wheels = true;
  bool rear_motor = false, front_motor = false;
  double torque = 0;
  double max_speed = 0;
  std::array<double, 2> reach{};  ///< Rear, front: a wheel this near to anything is not in the air.

  double damping = 0;       ///< Factor of velocities per step.
  double gravity_dt = 0;    ///< Change of the vertical velocity per step.
  double contact_bias = 0;  ///< The share of a penetration that a step corrects, negated.
  double joint_bias = 0;    ///< The same of a joint's error, divided by dt.

  [[nodiscard]] std::size_t static_count() const noexcept { return segments.size(); }
  /// Maximum of pairs that a step can test, and so of contacts: there is one for a pair.
  [[nodiscard]] std::size_t pair_count_max() const noexcept;
  /// Maximum of pairs that can touch with forces between them. A step tests each pair once.
  [[nodiscard]] std::size_t solid_pair_count_max() const noexcept;
};

/// Whether a contact of the moving shapes `a` and `b` can have an effect. Parts of one car do not collide, and sensors
/// affect only buttons.
constexpr bool concerns(std::size_t a, std::size_t b) noexcept {
  if (a == kDeadlineShape) return is_button(b);
  if (b == kDeadlineShape) return is_button(a);
  return player_of(a) != player_of(b);
}
/// The same for the moving shape `a` and a segment.
inline bool concerns(std::size_t a, const StaticSegment& segment) noexcept {
  return a != kDeadlineShape && (!segment.sensor || is_button(a));
}

}  // namespace forkmunk::engine::flat
