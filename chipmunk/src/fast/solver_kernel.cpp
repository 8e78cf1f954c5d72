#include "fast/contact_solver.h"
#include "fast/joint_solver.h"
#include "fast/schedule.h"

FORKMUNK_FAST_BEGIN
namespace {

bool is_negative_zero(double x) noexcept { return __builtin_bit_cast(std::uint64_t, x) == std::uint64_t{1} << 63; }

// An impulse on a fixed body adds 0 or -0 to its velocity: all velocities stay as they are, except -0.
bool keeps_velocity(const BodyRow& row) noexcept {
  for (const Column c : {kVx, kVy, kW, kBiasX, kBiasY, kBiasW}) {
    if (is_negative_zero(row.of[c])) return false;
  }
  return true;
}

// \return whether each fixed body keeps its velocity.
bool load_bodies(Solver& solver) noexcept {
  for (std::size_t row = 0; row < kLanes; ++row) solver.rows.data()[row] = BodyRow{};
  for (int row = kLanes; row < solver.row_count; ++row) {
    const cpBody& b = *solver.bodies.data()[row];
    solver.rows.data()[row] = {{b.v.x, b.v.y, b.w, b.m_inv, b.v_bias.x, b.v_bias.y, b.w_bias, b.i_inv}};
    if (solver.is_fixed.data()[row] && !keeps_velocity(solver.rows.data()[row])) return false;
  }
  return true;
}

bool all_finite(const Solver& solver) noexcept {
  double zero = 0;  // but NaN, if one is not
  for (int row = kLanes; row < solver.row_count; ++row) {
    const double* v = solver.rows.data()[row].of;
    zero += (v[0] - v[0]) + (v[1] - v[1]) + (v[2] - v[2]) + (v[4] - v[4]) + (v[5] - v[5]) + (v[6] - v[6]);
  }
  return zero == 0;
}

bool solve(Solver& solver, const StepTimes& times, int iterations) noexcept {
  if (!load_bodies(solver)) return false;
  apply_cached_contacts(solver, times.dt_ratio);
  apply_cached_joints(solver, times.dt_ratio);
  for (int i = 0; i < iterations; ++i) {
    iterate_contacts(solver);
    iterate_joints(solver);
  }
  return all_finite(solver);
}

void store(const Solver& solver) noexcept {
  for (int row = kLanes; row < solver.row_count; ++row) {
    if (solver.is_fixed.data()[row]) continue;
    cpBody& body = *solver.bodies.data()[row];
    const double* v = solver.rows.data()[row].of;
    body.v = {v[0], v[1]}, body.w = v[2];
    body.v_bias = {v[4], v[5]}, body.w_bias = v[6];
  }
  store_contacts(solver);
  store_joints(solver);
}

}  // namespace

SolverKernel make_solver_kernel() noexcept {
  return {lines_of_contacts(2), lines_of_joint_group(), &schedule, &prestep,
          &load_contacts,       &load_joints,           &solve,    &store,
          &store_prestep};
}

FORKMUNK_FAST_END
