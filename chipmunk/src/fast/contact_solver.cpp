// SPDX-License-Identifier: MIT

#include "fast/solver_kernel.h"

FORKMUNK_KERNEL_BEGIN(forkmunk::FORKMUNK_CHIPMUNK::fast)
namespace {

constexpr cpArbiter kNoArbiter{};
constexpr cpContact kNoContact{};

template <typename T>
FORKMUNK_INLINE Rows rows_at(const T* const (&items)[kLanes], const cpFloat T::*member) noexcept {
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

// Positions are in place of bias velocities.
void load_positions(Solver& solver) noexcept {
  for (int row = kLanes; row < solver.row_count; ++row) {
    const cpBody& b = *solver.bodies.data()[row];
    solver.rows.data()[row] = {{b.v.x, b.v.y, b.w, b.m_inv, b.p.x, b.p.y, 0, b.i_inv}};
  }
}

// Computes the constants of a contact, with t = (-n.y, n.x):
//   normal mass  = 1 / (1/m1 + 1/m2 + (r1 x n)^2 / i1 + (r2 x n)^2 / i2), tangent mass the same along t
//   bias         = -(1 - collisionBias^dt) min(0, d + slop) / dt, where d = (p2 + r2 - p1 - r1) . n
//   bounce       = elasticity (v2 + w2 x r2 - v1 - w1 x r1) . n
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
  const Lanes dx = b.of[kBiasX] - a.of[kBiasX], dy = b.of[kBiasY] - a.of[kBiasY];  // of positions
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
  cpFloat* from_mass[kLanes];
  cpFloat* from_impulse[kLanes];
  for (std::size_t l = 0; l < kLanes; ++l) {
    const bool is_used = l < group.used && (k == 0 || (group.with_two >> l & 1) != 0);
    cpContact& contact = is_used ? group.arbiters[l]->contacts[k] : unused;
    from_mass[l] = &contact.nMass, from_impulse[l] = &contact.jnAcc;
  }
  store4(from_mass, c.normal_mass, c.tangent_mass, c.bounce, c.normal_impulse);
  store4(from_impulse, c.normal_impulse, c.tangent_impulse, c.bias_impulse, c.bias);
}

}  // namespace

void make_contact_groups(Solver& solver, const SolverItems& items) noexcept {
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
      const auto* arbiter = items.arbiters[list.item.data()[first_slot + l]];
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

namespace {

// Scales by the ratio of the time steps: j = (n jn + t jt) dt_ratio.
FORKMUNK_INLINE void apply_cached(const ContactGroup& group, const ContactLanes& c, Lanes dt_ratio, BodyLanes& a,
                                  BodyLanes& b) noexcept {
  const Lanes nx = group.nx, ny = group.ny, jn = c.normal_impulse, jt = c.tangent_impulse;
  apply_impulse(a, b, c.r1x, c.r1y, c.r2x, c.r2y, (nx * jn - ny * jt) * dt_ratio, (nx * jt + ny * jn) * dt_ratio);
}

// Solves a contact once. With the relative velocities v and v_bias at the contact, and the masses mn and mt:
//   j_bias = max(j_bias + (bias - v_bias . n) mn, 0)
//   jn     = max(jn - (bounce + v . n) mn, 0)
//   jt     = clamp(jt - (v . t) mt, -u jn, u jn)
// The differences to the previous impulses are applied.
FORKMUNK_INLINE void apply_contact(const ContactGroup& group, ContactLanes& c, BodyLanes& a, BodyLanes& b) noexcept {
  const Lanes nx = group.nx, ny = group.ny, zero = all_lanes(0);
  const Lanes r1x = c.r1x, r1y = c.r1y, r2x = c.r2x, r2y = c.r2y;
  const Lanes b1x = a.of[kBiasX] - r1y * a.of[kBiasW], b1y = a.of[kBiasY] + r1x * a.of[kBiasW];
  const Lanes b2x = b.of[kBiasX] - r2y * b.of[kBiasW], b2y = b.of[kBiasY] + r2x * b.of[kBiasW];
  const Lanes v1x = a.of[kVx] - r1y * a.of[kW], v1y = a.of[kVy] + r1x * a.of[kW];
  const Lanes v2x = b.of[kVx] - r2y * b.of[kW], v2y = b.of[kVy] + r2x * b.of[kW];
  const Lanes vx = (v2x - v1x) + group.surface_x, vy = (v2y - v1y) + group.surface_y;

  const Lanes bias_speed = (b2x - b1x) * nx + (b2y - b1y) * ny;
  const Lanes normal_speed = vx * nx + vy * ny;
  const Lanes tangent_speed = vy * nx - vx * ny;

  const Lanes old_bias = c.bias_impulse, old_normal = c.normal_impulse, old_tangent = c.tangent_impulse;
  const Lanes bias_impulse = max_of(old_bias + (c.bias - bias_speed) * c.normal_mass, zero);
  const Lanes normal_impulse = max_of(old_normal - (c.bounce + normal_speed) * c.normal_mass, zero);
  const Lanes limit = group.friction * normal_impulse;
  const Lanes tangent_impulse = min_of(max_of(old_tangent - tangent_speed * c.tangent_mass, -limit), limit);
  c.bias_impulse = bias_impulse, c.normal_impulse = normal_impulse, c.tangent_impulse = tangent_impulse;

  const Lanes push = bias_impulse - old_bias;
  apply_impulse<kBiasX, kBiasY, kBiasW>(a, b, r1x, r1y, r2x, r2y, nx * push, ny * push);
  const Lanes jn = normal_impulse - old_normal, jt = tangent_impulse - old_tangent;
  apply_impulse(a, b, r1x, r1y, r2x, r2y, nx * jn - ny * jt, nx * jt + ny * jn);
}

// Other lanes keep their velocities, because adding 0 would turn -0 into 0.
FORKMUNK_INLINE void apply_cached_to(std::uint32_t lanes, const ContactGroup& group, const ContactLanes& c,
                                     Lanes dt_ratio, BodyLanes& a, BodyLanes& b) noexcept {
  if (lanes == kAllLanes) return apply_cached(group, c, dt_ratio, a, b);
  const BodyLanes old_a = a, old_b = b;
  apply_cached(group, c, dt_ratio, a, b);
  keep_others(mask_of(lanes), old_a, a);
  keep_others(mask_of(lanes), old_b, b);
}

// One function for each of ContactGroup::kinds, because velocities that may be blended do not stay in registers.
template <int kKinds>
FORKMUNK_INLINE void apply_group(BodyRow* rows, ContactGroup& group) noexcept {
  BodyLanes a, b;
  load_rows(rows, group.a, a);
  load_rows(rows, group.b, b);
  apply_contact(group, group.contacts()[0], a, b);
  if constexpr (kKinds == 2) apply_contact(group, group.contacts()[1], a, b);
  if constexpr (kKinds == 3) {
    const BodyLanes old_a = a, old_b = b;
    apply_contact(group, group.contacts()[1], a, b);
    const Mask mask = mask_of(group.with_two);
    keep_others(mask, old_a, a);
    keep_others(mask, old_b, b);
  }
  store_rows(rows, group.a, a);
  store_rows(rows, group.b, b);
}

// Solves two groups of one level at once: a processor can overlap about two of these long chains.
void apply_pair(BodyRow* rows, ContactGroup& one, ContactGroup& other) noexcept {
  BodyLanes a, b, c, d;
  load_rows(rows, one.a, a);
  load_rows(rows, one.b, b);
  load_rows(rows, other.a, c);
  load_rows(rows, other.b, d);
  for (int k = 0; k < one.contact_count(); ++k) {
    apply_contact(one, one.contacts()[k], a, b);
    apply_contact(other, other.contacts()[k], c, d);
  }
  store_rows(rows, one.a, a);
  store_rows(rows, one.b, b);
  store_rows(rows, other.a, c);
  store_rows(rows, other.b, d);
}

}  // namespace

void apply_cached_contacts(Solver& solver, cpFloat dt_ratio) noexcept {
  const Lanes ratio = all_lanes(dt_ratio);
  BodyRow* const rows = solver.rows.data();
  for (int g = 0; g < solver.contacts.count; ++g) {
    const ContactGroup& group = contact_group_at(solver.contacts, g);
    const std::uint32_t in_use = (1u << group.used) - 1;
    const std::uint32_t known = in_use & ~group.are_first;
    if (known == 0) continue;
    BodyLanes a, b;
    load_rows(rows, group.a, a);
    load_rows(rows, group.b, b);
    // Lanes without an item have impulses of 0 and rows of their own.
    const std::uint32_t unused = kAllLanes & ~in_use;
    apply_cached_to(known | unused, group, group.contacts()[0], ratio, a, b);
    if (group.contact_count() == 2) {
      apply_cached_to((known & group.with_two) | unused, group, group.contacts()[1], ratio, a, b);
    }
    store_rows(rows, group.a, a);
    store_rows(rows, group.b, b);
  }
}

void iterate_contacts(Solver& solver) noexcept {
  BodyRow* const rows = solver.rows.data();
  const GroupList& list = solver.contacts;
  for (int p = 0; p < list.count; ++p) {
    ContactGroup& group = contact_group_at(list, p);
    if (list.is_paired.data()[p] && group.kinds != 3) {
      apply_pair(rows, group, contact_group_at(list, ++p));
    } else if (group.kinds == 2) {
      apply_group<2>(rows, group);
    } else if (group.kinds == 1) {
      apply_group<1>(rows, group);
    } else {
      apply_group<3>(rows, group);
    }
  }
}

FORKMUNK_KERNEL_END
