// SPDX-License-Identifier: MIT

#include "fast/solver.h"
#include "fast/step.h"

#include <forkmunk/chipmunk/chipmunk_layout.h>
#include <forkmunk/chipmunk/defects.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace forkmunk::FORKMUNK_CHIPMUNK::fast {
namespace {

using layout::for_each;

class JointClasses {
 public:
  JointClasses() {
/* clang-format off */
#define FORKMUNK_ADD(kind, type, text, table) add(JointKind::k##type, &cp##type##Init);
    FORKMUNK_EACH_JOINT(FORKMUNK_ADD)
#undef FORKMUNK_ADD
    /* clang-format on */
  }
  [[nodiscard]] JointKind kind_of(const cpConstraint& joint) const noexcept {
    std::size_t kind = 0;
    while (kind < classes_.size() && classes_[kind] != joint.klass) ++kind;
    return static_cast<JointKind>(kind);
  }
  [[nodiscard]] bool runs_callback(const cpConstraint& joint, JointKind kind) const noexcept {
    if (joint.preSolve != nullptr) return true;
    if (kind == JointKind::kDampedSpring) {
      return reinterpret_cast<const cpDampedSpring&>(joint).springForceFunc != spring_force_;
    }
    return kind == JointKind::kDampedRotarySpring &&
           reinterpret_cast<const cpDampedRotarySpring&>(joint).springTorqueFunc != spring_torque_;
  }

 private:
  // Not 0, because a gear divides by its ratio.
  struct Argument {
    operator cpFloat() const noexcept { return 1; }
    operator cpVect() const noexcept { return {1, 0}; }
  };
  // Reads the class, and a spring's default function, from a joint between no bodies.
  template <typename Joint, typename... Parameters>
  void add(JointKind kind, Joint* (*initialise)(Joint*, cpBody*, cpBody*, Parameters...)) {
    Joint joint{};
    initialise(&joint, nullptr, nullptr, static_cast<Parameters>(Argument{})...);
    classes_[static_cast<std::size_t>(kind)] = joint.constraint.klass;
    if constexpr (requires { joint.springForceFunc; }) spring_force_ = joint.springForceFunc;
    if constexpr (requires { joint.springTorqueFunc; }) spring_torque_ = joint.springTorqueFunc;
  }

  cpDampedSpringForceFunc spring_force_ = nullptr;
  cpDampedRotarySpringTorqueFunc spring_torque_ = nullptr;
  std::array<const cpConstraintClass*, kJointKindCount> classes_{};
};

// Returns whether a user's function runs between prestep() and the solver.
bool runs_callbacks(cpSpace* space, const JointClasses& classes) {
  for (int i = 0; i < space->constraints->num; ++i) {
    const auto& joint = *static_cast<const cpConstraint*>(space->constraints->arr[i]);
    if (classes.runs_callback(joint, classes.kind_of(joint))) return true;
  }
  for (int i = 0; i < space->dynamicBodies->num; ++i) {
    if (static_cast<const cpBody*>(space->dynamicBodies->arr[i])->velocity_func != &cpBodyUpdateVelocity) return true;
  }
  return false;
}

void prepare_contacts(cpSpace* space, const StepTimes& times) {
  for_each<cpArbiter>(*space->arbiters,
                      [&](cpArbiter& arbiter) { cpArbiterPreStep(&arbiter, times.dt, times.slop, times.bias); });
}

void prepare_joints(cpSpace* space, const StepTimes& times) {
  for_each<cpConstraint>(*space->constraints, [&](cpConstraint& joint) {
    if (joint.preSolve != nullptr) joint.preSolve(&joint, space);
    joint.klass->preStep(&joint, times.dt);
  });
}

// v = v damping + (g + f / m) dt, w = w damping + (t / i) dt
void update_velocity(cpBody& body, cpVect gravity, cpFloat damping, cpFloat dt) {
  const bool is_kinematic = body.sleeping.idleTime != INFINITY && body.m == INFINITY;
  if (is_kinematic) return;
  body.v = body.v * damping + (gravity + body.f * body.m_inv) * dt;
  body.w = body.w * damping + body.t * body.i_inv * dt;
  body.f = {0, 0};
  body.t = 0;
}

void integrate_velocities(cpSpace* space, cpFloat dt) {
  const cpFloat damping = cpSpacePower(space->damping, dt);
  const cpVect gravity = space->gravity;
  for_each<cpBody>(*space->dynamicBodies, [&](cpBody& body) {
    if (body.velocity_func == &cpBodyUpdateVelocity) {
      update_velocity(body, gravity, damping, dt);
    } else {
      body.velocity_func(&body, gravity, damping, dt);
    }
  });
}

void iterate(cpSpace* space, const StepTimes& times) {
  for_each<cpArbiter>(*space->arbiters,
                      [&](cpArbiter& arbiter) { cpArbiterApplyCachedImpulse(&arbiter, times.dt_ratio); });
  for_each<cpConstraint>(*space->constraints,
                         [&](cpConstraint& joint) { joint.klass->applyCachedImpulse(&joint, times.dt_ratio); });
  for (int i = 0; i < space->iterations; ++i) {
    for_each<cpArbiter>(*space->arbiters, [](cpArbiter& arbiter) { cpArbiterApplyImpulse(&arbiter); });
    for_each<cpConstraint>(*space->constraints,
                           [&](cpConstraint& joint) { joint.klass->applyImpulse(&joint, times.dt); });
  }
}

// Leaves springs, which do not start with an impulse.
template <typename Joint>
void scale(Joint& joint, cpFloat by) noexcept {
  if constexpr (requires { joint.stiffness; })
    return;
  else if constexpr (requires { joint.jnAcc; })
    joint.jnAcc = joint.jnAcc * by;
  else
    joint.jAcc = joint.jAcc * by;
}
void scale_joint(cpConstraint& joint, JointKind kind, cpFloat by) noexcept {
  switch (kind) {
/* clang-format off */
#define FORKMUNK_SCALE(kind, type, text, table) \
    case JointKind::k##type: return scale(reinterpret_cast<cp##type&>(joint), by);
    FORKMUNK_EACH_JOINT(FORKMUNK_SCALE)
#undef FORKMUNK_SCALE
    /* clang-format on */
    case JointKind::none: return;
  }
}

// Multiplies the impulses that start this step by the ratio of the time steps, because equal forces give impulses in
// proportion to the time step. Chipmunk leaves the sums, so the solver cannot take back the surplus of a larger step,
// and contacts pull after a smaller one. The impulse of a shock is no force, so a longer step at most doubles it.
void scale_impulses(cpSpace* space, StepTimes& times, const JointClasses& classes) noexcept {
  constexpr cpFloat kRatioMax = 2;
  if (times.dt_ratio == 1 || times.dt_ratio == 0) return;
  if ((forkmunk_defects(space) & FORKMUNK_DEFECT_TIME_STEP_RATIO) != 0) return;
  const cpFloat by = std::clamp(times.dt_ratio, cpFloat(0), kRatioMax);
  for_each<cpArbiter>(*space->arbiters, [&](cpArbiter& arbiter) {
    for (int i = 0; i < arbiter.count; ++i) {
      arbiter.contacts[i].jnAcc *= by;
      arbiter.contacts[i].jtAcc *= by;
    }
  });
  for_each<cpConstraint>(*space->constraints,
                         [&](cpConstraint& joint) { scale_joint(joint, classes.kind_of(joint), by); });
  times.dt_ratio = 1;
}

constexpr cpTimestamp kStepsUntilRetry = 3;

bool schedule(cpSpace* space, const JointClasses& classes, const SolverKernel* kernel, Solver& solver) {
  if (kernel == nullptr) return false;
  if (solver.unprofitable == space && space->stamp - solver.unprofitable_stamp <= kStepsUntilRetry) return false;
  solver.reserve(*space, *kernel);
  for (int i = 0; i < space->constraints->num; ++i) {
    const JointKind kind = classes.kind_of(*static_cast<const cpConstraint*>(space->constraints->arr[i]));
    if (kind == JointKind::none) return false;
    solver.joint_kinds.data()[i] = kind;
  }
  const bool is_profitable = kernel->schedule(solver, *space);
  solver.unprofitable = is_profitable ? nullptr : space;
  solver.unprofitable_stamp = space->stamp;
  return is_profitable;
}

// Callbacks may change everything, or step another space, so they run before the groups are made.
void solve_after_callbacks(cpSpace* space, StepTimes& times, const JointClasses& classes, const SolverKernel* kernel) {
  prepare_contacts(space, times);
  prepare_joints(space, times);
  integrate_velocities(space, times.dt);
  scale_impulses(space, times, classes);
  const Scratch<Solver> solver;
  if (schedule(space, classes, kernel, *solver)) {
    kernel->load_contacts(*solver);
    kernel->load_joints(*solver, times);
    if (kernel->solve(*solver, times, space->iterations)) return kernel->store(*solver);
  }
  iterate(space, times);
}

constexpr std::size_t kLanesMax = 8;

}  // namespace

void Solver::reserve(const cpSpace& space, const SolverKernel& kernel) {
  first_count = space.arbiters->num >= space.dynamicBodies->num ? space.dynamicBodies->num : 0;
  const auto row_count_max = 2 * static_cast<std::size_t>(space.arbiters->num + space.constraints->num) +
                             static_cast<std::size_t>(first_count) + kLanesMax;
  // Buffers that grow lose the groups.
  if (contacts.item_count != space.arbiters->num || joints.item_count != space.constraints->num ||
      !rows.has_room(row_count_max)) {
    scheduled_lanes = 0;
  }
  const auto reserve_list = [](GroupList& list, int items, std::size_t lines) {
    const auto count = 2 * static_cast<std::size_t>(items);
    // There are at most as many groups as items, and at most as many empty groups.
    for (auto* rows_of : {&list.row_a, &list.row_b}) rows_of->reserve(count * kLanesMax);
    list.item.reserve(count * kLanesMax);
    for (auto* by_group : {&list.used, &list.kinds, &list.is_paired}) by_group->reserve(count);
    for (auto& open : list.open) open.reserve(count / 64 + 1);
    for (auto* by_group : {&list.level, &list.order}) by_group->reserve(count);
    list.level_end.reserve(count + 2);
    list.line.reserve(count);
    list.memory.reserve(static_cast<std::size_t>(items) * lines);
  };
  reserve_list(contacts, space.arbiters->num, kernel.lines_of_contact_group);
  reserve_list(joints, space.constraints->num, kernel.lines_of_joint_group);
  rows.reserve(row_count_max);
  bodies.reserve(row_count_max);
  next.reserve(row_count_max);
  contact_end.reserve(row_count_max);
  joint_end.reserve(row_count_max);
  is_fixed.reserve(row_count_max);
  joint_kinds.reserve(static_cast<std::size_t>(space.constraints->num));
  contact_items.reserve(static_cast<std::size_t>(space.arbiters->num));
  joint_items.reserve(static_cast<std::size_t>(space.constraints->num));
}

void solve(cpSpace* space, cpFloat dt, cpFloat previous_dt, bool in_turn) {
  if (space->arbiters->num == 0 && space->constraints->num == 0) return integrate_velocities(space, dt);
  StepTimes times{dt, previous_dt == 0 ? 0 : dt / previous_dt, space->collisionSlop,
                  static_cast<cpFloat>(1.0 - cpSpacePower(space->collisionBias, dt))};
  const SolverKernel* const kernel = in_turn ? nullptr : solver_kernel(space->arbiters->num, space->constraints->num);
  static const JointClasses classes;
  if (runs_callbacks(space, classes)) return solve_after_callbacks(space, times, classes, kernel);
  scale_impulses(space, times, classes);
  const Scratch<Solver> solver;
  const bool is_scheduled = schedule(space, classes, kernel, *solver);
  is_scheduled ? kernel->prestep(*solver, times) : prepare_contacts(space, times);
  prepare_joints(space, times);
  integrate_velocities(space, dt);
  if (is_scheduled) {
    kernel->load_joints(*solver, times);
    if (kernel->solve(*solver, times, space->iterations)) return kernel->store(*solver);
    kernel->store_prestep(*solver);
  }
  iterate(space, times);
}

}  // namespace forkmunk::FORKMUNK_CHIPMUNK::fast
