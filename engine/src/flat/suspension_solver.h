#pragma once

#include "flat/contact_solver.h"

/// Wheels on their cars: each hangs in a groove of the car, on a damped spring, and may have a motor. Both cars are
/// solved side by side, car p in lane p.
namespace forkmunk::engine::flat {

/// A car's body or one of its wheels, both players' side by side.
struct CarLanes {
  VecLanes velocity;
  Lanes w;
};

/// From the contacts' view of the bodies to the joints', and back; bias velocities are left alone.
[[nodiscard]] std::array<CarLanes, 3> cars_of(const Motions& motions) noexcept;
void put_into(Motions& motions, const std::array<CarLanes, 3>& cars) noexcept;

/// One wheel's joints, both players'.
struct SuspensionLanes {
  // The groove joint: the wheel's centre stays on a line of the car, between two ends.
  VecLanes groove_normal;
  VecLanes groove_arm;       ///< From the car's centre of gravity to the wheel's place in the groove.
  bool at_an_end;            ///< Of either car.
  Lanes groove_end;          ///< 1 at its first end, -1 at its second, 0 between.
  Lanes kaa, kab, kba, kbb;  ///< The inverse of the 2x2 matrix that takes impulses to relative velocities.
  VecLanes groove_bias;      ///< The velocity that takes back what it is off.
  VecLanes groove_impulse;   ///< Accumulated.
  Lanes normal_squared;
  // The spring.
  VecLanes spring_arm;  ///< From the car's centre of gravity to where it hangs.
  VecLanes spring_direction;
  Lanes spring_mass;
  Lanes spring_loss;    ///< The share of the relative velocity that damping takes in a step.
  Lanes spring_target;  ///< The relative velocity to damp towards.
  // The motor.
  Lanes motor_impulse;  ///< Accumulated.
};

/// The solver's view of both cars.
struct Suspensions {
  std::array<SuspensionLanes, 2> wheels;  ///< Rear, front.
  std::array<Lanes, 3> inverse_mass;      ///< Car, rear wheel, front wheel.
  std::array<Lanes, 3> inverse_moment;
  std::array<Lanes, 2> motor_inertia;
  Lanes motor_rate;
  bool rear_motor, front_motor;

  /// Sets up all joints, and applies the springs' forces to `cars`: car, rear wheel, front wheel.
  Suspensions(const MatchModel& model, const LiveState& state, std::array<CarLanes, 3>& cars) noexcept;

  /// Applies the impulses that were accumulated until the last step.
  void apply_cached(std::array<CarLanes, 3>& cars) const noexcept;
  /// One iteration on all joints, in the order in which they are in the space.
  void solve(std::array<CarLanes, 3>& cars) noexcept;
  /// The same on the contacts' view.
  void solve(Motions& motions) noexcept;
  /// Keeps the accumulated impulses for the next step.
  void store(LiveState& state) const noexcept;
};

}  // namespace forkmunk::engine::flat
