// SPDX-License-Identifier: MIT
#pragma once

#include "fast/step.h"

#include <cstddef>
#include <cstdint>

#include <chipmunk/chipmunk.h>
#include <chipmunk/chipmunk_structs.h>

/// The impulse solver in SIMD lanes: its memory, and the functions that each SIMD target has of its own (kernel.h).
///
/// Contacts (and joints) that share no body are independent of each other, so several are solved at once, one a lane.
/// List scheduling, in Chipmunk's order, puts each into the first group after those of its two bodies' earlier ones
/// that has a free lane: each body meets its contacts in Chipmunk's order, and all bits are those of its loop. Bodies
/// of infinite mass and moment do not count: no impulse changes their velocity.
///
/// The velocities of the bodies are copied to rows of one cache line; all else that the iterations need is in the
/// groups, in structures of arrays. Nothing is written to Chipmunk's objects until the result is known to be finite.
namespace forkmunk::chipmunk::fast {

/// v.x v.y w 1/m | v_bias.x v_bias.y w_bias 1/i; in prestep p.x p.y in place of v_bias.
struct alignas(64) BodyRow {
  double of[8];
};
struct alignas(64) CacheLine {
  std::byte bytes[64];
};

/// `none`: of a class that is not Chipmunk's.
enum class JointKind : std::uint8_t {
  pin,
  slide,
  pivot,
  groove,
  spring,
  rotary_spring,
  rotary_limit,
  ratchet,
  gear,
  motor,
  none
};

inline constexpr int kJointKindCount = static_cast<int>(JointKind::none);

/// Contacts or joints in groups of as many as a register has lanes.
struct GroupList {
  int item_count;
  int kind_count;
  int count;  ///< Of groups.
  // By lane of each group.
  Buffer<std::uint32_t> row_a, row_b;
  Buffer<int> item;
  // By group, in order of creation.
  Buffer<std::uint8_t> used;   ///< Lanes.
  Buffer<std::uint8_t> kinds;  ///< Bits: 1, with arbiters of one contact, 2, of two; of joints the JointKind.
  Buffer<std::uint64_t> open[kJointKindCount];  ///< By kind: bits of the groups with a free lane.
  Buffer<int> level;                            ///< Groups of one level share no body that moves.
  Buffer<int> level_end;                        ///< By level, from 1 on.
  // By position in the order in which they are solved: by level.
  Buffer<int> order;               ///< The group.
  Buffer<std::uint8_t> is_paired;  ///< Whether it is solved together with the next one.
  Buffer<std::uint32_t> line;      ///< Its first in memory.
  Buffer<CacheLine> memory;
};

struct SolverKernel;

/// A contact or joint, as far as the groups depend on it.
struct ScheduledItem {
  const cpBody* a;
  const cpBody* b;
  int kind;  ///< The count of an arbiter's contacts, or a JointKind.

  bool operator==(const ScheduledItem&) const = default;
};

struct Solver {
  int row_count;  ///< The first ones, one for each lane, are for lanes without an item.
  /// Of the bodies that get rows before the contacts are scheduled: all that move, unless few of them touch. Whether a
  /// contact's body has a row already would be mispredicted.
  int first_count = 0;
  int numbered_count = 0;  ///< The same when the groups were made.
  Buffer<BodyRow> rows;
  Buffer<cpBody*> bodies;
  Buffer<cpBody*> next;                ///< Their sleeping.next, which holds the row's number while groups are made.
  Buffer<int> contact_end, joint_end;  ///< The group after the body's last one.
  Buffer<bool> is_fixed;               ///< Of infinite mass and moment.
  GroupList contacts, joints;
  Buffer<JointKind> joint_kinds;
  // The items that the groups were made of. A pile at rest and chains have the same for many steps.
  std::size_t scheduled_lanes = 0;  ///< The lanes of the SIMD target that made the groups; 0 without groups.
  bool is_profitable = false;       ///< The groups are faster than Chipmunk's own solver.
  /// The last space whose groups would have been slower than Chipmunk's own solver, and its stamp in that step. The
  /// pointer may dangle: a new space at the same address has an earlier stamp.
  const cpSpace* unprofitable = nullptr;
  cpTimestamp unprofitable_stamp = 0;
  Buffer<ScheduledItem> contact_items, joint_items;

  void reserve(const cpSpace& space, const SolverKernel& kernel);
};

/// The time step and what follows from it.
struct StepTimes {
  double dt;        ///< Seconds.
  double dt_ratio;  ///< To that of the step before.
  double slop;
  double bias;  ///< 1 - collisionBias^dt
};

/// The functions of one SIMD target, in the order of their calls.
struct SolverKernel {
  std::size_t lines_of_contact_group, lines_of_joint_group;  ///< At most.
  /// Makes the groups of space->arbiters, and of the joints, whose kinds are solver.joint_kinds. \return false where
  /// only Chipmunk's own solver has its bits: arbiters of other than 1 or 2 contacts, a joint of a body with itself.
  bool (*schedule)(Solver& solver, const cpSpace& space);
  /// Computes masses, bias and bounce of all contacts from the positions and velocities of the bodies.
  void (*prestep)(Solver& solver, const StepTimes& times);
  /// Instead of prestep(): reads masses, bias and bounce that cpArbiterPreStep() computed.
  void (*load_contacts)(Solver& solver);
  /// Reads the joints, after their preStep().
  void (*load_joints)(Solver& solver, const StepTimes& times);
  /// Reads the bodies, applies the cached impulses and iterates `iterations` times. \return false where only Chipmunk's
  /// own solver has its bits: velocities that are not finite, or -0 among those of a fixed body.
  bool (*solve)(Solver& solver, const StepTimes& times, int iterations);
  /// Writes what solve() computed to bodies, contacts and joints.
  void (*store)(const Solver& solver);
  /// Writes what prestep() computed, where solve() failed.
  void (*store_prestep)(const Solver& solver);
};

/// Returns the kernel of simd_target(), or a narrower one where so many arbiters and joints do not fill its lanes; null
/// on processors that have none.
const SolverKernel* solver_kernel(int contacts, int joints) noexcept;

}  // namespace forkmunk::chipmunk::fast
