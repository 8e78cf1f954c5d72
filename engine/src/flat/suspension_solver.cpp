#include "flat/suspension_solver.h"

#include <forkmunk/strict_math/inlined.h>

#include <limits>

// Functions that the compiler would rather call: a call puts everything into memory.
#define FORKMUNK_INLINE [[gnu::always_inline]] inline

namespace forkmunk::engine::flat {
namespace {

FORKMUNK_INLINE Lanes exponential(Lanes x) noexcept {
  return Lanes{strict_math::inlined::exp(x[0]), strict_math::inlined::exp(x[1])};
}

// The groove: where the wheel's centre p is along it decides whether it is at an end; the arm is to the end, or to p's
// projection. The bias velocity is -(1 - bias) / dt of the error.
void prepare_groove(const MatchModel& model, std::size_t w, VecLanes car_position, VecLanes car_origin,
                    VecLanes rotation, VecLanes wheel, const Suspensions& all, SuspensionLanes& s) noexcept {
  const SuspensionModel &m0 = model.suspensions[w], &m1 = model.suspensions[2 + w];
  const VecLanes a = rotated(lanes_of(m0.groove_a, m1.groove_a), rotation) + car_origin;
  const VecLanes b = rotated(lanes_of(m0.groove_b, m1.groove_b), rotation) + car_origin;
  const VecLanes n = rotated(lanes_of(m0.groove_normal, m1.groove_normal), rotation);
  const Lanes along = cross(wheel, n), along_a = cross(a, n), along_b = cross(b, n);
  const Mask at_a = at_most(along, along_a);
  const Mask at_b = at_most(along_b, along);
  const VecLanes between = n * dot(a, n) - perpendicular(n) * along;
  s.groove_normal = n;
  s.normal_squared = dot(n, n);
  s.groove_end = select(at_a, both(1), select(at_b, both(-1), both(0)));
  s.at_an_end = any(at_a) || any(at_b);
  s.groove_arm = select(at_a, a, select(at_b, b, between)) - car_position;

  // K = (1/m1 + 1/m2) E + (arm's part) / I1; the wheel's arm is 0.
  const VecLanes r = s.groove_arm;
  const Lanes mass_sum = all.inverse_mass[0] + all.inverse_mass[1 + w];
  const Lanes inverse_moment = all.inverse_moment[0];
  const Lanes k11 = mass_sum + r.y * r.y * inverse_moment;
  const Lanes k12 = both(0) + -r.x * r.y * inverse_moment;
  const Lanes k22 = mass_sum + r.x * r.x * inverse_moment;
  const Lanes inverse_determinant = 1.0 / (k11 * k22 - k12 * k12);
  s.kaa = k22 * inverse_determinant;
  s.kab = -k12 * inverse_determinant;
  s.kba = -k12 * inverse_determinant;
  s.kbb = k11 * inverse_determinant;
  s.groove_bias = (wheel - (car_position + r)) * both(model.joint_bias);
}

// The spring: Hooke's force at once, as an impulse; damping later, with 1 - exp(-c k dt) of the relative velocity.
void prepare_spring(const MatchModel& model, std::size_t w, VecLanes car_position, VecLanes rotation, VecLanes wheel,
                    const Suspensions& all, SuspensionLanes& s, std::array<CarLanes, 3>& cars) noexcept {
  const SuspensionModel &m0 = model.suspensions[w], &m1 = model.suspensions[2 + w];
  s.spring_arm = rotated(lanes_of(m0.spring_anchor, m1.spring_anchor), rotation);
  const VecLanes delta = (car_position + s.spring_arm) - wheel;
  const Lanes distance = square_root(dot(delta, delta));
  const Lanes divisor = select(equal(distance, both(0)), both(std::numeric_limits<double>::infinity()), distance);
  s.spring_direction = delta * (1.0 / divisor);
  const Lanes lever = cross(s.spring_arm, s.spring_direction);
  const Lanes k = all.inverse_mass[1 + w] + (all.inverse_mass[0] + all.inverse_moment[0] * lever * lever);
  s.spring_mass = 1.0 / k;
  s.spring_target = both(0);
  s.spring_loss = 1.0 - exponential(both(m0.damping_dt) * k);

  const Lanes force = (both(m0.rest_length) - distance) * m0.stiffness;
  const VecLanes j = s.spring_direction * (force * kTickSeconds);
  CarLanes &car = cars[0], &wheel_motion = cars[1 + w];
  wheel_motion.velocity = wheel_motion.velocity - j * all.inverse_mass[1 + w];
  car.velocity = car.velocity + j * all.inverse_mass[0];
  car.w = car.w + all.inverse_moment[0] * cross(s.spring_arm, j);
}

// What the joints of one wheel do. Cars and wheels come as values of their own, not as places in memory: all impulses
// wait for each other, and what is kept in registers waits least.

// -j on the car at `arm`, j on the wheel's centre. Subtracting is adding what is negated, exactly.
FORKMUNK_INLINE void push_groove(const Suspensions& all, std::size_t w, VecLanes arm, VecLanes j, CarLanes& car,
                                 CarLanes& wheel) noexcept {
  car.velocity = car.velocity - j * all.inverse_mass[0];
  car.w = car.w - all.inverse_moment[0] * cross(arm, j);
  wheel.velocity = wheel.velocity + j * all.inverse_mass[1 + w];
}

// The impulse that makes the relative velocity the bias, limited to the groove's normal unless the wheel is at an end
// and pushed on.
FORKMUNK_INLINE void solve_groove(const Suspensions& all, std::size_t w, SuspensionLanes& s, CarLanes& car,
                                  CarLanes& wheel) noexcept {
  const VecLanes arm = s.groove_arm;
  const VecLanes relative = wheel.velocity - (car.velocity + perpendicular(arm) * car.w);
  const VecLanes error = s.groove_bias - relative;
  const VecLanes j{error.x * s.kaa + error.y * s.kab, error.x * s.kba + error.y * s.kbb};
  const VecLanes old = s.groove_impulse;
  const VecLanes sum = old + j;
  const VecLanes n = s.groove_normal;
  VecLanes impulse = n * (dot(sum, n) / s.normal_squared);
  if (s.at_an_end) impulse = select(less(both(0), s.groove_end * cross(sum, n)), sum, impulse);
  s.groove_impulse = impulse;
  push_groove(all, w, arm, impulse - old, car, wheel);
}

FORKMUNK_INLINE void solve_spring(const Suspensions& all, std::size_t w, SuspensionLanes& s, CarLanes& car,
                                  CarLanes& wheel) noexcept {
  const VecLanes n = s.spring_direction, arm = s.spring_arm;
  const Lanes relative = dot((car.velocity + perpendicular(arm) * car.w) - wheel.velocity, n);
  const Lanes damped = (s.spring_target - relative) * s.spring_loss;
  s.spring_target = relative + damped;
  const VecLanes j = n * (damped * s.spring_mass);
  wheel.velocity = wheel.velocity - j * all.inverse_mass[1 + w];
  car.velocity = car.velocity + j * all.inverse_mass[0];
  car.w = car.w + all.inverse_moment[0] * cross(arm, j);
}

FORKMUNK_INLINE void push_motor(const Suspensions& all, std::size_t w, Lanes j, CarLanes& car,
                                CarLanes& wheel) noexcept {
  wheel.w = wheel.w - j * all.inverse_moment[1 + w];
  car.w = car.w + j * all.inverse_moment[0];
}

FORKMUNK_INLINE void solve_motor(const Suspensions& all, std::size_t w, SuspensionLanes& s, CarLanes& car,
                                 CarLanes& wheel) noexcept {
  const Lanes relative = car.w - wheel.w + all.motor_rate;
  const Lanes old = s.motor_impulse;
  s.motor_impulse = old - relative * all.motor_inertia[w];
  push_motor(all, w, s.motor_impulse - old, car, wheel);
}

FORKMUNK_INLINE void solve_all(Suspensions& all, std::array<CarLanes, 3>& cars) noexcept {
  CarLanes car = cars[0], rear = cars[1], front = cars[2];
  solve_groove(all, 0, all.wheels[0], car, rear);
  solve_spring(all, 0, all.wheels[0], car, rear);
  solve_groove(all, 1, all.wheels[1], car, front);
  solve_spring(all, 1, all.wheels[1], car, front);
  if (all.rear_motor) solve_motor(all, 0, all.wheels[0], car, rear);
  if (all.front_motor) solve_motor(all, 1, all.wheels[1], car, front);
  cars = {car, rear, front};
}

FORKMUNK_INLINE CarLanes lanes_of(const Motion& first, const Motion& second) noexcept {
  return {{Lanes{first.x[1], second.x[1]}, Lanes{first.y[1], second.y[1]}}, Lanes{first.w[1], second.w[1]}};
}

// Whole vectors are stored: one that is stored by halves is slow to load.
FORKMUNK_INLINE void store_lane(const CarLanes& car, std::size_t player, Motion& motion) noexcept {
  motion.x = Lanes{motion.x[0], car.velocity.x[player]};
  motion.y = Lanes{motion.y[0], car.velocity.y[player]};
  motion.w = Lanes{motion.w[0], car.w[player]};
}

}  // namespace

std::array<CarLanes, 3> cars_of(const Motions& motions) noexcept {
  return {lanes_of(motions[0], motions[3]), lanes_of(motions[1], motions[4]), lanes_of(motions[2], motions[5])};
}

void put_into(Motions& motions, const std::array<CarLanes, 3>& cars) noexcept {
  for (std::size_t role = 0; role < 3; ++role) {
    store_lane(cars[role], 0, motions[role]);
    store_lane(cars[role], 1, motions[3 + role]);
  }
}

Suspensions::Suspensions(const MatchModel& model, const LiveState& state, std::array<CarLanes, 3>& cars) noexcept {
  for (std::size_t role = 0; role < 3; ++role) {
    inverse_mass[role] = Lanes{model.bodies[role].inverse_mass, model.bodies[3 + role].inverse_mass};
    inverse_moment[role] = Lanes{model.bodies[role].inverse_moment, model.bodies[3 + role].inverse_moment};
  }
  motor_rate = Lanes{state.motor_rate[0], state.motor_rate[1]};
  rear_motor = model.rear_motor;
  front_motor = model.front_motor;
  const Body &first = state.bodies[0], &second = state.bodies[3];
  const VecLanes position = lanes_of(first.position, second.position);
  const VecLanes origin = lanes_of(first.origin, second.origin);
  const VecLanes rotation = lanes_of(first.rotation, second.rotation);
  for (std::size_t w = 0; w < 2; ++w) {
    const VecLanes wheel = lanes_of(state.bodies[1 + w].position, state.bodies[4 + w].position);
    SuspensionLanes& s = wheels[w];
    motor_inertia[w] = Lanes{model.suspensions[w].motor_inertia, model.suspensions[2 + w].motor_inertia};
    s.groove_impulse = lanes_of(state.groove_impulse[w], state.groove_impulse[2 + w]);
    s.motor_impulse = Lanes{state.motor_impulse[w], state.motor_impulse[2 + w]};
    prepare_groove(model, w, position, origin, rotation, wheel, *this, s);
    prepare_spring(model, w, position, rotation, wheel, *this, s, cars);
  }
}

void Suspensions::apply_cached(std::array<CarLanes, 3>& cars) const noexcept {
  CarLanes& car = cars[0];
  for (std::size_t w = 0; w < 2; ++w)
    push_groove(*this, w, wheels[w].groove_arm, wheels[w].groove_impulse, car, cars[1 + w]);
  if (rear_motor) push_motor(*this, 0, wheels[0].motor_impulse, car, cars[1]);
  if (front_motor) push_motor(*this, 1, wheels[1].motor_impulse, car, cars[2]);
}

void Suspensions::solve(std::array<CarLanes, 3>& cars) noexcept { solve_all(*this, cars); }

void Suspensions::solve(Motions& motions) noexcept {
  std::array<CarLanes, 3> cars = cars_of(motions);
  solve_all(*this, cars);
  put_into(motions, cars);
}

void Suspensions::store(LiveState& state) const noexcept {
  for (std::size_t w = 0; w < 2; ++w) {
    for (std::size_t player = 0; player < 2; ++player) {
      const std::size_t i = 2 * player + w;
      state.groove_impulse[i] = {wheels[w].groove_impulse.x[player], wheels[w].groove_impulse.y[player]};
      state.motor_impulse[i] = wheels[w].motor_impulse[player];
    }
  }
}

}  // namespace forkmunk::engine::flat
