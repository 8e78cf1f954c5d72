// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <chipmunk/chipmunk.h>

/// Scenes that are stepped by forkmunk::space and by stock Chipmunk at once, to compare all that a step decides.
namespace lockstep {

using Words = std::vector<std::uint64_t>;

/// What a scene has that the faster step must leave to Chipmunk's own code, or that is hard to get right.
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

/// How a callback decides later collisions by way of another space or of a body.
enum class Foreign : std::uint8_t {
  joints_before,  ///< Joints of another space that let bodies overlap, without any callback.
  joints,
  reindexed,
  infinite_angle
};

class Scene {
 public:
  virtual ~Scene() = default;
  /// What happens before the step, and the step.
  virtual void step() = 0;
  /// Appends all that the step decided, in order.
  virtual void observe(Words& words) const = 0;
};

}  // namespace lockstep

/// Compiled twice, with the names of either Chipmunk; the other one's namespace is lockstep_scene_of_stock.
namespace lockstep_scene {

/// Builds the scene in an empty space. \pre as for each step, that Chipmunk allocates where it should.
std::unique_ptr<lockstep::Scene> make(const lockstep::Plan& plan, cpSpace* space);
/// One of random_scene.h.
std::unique_ptr<lockstep::Scene> make_random(std::uint64_t seed, cpSpace* space);
/// A ball that touches the ground, sleeps above it for some steps, and touches it again.
std::unique_ptr<lockstep::Scene> make_stale(int steps_asleep, cpSpace* space);
/// Stacks at rest, with bodies that become kinematic and dynamic again, and a ground with velocities of -0.
std::unique_ptr<lockstep::Scene> make_fixed(cpSpace* space);
/// Pairs of boxes that touch.
std::unique_ptr<lockstep::Scene> make_foreign(lockstep::Foreign change, cpSpace* space);
/// Boxes that a callback lets collide.
std::unique_ptr<lockstep::Scene> make_opening(cpSpace* space);
/// Circles and boxes in a spatial hash, which their collisions query.
std::unique_ptr<lockstep::Scene> make_querying(cpSpace* space);
/// Boxes on a smooth line of segments, which callbacks turn.
std::unique_ptr<lockstep::Scene> make_turning(cpSpace* space);

}  // namespace lockstep_scene
