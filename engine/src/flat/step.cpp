// SPDX-License-Identifier: MIT
#include "flat/step.h"

#include "flat/broad_phase.h"
#include "flat/contacts.h"
#include "flat/narrow_phase.h"
#include "match_rules.h"

#include <forkmunk/strict_math/inlined.h>

#include <algorithm>
#include <cstring>

FORKMUNK_KERNEL_BEGIN(forkmunk::engine::flat)
namespace {

// Chipmunk's hash table of five and more shapes has these buckets, which order the updates of leaves.
constexpr std::uint32_t kLeafBucketCount = 13;

void update_origin(const BodyModel& model, Body& body) noexcept {
  const Vec c = model.centre_of_gravity, r = body.rotation;
  body.origin = {body.position.x - (c.x * r.x - c.y * r.y), body.position.y - (c.x * r.y + c.y * r.x)};
}

// A disc around its centre is symmetric.
bool needs_rotation(const MatchModel& model, std::size_t body) noexcept { return body % 3 == 0 || !model.round_wheels; }

FORKMUNK_INLINE Vec rotation_of(double angle) noexcept {
  const strict_math::SinCos turned = strict_math::inlined::sin_cos(angle);
  return {turned.cos, turned.sin};
}

// p += (v + bias velocity) dt and a += (w + bias) dt
void move_bodies(const MatchModel& model, LiveState& state) noexcept {
  for (std::size_t i = 0; i < kBodyCount; ++i) {
    Body& body = state.bodies[i];
    const Vec to = body.position + (body.velocity + body.bias_velocity) * kTickSeconds;
    body.position = body.origin = to;
    body.angle = body.angle + (body.angular_velocity + body.bias_angular_velocity) * kTickSeconds;
  }
  const auto turn = [&](std::size_t i) {
    state.bodies[i].rotation = rotation_of(state.bodies[i].angle);
    update_origin(model.bodies[i], state.bodies[i]);
  };
  for (std::size_t player = 0; player < 2; ++player) turn(3 * player);
  if (model.round_wheels) return;
  for (std::size_t i = 0; i < kBodyCount; ++i) {
    if (i % 3 != 0) turn(i);
  }
}

// \return the torque on the car's body.
double apply(const MatchModel& model, LiveState& state, Player player, Command command) noexcept {
  if (command == Command::none) return 0;
  double& rate = state.motor_rate[index_of(player)];
  if (command == Command::stop) {
    rate = 0;
    return 0;
  }
  const double direction = command == Command::right ? 1 : -1;
  rate = -direction * model.max_speed;
  return in_air(model, state, player) ? direction * model.torque : 0;
}

// \return false if the tick ends before the solver.
bool begin_step(const SteppedWorld& world, SolvedWorld& solved) noexcept {
  const MatchModel& model = *world.model;
  LiveState& state = *world.state;
  solved.torques = {};
  const auto take_commands = [&] {
    solved.torques[0] = apply(model, state, Player::first, world.commands.first);
    solved.torques[1] = apply(model, state, Player::second, world.commands.second);
  };
  if (!state.rules.begin_tick(take_commands, [&] { state.deadline_y += kDeadlineRise; })) return false;
  ++state.stamp;
  move_bodies(model, state);
  const WorldShapes shapes(model, state);
  update_tree(state, shapes.boxes);
  ContactFinder finder(model, state, shapes, world.solver_contacts);
  find_pairs(model, state, shapes.boxes, finder);
  solved.model = &model;
  solved.state = &state;
  solved.contacts = world.solver_contacts;
  solved.contact_count = finder.found_count();
  return true;
}

// 0 * x is NaN for non-finite x, and NaN makes any sum NaN.
bool is_finite(const LiveState& state) noexcept {
  Lanes sum{};
  for (const Body& body : state.bodies) {
    sum += Lanes{body.position.x, body.position.y} * all_lanes<Lanes>(0);
    sum += Lanes{body.velocity.x, body.velocity.y} * all_lanes<Lanes>(0);
    sum += Lanes{body.angle, body.angular_velocity} * all_lanes<Lanes>(0);
  }
  return sum[0] + sum[1] == 0;
}

void end_step(const SolvedWorld& world, const MatchRules& before) noexcept {
  LiveState& state = *world.state;
  store_impulses(world.contacts, world.contact_count, state);
  forget_old_contacts(state);
  state.rules.end_tick(is_finite(state), before);
}

// \pre the shape is not the deadline.
double distance_to_shape(const MatchModel& model, const LiveState& state, std::size_t shape, Vec point) noexcept {
  const Body& body = state.bodies[body_of(shape)];
  if (model.is_circle[shape]) {
    return distance_to(Circle{body.origin, model.wheel_radius[part_of(shape) == Part::rear ? 0 : 1]}, point);
  }
  WorldPolygon polygon;
  to_world(model.polygons[shape], body.rotation, body.origin, polygon);
  return distance_to(polygon, point);
}

BodyState body_state(const Body& body) noexcept {
  return {vec2(body.origin), body.angle, vec2(body.velocity), body.angular_velocity};
}

}  // namespace

Inheritance inheritance_of(const MatchModel& model, const LiveState& state) noexcept {
  const auto shape_count = static_cast<std::uint32_t>(model.static_count() + kMovingShapeCount);
  return {state.first_shape_id + shape_count, state.stamp, state.tree_stamp};
}

void order_leaves(const MatchModel& model, LiveState& state) noexcept {
  const std::uint32_t first_moving_id = id_of(model, state, 0);
  for (std::size_t i = 0; i < kMovingShapeCount; ++i) state.leaf_order[i] = static_cast<std::uint8_t>(i);
  std::sort(state.leaf_order.begin(), state.leaf_order.end(), [&](std::uint8_t a, std::uint8_t b) {
    const std::uint32_t bucket_a = (first_moving_id + a) % kLeafBucketCount;
    const std::uint32_t bucket_b = (first_moving_id + b) % kLeafBucketCount;
    return bucket_a != bucket_b ? bucket_a < bucket_b
                                : a > b;  // wrapped ids may share a bucket, where the newest comes first
  });
}

void begin(const MatchModel& model, const Inheritance& inheritance, LiveState& state) noexcept {
  std::memset(static_cast<void*>(&state), 0, sizeof state);  // also the padding
  const LiveState fresh;
  state.rules = fresh.rules;
  state.root = fresh.root;
  state.spare_node = fresh.spare_node;
  state.first_shape_id = inheritance.next_shape_id;
  state.stamp = inheritance.stamp;
  state.tree_stamp = inheritance.tree_stamp + static_cast<std::uint32_t>(model.static_count());
  state.deadline_y = kDeadlineStart;
  for (Node& node : state.nodes) {
    node.parent = node.a = node.b = kNoNode;
  }

  const CarSetup& car = model.setup.car;
  for (std::size_t player = 0; player < 2; ++player) {
    const double mirror = player == 0 ? 1 : -1;
    const Vec start{kStartX[player], kStartHeight};
    const std::array<Vec, 3> positions{
        start, Vec{start.x + mirror * car.rear_wheel.position.x, start.y + car.rear_wheel.position.y},
        Vec{start.x + mirror * car.front_wheel.position.x, start.y + car.front_wheel.position.y}};
    for (std::size_t role = 0; role < 3; ++role) {
      const std::size_t i = 3 * player + role;
      Body& body = state.bodies[i];
      body.rotation = {1, 0};
      body.position = rotated(model.bodies[i].centre_of_gravity, body.rotation) + positions[role];
      update_origin(model.bodies[i], body);
    }
  }

  order_leaves(model, state);
  const WorldShapes shapes(model, state);
  build_tree(model, state, shapes.boxes);
}

bool in_air(const MatchModel& model, const LiveState& state, Player player) noexcept {
  const std::size_t p = index_of(player);
  // A round wheel that touched something in the last step is near it, because shapes have not moved since. The scan has
  // no early exit, so that it is branchless.
  const auto bit = [](bool condition) { return condition ? 1u : 0u; };
  const auto is_wheel = [&](std::uint32_t shape) {
    return bit(shape == shape_of(p, Part::rear)) | bit(shape == shape_of(p, Part::front));
  };
  unsigned touched = 0;
  for (std::size_t i = 0; i < state.contact_count; ++i) {
    const Contact& contact = state.contacts()[i];
    touched |= (is_wheel(contact.key >> 16) | is_wheel(contact.key & 0xFFFF)) & bit(contact.stamp == state.stamp) &
               bit(contact.count > 0);
  }
  if (model.round_wheels && touched != 0) return false;

  const auto is_near = [&](std::size_t wheel) {
    const Vec point = state.bodies[3 * p + 1 + wheel].origin;
    const double reach = model.reach[wheel];
    const Box box = box_around(point, max_of(reach, 0.0));
    // The boxes are those of leaves, so the distance decides.
    for (const Part part : {Part::body, Part::rear, Part::front}) {
      const std::size_t shape = shape_of(1 - p, part);
      if (intersect(box, state.nodes[shape].box) && distance_to_shape(model, state, shape, point) < reach) return true;
    }
    const auto is_near_segment = [&](std::size_t i) {
      const StaticSegment& segment = model.segments[i];
      return !segment.sensor && intersect(box, segment.box) && distance_to(segment, point) < reach;
    };
    // While the wheel's box is inside its leaf, only segments of its pairs can be near.
    const std::size_t leaf = shape_of(p, wheel == 0 ? Part::rear : Part::front);
    if (contains(state.nodes[leaf].box, box)) {
      const PairList& list = state.pair_lists[leaf];
      const Pair* const pairs = state.pairs() + list.begin;
      // std::any_of would be compiled for the baseline target, and not be inlined.
      for (std::size_t i = 0; i < list.count; ++i) {
        const std::size_t other = pairs[i].other;
        if (other >= kMovingShapeCount && is_near_segment(other - kMovingShapeCount)) return true;
      }
      return false;
    }
    bool near = false;
    query_segments(model, box, [&](std::size_t i) { near = near || is_near_segment(i); });
    return near;
  };
  return !is_near(0) && !is_near(1);
}

CarState car_state(const LiveState& state, Player player) noexcept {
  const Body* const bodies = &state.bodies[3 * index_of(player)];
  return {body_state(bodies[0]), body_state(bodies[1]), body_state(bodies[2])};
}

void set_car_state(const MatchModel& model, LiveState& state, Player player, const CarState& car) noexcept {
  const std::array<const BodyState*, 3> given = car.parts();
  for (std::size_t role = 0; role < 3; ++role) {
    const std::size_t i = 3 * index_of(player) + role;
    Body& body = state.bodies[i];
    body.angle = given[role]->angle;
    if (needs_rotation(model, i)) body.rotation = rotation_of(body.angle);
    body.position = rotated(model.bodies[i].centre_of_gravity, body.rotation) + vec(given[role]->position);
    update_origin(model.bodies[i], body);
    body.velocity = vec(given[role]->velocity);
    body.angular_velocity = given[role]->angular_velocity;
  }
}

namespace {

void step(const MatchModel& model, LiveState& state, SolverContact* solver_contacts, Commands commands) noexcept {
  const MatchRules before = state.rules;
  SolvedWorld world;
  if (!begin_step({&model, &state, solver_contacts, commands}, world)) return;
  solve_velocities(world);
  end_step(world, before);
}

void step_together(std::span<const SteppedWorld> worlds) noexcept {
  std::array<SolvedWorld, kGroupSizeMax> solved;
  std::array<MatchRules, kGroupSizeMax> before;
  std::size_t count = 0;
  for (const SteppedWorld& world : worlds) {
    before[count] = world.state->rules;
    if (begin_step(world, solved[count])) ++count;
  }
  if (count == 0) return;
  // A counting sort, so that worlds with similar numbers of contacts share SIMD lanes.
  constexpr std::size_t kMany = 15;  // larger counts form one class
  // By class, the next index; shifted by one while counting.
  std::array<std::uint8_t, kMany + 2> next{};
  for (std::size_t i = 0; i < count; ++i) ++next[std::min(solved[i].contact_count, kMany) + 1];
  for (std::size_t i = 0; i < kMany; ++i) next[i + 1] = static_cast<std::uint8_t>(next[i + 1] + next[i]);
  std::array<SolvedWorld, kGroupSizeMax> sorted;
  for (std::size_t i = 0; i < count; ++i) sorted[next[std::min(solved[i].contact_count, kMany)]++] = solved[i];
  solve_velocities(std::span(sorted).first(count));
  for (std::size_t i = 0; i < count; ++i) end_step(solved[i], before[i]);
}

}  // namespace

const Kernel kKernel{step, step_together};

FORKMUNK_KERNEL_END
