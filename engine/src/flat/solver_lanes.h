// SPDX-License-Identifier: MIT
#pragma once

#include "flat/vector.h"
#include "flat/velocity_solver.h"

#include <forkmunk/strict_math/inlined.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

/// One world in Lanes, or several in wider lanes (vector.h).
FORKMUNK_KERNEL_BEGIN(forkmunk::engine::flat)

// Each wheel is in a groove of the car, on a damped spring, and may have a motor.

/// Unused lanes replicate world 0.
FORKMUNK_INLINE const SolvedWorld& world_of(std::span<const SolvedWorld> worlds, std::size_t lane) noexcept {
  return worlds[lane / 2 < worlds.size() ? lane / 2 : 0];
}
template <typename L, typename Of>
FORKMUNK_INLINE L each_car(std::span<const SolvedWorld> worlds, Of&& of) noexcept {
  return each_lane<L>([&](std::size_t lane) {
    const SolvedWorld& world = world_of(worlds, lane);
    if constexpr (std::is_invocable_v<Of, const LiveState&, std::size_t>) {
      return of(static_cast<const LiveState&>(*world.state), lane % 2);
    } else {
      return of(*world.model, lane % 2);
    }
  });
}
template <typename L, typename Of>
FORKMUNK_INLINE VecOf<L> each_car_vec(std::span<const SolvedWorld> worlds, Of&& of) noexcept {
  using From = std::conditional_t<std::is_invocable_v<Of, const LiveState&, std::size_t>, LiveState, MatchModel>;
  return {each_car<L>(worlds, [&](const From& from, std::size_t player) { return of(from, player).x; }),
          each_car<L>(worlds, [&](const From& from, std::size_t player) { return of(from, player).y; })};
}

template <typename L>
FORKMUNK_INLINE L exponential(L x) noexcept {
  for (std::size_t lane = 0; lane < kLanesOf<L>; ++lane) x[lane] = strict_math::inlined::exp(x[lane]);
  return x;
}

template <typename L>
struct CarLanes {
  VecOf<L> velocity;
  L w;
};
/// The car, its rear wheel and its front wheel.
template <typename L>
using Cars = std::array<CarLanes<L>, 3>;

template <typename L>
struct SuspensionLanes {
  // The groove joint: the wheel's centre stays on a line of the car, between two ends.
  VecOf<L> groove_normal;
  /// From the car's centre of gravity to the wheel's position in the groove.
  VecOf<L> groove_arm;
  bool at_an_end;        ///< True if any car's wheel is.
  L groove_end;          ///< 1 at the first end, -1 at the second, 0 between them.
  L kaa, kab, kba, kbb;  ///< The inverse of the 2x2 matrix from impulses to relative velocities.
  VecOf<L> groove_bias;  ///< The velocity that corrects the position error.
  VecOf<L> groove_impulse;
  L normal_squared;
  VecOf<L> spring_arm;  ///< From the car's centre of gravity to the anchor.
  VecOf<L> spring_direction;
  L spring_mass;
  L spring_loss;    ///< The share of the relative velocity that damping removes in a step.
  L spring_target;  ///< The relative velocity to damp towards.
  L motor_impulse;
};

/// The joints of all cars. A call would spill the data to memory, so everything is forced inline.
template <typename L>
struct Suspensions {
  std::array<SuspensionLanes<L>, 2> wheels;  ///< The rear and the front wheel.
  std::array<L, 3> inverse_mass;             ///< The car, the rear wheel, the front wheel.
  std::array<L, 3> inverse_moment;
  std::array<L, 2> motor_inertia;
  L motor_rate;
  bool rear_motor, front_motor;

  /// Sets up all joints, and applies the springs' forces. \pre one to kWorldsIn<L> worlds, with motors on the same
  /// wheels.
  FORKMUNK_INLINE void begin(std::span<const SolvedWorld> worlds, Cars<L>& cars) noexcept {
    for (std::size_t role = 0; role < 3; ++role) {
      inverse_mass[role] = each_car<L>(worlds, [role](const MatchModel& model, std::size_t player) {
        return model.bodies[3 * player + role].inverse_mass;
      });
      inverse_moment[role] = each_car<L>(worlds, [role](const MatchModel& model, std::size_t player) {
        return model.bodies[3 * player + role].inverse_moment;
      });
    }
    motor_rate =
        each_car<L>(worlds, [](const LiveState& state, std::size_t player) { return state.motor_rate[player]; });
    rear_motor = worlds[0].model->rear_motor;
    front_motor = worlds[0].model->front_motor;
    const auto body = [](const LiveState& state, std::size_t player) -> const Body& {
      return state.bodies[3 * player];
    };
    const VecOf<L> position = each_car_vec<L>(
        worlds, [&](const LiveState& state, std::size_t player) { return body(state, player).position; });
    const VecOf<L> origin =
        each_car_vec<L>(worlds, [&](const LiveState& state, std::size_t player) { return body(state, player).origin; });
    const VecOf<L> rotation = each_car_vec<L>(
        worlds, [&](const LiveState& state, std::size_t player) { return body(state, player).rotation; });
    for (std::size_t w = 0; w < 2; ++w) {
      const VecOf<L> wheel = each_car_vec<L>(worlds, [w](const LiveState& state, std::size_t player) {
        return state.bodies[3 * player + 1 + w].position;
      });
      SuspensionLanes<L>& s = wheels[w];
      motor_inertia[w] = of_suspensions(worlds, w, [](const SuspensionModel& m) { return m.motor_inertia; });
      s.groove_impulse = each_car_vec<L>(
          worlds, [w](const LiveState& state, std::size_t player) { return state.groove_impulse[2 * player + w]; });
      s.motor_impulse = each_car<L>(
          worlds, [w](const LiveState& state, std::size_t player) { return state.motor_impulse[2 * player + w]; });
      prepare_groove(worlds, w, position, origin, rotation, wheel, s);
      prepare_spring(worlds, w, position, rotation, wheel, s, cars);
    }
  }

  FORKMUNK_INLINE void apply_cached(Cars<L>& cars) const noexcept {
    CarLanes<L>& car = cars[0];
    for (std::size_t w = 0; w < 2; ++w)
      push_groove(w, wheels[w].groove_arm, wheels[w].groove_impulse, car, cars[1 + w]);
    if (rear_motor) push_motor(0, wheels[0].motor_impulse, car, cars[1]);
    if (front_motor) push_motor(1, wheels[1].motor_impulse, car, cars[2]);
  }

  /// Computes one iteration, in the joints' order in the space. Interleaving solvers hides latencies.
  template <std::size_t... kSolvers>
  FORKMUNK_INLINE static void solve(const std::array<Suspensions*, sizeof...(kSolvers)>& all,
                                    std::array<Cars<L>, sizeof...(kSolvers)>& cars,
                                    std::index_sequence<kSolvers...>) noexcept {
    const auto each = [&](auto&& joint) { (joint(*all[kSolvers], cars[kSolvers]), ...); };
    using Self = Suspensions;
    each([](Self& s, Cars<L>& c) { s.solve_groove(0, c[0], c[1]); });
    each([](Self& s, Cars<L>& c) { s.solve_spring(0, c[0], c[1]); });
    each([](Self& s, Cars<L>& c) { s.solve_groove(1, c[0], c[2]); });
    each([](Self& s, Cars<L>& c) { s.solve_spring(1, c[0], c[2]); });
    if (all[0]->rear_motor) each([](Self& s, Cars<L>& c) { s.solve_motor(0, c[0], c[1]); });
    if (all[0]->front_motor) each([](Self& s, Cars<L>& c) { s.solve_motor(1, c[0], c[2]); });
  }

  FORKMUNK_INLINE void store(std::span<const SolvedWorld> worlds) const noexcept {
    for (std::size_t lane = 0; lane < 2 * worlds.size(); ++lane) {
      LiveState& state = *worlds[lane / 2].state;
      for (std::size_t w = 0; w < 2; ++w) {
        const std::size_t i = 2 * (lane % 2) + w;
        state.groove_impulse[i] = {wheels[w].groove_impulse.x[lane], wheels[w].groove_impulse.y[lane]};
        state.motor_impulse[i] = wheels[w].motor_impulse[lane];
      }
    }
  }

 private:
  template <typename Of>
  FORKMUNK_INLINE static L of_suspensions(std::span<const SolvedWorld> worlds, std::size_t w, Of&& of) noexcept {
    return each_car<L>(worlds,
                       [&](const MatchModel& model, std::size_t p) { return of(model.suspensions[2 * p + w]); });
  }
  template <typename Of>
  FORKMUNK_INLINE static VecOf<L> vec_of_suspensions(std::span<const SolvedWorld> worlds, std::size_t w,
                                                     Of&& of) noexcept {
    return each_car_vec<L>(worlds,
                           [&](const MatchModel& model, std::size_t p) { return of(model.suspensions[2 * p + w]); });
  }

  // The arm leads to the projection of the wheel's centre p, or to the end beyond which it lies. The bias velocity is
  // -(1 - bias) / dt of the error.
  FORKMUNK_INLINE void prepare_groove(std::span<const SolvedWorld> worlds, std::size_t w, VecOf<L> car_position,
                                      VecOf<L> car_origin, VecOf<L> rotation, VecOf<L> wheel,
                                      SuspensionLanes<L>& s) noexcept {
    const VecOf<L> a =
        rotated(vec_of_suspensions(worlds, w, [](const SuspensionModel& m) { return m.groove_a; }), rotation) +
        car_origin;
    const VecOf<L> b =
        rotated(vec_of_suspensions(worlds, w, [](const SuspensionModel& m) { return m.groove_b; }), rotation) +
        car_origin;
    const VecOf<L> n =
        rotated(vec_of_suspensions(worlds, w, [](const SuspensionModel& m) { return m.groove_normal; }), rotation);
    const L along = cross(wheel, n), along_a = cross(a, n), along_b = cross(b, n);
    const MaskOf<L> at_a = at_most(along, along_a);
    const MaskOf<L> at_b = at_most(along_b, along);
    const VecOf<L> between = n * dot(a, n) - perpendicular(n) * along;
    s.groove_normal = n;
    s.normal_squared = dot(n, n);
    const L zero = all_lanes<L>(0);
    s.groove_end = select(at_a, all_lanes<L>(1), select(at_b, all_lanes<L>(-1), zero));
    s.at_an_end = any_at_most(along, along_a) || any_at_most(along_b, along);
    s.groove_arm = select(at_a, a, select(at_b, b, between)) - car_position;

    // K = (1/m1 + 1/m2) E + (the arm's part) / I1, because the wheel's arm is 0.
    const VecOf<L> r = s.groove_arm;
    const L mass_sum = inverse_mass[0] + inverse_mass[1 + w];
    const L k11 = mass_sum + r.y * r.y * inverse_moment[0];
    const L k12 = zero + -r.x * r.y * inverse_moment[0];
    const L k22 = mass_sum + r.x * r.x * inverse_moment[0];
    const L inverse_determinant = 1.0 / (k11 * k22 - k12 * k12);
    s.kaa = k22 * inverse_determinant;
    s.kab = -k12 * inverse_determinant;
    s.kba = -k12 * inverse_determinant;
    s.kbb = k11 * inverse_determinant;
    s.groove_bias = (wheel - (car_position + r)) * all_lanes<L>(worlds[0].model->joint_bias);
  }

  // Hooke's force is applied as an impulse, damping later: 1 - exp(-c k dt) of the relative velocity.
  FORKMUNK_INLINE void prepare_spring(std::span<const SolvedWorld> worlds, std::size_t w, VecOf<L> car_position,
                                      VecOf<L> rotation, VecOf<L> wheel, SuspensionLanes<L>& s,
                                      Cars<L>& cars) noexcept {
    const L damping_dt = of_suspensions(worlds, w, [](const SuspensionModel& m) { return m.damping_dt; });
    const L rest_length = of_suspensions(worlds, w, [](const SuspensionModel& m) { return m.rest_length; });
    const L stiffness = of_suspensions(worlds, w, [](const SuspensionModel& m) { return m.stiffness; });
    s.spring_arm =
        rotated(vec_of_suspensions(worlds, w, [](const SuspensionModel& m) { return m.spring_anchor; }), rotation);
    const VecOf<L> delta = (car_position + s.spring_arm) - wheel;
    const L zero = all_lanes<L>(0), distance = square_root(dot(delta, delta));
    const L divisor = select(equal(distance, zero), all_lanes<L>(std::numeric_limits<double>::infinity()), distance);
    s.spring_direction = delta * (1.0 / divisor);
    const L lever = cross(s.spring_arm, s.spring_direction);
    const L k = inverse_mass[1 + w] + (inverse_mass[0] + inverse_moment[0] * lever * lever);
    s.spring_mass = 1.0 / k;
    s.spring_target = zero;
    s.spring_loss = 1.0 - exponential(damping_dt * k);

    const L force = (rest_length - distance) * stiffness;
    const VecOf<L> j = s.spring_direction * (force * kTickSeconds);
    CarLanes<L>&car = cars[0], &wheel_motion = cars[1 + w];
    wheel_motion.velocity = wheel_motion.velocity - j * inverse_mass[1 + w];
    car.velocity = car.velocity + j * inverse_mass[0];
    car.w = car.w + inverse_moment[0] * cross(s.spring_arm, j);
  }

  // Applies -j to the car at `arm`, and j to the wheel's centre. Subtracting equals adding the negation, exactly.
  FORKMUNK_INLINE void push_groove(std::size_t w, VecOf<L> arm, VecOf<L> j, CarLanes<L>& car,
                                   CarLanes<L>& wheel) const noexcept {
    car.velocity = car.velocity - j * inverse_mass[0];
    car.w = car.w - inverse_moment[0] * cross(arm, j);
    wheel.velocity = wheel.velocity + j * inverse_mass[1 + w];
  }

  // Makes the relative velocity the bias, along the groove's normal unless the wheel is pushed against an end.
  FORKMUNK_INLINE void solve_groove(std::size_t w, CarLanes<L>& car, CarLanes<L>& wheel) noexcept {
    SuspensionLanes<L>& s = wheels[w];
    const VecOf<L> arm = s.groove_arm;
    const VecOf<L> relative = wheel.velocity - (car.velocity + perpendicular(arm) * car.w);
    const VecOf<L> error = s.groove_bias - relative;
    const VecOf<L> j{error.x * s.kaa + error.y * s.kab, error.x * s.kba + error.y * s.kbb};
    const VecOf<L> old = s.groove_impulse;
    const VecOf<L> sum = old + j;
    const VecOf<L> n = s.groove_normal;
    VecOf<L> impulse = n * (dot(sum, n) / s.normal_squared);
    if (s.at_an_end) impulse = select(less(all_lanes<L>(0), s.groove_end * cross(sum, n)), sum, impulse);
    s.groove_impulse = impulse;
    push_groove(w, arm, impulse - old, car, wheel);
  }

  FORKMUNK_INLINE void solve_spring(std::size_t w, CarLanes<L>& car, CarLanes<L>& wheel) noexcept {
    SuspensionLanes<L>& s = wheels[w];
    const VecOf<L> n = s.spring_direction, arm = s.spring_arm;
    const L relative = dot((car.velocity + perpendicular(arm) * car.w) - wheel.velocity, n);
    const L damped = (s.spring_target - relative) * s.spring_loss;
    s.spring_target = relative + damped;
    const VecOf<L> j = n * (damped * s.spring_mass);
    wheel.velocity = wheel.velocity - j * inverse_mass[1 + w];
    car.velocity = car.velocity + j * inverse_mass[0];
    car.w = car.w + inverse_moment[0] * cross(arm, j);
  }

  FORKMUNK_INLINE void push_motor(std::size_t w, L j, CarLanes<L>& car, CarLanes<L>& wheel) const noexcept {
    wheel.w = wheel.w - j * inverse_moment[1 + w];
    car.w = car.w + j * inverse_moment[0];
  }

  FORKMUNK_INLINE void solve_motor(std::size_t w, CarLanes<L>& car, CarLanes<L>& wheel) noexcept {
    SuspensionLanes<L>& s = wheels[w];
    const L relative = car.w - wheel.w + motor_rate;
    const L old = s.motor_impulse;
    s.motor_impulse = old - relative * motor_inertia[w];
    push_motor(w, s.motor_impulse - old, car, wheel);
  }
};

// Joints read one component of all cars' velocities in SIMD lanes, and contacts the motion of one body. Only contacts
// use bias velocities.

/// Lane 0 is the bias velocity, which separates penetrating bodies; lane 1 is the velocity.
struct Motion {
  Lanes x, y, w;
};

/// The bodies of the worlds of an L: pairs of bias velocity and velocity, by role, component, car and world.
template <typename L>
class Motions {
 public:
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
    // The barrier forces a reload. Without it gcc spills the values that cars() loaded.
    asm("" : "+m"(pairs_));
    for (std::size_t role = 0; role < 3; ++role) {
      set_velocities(role, 0, cars[role].velocity.x);
      set_velocities(role, 1, cars[role].velocity.y);
      set_velocities(role, 2, cars[role].w);
    }
  }

  /// The first world's bodies. The next world's follow.
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

  /// By world.
  using Addresses = std::array<double*, kWorldsIn<L>>;
  [[nodiscard]] FORKMUNK_INLINE double* address_of(std::size_t body, std::size_t world) noexcept {
    return numbers() + kOffsets[body] + 2 * world;
  }
  /// For static bodies: nothing() is read as no motion, nowhere() is written and never read.
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

// The first contact of each world, then the second of each, and so on, by sequential impulses with accumulated clamping
// (Catto 2006). A world's two lanes are those of Motion.

template <typename L>
struct PointLanes {
  VecOf<L> a_arm, b_arm;  ///< Relative to the bodies' centres of gravity.
  L normal_mass, tangent_mass;
  L target;
  L normal, tangent;  ///< The accumulated impulses.
};

/// The contacts of one index. Missing contacts and points are 0, and so are their results.
template <typename L>
class ContactLanes {
 public:
  FORKMUNK_INLINE void begin(std::span<const SolvedWorld> worlds, std::size_t index, Motions<L>& motions) noexcept {
    static constexpr SolverContact kNone = [] {
      SolverContact none{};
      none.a = kStaticBody;
      none.count = 1;
      return none;
    }();
    std::array<const SolverContact*, kWorlds> contacts;
    std::size_t both = 0;
    point_count_ = 1;
    for (std::size_t w = 0; w < kWorlds; ++w) {
      contacts[w] = w < worlds.size() && index < worlds[w].contact_count ? &worlds[w].contacts[index] : &kNone;
      point_count_ = std::max<std::size_t>(point_count_, contacts[w]->count);
      both += contacts[w]->a != kStaticBody;
    }
    both_move_ = both != 0;
    for (std::size_t w = 0; w < kWorlds; ++w) {
      const SolverContact& contact = *contacts[w];
      const BodyModel& body = world_of(worlds, 2 * w).model->bodies[contact.b];
      put(normal_, w, contact.normal);
      put(friction_, w, Lanes{0, contact.friction});
      put(cached_, w, all_lanes<Lanes>(contact.first ? 0 : 1));
      put(b_inverse_mass_, w, all_lanes<Lanes>(body.inverse_mass));
      put(b_inverse_moment_, w, all_lanes<Lanes>(body.inverse_moment));
      b_[w] = motions.address_of(contact.b, w);
      put(points_[0], w, contact.points[0]);
    }
    if (point_count_ > 1) [[unlikely]] {
      for (std::size_t w = 0; w < kWorlds; ++w) {
        put(points_[1], w, contacts[w]->count > 1 ? contacts[w]->points[1] : kNone.points[1]);
      }
    }
    if (both_move_) [[unlikely]] {
      for (std::size_t w = 0; w < kWorlds; ++w) {
        const SolverContact& contact = *contacts[w];
        const bool moves = contact.a != kStaticBody;
        const BodyModel body = moves ? world_of(worlds, 2 * w).model->bodies[contact.a] : BodyModel{};
        put(a_inverse_mass_, w, all_lanes<Lanes>(body.inverse_mass));
        put(a_inverse_moment_, w, all_lanes<Lanes>(body.inverse_moment));
        a_from_[w] = moves ? motions.address_of(contact.a, w) : motions.nothing(w);
        a_to_[w] = moves ? a_from_[w] : motions.nowhere(w);
        for (std::size_t i = 0; i < point_count_; ++i) {
          put(points_[i].a_arm, w, moves && i < contact.count ? contact.points[i].r1 : Vec{});
        }
      }
    }
  }

  FORKMUNK_INLINE void apply_cached() noexcept {
    if (both_move_) {
      apply_cached<true>();
    } else {
      apply_cached<false>();
    }
  }

  FORKMUNK_INLINE void solve() noexcept {
    if (both_move_) {
      solve<true>();
    } else {
      solve<false>();
    }
  }

  FORKMUNK_INLINE void store(std::span<const SolvedWorld> worlds, std::size_t index) const noexcept {
    for (std::size_t w = 0; w < worlds.size(); ++w) {
      if (index >= worlds[w].contact_count) continue;
      SolverContact& contact = worlds[w].contacts[index];
      for (std::size_t i = 0; i < contact.count; ++i) {
        contact.points[i].normal = Lanes{points_[i].normal[2 * w], points_[i].normal[2 * w + 1]};
        contact.points[i].tangent = points_[i].tangent[2 * w + 1];
      }
    }
  }

 private:
  static constexpr std::size_t kWorlds = kWorldsIn<L>;

  FORKMUNK_INLINE static void put(L& lanes, std::size_t world, Lanes pair) noexcept {
    flat::store(reinterpret_cast<double*>(&lanes) + 2 * world, pair);
  }
  FORKMUNK_INLINE static void put(VecOf<L>& lanes, std::size_t world, Vec v) noexcept {
    put(lanes.x, world, all_lanes<Lanes>(v.x));
    put(lanes.y, world, all_lanes<Lanes>(v.y));
  }
  FORKMUNK_INLINE static void put(PointLanes<L>& lanes, std::size_t world, const SolverPoint& point) noexcept {
    put(lanes.b_arm, world, point.r2);
    put(lanes.normal_mass, world, all_lanes<Lanes>(point.normal_mass));
    put(lanes.tangent_mass, world, all_lanes<Lanes>(point.tangent_mass));
    put(lanes.target, world, point.target);
    put(lanes.normal, world, point.normal);
    put(lanes.tangent, world, Lanes{0, point.tangent});
  }

  template <bool kBothMove>
  struct Bodies {
    CarLanes<L> a, b;
  };
  template <bool kBothMove>
  FORKMUNK_INLINE Bodies<kBothMove> gather() const noexcept {
    return {Motions<L>::gather(kBothMove ? a_from_ : b_), Motions<L>::gather(b_)};
  }
  template <bool kBothMove>
  FORKMUNK_INLINE void scatter(const Bodies<kBothMove>& bodies) const noexcept {
    if constexpr (kBothMove) Motions<L>::scatter(a_to_, bodies.a);
    Motions<L>::scatter(b_, bodies.b);
  }
  // Computes v += j / m and w += (r x j) / I on b, and the same with -j on a, which negates each term exactly.
  template <bool kBothMove>
  FORKMUNK_INLINE void push(Bodies<kBothMove>& bodies, const PointLanes<L>& point, L along_normal,
                            L along_tangent) const noexcept {
    const VecOf<L> n = normal_, b_arm = point.b_arm;
    const L jx = n.x * along_normal - n.y * along_tangent;
    const L jy = n.x * along_tangent + n.y * along_normal;
    if constexpr (kBothMove) {
      const VecOf<L> a_arm = point.a_arm;
      CarLanes<L>& a = bodies.a;
      a.velocity.x = a.velocity.x - jx * a_inverse_mass_;
      a.velocity.y = a.velocity.y - jy * a_inverse_mass_;
      a.w = a.w - a_inverse_moment_ * (a_arm.x * jy - a_arm.y * jx);
    }
    CarLanes<L>& b = bodies.b;
    b.velocity.x = b.velocity.x + jx * b_inverse_mass_;
    b.velocity.y = b.velocity.y + jy * b_inverse_mass_;
    b.w = b.w + b_inverse_moment_ * (b_arm.x * jy - b_arm.y * jx);
  }

  template <bool kBothMove>
  FORKMUNK_INLINE void apply_cached() noexcept {
    Bodies<kBothMove> bodies = gather<kBothMove>();
    for (std::size_t i = 0; i < point_count_; ++i) {
      push(bodies, points_[i], points_[i].normal * cached_, points_[i].tangent * cached_);
    }
    scatter(bodies);
  }

  template <bool kBothMove>
  FORKMUNK_INLINE void solve() noexcept {
    const VecOf<L> n = normal_;
    Bodies<kBothMove> bodies = gather<kBothMove>();
    for (std::size_t i = 0; i < point_count_; ++i) {
      PointLanes<L>& point = points_[i];
      // The velocity of b's point relative to a's point.
      L x = bodies.b.velocity.x - point.b_arm.y * bodies.b.w;
      L y = bodies.b.velocity.y + point.b_arm.x * bodies.b.w;
      if constexpr (kBothMove) {
        x = x - (bodies.a.velocity.x - point.a_arm.y * bodies.a.w);
        y = y - (bodies.a.velocity.y + point.a_arm.x * bodies.a.w);
      }
      const L along_normal = x * n.x + y * n.y;
      const L along_tangent = y * n.x - x * n.y;
      const L old_normal = point.normal, old_tangent = point.tangent;
      point.normal = max_of(old_normal + (point.target - along_normal) * point.normal_mass, all_lanes<L>(0));
      const L limit = friction_ * point.normal;
      point.tangent = min_of(max_of(old_tangent - along_tangent * point.tangent_mass, -limit), limit);
      push(bodies, point, point.normal - old_normal, point.tangent - old_tangent);
    }
    scatter(bodies);
  }

  VecOf<L> normal_;
  L friction_;  // 0 for the bias velocities
  L cached_;    // 1 if the contact has impulses for the warm start, else 0
  L a_inverse_mass_, a_inverse_moment_, b_inverse_mass_, b_inverse_moment_;
  std::array<PointLanes<L>, 2> points_;
  typename Motions<L>::Addresses a_from_, a_to_, b_;
  std::size_t point_count_;  // maximum over the contacts
  bool both_move_;           // whether any contact has two moving bodies
};

FORKMUNK_KERNEL_END
