#pragma once

#include "flat/suspension_solver.h"

/// Where velocities are while joints and contacts take turns at them: joints want a component of all cars side by side,
/// contacts want a body. Velocities that push penetrations apart belong to contacts alone.
namespace forkmunk::engine::flat {

/// Of several worlds. A number is stored once and loaded both ways.
template <typename L>
class Motions {
 public:
  FORKMUNK_INLINE explicit Motions(const Cars<L>& cars) noexcept : bias_{} { set(cars); }

  [[nodiscard]] FORKMUNK_INLINE Cars<L> cars() const noexcept {
    Cars<L> cars;
    for (std::size_t role = 0; role < 3; ++role) {
      cars[role] = {{whole(role, 0), whole(role, 1)}, whole(role, 2)};
    }
    return cars;
  }
  FORKMUNK_INLINE void set(const Cars<L>& cars) noexcept {
    for (std::size_t role = 0; role < 3; ++role) {
      whole(role, 0) = cars[role].velocity.x;
      whole(role, 1) = cars[role].velocity.y;
      whole(role, 2) = cars[role].w;
    }
  }

  struct Bias {
    double x, y, w;
  };
  /// A world's, as contacts want them.
  class Bodies {
   public:
    FORKMUNK_INLINE Bodies(Motions& all, std::size_t world) noexcept
        : velocity_(&all.velocity_[2 * world]), bias_(&all.bias_[kBodyCount * world]) {}
    [[nodiscard]] FORKMUNK_INLINE Motion get(std::size_t body) const noexcept {
      const double* const v = velocity_ + kPlaces[body];
      const Bias& b = bias_[body];
      return {Lanes{b.x, v[0]}, Lanes{b.y, v[kLaneCount<L>]}, Lanes{b.w, v[2 * kLaneCount<L>]}};
    }
    FORKMUNK_INLINE void set(std::size_t body, const Motion& motion) noexcept {
      double* const v = velocity_ + kPlaces[body];
      bias_[body] = {motion.x[0], motion.y[0], motion.w[0]};
      v[0] = motion.x[1];
      v[kLaneCount<L>] = motion.y[1];
      v[2 * kLaneCount<L>] = motion.w[1];
    }

   private:
    double* velocity_;
    Bias* bias_;
  };
  [[nodiscard]] FORKMUNK_INLINE Bodies bodies(std::size_t world) noexcept { return Bodies(*this, world); }

 private:
  // By role, component, lane. Where the first world's bodies are:
  static constexpr std::size_t kRole = 3 * kLaneCount<L>;
  static constexpr std::array<std::size_t, kBodyCount> kPlaces{0, kRole, 2 * kRole, 1, kRole + 1, 2 * kRole + 1};

  [[nodiscard]] FORKMUNK_INLINE L& whole(std::size_t role, std::size_t component) noexcept {
    return reinterpret_cast<L&>(velocity_[role * kRole + component * kLaneCount<L>]);
  }
  [[nodiscard]] FORKMUNK_INLINE const L& whole(std::size_t role, std::size_t component) const noexcept {
    return reinterpret_cast<const L&>(velocity_[role * kRole + component * kLaneCount<L>]);
  }

  alignas(sizeof(L)) std::array<double, 3 * kRole> velocity_;
  std::array<Bias, kBodyCount * kWorldsIn<L>> bias_;
};

/// Of one world: body by body, because what has just been stored by halves is slow to load whole.
template <>
class Motions<Lanes> {
 public:
  FORKMUNK_INLINE explicit Motions(const Cars<Lanes>& cars) noexcept : motions_{} { set(cars); }

  [[nodiscard]] FORKMUNK_INLINE Cars<Lanes> cars() const noexcept {
    const auto both_cars = [this](std::size_t role) -> CarLanes<Lanes> {
      const Motion &first = motions_[role], &second = motions_[3 + role];
      return {{Lanes{first.x[1], second.x[1]}, Lanes{first.y[1], second.y[1]}}, Lanes{first.w[1], second.w[1]}};
    };
    return {both_cars(0), both_cars(1), both_cars(2)};
  }
  FORKMUNK_INLINE void set(const Cars<Lanes>& cars) noexcept {
    for (std::size_t body = 0; body < kBodyCount; ++body) {
      Motion& motion = motions_[body];
      const CarLanes<Lanes>& car = cars[body % 3];
      const std::size_t player = body / 3;
      motion.x = Lanes{motion.x[0], car.velocity.x[player]};
      motion.y = Lanes{motion.y[0], car.velocity.y[player]};
      motion.w = Lanes{motion.w[0], car.w[player]};
    }
  }

  struct Bodies {
    std::array<Motion, kBodyCount>& motions;
    [[nodiscard]] FORKMUNK_INLINE Motion get(std::size_t body) const noexcept { return motions[body]; }
    FORKMUNK_INLINE void set(std::size_t body, const Motion& motion) noexcept { motions[body] = motion; }
  };
  [[nodiscard]] FORKMUNK_INLINE Bodies bodies(std::size_t) noexcept { return {motions_}; }

 private:
  std::array<Motion, kBodyCount> motions_;
};

}  // namespace forkmunk::engine::flat
