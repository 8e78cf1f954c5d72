#include "fast/solve.h"

#include <forkmunk/strict_math/c_names.h>

namespace forkmunk::chipmunk::fast {
namespace {

template <typename T, typename Visit>
void for_each(cpArray* array, Visit&& visit) {
  for (int i = 0; i < array->num; ++i) visit(static_cast<T*>(array->arr[i]));
}

}  // namespace

void solve(cpSpace* space, cpFloat dt, cpFloat previous_dt) {
  const cpFloat slop = space->collisionSlop;
  const cpFloat bias = 1.0 - forkmunk_strict_pow(space->collisionBias, dt);
  for_each<cpArbiter>(space->arbiters, [&](cpArbiter* arbiter) { cpArbiterPreStep(arbiter, dt, slop, bias); });
  for_each<cpConstraint>(space->constraints, [&](cpConstraint* constraint) {
    if (constraint->preSolve != nullptr) constraint->preSolve(constraint, space);
    constraint->klass->preStep(constraint, dt);
  });
  const cpFloat damping = forkmunk_strict_pow(space->damping, dt);
  const cpVect gravity = space->gravity;
  for_each<cpBody>(space->dynamicBodies, [&](cpBody* body) { body->velocity_func(body, gravity, damping, dt); });
  const cpFloat dt_ratio = previous_dt == 0 ? 0 : dt / previous_dt;
  for_each<cpArbiter>(space->arbiters, [&](cpArbiter* arbiter) { cpArbiterApplyCachedImpulse(arbiter, dt_ratio); });
  for_each<cpConstraint>(space->constraints, [&](cpConstraint* constraint) {
    constraint->klass->applyCachedImpulse(constraint, dt_ratio);
  });
  for (int i = 0; i < space->iterations; ++i) {
    for_each<cpArbiter>(space->arbiters, [](cpArbiter* arbiter) { cpArbiterApplyImpulse(arbiter); });
    for_each<cpConstraint>(space->constraints,
                           [&](cpConstraint* constraint) { constraint->klass->applyImpulse(constraint, dt); });
  }
}

}  // namespace forkmunk::chipmunk::fast
