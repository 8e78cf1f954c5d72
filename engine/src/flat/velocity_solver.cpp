#include "flat/velocity_solver.h"

#include "flat/lane_kinds.h"
#include "flat/motions.h"

#include <algorithm>

namespace forkmunk::engine::flat {
namespace {

constexpr int kSolverIterations = 10;

template <typename L>
FORKMUNK_INLINE Cars<L> cars_of(std::span<const SolvedWorld> worlds) noexcept {
  Cars<L> cars;
  for (std::size_t role = 0; role < 3; ++role) {
    const auto body = [role](const LiveState& state, std::size_t player) -> const Body& {
      return state.bodies[3 * player + role];
    };
    cars[role].velocity = each_car_vec<L>(
        worlds, [&](const LiveState& state, std::size_t player) { return body(state, player).velocity; });
    cars[role].w = each_car<L>(
        worlds, [&](const LiveState& state, std::size_t player) { return body(state, player).angular_velocity; });
  }
  return cars;
}

// \pre at most kWorldsIn<L> worlds.
template <typename L>
FORKMUNK_INLINE void solve(std::span<const SolvedWorld> worlds) noexcept {
  Cars<L> cars = cars_of<L>(worlds);
  Suspensions<L> suspensions(worlds, cars);

  const double damping = worlds[0].model->damping,
               gravity_dt = worlds[0].model->gravity_dt;  // the contest's: one for all
  for (std::size_t role = 0; role < 3; ++role) {
    VecOf<L>& v = cars[role].velocity;
    v.x = v.x * damping + 0.0;
    v.y = v.y * damping + gravity_dt;
    const L torque = role != 0
                         ? all_lanes<L>(0)
                         : each_lane<L>([&](std::size_t lane) { return world_of(worlds, lane).torques[lane % 2]; });
    cars[role].w = cars[role].w * damping + torque * suspensions.inverse_moment[role] * kTickSeconds;
  }

  std::size_t contact_count_max = 0;
  for (const SolvedWorld& world : worlds) contact_count_max = std::max(contact_count_max, world.contact_count);
  // The first contact of each world, then the second: what follows each other does not wait for each other.
  const auto each_contact = [&](auto&& visit) {
    for (std::size_t i = 0; i < contact_count_max; ++i) {
      for (std::size_t w = 0; w < worlds.size(); ++w) {
        if (i < worlds[w].contact_count) visit(worlds[w].contacts[i], w);
      }
    }
  };

  Motions<L> motions(cars);
  if (contact_count_max == 0) {
    suspensions.apply_cached(cars);
    for (int iteration = 0; iteration < kSolverIterations; ++iteration) suspensions.solve(cars);
    motions.set(cars);
  } else {
    each_contact([&](const SolverContact& contact, std::size_t w) {
      auto bodies = motions.bodies(w);
      flat::apply_cached(*worlds[w].model, contact, bodies);
    });
    cars = motions.cars();
    suspensions.apply_cached(cars);
    motions.set(cars);
    for (int iteration = 0; iteration < kSolverIterations; ++iteration) {
      each_contact([&](SolverContact& contact, std::size_t w) {
        auto bodies = motions.bodies(w);
        flat::solve(*worlds[w].model, contact, bodies);
      });
      cars = motions.cars();
      suspensions.solve(cars);
      motions.set(cars);
    }
  }

  for (std::size_t w = 0; w < worlds.size(); ++w) {
    const auto bodies = motions.bodies(w);
    for (std::size_t i = 0; i < kBodyCount; ++i) {
      Body& body = worlds[w].state->bodies[i];
      const Motion motion = bodies.get(i);
      body.velocity = {motion.x[1], motion.y[1]};
      body.angular_velocity = motion.w[1];
      body.bias_velocity = {motion.x[0], motion.y[0]};
      body.bias_angular_velocity = motion.w[0];
    }
  }
  suspensions.store(worlds);
}

template <typename L>
FORKMUNK_INLINE void solve_all(std::span<const SolvedWorld> worlds) noexcept {
  for (; worlds.size() > kWorldsIn<L>; worlds = worlds.subspan(kWorldsIn<L>)) solve<L>(worlds.first(kWorldsIn<L>));
  solve<L>(worlds);
}

#ifdef FORKMUNK_X86_LANES
FORKMUNK_AVX2 void solve_avx2(std::span<const SolvedWorld> worlds) noexcept { solve_all<Lanes4>(worlds); }
FORKMUNK_AVX512 void solve_avx512(std::span<const SolvedWorld> worlds) noexcept { solve_all<Lanes8>(worlds); }
#endif

}  // namespace

void solve_velocities(const SolvedWorld& world) noexcept { solve<Lanes>({&world, 1}); }

void solve_velocities(std::span<const SolvedWorld> worlds) noexcept {
#ifdef FORKMUNK_X86_LANES
  const LaneKind kind = lane_kind_in_use();
  if (worlds.size() > 1 && kind == LaneKind::avx512) return solve_avx512(worlds);
  if (worlds.size() > 1 && kind == LaneKind::avx2) return solve_avx2(worlds);
#endif
  for (const SolvedWorld& world : worlds) solve_velocities(world);
}

}  // namespace forkmunk::engine::flat
