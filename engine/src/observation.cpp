// SPDX-License-Identifier: MIT
#include <forkmunk/engine/observation.h>

namespace forkmunk::engine {
namespace {

double* put_poses(double* to, const CarState& car) {
  for (const BodyState* body : car.parts()) {
    *to++ = body->position.x;
    *to++ = body->position.y;
    *to++ = body->angle;
  }
  return to;
}

double* put_velocities(double* to, const CarState& car) {
  for (const BodyState* body : car.parts()) {
    *to++ = body->velocity.x;
    *to++ = body->velocity.y;
    *to++ = body->angular_velocity;
  }
  return to;
}

double* put_seen(double* to, const World& world, const CarState& first, const CarState& second) {
  to = put_poses(put_poses(to, first), second);
  *to++ = world.is_finite() ? world.deadline_y() : first.body.angle;
  return to;
}

}  // namespace

void observe(const World& world, std::span<double, kObservationSize> row) {
  put_seen(row.data(), world, world.car(Player::first), world.car(Player::second));
}

void observe_fully(const World& world, std::span<double, kFullObservationSize> row) {
  const CarState first = world.car(Player::first), second = world.car(Player::second);
  put_velocities(put_velocities(put_seen(row.data(), world, first, second), first), second);
}

}  // namespace forkmunk::engine
