// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/precision.h>
#include <forkmunk/space/recorder.h>

namespace forkmunk::FORKMUNK_SPACE {

/// Returns what observes steps of `space`, which is the main space of the arena; null if there is none.
inline StepObserver* observer_of(arena_alloc::Arena* arena, const cpSpace* space) noexcept {
  if (arena == nullptr || arena->attachment() == nullptr) return nullptr;
  return chipmunk::root_of(*arena)->main_space == space ? static_cast<StepObserver*>(arena->attachment()) : nullptr;
}

/// Reports to a Recorder that the state becomes another one, and that addresses of objects are no longer good.
inline void note_replaced_state(arena_alloc::Arena& arena) noexcept {
  if (arena.attachment() != nullptr) static_cast<StepObserver*>(arena.attachment())->note_restore();
}

}  // namespace forkmunk::FORKMUNK_SPACE
