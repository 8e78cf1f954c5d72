#include "flat/step.h"

#include "flat/broad_phase.h"
#include "flat/contacts.h"
#include "flat/placed_shapes.h"
#include "flat/suspension_solver.h"

#include <algorithm>
#include <cstring>

namespace forkmunk::engine::flat {
namespace {

constexpr double kStartHeight = 300;
constexpr std::array<double, 2> kStartX{300, 900};
constexpr double kDeadlineStart = 10;
constexpr double kDeadlineRise = 0.5;
constexpr int kSolverIterations = 10;
// Chipmunk looks at leaves by the buckets of a hash table, which has this many from the fifth shape of a world on.
constexpr std::uint64_t kLeafBucketCount = 13;

// Where the body's origin is: the centre of gravity minus what the rotation makes of its place in the body.
void place_origin(const BodyModel& model, Body& body) noexcept {
  const Vec c = model.centre_of_gravity, r = body.rotation;
  body.origin = {body.position.x - (c.x * r.x - c.y * r.y), body.position.y - (c.x * r.y + c.y * r.x)};
}

// Whether a body's rotation matters: a disc around its own centre looks the same from all sides.
bool needs_rotation(const MatchModel& model, std::size_t body) noexcept {
  return body % 3 == 0 || !model.round_wheels;
}

// p += (v + bias velocity) dt, a += (w + bias) dt; the bias velocities are used up.
void move_bodies(const MatchModel& model, LiveState& state) noexcept {
  for (std::size_t i = 0; i < kBodyCount; ++i) {
    Body& body = state.bodies[i];
    body.position = body.position + (body.velocity + body.bias_velocity) * kTickSeconds;
    body.angle = body.angle + (body.angular_velocity + body.bias_angular_velocity) * kTickSeconds;
    if (needs_rotation(model, i)) {
      body.rotation = {std::cos(body.angle), std::sin(body.angle)};
      place_origin(model.bodies[i], body);
    } else {
      body.origin = body.position;
    }
  }
}

// \param torques  on the cars' bodies.
void solve(const MatchModel& model, LiveState& state, SolverContact* contacts, std::size_t count,
           std::array<double, 2> torques) noexcept {
  std::array<CarLanes, 3> cars;  // the joints' view: car p in lane p
  for (std::size_t role = 0; role < 3; ++role) {
    const Body &first = state.bodies[role], &second = state.bodies[3 + role];
    cars[role].velocity = lanes_of(first.velocity, second.velocity);
    cars[role].w = Lanes{first.angular_velocity, second.angular_velocity};
  }
  Suspensions suspensions(model, state, cars);

  for (std::size_t role = 0; role < 3; ++role) {
    VecLanes& v = cars[role].velocity;
    v.x = v.x * model.damping + 0.0;
    v.y = v.y * model.damping + model.gravity_dt;
    const Lanes torque = role == 0 ? Lanes{torques[0], torques[1]} : both(0);
    cars[role].w = cars[role].w * model.damping + torque * suspensions.inverse_moment[role] * kTickSeconds;
  }

  // The contacts' view: velocity and bias velocity of a body side by side. Bodies that touch nothing stay out of it.
  Motions motions{};
  std::array<bool, kBodyCount + 1> touching{};
  for (std::size_t i = 0; i < count; ++i) touching[contacts[i].a] = touching[contacts[i].b] = true;
  std::array<std::uint8_t, kBodyCount> moved;
  std::size_t moved_count = 0;
  for (std::uint8_t i = 0; i < kBodyCount; ++i) {
    moved[moved_count] = i;
    moved_count += touching[i] ? 1 : 0;
  }
  const auto to_motions = [&] {
    for (std::size_t k = 0; k < moved_count; ++k) {
      const std::size_t i = moved[k], role = i % 3, player = i / 3;
      Motion& motion = motions[i];  // whole vectors are stored: one that is stored by halves is slow to load
      motion.x = Lanes{motion.x[0], cars[role].velocity.x[player]};
      motion.y = Lanes{motion.y[0], cars[role].velocity.y[player]};
      motion.w = Lanes{motion.w[0], cars[role].w[player]};
    }
  };
  const auto to_cars = [&] {
    for (std::size_t role = 0; role < 3; ++role) {
      if (!touching[role] && !touching[3 + role]) continue;
      const Motion &first = motions[role], &second = motions[3 + role];
      CarLanes& car = cars[role];
      car.velocity.x = Lanes{touching[role] ? first.x[1] : car.velocity.x[0],
                             touching[3 + role] ? second.x[1] : car.velocity.x[1]};
      car.velocity.y = Lanes{touching[role] ? first.y[1] : car.velocity.y[0],
                             touching[3 + role] ? second.y[1] : car.velocity.y[1]};
      car.w = Lanes{touching[role] ? first.w[1] : car.w[0], touching[3 + role] ? second.w[1] : car.w[1]};
    }
  };
  to_motions();
  for (std::size_t i = 0; i < count; ++i) apply_cached(model, contacts[i], motions);
  to_cars();
  suspensions.apply_cached(cars);
  for (int iteration = 0; iteration < kSolverIterations; ++iteration) {
    if (count > 0) {
      to_motions();
      for (std::size_t i = 0; i < count; ++i) solve(model, contacts[i], motions);
      to_cars();
    }
    suspensions.solve(cars);
  }

  for (std::size_t i = 0; i < kBodyCount; ++i) {
    Body& body = state.bodies[i];
    const Motion& motion = motions[i];
    const CarLanes& car = cars[i % 3];
    body.velocity = {car.velocity.x[i / 3], car.velocity.y[i / 3]};
    body.angular_velocity = car.w[i / 3];
    body.bias_velocity = {motion.x[0], motion.y[0]};
    body.bias_angular_velocity = motion.w[0];
  }
  suspensions.store(state);
}

// \return the torque on the car's body.
double apply(const MatchModel& model, LiveState& state, Player player, Command command) noexcept {
  double& rate = state.motor_rate[index_of(player)];
  if (command == Command::stop) {
    rate = 0;
    return 0;
  }
  const double direction = command == Command::right ? 1 : -1;
  rate = -direction * model.max_speed;
  return in_air(model, state, player) ? direction * model.torque : 0;
}

void simulate(const MatchModel& model, LiveState& state, SolverContact* solver_contacts,
              std::array<double, 2> torques) noexcept {
  ++state.stamp;
  move_bodies(model, state);
  const PlacedShapes shapes(model, state);
  update_tree(state, shapes.boxes);
  ContactFinder finder(model, state, shapes, solver_contacts);
  find_pairs(model, state, shapes.boxes, finder);
  solve(model, state, solver_contacts, finder.found_count(), torques);
  store_impulses(solver_contacts, finder.found_count(), state);
  forget_old_contacts(state);
}

BodyState body_state(const Body& body) noexcept {
  return {vec2(body.origin), body.angle, vec2(body.velocity), body.angular_velocity};
}

}  // namespace

Inheritance inheritance_of(const MatchModel& model, const LiveState& state) noexcept {
  return {state.first_shape_id + model.static_count() + kMovingShapeCount, state.stamp, state.tree_stamp};
}

void begin(const MatchModel& model, const Inheritance& inheritance, LiveState& state) noexcept {
  std::memset(static_cast<void*>(&state), 0, sizeof state);  // no byte is left to chance, padding included
  const LiveState fresh;
  state.ticks_to_deadline = fresh.ticks_to_deadline;
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
    const std::array<Vec, 3> places{
        start,
        Vec{start.x + mirror * car.rear_wheel.position.x, start.y + car.rear_wheel.position.y},
        Vec{start.x + mirror * car.front_wheel.position.x, start.y + car.front_wheel.position.y}};
    for (std::size_t role = 0; role < 3; ++role) {
      const std::size_t i = 3 * player + role;
      Body& body = state.bodies[i];
      body.rotation = {1, 0};
      body.position = rotated(model.bodies[i].centre_of_gravity, body.rotation) + places[role];
      place_origin(model.bodies[i], body);
    }
  }

  const std::uint64_t first_moving_id = state.first_shape_id + model.static_count();
  for (std::size_t i = 0; i < kMovingShapeCount; ++i) state.leaf_order[i] = static_cast<std::uint8_t>(i);
  std::sort(state.leaf_order.begin(), state.leaf_order.end(), [&](std::uint8_t a, std::uint8_t b) {
    return (first_moving_id + a) % kLeafBucketCount < (first_moving_id + b) % kLeafBucketCount;
  });
  const PlacedShapes shapes(model, state);
  build_tree(model, state, shapes.boxes);
}

void step(const MatchModel& model, LiveState& state, SolverContact* solver_contacts, Commands commands) noexcept {
  if (!state.resting && (state.dead[0] || state.dead[1])) {
    state.resting = true;
    state.rest_ticks = kRestTicks;
  }
  if (state.rest_ticks > 0) --state.rest_ticks;

  std::array<double, 2> torques{};
  if (!state.resting) {
    torques[0] = apply(model, state, Player::first, commands.first);
    torques[1] = apply(model, state, Player::second, commands.second);
  }
  if (state.ticks_to_deadline < 1) {
    state.deadline_y += kDeadlineRise;
  } else {
    --state.ticks_to_deadline;
  }
  simulate(model, state, solver_contacts, torques);
  if (state.resting && state.rest_ticks == 0) state.over = true;
  ++state.tick;
}

bool in_air(const MatchModel& model, const LiveState& state, Player player) noexcept {
  const std::size_t p = index_of(player);
  // A round wheel that touched something in the last step is near it; shapes have not moved since.
  const auto touched = [&](std::size_t shape) {
    for (std::size_t i = 0; i < state.contact_count; ++i) {
      const Contact& contact = state.contacts()[i];
      if ((contact.key >> 16 == shape || (contact.key & 0xFFFF) == shape) && contact.stamp == state.stamp &&
          contact.count > 0) {
        return true;
      }
    }
    return false;
  };
  const auto is_near = [&](std::size_t wheel) {
    const Vec point = state.bodies[3 * p + 1 + wheel].origin;
    const double reach = model.reach[wheel];
    const Box box = box_around(point, max_of(reach, 0.0));
    bool near = false;
    // A leaf's box holds its shape, so what lies nearby is found by leaves; sensors never are.
    query_subtree(state, state.root, box, [&](std::size_t shape) {
      if (near || shape == kDeadlineShape || player_of(shape) == p || is_button(shape)) return;
      const Body& body = state.bodies[body_of(shape)];
      const Polygon& polygon = model.polygons[shape];
      if (polygon.count == 0) {
        const Circle circle{body.origin, model.wheel_radius[part_of(shape) == Part::rear ? 0 : 1]};
        near = distance_to(circle, point) < reach;
      } else {
        PlacedPolygon placed;
        place(polygon, body.rotation, body.origin, placed);
        near = distance_to(placed, point) < reach;
      }
    });
    query_static_tree(model, box, [&](std::size_t i) {
      const StaticSegment& segment = model.segments[i];
      near = near || (!segment.sensor && distance_to(segment, point) < reach);
    });
    return near;
  };
  if (model.round_wheels && (touched(shape_of(p, Part::rear)) || touched(shape_of(p, Part::front)))) return false;
  return !is_near(0) && !is_near(1);
}

CarState car_state(const LiveState& state, Player player) noexcept {
  const Body* const bodies = &state.bodies[3 * index_of(player)];
  return {body_state(bodies[0]), body_state(bodies[1]), body_state(bodies[2])};
}

void place_car(const MatchModel& model, LiveState& state, Player player, const CarState& car) noexcept {
  const std::array<const BodyState*, 3> placed{&car, &car.rear_wheel, &car.front_wheel};
  for (std::size_t role = 0; role < 3; ++role) {
    const std::size_t i = 3 * index_of(player) + role;
    Body& body = state.bodies[i];
    body.angle = placed[role]->angle;
    if (needs_rotation(model, i)) body.rotation = {std::cos(body.angle), std::sin(body.angle)};
    body.position = rotated(model.bodies[i].centre_of_gravity, body.rotation) + vec(placed[role]->position);
    place_origin(model.bodies[i], body);
    body.velocity = vec(placed[role]->velocity);
    body.angular_velocity = placed[role]->angular_velocity;
  }
}

}  // namespace forkmunk::engine::flat
