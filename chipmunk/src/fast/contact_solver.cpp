#include "fast/contact_solver.h"

FORKMUNK_FAST_BEGIN
namespace {

FORKMUNK_INLINE void apply_cached(const ContactGroup& group, const ContactLanes& c, Lanes dt_ratio, BodyLanes& a,
                                  BodyLanes& b) noexcept {
  const Lanes nx = group.nx, ny = group.ny, jn = c.normal_impulse, jt = c.tangent_impulse;
  apply_impulse(a, b, c.r1x, c.r1y, c.r2x, c.r2y, (nx * jn - ny * jt) * dt_ratio, (nx * jt + ny * jn) * dt_ratio);
}

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

// Where a lane has no such contact, or none of the step before, its body stays as it is: adding 0 would turn -0 to 0.
FORKMUNK_INLINE void apply_cached_to(std::uint32_t lanes, const ContactGroup& group, const ContactLanes& c,
                                     Lanes dt_ratio, BodyLanes& a, BodyLanes& b) noexcept {
  if (lanes == kAllLanes) return apply_cached(group, c, dt_ratio, a, b);
  const BodyLanes old_a = a, old_b = b;
  apply_cached(group, c, dt_ratio, a, b);
  keep_others(mask_of(lanes), old_a, a);
  keep_others(mask_of(lanes), old_b, b);
}

// For each of ContactGroup::kinds, as velocities that may be blended do not stay in registers.
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

// Two groups of one level, contact by contact: each contact is a long chain of operations, and a processor sees only as
// many instructions at once as two contacts have.
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

void apply_cached_contacts(Solver& solver, double dt_ratio) noexcept {
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

FORKMUNK_FAST_END
