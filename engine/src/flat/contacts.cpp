// SPDX-License-Identifier: MIT

#include "flat/contacts.h"

#include <forkmunk/arena_alloc/poison.h>
#include <forkmunk/base/check.h>

FORKMUNK_KERNEL_BEGIN(forkmunk::engine::flat)
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

// Returns the change of the velocity along n at r by an impulse of 1.
double response(const BodyView& body, Vec r, Vec n) noexcept {
  const double lever = cross(r, n);
  return body.inverse_mass + body.inverse_moment * lever * lever;
}

DeathCause cause_by(const MatchModel& model, std::size_t other) noexcept {
  return other == kDeadlineShape                            ? DeathCause::deadline
         : other < kMovingShapeCount                        ? DeathCause::enemy
         : model.segments[other - kMovingShapeCount].sensor ? DeathCause::box
                                                            : DeathCause::map;
}

std::uint8_t solver_body_of(std::size_t shape) noexcept {
  return shape < kMovingShapeCount ? static_cast<std::uint8_t>(body_of(shape)) : kStaticBody;
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

std::uint32_t ContactFinder::test(std::size_t a, std::size_t b, std::uint32_t id) noexcept {
  const auto is_static = [](std::size_t shape) { return shape >= kMovingShapeCount; };
  const auto segment_of = [&](std::size_t shape) -> const StaticSegment& {
    return model_.segments[shape - kMovingShapeCount];
  };
  // Circles come before segments, and segments before polygons. Two shapes of a kind keep their order.
  const auto is_circle = [&](std::size_t shape) { return !is_static(shape) && model_.is_circle[shape]; };
  if ((is_static(a) && is_circle(b)) || (!is_static(a) && !is_circle(a) && (is_static(b) || is_circle(b)))) {
    std::swap(a, b);
  }
  const auto polygon_shape = [&](std::size_t shape) {
    return PolygonShape{shapes_.polygons[shape], shapes_.boxes[shape], id_of(model_, state_, shape)};
  };
  Manifold manifold;
  bool touching;
  if (is_circle(a)) {
    const Circle& circle = shapes_.circles[a];
    touching = is_static(b)   ? collide(circle, segment_of(b), manifold)
               : is_circle(b) ? collide(circle, shapes_.circles[b], manifold)
                              : collide(circle, shapes_.boxes[a], polygon_shape(b), id, manifold);
  } else if (is_static(a)) {
    touching = collide(SegmentShape{segment_of(a), id_of(model_, state_, a)}, polygon_shape(b), id, manifold);
  } else {
    touching = collide(polygon_shape(a), polygon_shape(b), id, manifold);
  }
  if (touching) touch(a, b, manifold);
  return id;
}

Contact& ContactFinder::contact_of(std::uint32_t key) noexcept {
  Contact* const contacts = state_.contacts();
  for (std::size_t i = 0; i < state_.contact_count; ++i) {
    if (contacts[i].key == key) return contacts[i];
  }
  // Each pair that pair_count_max() counts has one contact.
  FORKMUNK_CHECK(state_.contact_count < model_.pair_count_max(), "%d contacts", state_.contact_count);
  FORKMUNK_UNPOISON(contacts + state_.contact_count, sizeof(Contact));
  Contact& contact = contacts[state_.contact_count++];
  contact = Contact{};
  contact.key = key;
  contact.state = ContactState::first;
  contact.stamp = state_.stamp;
  return contact;
}

void ContactFinder::touch(std::size_t a, std::size_t b, const Manifold& manifold) noexcept {
  Contact& contact = contact_of(contact_key(a, b));
  if (contact.stamp != state_.stamp) {
    // A contact is "first" only in its first step, and again after a step without it.
    if (contact.state == ContactState::first) contact.state = ContactState::normal;
    if (contact.state == ContactState::cached) contact.state = ContactState::first;
    contact.stamp = state_.stamp;
  }
  if (!is_button(a) && !is_button(b)) {
    collect(contact, a, b, manifold);
    return;
  }
  if (contact.state == ContactState::first) {
    if (is_button(a)) state_.rules.press(player_of(a), cause_by(model_, b));
    if (is_button(b)) state_.rules.press(player_of(b), cause_by(model_, a));
    contact.state = ContactState::ignored;  // until the shapes part
  }
}

void ContactFinder::collect(Contact& contact, std::size_t a, std::size_t b, const Manifold& manifold) noexcept {
  // A reinserted leaf tests only the pairs that its list would have, so each pair is tested once per step.
  FORKMUNK_CHECK(found_count_ < found_count_max_, "%zu contacts to solve", found_count_);
  SolverContact& solver = found_[found_count_++];
  solver.contact = static_cast<std::uint16_t>(&contact - state_.contacts());
  // The static body comes first. Swapping the bodies only negates the contact's terms.
  const bool turned = solver_body_of(b) == kStaticBody;
  if (turned) std::swap(a, b);
  solver.a = solver_body_of(a);
  solver.b = solver_body_of(b);
  solver.count = static_cast<std::uint8_t>(manifold.count);
  solver.first = contact.state == ContactState::first;
  solver.normal = turned ? -manifold.normal : manifold.normal;
  const auto shape_model = [&](std::size_t shape) {
    return shape < kMovingShapeCount ? model_.shapes[shape] : ShapeModel{1, 0};  // a segment of the map
  };
  const ShapeModel a_model = shape_model(a), b_model = shape_model(b);
  solver.friction = a_model.friction * b_model.friction;
  const Vec a_position = solver.a == kStaticBody ? Vec{} : state_.bodies[solver.a].position;
  const Vec b_position = state_.bodies[solver.b].position;
  const std::array<ContactPoint, 2> before = contact.points;
  const auto had = [&](std::size_t i, std::uint32_t hash) { return i < contact.count && before[i].hash == hash; };
  contact.points = {};
  solver.points[1].normal = Lanes{};
  solver.points[1].tangent = 0;
  for (std::size_t i = 0; i < solver.count; ++i) {
    const Manifold::Point& found = manifold.points[i];
    const bool first = had(0, found.hash), second = had(1, found.hash);
    const ContactPoint& old = before[second ? 1 : 0];
    const double normal = first || second ? old.normal_impulse : 0;
    const double tangent = first || second ? old.tangent_impulse : 0;
    // One by one, because a copy of the struct stalls on store forwarding.
    contact.points[i].hash = found.hash;
    contact.points[i].normal_impulse = normal;
    contact.points[i].tangent_impulse = tangent;
    SolverPoint& point = solver.points[i];
    point.r1 = (turned ? found.b : found.a) - a_position;
    point.r2 = (turned ? found.a : found.b) - b_position;
    point.normal = Lanes{0, normal};
    point.tangent = tangent;
  }
  contact.count = solver.count;
  prepare(model_, state_, solver, a_model.elasticity * b_model.elasticity);
}

void store_impulses(const SolverContact* found, std::size_t count, LiveState& state) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    Contact& contact = state.contacts()[found[i].contact];
    for (std::size_t j = 0; j < contact.points.size(); ++j) {  // a missing second point has zeros
      contact.points[j].normal_impulse = found[i].points[j].normal[1];
      contact.points[j].tangent_impulse = found[i].points[j].tangent;
    }
  }
}

void forget_old_contacts(LiveState& state) noexcept {
  Contact* const contacts = state.contacts();
  for (std::size_t i = state.contact_count; i-- > 0;) {
    const std::uint32_t age = state.stamp - contacts[i].stamp;
    contacts[i].state = age >= 1 ? ContactState::cached : contacts[i].state;
    if (age >= kContactPersistence) {
      contacts[i] = contacts[--state.contact_count];
      FORKMUNK_POISON(contacts + state.contact_count, sizeof(Contact));
    }
  }
}

FORKMUNK_KERNEL_END
