#pragma once

#include "fast/groups.h"

FORKMUNK_FAST_BEGIN

/// Cache lines of the largest group.
std::size_t lines_of_joint_group() noexcept;
/// Reads the joints, after their preStep().
void load_joints(Solver& solver, const StepTimes& times) noexcept;
/// As applyCachedImpulse() of all joints.
void apply_cached_joints(Solver& solver, double dt_ratio) noexcept;
/// As applyImpulse() of all joints.
void iterate_joints(Solver& solver) noexcept;
void store_joints(const Solver& solver) noexcept;

FORKMUNK_FAST_END
