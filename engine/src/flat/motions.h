// SPDX-License-Identifier: MIT
#pragma once

#include "flat/suspension_solver.h"

#include <utility>

/// The velocities during the solver's iterations. Their layout serves joints, which read one component of all cars in
/// SIMD lanes, and contacts, which read the motion of one body. Only contacts use bias velocities.
FORKMUNK_KERNEL_BEGIN(forkmunk::engine::flat)

/// The motion of a body while the solver runs. Lane 0 is the bias velocity, which separates penetrating bodies; lane 1
/// is the velocity.
struct Motion {
  Lanes x, y, w;
};

/// The bodies of as many worlds as fill an L: pairs of bias velocity and velocity, by role, component, car and world.
template <typename L>
class Motions {
 public:
  /// Bias velocities begin at 0.
  FORKMUNK_INLINE void begin(const Cars<L>& cars) noexcept {
    const L none = all_lanes<L>(0);
    for (std::size_t role = 0; role < 3; ++role) {
      for (std::size_t component = 0; component < 3; ++component) pairs_[role][component] = {none, none};
    }
    pairs_[3][0][0] = pairs_[3][1][0] = pairs_[3][2][0] = none;
    set(cars);
  }

  [[nodiscard]] FORKMUNK_INLINE Cars<L> cars() const noexcept {
    Cars<L> cars;
    for (std::size_t role = 0; role < 3; ++role) {
      cars[role] = {{velocities(role, 0), velocities(role, 1)}, velocities(role, 2)};
    }
    return cars;
  }
  FORKMUNK_INLINE void set(const Cars<L>& cars) noexcept {
    // This compiler barrier forces a reload. Without it gcc spills the values that cars() loaded.
    asm("" : "+m"(pairs_));
    for (std::size_t role = 0; role < 3; ++role) {
      set_velocities(role, 0, cars[role].velocity.x);
      set_velocities(role, 1, cars[role].velocity.y);
      set_velocities(role, 2, cars[role].w);
    }
  }

  /// The offset of each body in the first world. The next world's body follows.
  static constexpr std::array<std::uint16_t, kBodyCount> kOffsets = [] {
    std::array<std::uint16_t, kBodyCount> offsets{};
    for (std::size_t body = 0; body < kBodyCount; ++body) {
      offsets[body] = static_cast<std::uint16_t>((body % 3 * 6 + body / 3) * kLanesOf<L>);
    }
    return offsets;
  }();
  static constexpr std::size_t kToNextComponent = 2 * kLanesOf<L>;

  [[nodiscard]] FORKMUNK_INLINE Motion get(std::size_t body, std::size_t world) noexcept {
    const double* const at = address_of(body, world);
    return {load(at), load(at + kToNextComponent), load(at + 2 * kToNextComponent)};
  }

  /// The address of a body's motion in each world.
  using Addresses = std::array<double*, kWorldsIn<L>>;
  [[nodiscard]] FORKMUNK_INLINE double* address_of(std::size_t body, std::size_t world) noexcept {
    return numbers() + kOffsets[body] + 2 * world;
  }
  /// The addresses for static bodies: nothing() is read as no motion, nowhere() is written and never read.
  [[nodiscard]] FORKMUNK_INLINE double* nothing(std::size_t world) noexcept {
    return numbers() + 18 * kLanesOf<L> + 2 * world;
  }
  [[nodiscard]] FORKMUNK_INLINE double* nowhere(std::size_t world) noexcept {
    return numbers() + 19 * kLanesOf<L> + 2 * world;
  }

  [[nodiscard]] FORKMUNK_INLINE static CarLanes<L> gather(const Addresses& addresses) noexcept {
    const auto component = [&](std::size_t c) {
      return joined<L>([&](std::size_t world) { return load(addresses[world] + c * kToNextComponent); });
    };
    return {{component(0), component(1)}, component(2)};
  }
  FORKMUNK_INLINE static void scatter(const Addresses& addresses, const CarLanes<L>& motion) noexcept {
    const auto put = [&](std::size_t c, L value) {
      each_pair(value, [&](std::size_t world, Lanes pair) { store(addresses[world] + c * kToNextComponent, pair); });
    };
    put(0, motion.velocity.x);
    put(1, motion.velocity.y);
    put(2, motion.w);
  }

 private:
  [[nodiscard]] FORKMUNK_INLINE double* numbers() noexcept { return reinterpret_cast<double*>(&pairs_); }

  // The pairs of both cars for one component.
  using BothCars = std::array<L, 2>;

  [[nodiscard]] FORKMUNK_INLINE L velocities(std::size_t role, std::size_t component) const noexcept {
    const BothCars& pairs = pairs_[role][component];
    return pairs_of<1, 1>(pairs[0], pairs[1]);
  }
  FORKMUNK_INLINE void set_velocities(std::size_t role, std::size_t component, L velocity) noexcept {
    BothCars& pairs = pairs_[role][component];
    pairs = {pairs_of<0, 0>(pairs[0], velocity), pairs_of<0, 1>(pairs[1], velocity)};
  }

  std::array<std::array<BothCars, 3>, 4> pairs_;  // the last pairs are nothing() and nowhere()
};

FORKMUNK_KERNEL_END
