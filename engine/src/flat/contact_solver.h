#pragma once

#include "flat/lanes.h"
#include "flat/narrow_phase.h"
#include "flat/state.h"
#include "flat/wide_lanes.h"

/// Contacts as constraints: sequential impulses with accumulated clamping (Catto 2006), as Chipmunk solves them.
namespace forkmunk::engine::flat {

/// A body's motion while the solver runs. Lane 0 is the velocity that pushes penetrations apart, lane 1 the velocity.
struct Motion {
  Lanes x, y, w;
};

inline constexpr std::uint8_t kStaticBody = kBodyCount;

/// One point of a contact in the solver.
struct SolverPoint {
  Vec r1, r2;           ///< From the bodies' centres of gravity.
  double normal_mass;   ///< 1 / (1/m1 + 1/m2 + (r1 x n)^2 / I1 + (r2 x n)^2 / I2), which an impulse along n meets.
  double tangent_mass;  ///< The same along the tangent.
  Lanes target;         ///< The relative velocities along n that are aimed at: off each other; minus the bounce.
  Lanes normal;         ///< Accumulated impulses along n, both at least 0.
  double tangent;       ///< Accumulated friction.
};

/// A contact that pushes in this step.
struct SolverContact {
  std::uint16_t contact;  ///< Its index in the state.
  std::uint8_t a, b;      ///< Bodies; one of them may be kStaticBody.
  std::uint8_t count;
  bool first;  ///< It has no impulses to begin with.
  Vec normal;
  double friction;
  std::array<SolverPoint, 2> points;
};

/// Sets up `contact`'s masses and targets from where its bodies are. \param elasticity  of both shapes together.
/// \pre its points' r1, r2 and accumulated impulses are set.
void prepare(const MatchModel& model, const LiveState& state, SolverContact& contact, double elasticity) noexcept;

/// Applies the impulses that were accumulated until the last step. \param bodies  Motion get(body), void set(body,
/// Motion): where the solver has them.
template <typename Bodies>
void apply_cached(const MatchModel& model, const SolverContact& contact, Bodies& bodies) noexcept;

/// One iteration on one contact.
template <typename Bodies>
void solve(const MatchModel& model, SolverContact& contact, Bodies& bodies) noexcept;

// ---- The rest is how: forced inline, to be compiled with the instructions of who calls ----

// v += j / m, w += (r x j) / I on both lanes; and the same with -j, which negates each term exactly.
FORKMUNK_INLINE void push(Motion& motion, const BodyModel& body, Vec r, Lanes jx, Lanes jy) noexcept {
  motion.x = motion.x + jx * body.inverse_mass;
  motion.y = motion.y + jy * body.inverse_mass;
  motion.w = motion.w + body.inverse_moment * (r.x * jy - r.y * jx);
}
FORKMUNK_INLINE void push_back(Motion& motion, const BodyModel& body, Vec r, Lanes jx, Lanes jy) noexcept {
  motion.x = motion.x - jx * body.inverse_mass;
  motion.y = motion.y - jy * body.inverse_mass;
  motion.w = motion.w - body.inverse_moment * (r.x * jy - r.y * jx);
}

// Which bodies of a contact move.
enum class Moves { a, b, both };

template <Moves kMoves, typename Bodies>
FORKMUNK_INLINE void solve_points(const MatchModel& model, SolverContact& contact, Bodies& bodies) noexcept {
  const Vec n = contact.normal;
  // Values of their own, not places in memory: each point waits for the last one.
  Motion a = bodies.get(kMoves == Moves::b ? 0 : contact.a);
  Motion b = bodies.get(kMoves == Moves::a ? 0 : contact.b);
  const BodyModel& a_model = model.bodies[kMoves == Moves::b ? 0 : contact.a];
  const BodyModel& b_model = model.bodies[kMoves == Moves::a ? 0 : contact.b];
  for (std::size_t i = 0; i < contact.count; ++i) {
    SolverPoint& point = contact.points[i];
    const Vec r1 = point.r1, r2 = point.r2;
    // The velocity of b's point relative to a's; a static body's is 0. With b static, all is negated.
    Lanes x, y;
    if constexpr (kMoves == Moves::a) {
      x = a.x - r1.y * a.w;
      y = a.y + r1.x * a.w;
    } else {
      x = b.x - r2.y * b.w;
      y = b.y + r2.x * b.w;
      if constexpr (kMoves == Moves::both) {
        x = x - (a.x - r1.y * a.w);
        y = y - (a.y + r1.x * a.w);
      }
    }
    const Lanes along_normal = x * n.x + y * n.y;
    const double along_tangent = y[1] * n.x - x[1] * n.y;
    const Lanes error = kMoves == Moves::a ? point.target + along_normal : point.target - along_normal;
    const double tangent_change = along_tangent * point.tangent_mass;

    const Lanes old_normal = point.normal;
    point.normal = max_of(old_normal + error * point.normal_mass, both(0));
    const Lanes normal = point.normal - old_normal;
    const double limit = contact.friction * point.normal[1];
    const double old_tangent = point.tangent;
    point.tangent =
        clamp(kMoves == Moves::a ? old_tangent + tangent_change : old_tangent - tangent_change, -limit, limit);
    const Lanes tangent{0.0, point.tangent - old_tangent};

    // (normal, tangent) turned into the world's axes.
    const Lanes jx = n.x * normal - n.y * tangent;
    const Lanes jy = n.x * tangent + n.y * normal;
    if constexpr (kMoves != Moves::b) push_back(a, a_model, r1, jx, jy);
    if constexpr (kMoves != Moves::a) push(b, b_model, r2, jx, jy);
  }
  if constexpr (kMoves != Moves::b) bodies.set(contact.a, a);
  if constexpr (kMoves != Moves::a) bodies.set(contact.b, b);
}

template <typename Bodies>
FORKMUNK_INLINE void apply_cached(const MatchModel& model, const SolverContact& contact, Bodies& bodies) noexcept {
  if (contact.first) return;
  for (std::size_t i = 0; i < contact.count; ++i) {
    const SolverPoint& point = contact.points[i];
    const Vec j = complex_product(contact.normal, {point.normal[1], point.tangent});
    const Lanes jx{0.0, j.x}, jy{0.0, j.y};
    if (contact.a != kStaticBody) {
      Motion a = bodies.get(contact.a);
      push_back(a, model.bodies[contact.a], point.r1, jx, jy);
      bodies.set(contact.a, a);
    }
    if (contact.b != kStaticBody) {
      Motion b = bodies.get(contact.b);
      push(b, model.bodies[contact.b], point.r2, jx, jy);
      bodies.set(contact.b, b);
    }
  }
}

template <typename Bodies>
FORKMUNK_INLINE void solve(const MatchModel& model, SolverContact& contact, Bodies& bodies) noexcept {
  if (contact.b == kStaticBody) {
    solve_points<Moves::a>(model, contact, bodies);
  } else if (contact.a == kStaticBody) {
    solve_points<Moves::b>(model, contact, bodies);
  } else {
    solve_points<Moves::both>(model, contact, bodies);
  }
}

}  // namespace forkmunk::engine::flat
