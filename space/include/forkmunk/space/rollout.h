// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/chipmunk/precision.h>
#include <forkmunk/space/batch.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

/// Batch::rollout() plays plans from one state, without code of the caller between the steps.
///
///   plan      a sequence of actions
///   action    the numbers of all controls, in their order, held for `substeps` steps
///   step      one Space::step() of `dt` seconds
namespace forkmunk::FORKMUNK_SPACE {

/// A field that an action sets before each step.
struct Control {
  Field field = Field::position;
  cpBody* body = nullptr;
  cpConstraint* motor = nullptr;  ///< Instead of the body, for a field of motors.
  /// The gains of a servo for Field::position, in 1/s^2 and 1/s; if both are 0, the action sets the position. Before
  /// each step, the servo adds (stiffness * (action - p) + damping * (0 - v)) * dt to the velocity v of the body at
  /// position p.
  double stiffness = 0;
  double damping = 0;
  /// Makes the action of Field::force a thruster: it acts at `point`, both in the coordinates of the body, and adds to
  /// other forces.
  bool is_local = false;
  cpVect point{};
};

/// A field that a rollout reads.
struct Observed {
  Field field = Field::position;
  cpBody* body = nullptr;
  cpConstraint* motor = nullptr;  ///< Instead of the body, for a field of motors.
};

/// Two shapes whose contact a rollout reports, by cpShapesCollide(), whatever filters and handlers say.
struct ShapePair {
  cpShape* a = nullptr;
  cpShape* b = nullptr;
};

/// A predicate on the state after a step.
struct Event {
  ShapePair touching{};    ///< True while these shapes touch.
  cpBody* body = nullptr;  ///< Without shapes: true while this body's position is outside of `box`.
  cpBB box{};
};

struct RolloutOptions {
  double dt = 1.0 / 60;          ///< Seconds of a step.
  std::size_t substeps = 1;      ///< The steps of an action. A plan has at most 1,000,000 steps.
  std::size_t action_count = 0;  ///< The actions of each plan; at least 1.
  std::span<const Control> controls{};
  /// Shape (plans, action_count, the sum of width_of(field) over the controls).
  std::span<const double> actions{};
  /// The number of plans without controls. With controls it follows from `actions`.
  std::size_t plan_count = 0;

  std::span<const Observed> observed{};
  std::size_t every = 0;  ///< Rollout::states has a state after each `every` actions; 0 means no states.
  std::span<const ShapePair> contacts{};
  std::span<const Event> events{};

  /// Unless empty, runs after each action, on any thread, and may read and change the world. An exception ends the
  /// rollout.
  std::function<void(std::size_t plan, std::size_t action, Space& world)> after_action{};
  /// Unless empty, runs before every action, on any thread; must not throw. Once it returns true, the rollout ends with
  /// an incomplete result.
  std::function<bool()> stop{};
};

/// The results of a rollout, in vectors that the next one reuses. A state is the numbers of all observed fields, in
/// order.
struct Rollout {
  std::size_t plan_count = 0;
  std::vector<double> final_states;  ///< Shape (plans, state): after the last action.
  std::vector<double> states;        ///< Shape (plans, action_count / every, state).
  /// Shape (plans, action_count, pairs): 1 if the pair touched after any step of the action.
  std::vector<std::uint8_t> contacts;
  /// Shape (plans, events): the first step, from 1, after which the event was true; 0 if there is none.
  std::vector<std::int32_t> event_steps;
  /// The computed steps of each plan. A plan ends early if a body's number is no longer finite; later states are NaN.
  std::vector<std::int32_t> step_counts;
};

}  // namespace forkmunk::FORKMUNK_SPACE
