// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <chipmunk/chipmunk.h>

/// Scenes that compare all decisions of a step with stock Chipmunk.
namespace lockstep {

using Words = std::vector<std::uint64_t>;

/// Parts of scenes that the faster step leaves to Chipmunk, or that are hard to get right.
enum class Trouble : std::uint8_t {
  none,
  callbacks,  ///< Handlers change contacts, and add and remove bodies after the step.
  sleep,
  velocity_functions,
  joint_callbacks,  ///< Callbacks change bodies or compute forces of springs.
  odd_joints,       ///< Joints of a body with itself, between static bodies, or with force 0.
  negative_zeros,
  infinities,    ///< Also NaN, and finite numbers with infinite products.
  other_spaces,  ///< Callbacks step another space.
  count
};

struct Plan {
  std::uint64_t seed;
  int body_count;
  Trouble trouble;
};

/// A callback decides later collisions by another space or a body.
enum class Foreign : std::uint8_t {
  joints_before,  ///< Joints of another space let bodies overlap without a callback.
  joints,
  reindexed,
  infinite_angle
};

class Scene {
 public:
  virtual ~Scene() = default;
  virtual void step() = 0;
  virtual void observe(Words& words) const = 0;
};

}  // namespace lockstep

/// Compiled for either Chipmunk; the other namespace is lockstep_scene_of_stock.
namespace lockstep_scene {

/// \pre Chipmunk allocates from the space.
std::unique_ptr<lockstep::Scene> make(const lockstep::Plan& plan, cpSpace* space);
std::unique_ptr<lockstep::Scene> make_random(std::uint64_t seed, cpSpace* space);
/// The ball sleeps between two contacts with the ground.
std::unique_ptr<lockstep::Scene> make_stale(int steps_asleep, cpSpace* space);
/// Stacked bodies become kinematic and dynamic again; wheels begin in one place; the ground has velocities of -0.
std::unique_ptr<lockstep::Scene> make_fixed(cpSpace* space);
std::unique_ptr<lockstep::Scene> make_foreign(lockstep::Foreign change, cpSpace* space);
std::unique_ptr<lockstep::Scene> make_opening(cpSpace* space);
std::unique_ptr<lockstep::Scene> make_querying(cpSpace* space);
std::unique_ptr<lockstep::Scene> make_turning(cpSpace* space);

}  // namespace lockstep_scene
