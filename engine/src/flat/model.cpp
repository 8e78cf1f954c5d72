// SPDX-License-Identifier: MIT
#include "flat/model.h"

#include <forkmunk/base/check.h>
#include <forkmunk/base/hasher.h>
#include <forkmunk/chipmunk/chipmunk_api.h>
#include <forkmunk/strict_math/strict_math.h>

#include <limits>

namespace forkmunk::engine::flat {
Polygon make_polygon(std::span<const Vec> vertices) noexcept {
  FORKMUNK_CHECK(vertices.size() <= kPolygonVertexCountMax, "a polygon of %zu vertices", vertices.size());
  Polygon polygon;
  polygon.count = vertices.size();
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec before = vertices[(i + vertices.size() - 1) % vertices.size()];
    polygon.x[i] = vertices[i].x;
    polygon.y[i] = vertices[i].y;
    polygon.normals[i] = normalized(reverse_perpendicular(vertices[i] - before));
  }
  static_assert(kPolygonVertexCountMax % kPolygonPadding == 0);
  for (std::size_t i = vertices.size(); i % kPolygonPadding != 0; ++i) {
    polygon.x[i] = polygon.x[0];
    polygon.y[i] = polygon.y[0];
  }
  return polygon;
}

namespace {

const chipmunk::ChipmunkApi& chipmunk_in_use() noexcept { return chipmunk::chipmunk_api(Arithmetic::strict); }

std::vector<cpVect> mirrored(std::span<const Vec2> polygon, double mirror) {
  std::vector<cpVect> result;
  for (const Vec2& vertex : polygon) result.push_back({mirror * vertex.x, vertex.y});
  return result;
}

std::vector<cpVect> convex_hull(const std::vector<cpVect>& points) {
  std::vector<cpVect> hull(points.size() + 1);  // cpConvexHull() reads past its result
  const int count =
      chipmunk_in_use().cpConvexHull(static_cast<int>(points.size()), points.data(), hull.data(), nullptr, 0);
  hull.resize(static_cast<std::size_t>(count));
  return hull;
}

Polygon make_polygon(const std::vector<cpVect>& vertices) {
  std::vector<Vec> result;
  for (const cpVect& vertex : vertices) result.push_back({vertex.x, vertex.y});
  return flat::make_polygon(result);
}

StaticSegment make_segment(Vec a, Vec b, double radius, bool sensor) {
  StaticSegment segment;
  segment.a = a;
  segment.b = b;
  segment.normal = normalized(reverse_perpendicular(b - a));
  segment.radius = radius;
  segment.sensor = sensor;
  const bool by_x = a.x < b.x, by_y = a.y < b.y;
  segment.box = {Lanes{by_x ? a.x : b.x, by_y ? a.y : b.y} - radius,
                 Lanes{by_x ? b.x : a.x, by_y ? b.y : a.y} + radius};
  return segment;
}

std::vector<StaticSegment> make_segments(const MapSetup& map) {
  std::vector<StaticSegment> segments;
  segments.reserve(map.segments.size() + kWallCount);
  for (std::size_t i = 0; i < kBoxCorners.size(); ++i) {
    const Vec2 next = kBoxCorners[(i + 1) % kBoxCorners.size()];
    segments.push_back(make_segment(vec(kBoxCorners[i]), vec(next), kBoxRadius, true));
  }
  for (const Segment& segment : map.segments) {
    segments.push_back(make_segment(vec(segment.a), vec(segment.b), segment.radius, false));
  }
  return segments;
}

// Each segment descends by goes_to_first() and becomes the first child of a new node.
class StaticTreeBuilder {
 public:
  explicit StaticTreeBuilder(const std::vector<StaticSegment>& segments) {
    nodes_.reserve(2 * segments.size());
    for (std::size_t i = 0; i < segments.size(); ++i) insert(static_cast<std::int32_t>(i), segments[i].box);
  }

  /// The first child's leaves come first.
  [[nodiscard]] std::vector<std::uint16_t> leaves() const {
    std::vector<std::uint16_t> result;
    if (root_ >= 0) append(root_, result);
    return result;
  }

 private:
  struct Node {
    Box box;
    int a = -1, b = -1;
    std::int32_t segment = -1;
  };

  Node& at(int index) { return nodes_[static_cast<std::size_t>(index)]; }

  void insert(std::int32_t segment, const Box& box) {
    const int leaf = static_cast<int>(nodes_.size());
    nodes_.push_back({box, -1, -1, segment});
    if (root_ < 0) {
      root_ = leaf;
      return;
    }
    int parent = -1;
    int index = root_;
    bool first = false;
    while (at(index).segment < 0) {
      Node& node = at(index);
      node.box = merged(node.box, box);
      parent = index;
      first = goes_to_first(at(node.a).box, at(node.b).box, box);
      index = first ? node.a : node.b;
    }
    const int inner_node = static_cast<int>(nodes_.size());
    nodes_.push_back({merged(box, at(index).box), leaf, index, -1});
    if (parent < 0) {
      root_ = inner_node;
    } else {
      (first ? at(parent).a : at(parent).b) = inner_node;
    }
  }

  void append(int index, std::vector<std::uint16_t>& result) const {
    const Node& node = nodes_[static_cast<std::size_t>(index)];
    if (node.segment >= 0) {
      result.push_back(static_cast<std::uint16_t>(node.segment));
      return;
    }
    append(node.a, result);
    append(node.b, result);
  }

  std::vector<Node> nodes_;
  int root_ = -1;
};

std::vector<SegmentBlock> make_blocks(const std::vector<StaticSegment>& segments) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::vector<std::uint16_t> order = StaticTreeBuilder(segments).leaves();
  std::vector<SegmentBlock> blocks;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t slot = i % SegmentBlock::kSize;
    const Box& box = segments[order[i]].box;
    if (slot == 0) {
      SegmentBlock& empty = blocks.emplace_back();
      empty.box = box;
      empty.left.fill(kInfinity);
      empty.bottom.fill(kInfinity);
      empty.right.fill(-kInfinity);
      empty.top.fill(-kInfinity);
    }
    SegmentBlock& block = blocks.back();
    block.box = merged(block.box, box);
    block.left[slot] = box.low[0];
    block.bottom[slot] = box.low[1];
    block.right[slot] = box.high[0];
    block.top[slot] = box.high[1];
    block.segments[slot] = order[i];
    block.sensors |= static_cast<std::uint8_t>((segments[order[i]].sensor ? 1 : 0) << slot);
  }
  return blocks;
}

BodyModel make_body(double mass, double moment_of_inertia, Vec centre_of_gravity) {
  return {mass == 0 ? std::numeric_limits<double>::infinity() : 1.0 / mass,
          moment_of_inertia == 0 ? std::numeric_limits<double>::infinity() : 1.0 / moment_of_inertia,
          centre_of_gravity};
}

}  // namespace

std::uint64_t match_key(const MatchSetup& setup) {
  Hasher hasher;
  const auto add = [&](Vec2 v) { hasher.add(v.x, v.y); };
  hasher.add(setup.map.segments.size());
  for (const Segment& segment : setup.map.segments) {
    add(segment.a);
    add(segment.b);
    hasher.add(segment.radius);
  }
  const CarSetup& car = setup.car;
  for (const std::vector<Vec2>* polygon : {&car.body_poly, &car.button_poly}) {
    hasher.add(polygon->size());
    for (const Vec2 vertex : *polygon) add(vertex);
  }
  hasher.add(car.body_mass, car.body_friction, car.body_elasticity, car.max_speed, car.torque,
             static_cast<int>(car.drive), car.squared_wheels);
  for (const WheelSetup* wheel : {&car.rear_wheel, &car.front_wheel}) {
    add(wheel->position);
    add(wheel->damp_position);
    hasher.add(wheel->mass, wheel->radius, wheel->friction, wheel->elasticity, wheel->groove_offset, wheel->damp_length,
               wheel->damp_stiffness, wheel->damp_damping);
  }
  return hasher.value();
}

MatchModel::MatchModel(const MatchSetup& match_setup)
    : setup(match_setup), key(match_key(match_setup)), segments(make_segments(match_setup.map)) {
  for (const StaticSegment& segment : segments) segment_boxes.push_back(segment.box);
  segment_blocks = make_blocks(segments);
  const CarSetup& car = setup.car;
  const std::array wheels{&car.rear_wheel, &car.front_wheel};
  round_wheels = !car.squared_wheels;
  rear_motor = car.drive != Drive::front;
  front_motor = car.drive != Drive::rear;
  torque = car.torque;
  max_speed = car.max_speed;

  const double bias = strict_math::pow(1.0F - 0.1F, 60.0);  // Chipmunk writes both as floats
  const double error_left = strict_math::pow(bias, kTickSeconds);
  damping = strict_math::pow(kDamping, kTickSeconds);
  gravity_dt = kGravityY * kTickSeconds;
  contact_bias = -(1.0 - error_left);
  joint_bias = -(1.0 - error_left) / kTickSeconds;

  polygons[kDeadlineShape] = make_polygon(convex_hull(mirrored(kDeadlinePolygon, 1)));
  for (std::size_t player = 0; player < 2; ++player) {
    const double mirror = player == 0 ? 1 : -1;
    const std::vector<cpVect> body_poly = mirrored(car.body_poly, mirror);
    const std::vector<cpVect> hull = convex_hull(body_poly);
    const cpVect centroid = chipmunk_in_use().cpCentroidForPoly(static_cast<int>(hull.size()), hull.data());
    bodies[3 * player] = make_body(car.body_mass,
                                   chipmunk_in_use().cpMomentForPoly(car.body_mass, static_cast<int>(body_poly.size()),
                                                                     body_poly.data(), cpvzero, 0),
                                   {centroid.x, centroid.y});
    polygons[shape_of(player, Part::body)] = make_polygon(hull);
    polygons[shape_of(player, Part::button)] = make_polygon(convex_hull(mirrored(car.button_poly, mirror)));
    shapes[shape_of(player, Part::body)] = {car.body_friction, car.body_elasticity};
    for (std::size_t w = 0; w < 2; ++w) {
      const WheelSetup& wheel = *wheels[w];
      const std::size_t shape = shape_of(player, w == 0 ? Part::rear : Part::front);
      const double r = wheel.radius, width = 2 * r;
      const double moment_of_inertia = car.squared_wheels ? wheel.mass * (width * width + width * width) / 12.0
                                                          : wheel.mass * (0.5 * (0.0 * 0.0 + r * r) + 0.0);
      bodies[3 * player + 1 + w] = make_body(wheel.mass, moment_of_inertia, {});
      shapes[shape] = {wheel.friction, wheel.elasticity};
      if (car.squared_wheels) {
        const double h = width / 2.0;
        polygons[shape] = flat::make_polygon(std::array{Vec{h, -h}, Vec{h, h}, Vec{-h, h}, Vec{-h, -h}});
      }
      is_circle[shape] = round_wheels;
      wheel_radius[w] = r;
      reach[w] = r + 1;

      SuspensionModel& suspension = suspensions[2 * player + w];
      const double x = mirror * wheel.damp_position.x, y = wheel.damp_position.y;
      suspension.groove_a = {x, y - wheel.groove_offset};
      suspension.groove_b = {x, y - 1.5 * wheel.damp_length};
      suspension.groove_normal = perpendicular(normalized(suspension.groove_b - suspension.groove_a));
      suspension.spring_anchor = Vec{x, y} - bodies[3 * player].centre_of_gravity;
      suspension.rest_length = wheel.damp_length;
      suspension.stiffness = wheel.damp_stiffness;
      suspension.damping_dt = -wheel.damp_damping * kTickSeconds;
      suspension.motor_inertia = 1.0 / (bodies[3 * player + 1 + w].inverse_moment + bodies[3 * player].inverse_moment);
    }
  }
}

std::size_t MatchModel::pair_count_max() const noexcept {
  return (kMovingShapeCount - 1) * static_count() + kMovingShapeCount * (kMovingShapeCount - 1) / 2;
}

std::size_t MatchModel::solid_pair_count_max() const noexcept {
  // Six moving solid shapes meet the static shapes, and the three of one car meet the three of the other.
  return 6 * static_count() + 9;
}

}  // namespace forkmunk::engine::flat
