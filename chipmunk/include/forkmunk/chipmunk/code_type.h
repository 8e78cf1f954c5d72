// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/chipmunk/precision.h>

#include <cstdint>
#include <type_traits>

#include <chipmunk/chipmunk.h>

namespace forkmunk::FORKMUNK_CHIPMUNK {

/// The signature by which Chipmunk calls a function, as far as its C++ type shows it. States that are read may name a
/// function only where it is called by its own signature.
enum class CodeType : std::uint8_t {
  unknown,          ///< Accepted everywhere.
  data,             ///< Accepted nowhere.
  collision_test,   ///< cpCollisionBeginFunc, cpCollisionPreSolveFunc
  collision_event,  ///< cpCollisionPostSolveFunc, cpCollisionSeparateFunc
  velocity,         ///< cpBodyVelocityFunc
  position,         ///< cpBodyPositionFunc
  joint_event,      ///< cpConstraintPreSolveFunc, cpConstraintPostSolveFunc
  joint_force,      ///< cpDampedSpringForceFunc, cpDampedRotarySpringTorqueFunc
  post_step,        ///< cpPostStepFunc
};

template <typename Function>
[[nodiscard]] constexpr CodeType code_type_of() noexcept {
  if constexpr (std::is_same_v<Function, cpCollisionBeginFunc>) return CodeType::collision_test;
  if constexpr (std::is_same_v<Function, cpCollisionSeparateFunc>) return CodeType::collision_event;
  if constexpr (std::is_same_v<Function, cpBodyVelocityFunc>) return CodeType::velocity;
  if constexpr (std::is_same_v<Function, cpBodyPositionFunc>) return CodeType::position;
  if constexpr (std::is_same_v<Function, cpConstraintPreSolveFunc>) return CodeType::joint_event;
  if constexpr (std::is_same_v<Function, cpDampedSpringForceFunc>) return CodeType::joint_force;
  if constexpr (std::is_same_v<Function, cpPostStepFunc>) return CodeType::post_step;
  return CodeType::unknown;
}

}  // namespace forkmunk::FORKMUNK_CHIPMUNK
