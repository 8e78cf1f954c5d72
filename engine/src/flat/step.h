// SPDX-License-Identifier: MIT
#pragma once

#include "flat/live_state.h"
#include "flat/velocity_solver.h"

#include <span>

namespace forkmunk::engine::flat {

/// Comes from the last match in the same world.
struct Inheritance {
  std::uint32_t next_shape_id = 0;
  std::uint32_t stamp = 0;
  std::uint32_t tree_stamp = 0;
};

struct SteppedWorld {
  const MatchModel* model;
  LiveState* state;
  SolverContact* solver_contacts;
  Commands commands;
};

/// A tick, compiled for a SIMD target; see kernel.h.
struct Kernel {
  /// \param solver_contacts  room for model.solid_pair_count_max() contacts.
  void (*step)(const MatchModel& model, LiveState& state, SolverContact* solver_contacts, Commands commands) noexcept;
  /// \pre at most kGroupSizeMax, with can_solve_together() for all models.
  void (*step_together)(std::span<const SteppedWorld> worlds) noexcept;
};
}  // namespace forkmunk::engine::flat

FORKMUNK_KERNEL_BEGIN(forkmunk::engine::flat)

extern const Kernel kKernel;

[[nodiscard]] Inheritance inheritance_of(const MatchModel& model, const LiveState& state) noexcept;

/// \param state  the first of size_bytes_max(model) bytes, which may hold anything.
void begin(const MatchModel& model, const Inheritance& inheritance, LiveState& state) noexcept;

/// Sets the order of updates of leaves, which is that of a hash table of ids. \pre state.first_shape_id is set.
void order_leaves(const MatchModel& model, LiveState& state) noexcept;

[[nodiscard]] bool in_air(const MatchModel& model, const LiveState& state, Player player) noexcept;

[[nodiscard]] CarState car_state(const LiveState& state, Player player) noexcept;
void set_car_state(const MatchModel& model, LiveState& state, Player player, const CarState& car) noexcept;

FORKMUNK_KERNEL_END
