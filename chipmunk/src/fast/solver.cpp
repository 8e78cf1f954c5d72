#include "fast/solver.h"

#include <forkmunk/base/simd_target.h>

namespace forkmunk::chipmunk::fast {
namespace {

constexpr std::size_t kLanesMax = 8;
// Fewer leave most of 8 lanes empty.
[[maybe_unused]] constexpr int kContactsOf8Lanes = 64;
[[maybe_unused]] constexpr int kJointsOfAContact = 4;
// Fewer contacts and joints leave most of 4 lanes empty.
[[maybe_unused]] constexpr int kItemsOf4Lanes = 24;

}  // namespace

#ifdef FORKMUNK_FAST_KERNELS
namespace baseline {
SolverKernel make_solver_kernel() noexcept;
}
#endif
#ifdef FORKMUNK_FAST_WIDE_KERNELS
namespace avx2 {
SolverKernel make_solver_kernel() noexcept;
}
namespace avx512 {
SolverKernel make_solver_kernel() noexcept;
}
#endif

const SolverKernel* solver_kernel([[maybe_unused]] int contacts, [[maybe_unused]] int joints) noexcept {
#ifdef FORKMUNK_FAST_WIDE_KERNELS
  if (contacts + joints >= kItemsOf4Lanes) {
    const bool is_avx512 = simd_target() == SimdTarget::avx512;
    const bool are_few = contacts + joints / kJointsOfAContact < kContactsOf8Lanes;
    if (simd_target() == SimdTarget::avx2 || (is_avx512 && are_few)) {
      static const SolverKernel kernel = avx2::make_solver_kernel();
      return &kernel;
    }
    if (is_avx512) {
      static const SolverKernel kernel = avx512::make_solver_kernel();
      return &kernel;
    }
  }
#endif
#ifdef FORKMUNK_FAST_KERNELS
  static const SolverKernel kernel = baseline::make_solver_kernel();
  return &kernel;
#else
  return nullptr;
#endif
}

void Solver::reserve(const cpSpace& space, const SolverKernel& kernel) {
  first_count = space.arbiters->num >= space.dynamicBodies->num ? space.dynamicBodies->num : 0;
  const auto row_count_max = 2 * static_cast<std::size_t>(space.arbiters->num + space.constraints->num) +
                             static_cast<std::size_t>(first_count) + kLanesMax;
  // Buffers that grow lose the groups.
  if (contacts.item_count != space.arbiters->num || joints.item_count != space.constraints->num ||
      !rows.has_room(row_count_max)) {
    scheduled_lanes = 0;
  }
  const auto reserve_list = [](GroupList& list, int items, std::size_t lines) {
    const auto count = 2 * static_cast<std::size_t>(items);
    // There are no more groups than items, and as many empty ones.
    for (auto* rows_of : {&list.row_a, &list.row_b}) rows_of->reserve(count * kLanesMax);
    list.item.reserve(count * kLanesMax);
    for (auto* by_group : {&list.used, &list.kinds, &list.is_paired}) by_group->reserve(count);
    for (auto& open : list.open) open.reserve(count / 64 + 1);
    for (auto* by_group : {&list.level, &list.order}) by_group->reserve(count);
    list.level_end.reserve(count + 2);
    list.line.reserve(count);
    list.memory.reserve(static_cast<std::size_t>(items) * lines);
  };
  reserve_list(contacts, space.arbiters->num, kernel.lines_of_contact_group);
  reserve_list(joints, space.constraints->num, kernel.lines_of_joint_group);
  rows.reserve(row_count_max);
  bodies.reserve(row_count_max);
  next.reserve(row_count_max);
  contact_end.reserve(row_count_max);
  joint_end.reserve(row_count_max);
  is_fixed.reserve(row_count_max);
  joint_kinds.reserve(static_cast<std::size_t>(space.constraints->num));
  contact_items.reserve(static_cast<std::size_t>(space.arbiters->num));
  joint_items.reserve(static_cast<std::size_t>(space.constraints->num));
}

}  // namespace forkmunk::chipmunk::fast
