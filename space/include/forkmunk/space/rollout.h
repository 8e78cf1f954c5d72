#pragma once

#include <forkmunk/space/batch.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

/// Batch::rollout(): plans played from one state, without the caller's code between the steps.
///
///   plan      a sequence of actions
///   action    the numbers of all controls, in their order, held for `substeps` steps
///   step      one Space::step() of `dt` seconds
///
/// Objects are those of the batch's origin.
namespace forkmunk::space {

/// What an action sets: a field of a body or a motor, before each of the action's steps.
struct Control {
  Field field = Field::position;
  cpBody* body = nullptr;
  cpConstraint* motor = nullptr;  ///< For Field::motor_rate, instead of the body.
  /// Not 0: a servo for Field::position. Before each step the body's velocity v, at position p, grows by
  /// (stiffness * (action - p) + damping * (0 - v)) * dt. The units of stiffness are 1/s^2, of damping 1/s.
  double stiffness = 0;
  double damping = 0;
};

/// What a rollout reads.
struct Observed {
  Field field = Field::position;
  cpBody* body = nullptr;
  cpConstraint* motor = nullptr;  ///< For Field::motor_rate, instead of the body.
};

/// Two shapes that overlap or touch, by cpShapesCollide(): whatever their filters and handlers are.
struct ShapePair {
  cpShape* a = nullptr;
  cpShape* b = nullptr;
};

/// A predicate on the state after a step.
struct Event {
  ShapePair touching{};    ///< True while these shapes touch; or, if they are null,
  cpBody* body = nullptr;  ///< true while the position of the body is outside of `box`.
  cpBB box{};
};

struct RolloutOptions {
  double dt = 1.0 / 60;          ///< Seconds of a step.
  std::size_t substeps = 1;      ///< Steps of an action.
  std::size_t action_count = 0;  ///< Of each plan; 1 or more.
  std::span<const Control> controls{};
  /// plan_count x action_count x width, where width is the sum of the controls' width_of(field).
  std::span<const double> actions{};
  /// The number of plans, if there are no controls; else it follows from `actions`.
  std::size_t plan_count = 0;

  std::span<const Observed> observed{};
  std::size_t every = 0;  ///< `states` has the state after each so many actions; 0: none.
  std::span<const ShapePair> contacts{};
  std::span<const Event> events{};

  /// Called after each action, on any of the threads; may be empty. It may read and change the world; what it throws
  /// ends the rollout, as what a callback of the world throws does.
  std::function<void(std::size_t plan, std::size_t action, Space& world)> after_action{};
  /// Ends the rollout early, with `result` incomplete, once it returns true: called before every action, on any of the
  /// threads; must not throw; may be empty.
  std::function<bool()> stop{};
};

/// Results, in vectors that are reused. A state is the sum of width_of(field) of all that is observed, in that order.
struct Rollout {
  std::size_t plan_count = 0;
  std::vector<double> final_states;    ///< plan_count x state.
  std::vector<double> states;          ///< plan_count x action_count / every x state; empty if `every` is 0.
  std::vector<std::uint8_t> contacts;  ///< plan_count x action_count x pairs: 1 if they touched after any step of it.
  std::vector<std::int32_t>
      event_steps;  ///< plan_count x events: the first step after which it was true, from 1; or 0.
  /// plan_count: the steps that were computed. Fewer than action_count x substeps if a body left the finite numbers:
  /// the plan ends there, and the states from there on are NaN.
  std::vector<std::int32_t> step_counts;
};

}  // namespace forkmunk::space
