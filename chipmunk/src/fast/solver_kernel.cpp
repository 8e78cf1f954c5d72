// SPDX-License-Identifier: MIT

#include "fast/solver_kernel.h"

#include <cstring>

FORKMUNK_KERNEL_BEGIN(forkmunk::FORKMUNK_CHIPMUNK::fast)
namespace {

// Returns whether groups 2 n and 2 n + 1 of contacts are solved together. Only many contacts and fewer than 8 lanes
// fill the lanes of groups that share no body.
bool solves_pairs(const GroupList& contacts) noexcept {
  constexpr int kPairedContacts = 64;
  return kLanes <= 4 && contacts.item_count >= kPairedContacts;
}

bool is_fixed(const cpBody& body) noexcept { return body.m_inv == 0 && body.i_inv == 0; }

ScheduledItem item_of(const cpArbiter& arbiter) noexcept { return {arbiter.body_a, arbiter.body_b, arbiter.count}; }

bool is_scheduled(const Solver& solver, const SolverItems& items) noexcept {
  if (solver.scheduled_lanes != kLanes) return false;
  const auto body_bytes = static_cast<std::size_t>(solver.numbered_count) * sizeof(cpBody*);
  if (solver.numbered_count != solver.first_count ||
      std::memcmp(solver.bodies.data() + kLanes, items.bodies, body_bytes) != 0) {
    return false;
  }
  cpArbiter* const* const arbiters = items.arbiters;
  for (int i = 0; i < solver.contacts.item_count; ++i) {
    if (i + 8 < solver.contacts.item_count) __builtin_prefetch(&arbiters[i + 8]->body_a);
    if (!(item_of(*arbiters[i]) == solver.contact_items.data()[i])) return false;
  }
  for (int i = 0; i < solver.joints.item_count; ++i) {
    const auto& joint = *items.joints[i];
    const ScheduledItem item{joint.a, joint.b, static_cast<int>(solver.joint_kinds.data()[i])};
    if (!(item == solver.joint_items.data()[i])) return false;
  }
  for (int row = kLanes; row < solver.row_count; ++row) {
    if (is_fixed(*solver.bodies.data()[row]) != solver.is_fixed.data()[row]) return false;
  }
  return true;
}

std::uint32_t add_row(Solver& solver, cpBody* body, cpBody* next, bool is_fixed) noexcept {
  const int row = solver.row_count++;
  solver.bodies.data()[row] = body;
  solver.next.data()[row] = next;
  solver.contact_end.data()[row] = solver.joint_end.data()[row] = 0;
  solver.is_fixed.data()[row] = is_fixed;
  return static_cast<std::uint32_t>(row);
}

std::uint32_t number_body(Solver& solver, cpBody* body) noexcept {
  const std::uint32_t row = add_row(solver, body, body->sleeping.next, is_fixed(*body));
  body->sleeping.next = reinterpret_cast<cpBody*>(static_cast<std::uintptr_t>(row));
  return row;
}

// The row's number is in body->sleeping.next until release_rows(). A fixed body has a row for each of its contacts, so
// that lanes neither overwrite another's NaN nor wait for each other.
std::uint32_t row_of(Solver& solver, cpBody* body) noexcept {
  const auto known = reinterpret_cast<std::uintptr_t>(body->sleeping.next);
  if (known < static_cast<std::uintptr_t>(solver.row_count) && solver.bodies.data()[known] == body) {
    if (solver.is_fixed.data()[known]) return add_row(solver, body, solver.next.data()[known], true);
    return static_cast<std::uint32_t>(known);
  }
  return number_body(solver, body);
}

void release_rows(Solver& solver) noexcept {
  for (int row = kLanes; row < solver.row_count; ++row) {
    solver.bodies.data()[row]->sleeping.next = solver.next.data()[row];
  }
}

constexpr int kWordBits = 64;

std::uint64_t bit_of(int group) noexcept { return std::uint64_t{1} << group % kWordBits; }

// Returns list.count if no group from `group` on is open to a kind.
int first_open(const GroupList& list, int kind, int group) noexcept {
  const std::uint64_t* const open = list.open[kind].data();
  int word = group / kWordBits;
  std::uint64_t bits = open[word] & ~(bit_of(group) - 1);
  while (bits == 0) {
    if (++word > list.count / kWordBits) return list.count;
    bits = open[word];
  }
  return word * kWordBits + __builtin_ctzll(bits);
}

void add_group(GroupList& list) noexcept {
  const int group = list.count++;
  list.used.data()[group] = 0;
  list.kinds.data()[group] = 0;
  for (int k = 0; k < list.kind_count; ++k) {
    std::uint64_t* const open = list.open[k].data();
    open[group / kWordBits] |= bit_of(group);
    if (list.count % kWordBits == 0) open[list.count / kWordBits] = 0;
  }
}

void close_group(GroupList& list, int kind, int group) noexcept {
  list.open[kind].data()[group / kWordBits] &= ~bit_of(group);
}

void reserve_for_kind(GroupList& list, int group, int kind) noexcept {
  if (list.used.data()[group] != 0) return;
  for (int k = 0; k < list.kind_count; ++k) {
    if (k != kind) close_group(list, k, group);
  }
}

// Prefers groups of arbiters with as many contacts.
int contact_group(GroupList& list, int earliest, int contact_count) noexcept {
  while (list.count < earliest) add_group(list);
  int group = first_open(list, contact_count - 1, earliest);
  if (group == list.count) group = first_open(list, 2 - contact_count, earliest);
  if (group == list.count) add_group(list);
  reserve_for_kind(list, group, contact_count - 1);
  list.kinds.data()[group] |= static_cast<std::uint8_t>(contact_count);
  return group;
}

int joint_group(GroupList& list, int earliest, int kind) noexcept {
  const int group = first_open(list, kind, earliest);
  if (group == list.count) add_group(list);
  reserve_for_kind(list, group, kind);
  list.kinds.data()[group] = static_cast<std::uint8_t>(kind);
  return group;
}

void fill_lane(GroupList& list, int item, int group, std::uint32_t row_a, std::uint32_t row_b) noexcept {
  const std::uint8_t lane = list.used.data()[group]++;
  const std::size_t slot = static_cast<std::size_t>(group) * kLanes + lane;
  list.item.data()[slot] = item;
  list.row_a.data()[slot] = row_a;
  list.row_b.data()[slot] = row_b;
  if (lane != kLanes - 1) return;
  for (int k = 0; k < list.kind_count; ++k) close_group(list, k, group);
}

bool assign_contacts(Solver& solver, const SolverItems& items) noexcept {
  GroupList& list = solver.contacts;
  const bool in_pairs = solves_pairs(list);
  int* const end = solver.contact_end.data();
  const bool* const is_fixed = solver.is_fixed.data();
  cpArbiter* const* const arbiters = items.arbiters;
  for (int i = 0; i < list.item_count; ++i) {
    const cpArbiter& arbiter = *arbiters[i];
    if (i + 8 < list.item_count) __builtin_prefetch(&arbiters[i + 8]->body_a);
    if (i + 4 < list.item_count) {
      __builtin_prefetch(&arbiters[i + 4]->body_a->sleeping.next);
      __builtin_prefetch(&arbiters[i + 4]->body_b->sleeping.next);
    }
    if (arbiter.count < 1 || arbiter.count > 2) return false;
    const std::uint32_t a = row_of(solver, arbiter.body_a), b = row_of(solver, arbiter.body_b);
    const int group = contact_group(list, end[a] > end[b] ? end[a] : end[b], arbiter.count);
    fill_lane(list, i, group, a, b);
    solver.contact_items.data()[i] = item_of(arbiter);
    const int next = in_pairs ? (group | 1) + 1 : group + 1;
    if (!is_fixed[a]) end[a] = next;
    if (!is_fixed[b]) end[b] = next;
  }
  return true;
}

bool assign_joints(Solver& solver, const SolverItems& items) noexcept {
  GroupList& list = solver.joints;
  int* const end = solver.joint_end.data();
  const bool* const is_fixed = solver.is_fixed.data();
  for (int i = 0; i < list.item_count; ++i) {
    const auto& joint = *items.joints[i];
    const std::uint32_t a = row_of(solver, joint.a), b = row_of(solver, joint.b);
    if (joint.a == joint.b) return false;
    const auto kind = static_cast<int>(solver.joint_kinds.data()[i]);
    const int group = joint_group(list, end[a] > end[b] ? end[a] : end[b], kind);
    fill_lane(list, i, group, a, b);
    solver.joint_items.data()[i] = {joint.a, joint.b, kind};
    if (!is_fixed[a]) end[a] = group + 1;
    if (!is_fixed[b]) end[b] = group + 1;
  }
  return true;
}

void begin(GroupList& list, int item_count, int kind_count) noexcept {
  list.item_count = item_count;
  list.kind_count = kind_count;
  list.count = 0;
  for (int k = 0; k < kind_count; ++k) list.open[k].data()[0] = 0;
}

bool assign_groups(Solver& solver, const SolverItems& items) noexcept {
  solver.row_count = kLanes;
  for (std::size_t row = 0; row < kLanes; ++row) {
    solver.bodies.data()[row] = nullptr;
    solver.is_fixed.data()[row] = false;
  }
  solver.numbered_count = solver.first_count;
  for (int i = 0; i < solver.numbered_count; ++i) {
    if (i + 8 < solver.numbered_count) {
      __builtin_prefetch(&items.bodies[i + 8]->sleeping.next, 1);
    }
    number_body(solver, items.bodies[i]);
  }
  begin(solver.contacts, items.arbiter_count, 2);
  begin(solver.joints, items.joint_count, kJointKindCount);
  const bool is_assigned = assign_contacts(solver, items) && assign_joints(solver, items);
  release_rows(solver);
  return is_assigned;
}

// A group's level is one more than those of its bodies' earlier groups. \return the count of levels.
int find_levels(const Solver& solver, GroupList& list, int* row_level) noexcept {
  for (int row = 0; row < solver.row_count; ++row) row_level[row] = 0;
  const bool* const is_fixed = solver.is_fixed.data();
  int count = 0;
  for (int g = 0; g < list.count; ++g) {
    const std::uint32_t* const a = list.row_a.data() + static_cast<std::size_t>(g) * kLanes;
    const std::uint32_t* const b = list.row_b.data() + static_cast<std::size_t>(g) * kLanes;
    int level = 0;
    for (int l = 0; l < list.used.data()[g]; ++l) {
      const int later = row_level[a[l]] > row_level[b[l]] ? row_level[a[l]] : row_level[b[l]];
      if (later > level) level = later;
    }
    list.level.data()[g] = level;
    if (level >= count) count = level + 1;
    for (int l = 0; l < list.used.data()[g]; ++l) {
      if (!is_fixed[a[l]]) row_level[a[l]] = level + 1;
      if (!is_fixed[b[l]]) row_level[b[l]] = level + 1;
    }
  }
  return count;
}

// Sorts by level, so that neighbours are mostly independent.
void order_groups(const Solver& solver, GroupList& list, int* row_level) noexcept {
  const int level_count = find_levels(solver, list, row_level);
  int* const end = list.level_end.data();
  const int* const level = list.level.data();
  for (int l = 0; l <= level_count; ++l) end[l] = 0;
  for (int g = 0; g < list.count; ++g) ++end[level[g] + 1];
  for (int l = 0; l < level_count; ++l) end[l + 1] += end[l];
  for (int g = 0; g < list.count; ++g) list.order.data()[end[level[g]]++] = g;
}

void order_pairs(GroupList& list) noexcept {
  const bool in_pairs = solves_pairs(list);
  int count = 0;
  for (int g = 0; g < list.count; ++g) {
    if (list.used.data()[g] == 0) continue;
    const bool has_next = in_pairs && g % 2 == 0 && g + 1 < list.count && list.used.data()[g + 1] != 0;
    const std::uint8_t kinds = list.kinds.data()[g];
    list.is_paired.data()[count] = has_next && kinds == list.kinds.data()[g + 1];
    list.order.data()[count++] = g;
  }
  list.count = count;
}

// The unit is one scalar joint. The branch to another kind is mostly mispredicted.
double cost_of_joints(const GroupList& list) noexcept {
  constexpr double kSameKind = kLanes * sizeof(cpFloat) == 16 ? 1.3 : 1.5;
  constexpr double kOtherKind = kLanes * sizeof(cpFloat) == 16 ? 2.5 : 4;
  double cost = 0;
  int last = -1;
  for (int p = 0; p < list.count; ++p) {
    const int kind = list.kinds.data()[list.order.data()[p]];
    cost += kind == last ? kSameKind : kOtherKind;
    last = kind;
  }
  return cost;
}

// \return whether the groups are estimated to be faster than Chipmunk's own solver.
bool order_groups(Solver& solver) noexcept {
  order_groups(solver, solver.joints, solver.joint_end.data());
  // The unit is one scalar contact. Partly filled groups may be slower than the scalar solver, sooner if no arbiter of
  // the group has two contacts. Joints gain more than their estimate.
  constexpr double kGroup = kLanes * sizeof(cpFloat) == 64 ? 2 : 1.3;
  const double group_of_one = solver.joints.item_count == 0 ? 1.2 * kGroup : kGroup;
  double cost = cost_of_joints(solver.joints);
  for (int g = 0; g < solver.contacts.count; ++g) {
    if (solver.contacts.used.data()[g] != 0) cost += solver.contacts.kinds.data()[g] == 1 ? group_of_one : kGroup;
  }
  if (solver.contacts.item_count + solver.joints.item_count < cost) return false;
  order_pairs(solver.contacts);
  return true;
}

bool schedule(Solver& solver, const SolverItems& items) noexcept {
  if (!is_scheduled(solver, items)) {
    solver.scheduled_lanes = 0;
    if (!assign_groups(solver, items)) return false;
    solver.is_profitable = order_groups(solver);
    solver.scheduled_lanes = kLanes;
  }
  if (!solver.is_profitable) return false;
  for (std::size_t row = 0; row < kLanes; ++row) solver.rows.data()[row] = BodyRow{};
  make_contact_groups(solver, items);
  make_joint_groups(solver, items);
  return true;
}

bool is_negative_zero(cpFloat x) noexcept { return x == 0 && __builtin_signbit(x); }

// Impulses add 0 or -0 to the velocity of a fixed body, which keeps all velocities except -0.
bool keeps_velocity(const BodyRow& row) noexcept {
  for (const Column c : {kVx, kVy, kW, kBiasX, kBiasY, kBiasW}) {
    if (is_negative_zero(row.of[c])) return false;
  }
  return true;
}

// \return whether each fixed body keeps its velocity.
bool load_bodies(Solver& solver) noexcept {
  for (std::size_t row = 0; row < kLanes; ++row) solver.rows.data()[row] = BodyRow{};
  for (int row = kLanes; row < solver.row_count; ++row) {
    const cpBody& b = *solver.bodies.data()[row];
    solver.rows.data()[row] = {{b.v.x, b.v.y, b.w, b.m_inv, b.v_bias.x, b.v_bias.y, b.w_bias, b.i_inv}};
    if (solver.is_fixed.data()[row] && !keeps_velocity(solver.rows.data()[row])) return false;
  }
  return true;
}

bool all_finite(const Solver& solver) noexcept {
  cpFloat zero = 0;  // becomes NaN if a velocity is not finite
  for (int row = kLanes; row < solver.row_count; ++row) {
    const cpFloat* v = solver.rows.data()[row].of;
    zero += (v[0] - v[0]) + (v[1] - v[1]) + (v[2] - v[2]) + (v[4] - v[4]) + (v[5] - v[5]) + (v[6] - v[6]);
  }
  return zero == 0;
}

bool solve(Solver& solver, const StepTimes& times, int iterations) noexcept {
  if (!load_bodies(solver)) return false;
  apply_cached_contacts(solver, times.dt_ratio);
  apply_cached_joints(solver, times.dt_ratio);
  for (int i = 0; i < iterations; ++i) {
    iterate_contacts(solver);
    iterate_joints(solver);
  }
  return all_finite(solver);
}

void store(const Solver& solver) noexcept {
  for (int row = kLanes; row < solver.row_count; ++row) {
    if (solver.is_fixed.data()[row]) continue;
    cpBody& body = *solver.bodies.data()[row];
    const cpFloat* v = solver.rows.data()[row].of;
    body.v = {v[0], v[1]}, body.w = v[2];
    body.v_bias = {v[4], v[5]}, body.w_bias = v[6];
  }
  store_contacts(solver);
  store_joints(solver);
}

}  // namespace

SolverKernel make_solver_kernel() noexcept {
  return {lines_of_contacts(2), lines_of_joint_group(), &schedule, &prestep,
          &load_contacts,       &load_joints,           &solve,    &store,
          &store_prestep};
}

FORKMUNK_KERNEL_END
