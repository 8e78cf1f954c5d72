#include "fast/collision_step.h"
#include "fast/solve.h"
#include "fast/stock_step.h"

/// cpSpaceStep() of the strict build: does what Chipmunk's does, in its order and with its bits.
namespace forkmunk::chipmunk::fast {
namespace {

// The contacts of the step before leave the graph of contacts, unless a body of theirs sleeps.
void clear_contacts(cpSpace* space) {
  cpArray* arbiters = space->arbiters;
  for (int i = 0; i < arbiters->num; ++i) {
    auto* arbiter = static_cast<cpArbiter*>(arbiters->arr[i]);
    arbiter->state = CP_ARBITER_STATE_NORMAL;
    if (!cpBodyIsSleeping(arbiter->body_a) && !cpBodyIsSleeping(arbiter->body_b)) cpArbiterUnthread(arbiter);
  }
  arbiters->num = 0;
}

void move_bodies(cpSpace* space, cpFloat dt) {
  cpArray* bodies = space->dynamicBodies;
  for (int i = 0; i < bodies->num; ++i) {
    auto* body = static_cast<cpBody*>(bodies->arr[i]);
    body->position_func(body, dt);
  }
}

cpBool keep_or_drop(void* arbiter, void* space) {
  return cpSpaceArbiterSetFilter(static_cast<cpArbiter*>(arbiter), static_cast<cpSpace*>(space));
}

void call_post_solve(cpSpace* space) {
  cpArray* constraints = space->constraints;
  for (int i = 0; i < constraints->num; ++i) {
    auto* constraint = static_cast<cpConstraint*>(constraints->arr[i]);
    if (constraint->postSolve != nullptr) constraint->postSolve(constraint, space);
  }
  cpArray* arbiters = space->arbiters;
  for (int i = 0; i < arbiters->num; ++i) {
    auto* arbiter = static_cast<cpArbiter*>(arbiters->arr[i]);
    arbiter->handler->postSolveFunc(arbiter, space, arbiter->handler->userData);
  }
}

void step(cpSpace* space, cpFloat dt) {
  ++space->stamp;
  const cpFloat previous_dt = space->curr_dt;
  space->curr_dt = dt;
  clear_contacts(space);
  cpSpaceLock(space);
  move_bodies(space, dt);
  find_collisions(space);
  cpSpaceUnlock(space, cpFalse);
  cpSpaceProcessComponents(space, dt);
  cpSpaceLock(space);
  cpHashSetFilter(space->cachedArbiters, &keep_or_drop, space);
  solve(space, dt, previous_dt);
  call_post_solve(space);
  cpSpaceUnlock(space, cpTrue);
}

}  // namespace
}  // namespace forkmunk::chipmunk::fast

extern "C" void cpSpaceStep(cpSpace* space, cpFloat dt) {
  if (dt != 0) forkmunk::chipmunk::fast::step(space, dt);
}
