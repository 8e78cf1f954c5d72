// SPDX-License-Identifier: MIT
#include "flat/velocity_solver.h"

#include "flat/solver_lanes.h"

#include <algorithm>

FORKMUNK_KERNEL_BEGIN(forkmunk::engine::flat)
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

// The contacts per world that stay packed in SIMD lanes. Each iteration repacks the others.
constexpr std::size_t kPackedContacts = 8;

template <typename L>
class Solver {
 public:
  // \pre at most kWorldsIn<L> worlds.
  FORKMUNK_INLINE void begin(std::span<const SolvedWorld> worlds) noexcept {
    worlds_ = worlds;
    contact_count_ = 0;
    for (const SolvedWorld& world : worlds) contact_count_ = std::max(contact_count_, world.contact_count);
    Cars<L> cars = cars_of<L>(worlds);
    suspensions_.begin(worlds, cars);
    drive(cars);
    motions_.begin(cars);
    for (std::size_t i = 0; i < packed_count(); ++i) contacts_[i].begin(worlds, i, motions_);
  }

  [[nodiscard]] FORKMUNK_INLINE std::size_t contact_count() const noexcept { return contact_count_; }

  FORKMUNK_INLINE void apply_cached() noexcept {
    for (std::size_t i = 0; i < packed_count(); ++i) contacts_[i].apply_cached();
    for (std::size_t i = packed_count(); i < contact_count_; ++i) {
      with_contact_lanes(i, [](ContactLanes<L>& contacts) { contacts.apply_cached(); });
    }
    Cars<L> cars = motions_.cars();
    suspensions_.apply_cached(cars);
    motions_.set(cars);
  }

  // \pre i < contact_count()
  FORKMUNK_INLINE void solve_contact(std::size_t i) noexcept {
    if (i < contacts_.size()) {
      contacts_[i].solve();
    } else {
      with_contact_lanes(i, [](ContactLanes<L>& contacts) { contacts.solve(); });
    }
  }

  template <std::size_t... kSolvers>
  FORKMUNK_INLINE static void solve_joints(Solver* solvers, std::index_sequence<kSolvers...> all,
                                           int iterations = 1) noexcept {
    std::array<Cars<L>, sizeof...(kSolvers)> cars{solvers[kSolvers].motions_.cars()...};
    for (; iterations > 0; --iterations) Suspensions<L>::solve({&solvers[kSolvers].suspensions_...}, cars, all);
    (solvers[kSolvers].motions_.set(cars[kSolvers]), ...);
  }

  FORKMUNK_INLINE void store() noexcept {
    for (std::size_t w = 0; w < worlds_.size(); ++w) {
      for (std::size_t i = 0; i < kBodyCount; ++i) {
        Body& body = worlds_[w].state->bodies[i];
        const Motion motion = motions_.get(i, w);
        body.velocity = {motion.x[1], motion.y[1]};
        body.angular_velocity = motion.w[1];
        body.bias_velocity = {motion.x[0], motion.y[0]};
        body.bias_angular_velocity = motion.w[0];
      }
    }
    suspensions_.store(worlds_);
    for (std::size_t i = 0; i < packed_count(); ++i) contacts_[i].store(worlds_, i);
  }

 private:
  FORKMUNK_INLINE void drive(Cars<L>& cars) const noexcept {
    const double damping = worlds_[0].model->damping,
                 gravity_dt = worlds_[0].model->gravity_dt;  // the same for all worlds
    for (std::size_t role = 0; role < 3; ++role) {
      VecOf<L>& v = cars[role].velocity;
      v.x = v.x * damping + 0.0;
      v.y = v.y * damping + gravity_dt;
      const L torque = role != 0
                           ? all_lanes<L>(0)
                           : each_lane<L>([&](std::size_t lane) { return world_of(worlds_, lane).torques[lane % 2]; });
      cars[role].w = cars[role].w * damping + torque * suspensions_.inverse_moment[role] * kTickSeconds;
    }
  }

  [[nodiscard]] FORKMUNK_INLINE std::size_t packed_count() const noexcept {
    return std::min(contact_count_, contacts_.size());
  }
  template <typename Visit>
  FORKMUNK_INLINE void with_contact_lanes(std::size_t i, Visit&& visit) noexcept {
    ContactLanes<L> contacts;
    contacts.begin(worlds_, i, motions_);
    visit(contacts);
    contacts.store(worlds_, i);
  }

  std::span<const SolvedWorld> worlds_;
  std::size_t contact_count_;
  Suspensions<L> suspensions_;
  Motions<L> motions_;
  std::array<ContactLanes<L>, kPackedContacts> contacts_;
};

template <typename L, std::size_t kSolvers>
FORKMUNK_INLINE void solve_all(std::span<const SolvedWorld> worlds) noexcept {
  std::array<Solver<L>, kSolvers> all;
  while (!worlds.empty()) {
    std::size_t count = 0, contact_count = 0;
    for (; count < kSolvers && !worlds.empty(); ++count) {
      const auto some = worlds.first(std::min(worlds.size(), kWorldsIn<L>));
      worlds = worlds.subspan(some.size());
      all[count].begin(some);
      all[count].apply_cached();
      contact_count = std::max(contact_count, all[count].contact_count());
    }
    const auto solvers = std::span(all).first(count);
    for (int iteration = 0; iteration < kSolverIterations; ++iteration) {
      for (std::size_t i = 0; i < contact_count; ++i) {
        for (Solver<L>& solver : solvers) {
          if (i < solver.contact_count()) solver.solve_contact(i);
        }
      }
      if (count == kSolvers) {
        Solver<L>::solve_joints(all.data(), std::make_index_sequence<kSolvers>());
        continue;
      }
      std::size_t i = 0;
      for (; i + 2 <= count; i += 2) Solver<L>::solve_joints(&all[i], std::index_sequence<0, 1>());
      if (i < count) Solver<L>::solve_joints(&all[i], std::index_sequence<0>());
    }
    for (Solver<L>& solver : solvers) solver.store();
  }
}

}  // namespace

void solve_velocities(const SolvedWorld& world) noexcept {
  Solver<Lanes> solver;
  solver.begin({&world, 1});
  solver.apply_cached();
  if (world.contact_count == 0) {
    Solver<Lanes>::solve_joints(&solver, std::index_sequence<0>(), kSolverIterations);
  } else {
    for (int iteration = 0; iteration < kSolverIterations; ++iteration) {
      for (std::size_t i = 0; i < world.contact_count; ++i) solver.solve_contact(i);
      Solver<Lanes>::solve_joints(&solver, std::index_sequence<0>());
    }
  }
  solver.store();
}

void solve_velocities(std::span<const SolvedWorld> worlds) noexcept { solve_all<WideLanes, 4>(worlds); }

FORKMUNK_KERNEL_END
