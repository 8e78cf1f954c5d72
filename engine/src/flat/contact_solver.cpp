#include "flat/contact_solver.h"

namespace forkmunk::engine::flat {
namespace {

struct BodyView {
  Vec position;
  Vec velocity;
  double angular_velocity;
  double inverse_mass;
  double inverse_moment;
};

BodyView view_of(const MatchModel& model, const LiveState& state, std::uint8_t body) noexcept {
  if (body == kStaticBody) return {};
  const Body& b = state.bodies[body];
  return {b.position, b.velocity, b.angular_velocity, model.bodies[body].inverse_mass,
          model.bodies[body].inverse_moment};
}

// What 1 of impulse along n at r changes of the velocity along n at r.
double response(const BodyView& body, Vec r, Vec n) noexcept {
  const double lever = cross(r, n);
  return body.inverse_mass + body.inverse_moment * lever * lever;
}

// v += j / m, w += (r x j) / I on both lanes; and the same with -j, which negates each term exactly.
void push(Motion& motion, const BodyModel& body, Vec r, Lanes jx, Lanes jy) noexcept {
  motion.x = motion.x + jx * body.inverse_mass;
  motion.y = motion.y + jy * body.inverse_mass;
  motion.w = motion.w + body.inverse_moment * (r.x * jy - r.y * jx);
}
void push_back(Motion& motion, const BodyModel& body, Vec r, Lanes jx, Lanes jy) noexcept {
  motion.x = motion.x - jx * body.inverse_mass;
  motion.y = motion.y - jy * body.inverse_mass;
  motion.w = motion.w - body.inverse_moment * (r.x * jy - r.y * jx);
}

// Which bodies of a contact move.
enum class Moves { a, b, both };

template <Moves kMoves>
void solve_points(const MatchModel& model, SolverContact& contact, Motions& motions) noexcept {
  const Vec n = contact.normal;
  // Values of their own, not places in memory: each point waits for the last one.
  Motion a = motions[kMoves == Moves::b ? 0 : contact.a];
  Motion b = motions[kMoves == Moves::a ? 0 : contact.b];
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
  if constexpr (kMoves != Moves::b) motions[contact.a] = a;
  if constexpr (kMoves != Moves::a) motions[contact.b] = b;
}

}  // namespace

void prepare(const MatchModel& model, const LiveState& state, SolverContact& contact, double elasticity) noexcept {
  const BodyView a = view_of(model, state, contact.a), b = view_of(model, state, contact.b);
  const Vec n = contact.normal;
  const Vec tangent = perpendicular(n);
  const Vec delta = b.position - a.position;
  for (std::size_t i = 0; i < contact.count; ++i) {
    SolverPoint& point = contact.points[i];
    const Vec r1 = point.r1, r2 = point.r2;
    point.normal_mass = 1.0 / (response(a, r1, n) + response(b, r2, n));
    point.tangent_mass = 1.0 / (response(a, r1, tangent) + response(b, r2, tangent));
    const double distance = dot((r2 - r1) + delta, n);
    const double bias = model.contact_bias * min_of(0.0, distance + kSlop) / kTickSeconds;
    const Vec v1 = a.velocity + perpendicular(r1) * a.angular_velocity;
    const Vec v2 = b.velocity + perpendicular(r2) * b.angular_velocity;
    const double bounce = dot(v2 - v1, n) * elasticity;
    point.target = Lanes{bias, -bounce};
  }
}

void apply_cached(const MatchModel& model, const SolverContact& contact, Motions& motions) noexcept {
  if (contact.first) return;
  for (std::size_t i = 0; i < contact.count; ++i) {
    const SolverPoint& point = contact.points[i];
    const Vec j = complex_product(contact.normal, {point.normal[1], point.tangent});
    const Lanes jx{0.0, j.x}, jy{0.0, j.y};
    if (contact.a != kStaticBody) push_back(motions[contact.a], model.bodies[contact.a], point.r1, jx, jy);
    if (contact.b != kStaticBody) push(motions[contact.b], model.bodies[contact.b], point.r2, jx, jy);
  }
}

void solve(const MatchModel& model, SolverContact& contact, Motions& motions) noexcept {
  if (contact.b == kStaticBody) {
    solve_points<Moves::a>(model, contact, motions);
  } else if (contact.a == kStaticBody) {
    solve_points<Moves::b>(model, contact, motions);
  } else {
    solve_points<Moves::both>(model, contact, motions);
  }
}

}  // namespace forkmunk::engine::flat
