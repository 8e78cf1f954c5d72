// SPDX-License-Identifier: MIT

#include "fast/solver.h"
#include "fast/step.h"

#include <forkmunk/base/per_thread.h>
#include <forkmunk/chipmunk/chipmunk_layout.h>
#include <forkmunk/chipmunk/defects.h>
#include <forkmunk/chipmunk/step_together.h>

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
    if (joint.preSolve != nullptr || kind == JointKind::none) return true;  // none: a class of the user's
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

const JointClasses& joint_classes() {
  static const JointClasses classes;
  return classes;
}

// Returns whether a user's function runs between prestep() and the solver.
bool runs_callbacks(cpSpace* space) {
  const JointClasses& classes = joint_classes();
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
void scale_impulses(cpSpace* space, StepTimes& times) noexcept {
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
                         [&](cpConstraint& joint) { scale_joint(joint, joint_classes().kind_of(joint), by); });
  times.dt_ratio = 1;
}

// The spaces share no body, and have equal times and iterations.
using Spaces = std::span<cpSpace* const>;

struct ItemList {
  void** items;
  int count;
};
// Lists of several spaces stand one after the other in `all`.
[[gnu::noinline]] ItemList gather(Spaces spaces, cpArray* cpSpace::*list, Buffer<void*>& all) {
  const cpArray& first = *(spaces.front()->*list);
  if (spaces.size() == 1) return {first.arr, first.num};
  int count = 0;
  for (const cpSpace* space : spaces) count += (space->*list)->num;
  all.reserve(static_cast<std::size_t>(count));
  void** end = all.data();
  for (const cpSpace* space : spaces) end = std::copy_n((space->*list)->arr, (space->*list)->num, end);
  return {all.data(), count};
}
SolverItems items_of(Spaces spaces, Solver& solver) {
  const ItemList bodies = gather(spaces, &cpSpace::dynamicBodies, solver.all_bodies);
  const ItemList arbiters = gather(spaces, &cpSpace::arbiters, solver.all_arbiters);
  const ItemList joints = gather(spaces, &cpSpace::constraints, solver.all_joints);
  return {reinterpret_cast<cpBody**>(bodies.items),
          reinterpret_cast<cpArbiter**>(arbiters.items),
          reinterpret_cast<cpConstraint**>(joints.items),
          bodies.count,
          arbiters.count,
          joints.count};
}

constexpr cpTimestamp kStepsUntilRetry = 3;

bool schedule(Spaces spaces, const SolverKernel* kernel, Solver& solver) {
  if (kernel == nullptr) return false;
  const cpSpace* const first = spaces.front();
  if (solver.unprofitable == first && first->stamp - solver.unprofitable_stamp <= kStepsUntilRetry) return false;
  const SolverItems items = items_of(spaces, solver);
  solver.reserve(items, *kernel);
  for (int i = 0; i < items.joint_count; ++i) {
    const JointKind kind = joint_classes().kind_of(*items.joints[i]);
    if (kind == JointKind::none) return false;
    solver.joint_kinds.data()[i] = kind;
  }
  const bool is_profitable = kernel->schedule(solver, items);
  solver.unprofitable = is_profitable ? nullptr : first;
  solver.unprofitable_stamp = first->stamp;
  return is_profitable;
}

// Callbacks may change everything, or step another space, so they run before the groups are made.
void solve_after_callbacks(cpSpace* space, StepTimes& times, const SolverKernel* kernel) {
  prepare_contacts(space, times);
  prepare_joints(space, times);
  integrate_velocities(space, times.dt);
  scale_impulses(space, times);
  const Scratch<Solver> solver;
  if (schedule({&space, 1}, kernel, *solver)) {
    kernel->load_contacts(*solver);
    kernel->load_joints(*solver, times);
    if (kernel->solve(*solver, times, space->iterations)) return kernel->store(*solver);
  }
  iterate(space, times);
}

[[gnu::noinline]] void solve_without_callbacks(Spaces spaces, const StepTimes& times, const SolverKernel* kernel) {
  const Scratch<Solver> solver;
  const bool is_scheduled = schedule(spaces, kernel, *solver);
  if (!is_scheduled && spaces.size() > 1) {
    for (cpSpace* const& space : spaces) {
      solve_without_callbacks({&space, 1}, times, solver_kernel(space->arbiters->num, space->constraints->num));
    }
    return;
  }
  if (is_scheduled) kernel->prestep(*solver, times);
  for (cpSpace* const space : spaces) {
    if (!is_scheduled) prepare_contacts(space, times);
    prepare_joints(space, times);
    integrate_velocities(space, times.dt);
  }
  if (is_scheduled) {
    kernel->load_joints(*solver, times);
    if (kernel->solve(*solver, times, spaces.front()->iterations)) return kernel->store(*solver);
    kernel->store_prestep(*solver);
  }
  for (cpSpace* const space : spaces) iterate(space, times);
}

constexpr std::size_t kLanesMax = 8;

}  // namespace

void Solver::reserve(const SolverItems& items, const SolverKernel& kernel) {
  first_count = items.arbiter_count >= items.body_count ? items.body_count : 0;
  const auto row_count_max = 2 * static_cast<std::size_t>(items.arbiter_count + items.joint_count) +
                             static_cast<std::size_t>(first_count) + kLanesMax;
  // Buffers that grow lose the groups.
  if (contacts.item_count != items.arbiter_count || joints.item_count != items.joint_count ||
      !rows.has_room(row_count_max)) {
    scheduled_lanes = 0;
  }
  const auto reserve_list = [](GroupList& list, int item_count, std::size_t lines) {
    const auto count = 2 * static_cast<std::size_t>(item_count);
    // There are at most as many groups as items, and at most as many empty groups.
    for (auto* rows_of : {&list.row_a, &list.row_b}) rows_of->reserve(count * kLanesMax);
    list.item.reserve(count * kLanesMax);
    for (auto* by_group : {&list.used, &list.kinds, &list.is_paired}) by_group->reserve(count);
    for (auto& open : list.open) open.reserve(count / 64 + 1);
    for (auto* by_group : {&list.level, &list.order}) by_group->reserve(count);
    list.level_end.reserve(count + 2);
    list.line.reserve(count);
    list.memory.reserve(static_cast<std::size_t>(item_count) * lines);
  };
  reserve_list(contacts, items.arbiter_count, kernel.lines_of_contact_group);
  reserve_list(joints, items.joint_count, kernel.lines_of_joint_group);
  rows.reserve(row_count_max);
  bodies.reserve(row_count_max);
  next.reserve(row_count_max);
  contact_end.reserve(row_count_max);
  joint_end.reserve(row_count_max);
  is_fixed.reserve(row_count_max);
  joint_kinds.reserve(static_cast<std::size_t>(items.joint_count));
  contact_items.reserve(static_cast<std::size_t>(items.arbiter_count));
  joint_items.reserve(static_cast<std::size_t>(items.joint_count));
}

bool solve_alone(SolverSpace& of) {
  cpSpace* const space = of.space;
  const int contacts = space->arbiters->num, joints = space->constraints->num;
  if (contacts == 0 && joints == 0) {
    integrate_velocities(space, of.times.dt);
    return true;
  }
  if (runs_callbacks(space)) {
    solve_after_callbacks(space, of.times, of.in_turn ? nullptr : solver_kernel(contacts, joints));
    return true;
  }
  scale_impulses(space, of.times);
  if (of.in_turn) solve_without_callbacks({&space, 1}, of.times, nullptr);
  return of.in_turn;
}

void solve_together(std::span<const SolverSpace> all) {
  std::array<cpSpace*, StepTogether::kSpacesMax> alike;
  while (!all.empty()) {
    const SolverSpace& first = all.front();
    int contacts = 0, joints = 0;
    std::size_t count = 0;
    do {
      alike[count] = all[count].space;
      contacts += alike[count]->arbiters->num;
      joints += alike[count]->constraints->num;
      ++count;
    } while (count < all.size() && all[count].times == first.times &&
             all[count].space->iterations == first.space->iterations);
    solve_without_callbacks(std::span(alike).first(count), first.times, solver_kernel(contacts, joints));
    all = all.subspan(count);
  }
}

}  // namespace forkmunk::FORKMUNK_CHIPMUNK::fast
