#include "chipmunk/match.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace forkmunk::engine {
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
  // The transform's translation is the origin; p is the centre of gravity.
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
  const cpShapeFilter filter{index_of(player) + 1, CP_ALL_CATEGORIES, CP_ALL_CATEGORIES};
  const auto nothing_near = [&](const cpBody* wheel, double reach) {
    return api.cpSpacePointQueryNearest(space, api.cpBodyGetPosition(wheel), reach, filter, nullptr) == nullptr;
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
    api.cpBodySetAngle(body, body_state.angle);  // first: setting the position rotates the centre of gravity
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
