#include "flat/contact_solver.h"

FORKMUNK_KERNEL_BEGIN
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

// Change of the velocity along n at r by an impulse of 1 along n at r.
double response(const BodyView& body, Vec r, Vec n) noexcept {
  const double lever = cross(r, n);
  return body.inverse_mass + body.inverse_moment * lever * lever;
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

FORKMUNK_KERNEL_END
