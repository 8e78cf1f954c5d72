// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <chipmunk/chipmunk.h>

/// Scenes that forkmunk::space and stock Chipmunk step at once, to compare all decisions of a step.
namespace lockstep {

using Words = std::vector<std::uint64_t>;

/// Parts of scenes that the faster step must leave to Chipmunk, or that are hard to get right.
enum class Trouble : std::uint8_t {
  none,
  callbacks,  ///< Collision handlers that change contacts, and add and remove bodies after the step.
  sleep,      ///< Bodies fall asleep, are woken and removed.
  velocity_functions,
  joint_callbacks,  ///< preSolve and postSolve that change bodies, forces of springs that are the scene's.
  odd_joints,       ///< Of a body with itself, between two static bodies, of force 0.
  negative_zeros,   ///< In velocities of all kinds of bodies.
  infinities,       ///< Also NaN, and finite numbers whose products are not.
  other_spaces,     ///< Callbacks step another space.
  count
};

struct Plan {
  std::uint64_t seed;
  int body_count;
  Trouble trouble;
};

/// Ways in which a callback decides later collisions by another space or a body.
enum class Foreign : std::uint8_t {
  joints_before,  ///< Joints of another space that let bodies overlap, without any callback.
  joints,
  reindexed,
  infinite_angle
};

class Scene {
 public:
  virtual ~Scene() = default;
  virtual void step() = 0;
  /// Appends all that the step decided, in order.
  virtual void observe(Words& words) const = 0;
};

}  // namespace lockstep

/// Compiled with the names of either Chipmunk; the other namespace is lockstep_scene_of_stock.
namespace lockstep_scene {

/// \pre Chipmunk allocates from the space, as for each step.
std::unique_ptr<lockstep::Scene> make(const lockstep::Plan& plan, cpSpace* space);
/// A scene of random_scene.h.
std::unique_ptr<lockstep::Scene> make_random(std::uint64_t seed, cpSpace* space);
/// A ball that touches the ground, sleeps above it for some steps, and touches it again.
std::unique_ptr<lockstep::Scene> make_stale(int steps_asleep, cpSpace* space);
/// Stacks at rest, with bodies that become kinematic and dynamic again, and a ground with velocities of -0.
std::unique_ptr<lockstep::Scene> make_fixed(cpSpace* space);
std::unique_ptr<lockstep::Scene> make_foreign(lockstep::Foreign change, cpSpace* space);
std::unique_ptr<lockstep::Scene> make_opening(cpSpace* space);
std::unique_ptr<lockstep::Scene> make_querying(cpSpace* space);
std::unique_ptr<lockstep::Scene> make_turning(cpSpace* space);

}  // namespace lockstep_scene
