#include <forkmunk/base/error.h>
#include <forkmunk/engine/observation.h>

#include <string>

namespace forkmunk::engine {
namespace {

double* put_places(double* to, const CarState& car) {
  for (const BodyState* body : {static_cast<const BodyState*>(&car), &car.rear_wheel, &car.front_wheel}) {
    *to++ = body->position.x;
    *to++ = body->position.y;
    *to++ = body->angle;
  }
  return to;
}

double* put_motions(double* to, const CarState& car) {
  for (const BodyState* body : {static_cast<const BodyState*>(&car), &car.rear_wheel, &car.front_wheel}) {
    *to++ = body->velocity.x;
    *to++ = body->velocity.y;
    *to++ = body->angular_velocity;
  }
  return to;
}

}  // namespace

void observe(const World& world, std::span<double> row) {
  if (row.size() != kSeenCount && row.size() != kObservedCount) {
    throw Error("observe(): found a row of " + std::to_string(row.size()) + " columns, expected " +
                std::to_string(kSeenCount) + " or " + std::to_string(kObservedCount));
  }
  const CarState first = world.car(Player::first), second = world.car(Player::second);
  double* to = put_places(put_places(row.data(), first), second);
  *to++ = world.is_finite() ? world.deadline_y() : first.angle;
  if (row.size() == kObservedCount) put_motions(put_motions(to, first), second);
}

}  // namespace forkmunk::engine
