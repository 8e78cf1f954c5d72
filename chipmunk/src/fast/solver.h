// SPDX-License-Identifier: MIT
#pragma once

#include "fast/step.h"

#include <forkmunk/chipmunk/allocation_kinds.h>
#include <forkmunk/chipmunk/precision.h>

#include <cstddef>
#include <cstdint>

#include <chipmunk/chipmunk.h>
#include <chipmunk/chipmunk_structs.h>

/// The impulse solver in SIMD lanes (docs/internals/fast_step.md): groups of contacts or joints that share no moving
/// body. Nothing is written to Chipmunk's objects until the result is known to be finite.
namespace forkmunk::FORKMUNK_CHIPMUNK::fast {

/// A body: v.x v.y w 1/m | v_bias.x v_bias.y w_bias 1/i. In prestep, p.x p.y are in place of v_bias.
struct alignas(8 * sizeof(cpFloat)) BodyRow {
  cpFloat of[8];
};
struct alignas(64) CacheLine {
  std::byte bytes[64];
};

/// `none` is a class that is not Chipmunk's.
enum class JointKind : std::uint8_t {
/* clang-format off */
#define FORKMUNK_JOINT_KIND(kind, type, text, table) k##type,
  FORKMUNK_EACH_JOINT(FORKMUNK_JOINT_KIND)
#undef FORKMUNK_JOINT_KIND
  /* clang-format on */
  none
};

inline constexpr int kJointKindCount = static_cast<int>(JointKind::none);

struct GroupList {
  int item_count;
  int kind_count;
  int count;
  // By lane of each group:
  Buffer<std::uint32_t> row_a, row_b;
  Buffer<int> item;
  // By group, in order of creation:
  Buffer<std::uint8_t> used;  ///< The bits of the lanes in use.
  /// Bit 0 is set for arbiters of one contact, bit 1 for arbiters of two. For joints, the JointKind.
  Buffer<std::uint8_t> kinds;
  Buffer<std::uint64_t> open[kJointKindCount];  ///< By kind, groups with a free lane.
  Buffer<int> level;                            ///< Groups of one level share no body that moves.
  Buffer<int> level_end;                        ///< By level, from 1 on.
  // By position in the order of solving, which is by level:
  Buffer<int> order;
  Buffer<std::uint8_t> is_paired;  ///< The group is solved with the next one.
  Buffer<std::uint32_t> line;      ///< The first cache line in memory.
  Buffer<CacheLine> memory;
};

struct SolverKernel;

struct ScheduledItem {
  const cpBody* a;
  const cpBody* b;
  int kind;  ///< An arbiter's number of contacts, or a JointKind.

  bool operator==(const ScheduledItem&) const = default;
};

/// What is solved: the bodies that move, arbiters and joints of one space, or of several, which share no body.
struct SolverItems {
  cpBody* const* bodies;
  cpArbiter* const* arbiters;
  cpConstraint* const* joints;
  int body_count, arbiter_count, joint_count;
};

struct Solver {
  /// The first rows, one for each lane, are for lanes without an item.
  int row_count;
  /// The bodies that get rows before the contacts are scheduled: all that move, unless few touch. A branch on whether a
  /// body has a row would be mispredicted.
  int first_count = 0;
  int numbered_count = 0;  ///< The first_count of the groups.
  Buffer<BodyRow> rows;
  Buffer<cpBody*> bodies;
  /// The bodies' sleeping.next, which hold the rows' numbers while groups are made.
  Buffer<cpBody*> next;
  Buffer<int> contact_end, joint_end;  ///< The group after the body's last group.
  Buffer<bool> is_fixed;               ///< Infinite mass and moment.
  GroupList contacts, joints;
  Buffer<JointKind> joint_kinds;
  // The items of the groups. A pile at rest and chains have the same items for many steps.
  std::size_t scheduled_lanes = 0;  ///< The lanes of the SIMD target that made the groups; 0 without groups.
  bool is_profitable = false;       ///< The groups are faster than Chipmunk's own solver.
  /// The last space whose groups would have been slower, and its stamp. The pointer may dangle: a new space at the same
  /// address has an earlier stamp.
  const cpSpace* unprofitable = nullptr;
  cpTimestamp unprofitable_stamp = 0;
  Buffer<ScheduledItem> contact_items, joint_items;
  Buffer<void*> all_bodies, all_arbiters, all_joints;  ///< Of several spaces.

  void reserve(const SolverItems& items, const SolverKernel& kernel);
};

/// The functions of one SIMD target, in the order of their calls.
struct SolverKernel {
  std::size_t lines_of_contact_group, lines_of_joint_group;  ///< Maximum numbers of cache lines.
  /// Makes the groups of the items and solver.joint_kinds. \return false if only Chipmunk's own solver has its
  /// bits: arbiters of other than 1 or 2 contacts, or a joint of a body with itself.
  bool (*schedule)(Solver& solver, const SolverItems& items);
  void (*prestep)(Solver& solver, const StepTimes& times);
  /// Reads the results of cpArbiterPreStep() instead.
  void (*load_contacts)(Solver& solver);
  /// \pre each joint's preStep().
  void (*load_joints)(Solver& solver, const StepTimes& times);
  /// Applies the cached impulses and iterates. \return false if only Chipmunk's own solver has its bits: velocities
  /// that are not finite, or -0 among those of a fixed body.
  bool (*solve)(Solver& solver, const StepTimes& times, int iterations);
  void (*store)(const Solver& solver);
  /// Writes the results of prestep(), if solve() failed.
  void (*store_prestep)(const Solver& solver);
};

/// Returns the kernel of simd_target(), or a narrower one that `contacts` and `joints` fill; null for few of both, and
/// without kernels.
const SolverKernel* solver_kernel(int contacts, int joints) noexcept;

}  // namespace forkmunk::FORKMUNK_CHIPMUNK::fast
