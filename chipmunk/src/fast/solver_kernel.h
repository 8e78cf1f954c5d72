// SPDX-License-Identifier: MIT
#pragma once

#include "fast/solver.h"

#include <forkmunk/base/simd/transpose.h>
#include <forkmunk/chipmunk/precision.h>

FORKMUNK_KERNEL_BEGIN(forkmunk::FORKMUNK_CHIPMUNK::fast)

using namespace simd;
using Lanes = WideLanes;
using Mask = MaskOf<Lanes>;

struct ContactLanes {
  Lanes r1x, r1y, r2x, r2y;
  Lanes normal_mass, tangent_mass, bounce, bias;
  Lanes normal_impulse, tangent_impulse, bias_impulse;
};

/// The rows of each lane's bodies, as offsets in bytes. Lanes without an item use the row of the lane's number.
struct RowOffsets {
  std::uint32_t of[kLanes];
};

struct alignas(64) ContactGroup {
  Lanes nx, ny, friction, surface_x, surface_y;
  RowOffsets a, b;
  const cpArbiter* arbiters[kLanes];
  std::uint8_t used;
  std::uint8_t kinds;
  std::uint8_t with_two;   ///< The lanes with two contacts.
  std::uint8_t are_first;  ///< The lanes that touch for the first time.

  ContactLanes* contacts() noexcept { return reinterpret_cast<ContactLanes*>(this + 1); }
  const ContactLanes* contacts() const noexcept { return reinterpret_cast<const ContactLanes*>(this + 1); }
  int contact_count() const noexcept { return kinds == 1 ? 1 : 2; }
};

/// The structure of the kind of joint (joint_solver.cpp) follows in memory.
struct alignas(64) JointGroup {
  RowOffsets a, b;
  Lanes inverse_moment_a, inverse_moment_b;
  cpConstraint* joints[kLanes];
  std::uint8_t used;
  JointKind kind;
  std::uint8_t active;  ///< The lanes that are not at rest between limits.

  template <typename Kind>
  Kind& as() noexcept {
    return *reinterpret_cast<Kind*>(this + 1);
  }
  template <typename Kind>
  const Kind& as() const noexcept {
    return *reinterpret_cast<const Kind*>(this + 1);
  }
};

FORKMUNK_INLINE ContactGroup& contact_group_at(const GroupList& list, int position) noexcept {
  return *reinterpret_cast<ContactGroup*>(list.memory.data() + list.line.data()[position]);
}
FORKMUNK_INLINE JointGroup& joint_group_at(const GroupList& list, int position) noexcept {
  return *reinterpret_cast<JointGroup*>(list.memory.data() + list.line.data()[position]);
}

template <typename Group>
FORKMUNK_INLINE void set_rows(const GroupList& list, std::size_t first_slot, Group& group) noexcept {
  for (std::size_t l = 0; l < kLanes; ++l) {
    const bool is_used = l < group.used;
    constexpr auto kBytes = static_cast<std::uint32_t>(sizeof(BodyRow));
    group.a.of[l] = kBytes * (is_used ? list.row_a.data()[first_slot + l] : static_cast<std::uint32_t>(l));
    group.b.of[l] = kBytes * (is_used ? list.row_b.data()[first_slot + l] : static_cast<std::uint32_t>(l));
  }
}

FORKMUNK_INLINE std::uint32_t lines_of_contacts(int contact_count) noexcept {
  const std::size_t bytes = sizeof(ContactGroup) + static_cast<std::size_t>(contact_count) * sizeof(ContactLanes);
  return static_cast<std::uint32_t>((bytes + sizeof(CacheLine) - 1) / sizeof(CacheLine));
}

/// A body in each lane, as in BodyRow.
struct BodyLanes {
  Lanes of[8];
};
enum Column { kVx, kVy, kW, kInverseMass, kBiasX, kBiasY, kBiasW, kInverseMoment };

FORKMUNK_INLINE cpFloat* row_at(BodyRow* rows, std::uint32_t offset) noexcept {
  return reinterpret_cast<BodyRow*>(reinterpret_cast<std::byte*>(rows) + offset)->of;
}
FORKMUNK_INLINE void load_rows(BodyRow* rows, const RowOffsets& offsets, BodyLanes& body) noexcept {
  Rows from;
  for (std::size_t l = 0; l < kLanes; ++l) from.of[l] = row_at(rows, offsets.of[l]);
  load8(from, body.of);
}
FORKMUNK_INLINE void store_rows(BodyRow* rows, const RowOffsets& offsets, const BodyLanes& body) noexcept {
  cpFloat* to[kLanes];
  for (std::size_t l = 0; l < kLanes; ++l) to[l] = row_at(rows, offsets.of[l]);
  store8(to, body.of);
}

void make_contact_groups(Solver& solver, const SolverItems& items) noexcept;
void make_joint_groups(Solver& solver, const SolverItems& items) noexcept;

void prestep(Solver& solver, const StepTimes& times) noexcept;
void load_contacts(Solver& solver) noexcept;
void apply_cached_contacts(Solver& solver, cpFloat dt_ratio) noexcept;
void iterate_contacts(Solver& solver) noexcept;
void store_contacts(const Solver& solver) noexcept;
void store_prestep(const Solver& solver) noexcept;

/// Applies -j at r1 to body a and j at r2 to body b: v += j / m, w += (r x j) / i, in the given columns.
template <Column x = kVx, Column y = kVy, Column w = kW>
FORKMUNK_INLINE void apply_impulse(BodyLanes& a, BodyLanes& b, Lanes r1x, Lanes r1y, Lanes r2x, Lanes r2y, Lanes jx,
                                   Lanes jy) noexcept {
  a.of[x] -= jx * a.of[kInverseMass];
  a.of[y] -= jy * a.of[kInverseMass];
  a.of[w] += a.of[kInverseMoment] * (r1y * jx - r1x * jy);
  b.of[x] += jx * b.of[kInverseMass];
  b.of[y] += jy * b.of[kInverseMass];
  b.of[w] += b.of[kInverseMoment] * (r2x * jy - r2y * jx);
}

/// Restores `old` in the lanes outside of `mask`.
FORKMUNK_INLINE void keep_others(Mask mask, const BodyLanes& old, BodyLanes& body) noexcept {
  for (const Column c : {kVx, kVy, kW, kBiasX, kBiasY, kBiasW}) body.of[c] = select(mask, body.of[c], old.of[c]);
}

std::size_t lines_of_joint_group() noexcept;
void load_joints(Solver& solver, const StepTimes& times) noexcept;
void apply_cached_joints(Solver& solver, cpFloat dt_ratio) noexcept;
void iterate_joints(Solver& solver) noexcept;
void store_joints(const Solver& solver) noexcept;

FORKMUNK_KERNEL_END
