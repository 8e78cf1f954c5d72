// SPDX-License-Identifier: MIT

#include "chipmunk/match.h"

#include <algorithm>
#include <cmath>

namespace forkmunk::engine {
namespace {

cpVect to_cp(Vec2 v) { return cpv(v.x, v.y); }

std::vector<cpVect> mirrored_vertices(const std::vector<Vec2>& polygon, double mirror) {
  std::vector<cpVect> result;
  result.reserve(polygon.size());
  for (const Vec2& vertex : polygon) result.push_back(cpv(mirror * vertex.x, vertex.y));
  return result;
}

cpShapeFilter filter_of(Player player) { return {index_of(player) + 1, CP_ALL_CATEGORIES, CP_ALL_CATEGORIES}; }

cpCollisionType button_type(Player player) { return 10 * (index_of(player) + 1); }

// \param data  the index of the player whose button was touched.
cpBool on_button_touched(cpArbiter* arbiter, cpSpace* space, cpDataPointer data) {
  auto& match = *static_cast<Match*>(space->userData);
  const cpShape* other = arbiter->swapped ? arbiter->a : arbiter->b;
  match.rules.press(reinterpret_cast<std::uintptr_t>(data), other == match.deadline_shape        ? DeathCause::deadline
                                                            : other->body != &space->_staticBody ? DeathCause::enemy
                                                            : other->sensor                      ? DeathCause::box
                                                                                                 : DeathCause::map);
  return cpFalse;
}

}  // namespace

void show_pointers(void* root, chipmunk::PointerVisitor& visitor) {
  auto& match = *static_cast<Match*>(root);
  const auto show = [&](auto&... pointers) { (visitor(pointers), ...); };
  for (CarParts& car : match.cars) {
    show(car.button, car.body, car.body_shape, car.rear_wheel, car.front_wheel, car.rear_shape, car.front_shape,
         car.rear_groove, car.rear_spring, car.front_groove, car.front_spring, car.rear_motor, car.front_motor);
  }
  show(match.deadline_body, match.deadline_shape);
}

void MatchBuilder::create_static_shapes() {
  static_shapes_.reserve(static_shape_count());
  const auto create = [this](cpVect a, cpVect b, double radius) {
    return static_shapes_.emplace_back(api_.cpSegmentShapeNew(&space_->_staticBody, a, b, radius));
  };
  for (std::size_t i = 0; i < kBoxCorners.size(); ++i) {
    const Vec2 next = kBoxCorners[(i + 1) % kBoxCorners.size()];
    api_.cpShapeSetSensor(create(to_cp(kBoxCorners[i]), to_cp(next), kBoxRadius), cpTrue);
  }
  for (const Segment& segment : setup_.map.segments) {
    cpShape* shape = create(to_cp(segment.a), to_cp(segment.b), segment.radius);
    api_.cpShapeSetFriction(shape, 1);
    api_.cpShapeSetElasticity(shape, 0);
  }
}

void MatchBuilder::create_dynamic(Match& match) const {
  match.torque = setup_.car.torque;
  match.max_speed = setup_.car.max_speed;
  match.rear_reach = setup_.car.rear_wheel.radius + 1;
  match.front_reach = setup_.car.front_wheel.radius + 1;
  match.rules = {};

  match.deadline_body = api_.cpBodyNewKinematic();
  const std::vector<cpVect> polygon = mirrored_vertices({kDeadlinePolygon.begin(), kDeadlinePolygon.end()}, 1);
  match.deadline_shape = api_.cpPolyShapeNew(match.deadline_body, static_cast<int>(polygon.size()), polygon.data(),
                                             cpTransformIdentity, 0);
  api_.cpShapeSetSensor(match.deadline_shape, cpTrue);
  api_.cpBodySetPosition(match.deadline_body, cpv(0, kDeadlineStart));

  for (const Player player : kPlayers) match.cars[index_of(player)] = create_car(player);

  api_.cpSpaceSetGravity(space_, cpv(0, kGravityY));
  api_.cpSpaceSetDamping(space_, kDamping);
  api_.cpSpaceSetUserData(space_, &match);
  for (const Player player : kPlayers) {
    cpCollisionHandler* handler = api_.cpSpaceAddWildcardHandler(space_, button_type(player));
    handler->beginFunc = on_button_touched;
    handler->userData = reinterpret_cast<cpDataPointer>(index_of(player));
  }
}

CarParts MatchBuilder::create_car(Player player) const {
  const CarSetup& car = setup_.car;
  const double mirror = player == Player::first ? 1 : -1;
  const Vec2 position{kStartX[index_of(player)], kStartHeight};
  CarParts parts{};

  const std::vector<cpVect> body_poly = mirrored_vertices(car.body_poly, mirror);
  const int body_count = static_cast<int>(body_poly.size());
  parts.body =
      api_.cpBodyNew(car.body_mass, api_.cpMomentForPoly(car.body_mass, body_count, body_poly.data(), cpvzero, 0));
  parts.body_shape = api_.cpPolyShapeNew(parts.body, body_count, body_poly.data(), cpTransformIdentity, 0);
  api_.cpShapeSetFriction(parts.body_shape, car.body_friction);
  api_.cpShapeSetElasticity(parts.body_shape, car.body_elasticity);
  api_.cpShapeSetFilter(parts.body_shape, filter_of(player));

  const std::vector<cpVect> button_poly = mirrored_vertices(car.button_poly, mirror);
  parts.button =
      api_.cpPolyShapeNew(parts.body, static_cast<int>(button_poly.size()), button_poly.data(), cpTransformIdentity, 0);
  api_.cpShapeSetSensor(parts.button, cpTrue);
  api_.cpShapeSetFilter(parts.button, filter_of(player));
  api_.cpShapeSetCollisionType(parts.button, button_type(player));

  // The moment remains that about the origin. The position comes last, because setting it adds the centre of gravity.
  api_.cpBodySetCenterOfGravity(parts.body, api_.cpShapeGetCenterOfGravity(parts.body_shape));
  api_.cpBodySetPosition(parts.body, to_cp(position));

  parts.rear_wheel = create_wheel_body(car.rear_wheel, position, mirror);
  parts.front_wheel = create_wheel_body(car.front_wheel, position, mirror);
  parts.rear_shape = create_wheel_shape(car.rear_wheel, parts.rear_wheel, player);
  parts.front_shape = create_wheel_shape(car.front_wheel, parts.front_wheel, player);

  const auto create_suspension = [&](const WheelSetup& wheel, cpBody* wheel_body, cpConstraint*& groove,
                                     cpConstraint*& spring) {
    const double x = mirror * wheel.damp_position.x;
    const double y = wheel.damp_position.y;
    groove = api_.cpGrooveJointNew(parts.body, wheel_body, cpv(x, y - wheel.groove_offset),
                                   cpv(x, y - 1.5 * wheel.damp_length), cpvzero);
    spring = api_.cpDampedSpringNew(wheel_body, parts.body, cpvzero, cpv(x, y), wheel.damp_length, wheel.damp_stiffness,
                                    wheel.damp_damping);
  };
  create_suspension(car.rear_wheel, parts.rear_wheel, parts.rear_groove, parts.rear_spring);
  create_suspension(car.front_wheel, parts.front_wheel, parts.front_groove, parts.front_spring);

  if (car.drive != Drive::front) parts.rear_motor = api_.cpSimpleMotorNew(parts.rear_wheel, parts.body, 0);
  if (car.drive != Drive::rear) parts.front_motor = api_.cpSimpleMotorNew(parts.front_wheel, parts.body, 0);
  return parts;
}

cpBody* MatchBuilder::create_wheel_body(const WheelSetup& wheel, Vec2 car_position, double mirror) const {
  const double moment = setup_.car.squared_wheels ? api_.cpMomentForBox(wheel.mass, 2 * wheel.radius, 2 * wheel.radius)
                                                  : api_.cpMomentForCircle(wheel.mass, 0, wheel.radius, cpvzero);
  cpBody* body = api_.cpBodyNew(wheel.mass, moment);
  api_.cpBodySetPosition(body, cpv(car_position.x + mirror * wheel.position.x, car_position.y + wheel.position.y));
  return body;
}

cpShape* MatchBuilder::create_wheel_shape(const WheelSetup& wheel, cpBody* body, Player player) const {
  cpShape* shape = setup_.car.squared_wheels ? api_.cpBoxShapeNew(body, 2 * wheel.radius, 2 * wheel.radius, 0)
                                             : api_.cpCircleShapeNew(body, wheel.radius, cpvzero);
  api_.cpShapeSetFilter(shape, filter_of(player));
  api_.cpShapeSetFriction(shape, wheel.friction);
  api_.cpShapeSetElasticity(shape, wheel.elasticity);
  return shape;
}

void MatchBuilder::add_static_shapes() const {
  for (cpShape* shape : static_shapes_) api_.cpSpaceAddShape(space_, shape);
}

void MatchBuilder::add_dynamic(Match& match) const {
  api_.cpSpaceAddShape(space_, match.deadline_shape);
  for (const CarParts& car : match.cars) {
    api_.cpSpaceAddShape(space_, car.button);
    api_.cpSpaceAddBody(space_, car.body);
    api_.cpSpaceAddShape(space_, car.body_shape);
    api_.cpSpaceAddBody(space_, car.rear_wheel);
    api_.cpSpaceAddBody(space_, car.front_wheel);
    api_.cpSpaceAddShape(space_, car.rear_shape);
    api_.cpSpaceAddConstraint(space_, car.rear_groove);
    api_.cpSpaceAddConstraint(space_, car.rear_spring);
    api_.cpSpaceAddShape(space_, car.front_shape);
    api_.cpSpaceAddConstraint(space_, car.front_groove);
    api_.cpSpaceAddConstraint(space_, car.front_spring);
    if (car.rear_motor != nullptr) api_.cpSpaceAddConstraint(space_, car.rear_motor);
    if (car.front_motor != nullptr) api_.cpSpaceAddConstraint(space_, car.front_motor);
  }
}

namespace {

void set_motors(const chipmunk::ChipmunkApi& api, const CarParts& car, double rate) noexcept {
  if (car.rear_motor != nullptr) api.cpSimpleMotorSetRate(car.rear_motor, rate);
  if (car.front_motor != nullptr) api.cpSimpleMotorSetRate(car.front_motor, rate);
}

void apply(const chipmunk::ChipmunkApi& api, cpSpace* space, const Match& match, Player player,
           Command command) noexcept {
  if (command == Command::none) return;
  const CarParts& car = match.cars[index_of(player)];
  if (command == Command::stop) {
    set_motors(api, car, 0);
    return;
  }
  const double direction = command == Command::right ? 1 : -1;
  if (in_air(api, space, match, player)) api.cpBodySetTorque(car.body, direction * match.torque);
  set_motors(api, car, -direction * match.max_speed);
}

BodyState body_state(const cpBody& body) noexcept {
  // The translation of the transform is the origin; body.p is the centre of gravity.
  return {{body.transform.tx, body.transform.ty}, body.a, {body.v.x, body.v.y}, body.w};
}

bool is_finite(const Match& match) noexcept {
  return std::ranges::all_of(match.cars, [](const CarParts& car) {
    return std::ranges::all_of(std::array{car.body, car.rear_wheel, car.front_wheel}, [](const cpBody* body) {
      return std::isfinite(body->p.x) && std::isfinite(body->p.y) && std::isfinite(body->v.x) &&
             std::isfinite(body->v.y) && std::isfinite(body->a) && std::isfinite(body->w);
    });
  });
}

}  // namespace

bool in_air(const chipmunk::ChipmunkApi& api, cpSpace* space, const Match& match, Player player) noexcept {
  const CarParts& car = match.cars[index_of(player)];
  const auto nothing_near = [&](const cpBody* wheel, double reach) {
    return api.cpSpacePointQueryNearest(space, api.cpBodyGetPosition(wheel), reach, filter_of(player), nullptr) ==
           nullptr;
  };
  return nothing_near(car.rear_wheel, match.rear_reach) && nothing_near(car.front_wheel, match.front_reach);
}

void step_match(const chipmunk::ChipmunkApi& api, cpSpace* space, Match& match, Commands commands) noexcept {
  const MatchRules before = match.rules;
  const auto take_commands = [&] {
    apply(api, space, match, Player::first, commands.first);
    apply(api, space, match, Player::second, commands.second);
  };
  const auto raise_deadline = [&] {
    const cpVect position = api.cpBodyGetPosition(match.deadline_body);
    api.cpBodySetPosition(match.deadline_body, cpv(position.x, position.y + kDeadlineRise));
  };
  if (!match.rules.begin_tick(take_commands, raise_deadline)) return;
  api.cpSpaceStep(space, kTickSeconds);
  match.rules.end_tick(is_finite(match), before);
}

void set_car_state(const chipmunk::ChipmunkApi& api, const CarParts& car, const CarState& state) noexcept {
  const auto set_body = [&](cpBody* body, const BodyState& body_state) {
    api.cpBodySetAngle(body, body_state.angle);  // first, because setting the position rotates the centre of gravity
    api.cpBodySetPosition(body, cpv(body_state.position.x, body_state.position.y));
    body->v = cpv(body_state.velocity.x, body_state.velocity.y);
    body->w = body_state.angular_velocity;
  };
  set_body(car.body, state.body);
  set_body(car.rear_wheel, state.rear_wheel);
  set_body(car.front_wheel, state.front_wheel);
  // in_air() queries the shapes before the next step updates them.
  for (cpShape* shape : {car.button, car.body_shape, car.rear_shape, car.front_shape}) api.cpShapeCacheBB(shape);
}

CarState car_state(const CarParts& car) noexcept {
  return {body_state(*car.body), body_state(*car.rear_wheel), body_state(*car.front_wheel)};
}

}  // namespace forkmunk::engine
