#include "fast/contact_solver.h"

/// Contacts between Chipmunk's structures and the groups'.
FORKMUNK_FAST_BEGIN
namespace {

constexpr cpArbiter kNoArbiter{};
constexpr cpContact kNoContact{};

// Where `member` of each lane's arbiter or contact is.
template <typename T>
FORKMUNK_INLINE Rows rows_at(const T* const (&items)[kLanes], const double T::*member) noexcept {
  Rows rows;
  for (std::size_t l = 0; l < kLanes; ++l) rows.of[l] = &(items[l]->*member);
  return rows;
}
template <typename T>
FORKMUNK_INLINE Rows rows_at(const T* const (&items)[kLanes], const cpVect T::*member) noexcept {
  Rows rows;
  for (std::size_t l = 0; l < kLanes; ++l) rows.of[l] = &(items[l]->*member).x;
  return rows;
}

struct Items {
  const cpArbiter* arbiters[kLanes];
  const cpContact* contacts[2][kLanes];
};

Items items_of(const ContactGroup& group) noexcept {
  Items items;
  for (std::size_t l = 0; l < kLanes; ++l) {
    const cpArbiter* arbiter = l < group.used ? group.arbiters[l] : &kNoArbiter;
    items.arbiters[l] = arbiter;
    for (int k = 0; k < 2; ++k) items.contacts[k][l] = k < arbiter->count ? arbiter->contacts + k : &kNoContact;
  }
  return items;
}

void prefetch_items(const GroupList& list, int group) noexcept {
  if (group + 2 < list.count) {
    const ContactGroup& later = contact_group_at(list, group + 2);
    for (std::size_t l = 0; l < later.used; ++l) {
      __builtin_prefetch(later.arbiters[l]);
      __builtin_prefetch(&later.arbiters[l]->contacts);
    }
  }
  if (group + 1 < list.count) {
    const ContactGroup& next = contact_group_at(list, group + 1);
    for (std::size_t l = 0; l < next.used; ++l) {
      const cpContact* contacts = next.arbiters[l]->contacts;
      for (int line = 0; line < 3; ++line) __builtin_prefetch(reinterpret_cast<const CacheLine*>(contacts) + line);
    }
  }
}

void load_arbiters(ContactGroup& group, const Items& items, Lanes& elasticity) noexcept {
  load4(rows_at(items.arbiters, &cpArbiter::e), elasticity, group.friction, group.surface_x, group.surface_y);
  load2(rows_at(items.arbiters, &cpArbiter::n), group.nx, group.ny);
}

void load_points(const Items& items, int k, ContactLanes& contact) noexcept {
  load4(rows_at(items.contacts[k], &cpContact::r1), contact.r1x, contact.r1y, contact.r2x, contact.r2y);
  load2(rows_at(items.contacts[k], &cpContact::jnAcc), contact.normal_impulse, contact.tangent_impulse);
  contact.bias_impulse = all_lanes(0);
}

// Rows as prestep() needs them.
void load_positions(Solver& solver) noexcept {
  for (int row = kLanes; row < solver.row_count; ++row) {
    const cpBody& b = *solver.bodies.data()[row];
    solver.rows.data()[row] = {{b.v.x, b.v.y, b.w, b.m_inv, b.p.x, b.p.y, 0, b.i_inv}};
  }
}

void prepare(const ContactGroup& group, const BodyLanes& a, const BodyLanes& b, const StepTimes& times,
             Lanes elasticity, ContactLanes& contact) noexcept {
  const Lanes nx = group.nx, ny = group.ny;
  const Lanes r1x = contact.r1x, r1y = contact.r1y, r2x = contact.r2x, r2y = contact.r2y;
  const auto response = [&](const BodyLanes& body, Lanes lever) {
    return body.of[kInverseMass] + body.of[kInverseMoment] * lever * lever;
  };
  const Lanes one = all_lanes(1);
  contact.normal_mass = one / (response(a, r1x * ny - r1y * nx) + response(b, r2x * ny - r2y * nx));
  contact.tangent_mass = one / (response(a, r1x * nx + r1y * ny) + response(b, r2x * nx + r2y * ny));
  const Lanes dx = b.of[kBiasX] - a.of[kBiasX], dy = b.of[kBiasY] - a.of[kBiasY];  // of the positions
  const Lanes distance = ((r2x - r1x) + dx) * nx + ((r2y - r1y) + dy) * ny;
  const Lanes depth = min_of(all_lanes(0), distance + all_lanes(times.slop));
  contact.bias = all_lanes(-times.bias) * depth / all_lanes(times.dt);
  const Lanes v1x = a.of[kVx] - r1y * a.of[kW], v1y = a.of[kVy] + r1x * a.of[kW];
  const Lanes v2x = b.of[kVx] - r2y * b.of[kW], v2y = b.of[kVy] + r2x * b.of[kW];
  contact.bounce = ((v2x - v1x) * nx + (v2y - v1y) * ny) * elasticity;
}

void store_results(const ContactGroup& group, int k) noexcept {
  const ContactLanes& c = group.contacts()[k];
  cpContact unused;
  double* from_mass[kLanes];
  double* from_impulse[kLanes];
  for (std::size_t l = 0; l < kLanes; ++l) {
    const bool is_used = l < group.used && (k == 0 || (group.with_two >> l & 1) != 0);
    cpContact& contact = is_used ? group.arbiters[l]->contacts[k] : unused;
    from_mass[l] = &contact.nMass, from_impulse[l] = &contact.jnAcc;
  }
  store4(from_mass, c.normal_mass, c.tangent_mass, c.bounce, c.normal_impulse);
  store4(from_impulse, c.normal_impulse, c.tangent_impulse, c.bias_impulse, c.bias);
}

}  // namespace

void lay_out_contacts(Solver& solver, const cpSpace& space) noexcept {
  GroupList& list = solver.contacts;
  std::uint32_t line = 0;
  for (int p = 0; p < list.count; ++p) {
    const int number = list.order.data()[p];
    const std::size_t first_slot = static_cast<std::size_t>(number) * kLanes;
    list.line.data()[p] = line;
    ContactGroup& group = contact_group_at(list, p);
    group.used = list.used.data()[number];
    group.kinds = list.kinds.data()[number];
    set_rows(list, first_slot, group);
    std::uint32_t with_two = 0, are_first = 0;
    for (std::size_t l = 0; l < group.used; ++l) {
      const auto* arbiter = static_cast<const cpArbiter*>(space.arbiters->arr[list.item.data()[first_slot + l]]);
      group.arbiters[l] = arbiter;
      with_two |= static_cast<std::uint32_t>(arbiter->count - 1) << l;
      are_first |= static_cast<std::uint32_t>(arbiter->state == CP_ARBITER_STATE_FIRST_COLLISION) << l;
    }
    group.with_two = static_cast<std::uint8_t>(with_two);
    group.are_first = static_cast<std::uint8_t>(are_first);
    line += lines_of_contacts(group.contact_count());
  }
}

void prestep(Solver& solver, const StepTimes& times) noexcept {
  load_positions(solver);
  const GroupList& list = solver.contacts;
  for (int g = 0; g < list.count; ++g) {
    prefetch_items(list, g);
    ContactGroup& group = contact_group_at(list, g);
    const Items items = items_of(group);
    Lanes elasticity;
    load_arbiters(group, items, elasticity);
    BodyLanes a, b;
    load_rows(solver.rows.data(), group.a, a);
    load_rows(solver.rows.data(), group.b, b);
    for (int k = 0; k < group.contact_count(); ++k) {
      ContactLanes& contact = group.contacts()[k];
      load_points(items, k, contact);
      prepare(group, a, b, times, elasticity, contact);
    }
  }
}

void load_contacts(Solver& solver) noexcept {
  const GroupList& list = solver.contacts;
  for (int g = 0; g < list.count; ++g) {
    prefetch_items(list, g);
    ContactGroup& group = contact_group_at(list, g);
    const Items items = items_of(group);
    Lanes unused;
    load_arbiters(group, items, unused);
    for (int k = 0; k < group.contact_count(); ++k) {
      ContactLanes& c = group.contacts()[k];
      load_points(items, k, c);
      load4(rows_at(items.contacts[k], &cpContact::nMass), c.normal_mass, c.tangent_mass, c.bounce, unused);
      load2(rows_at(items.contacts[k], &cpContact::jBias), unused, c.bias);
    }
  }
}

void store_contacts(const Solver& solver) noexcept {
  const GroupList& list = solver.contacts;
  for (int g = 0; g < list.count; ++g) {
    const ContactGroup& group = contact_group_at(list, g);
    for (int k = 0; k < group.contact_count(); ++k) store_results(group, k);
  }
}

void store_prestep(const Solver& solver) noexcept {
  const GroupList& list = solver.contacts;
  for (int g = 0; g < list.count; ++g) {
    const ContactGroup& group = contact_group_at(list, g);
    for (std::size_t l = 0; l < group.used; ++l) {
      for (int k = 0; k < group.arbiters[l]->count; ++k) {
        cpContact& contact = group.arbiters[l]->contacts[k];
        const ContactLanes& c = group.contacts()[k];
        contact.nMass = c.normal_mass[l], contact.tMass = c.tangent_mass[l];
        contact.bounce = c.bounce[l], contact.bias = c.bias[l], contact.jBias = 0;
      }
    }
  }
}

FORKMUNK_FAST_END
