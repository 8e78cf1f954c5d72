// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/space.h>

/// Functions that stand for those of another program in its states: they do what Chipmunk does without functions. A
/// recording shows by its checksums which steps depend on the functions.
namespace forkmunk::stand_ins {

// The number tells functions with equal bodies apart: a function has one name.
inline volatile int last_called = 0;
template <int number>
cpBool collide(cpArbiter*, cpSpace*, cpDataPointer) {
  last_called = number;
  return cpTrue;
}
template <int number>
void ignore(cpArbiter*, cpSpace*, cpDataPointer) {
  last_called = number;
}
template <int number>
void ignore_joint(cpConstraint*, cpSpace*) {
  last_called = number;
}
template <int number>
void default_velocity(cpBody* body, cpVect gravity, cpFloat damping, cpFloat dt) {
  last_called = number;
  cpBodyUpdateVelocity(body, gravity, damping, dt);
}
inline void default_position(cpBody* body, cpFloat dt) { cpBodyUpdatePosition(body, dt); }
inline cpFloat default_force(cpConstraint* spring, cpFloat distance) {
  const bool is_rotary = cpConstraintIsDampedRotarySpring(spring) != cpFalse;
  return is_rotary ? (distance - cpDampedRotarySpringGetRestAngle(spring)) * cpDampedRotarySpringGetStiffness(spring)
                   : (cpDampedSpringGetRestLength(spring) - distance) * cpDampedSpringGetStiffness(spring);
}

struct StandIn {
  const char* name;
  void (*function)(void);
};
#define FORKMUNK_STAND_IN(name, function) \
  { name, reinterpret_cast<void (*)(void)>(function) }
inline const StandIn kOfPython[] = {FORKMUNK_STAND_IN("forkmunk.python.begin", &collide<1>),
                                    FORKMUNK_STAND_IN("forkmunk.python.pre_solve", &collide<2>),
                                    FORKMUNK_STAND_IN("forkmunk.python.begin_one", &collide<3>),
                                    FORKMUNK_STAND_IN("forkmunk.python.pre_solve_one", &collide<4>),
                                    FORKMUNK_STAND_IN("forkmunk.python.post_solve", &ignore<5>),
                                    FORKMUNK_STAND_IN("forkmunk.python.separate", &ignore<6>),
                                    FORKMUNK_STAND_IN("forkmunk.python.post_solve_one", &ignore<7>),
                                    FORKMUNK_STAND_IN("forkmunk.python.separate_one", &ignore<8>),
                                    FORKMUNK_STAND_IN("forkmunk.python.velocity", &default_velocity<9>),
                                    FORKMUNK_STAND_IN("forkmunk.python.position", &default_position),
                                    FORKMUNK_STAND_IN("forkmunk.python.before_joint", &ignore_joint<10>),
                                    FORKMUNK_STAND_IN("forkmunk.python.after_joint", &ignore_joint<11>),
                                    FORKMUNK_STAND_IN("forkmunk.python.force", &default_force)};
inline const StandIn kOfJavaScript[] = {
    FORKMUNK_STAND_IN("js begin", &collide<12>), FORKMUNK_STAND_IN("js preSolve", &collide<13>),
    FORKMUNK_STAND_IN("js postSolve", &ignore<14>), FORKMUNK_STAND_IN("js separate", &ignore<15>),
    FORKMUNK_STAND_IN("js velocity", &default_velocity<16>)};
#undef FORKMUNK_STAND_IN

}  // namespace forkmunk::stand_ins
