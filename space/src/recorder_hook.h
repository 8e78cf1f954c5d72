// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/precision.h>
#include <forkmunk/space/recorder.h>

namespace forkmunk::FORKMUNK_SPACE {

/// Returns the observer of steps of `space`, the main space of the arena, or null.
inline StepObserver* observer_of(arena_alloc::Arena* arena, const cpSpace* space) noexcept {
  if (arena == nullptr || arena->attachment() == nullptr) return nullptr;
  return chipmunk::root_of(*arena)->main_space == space ? static_cast<StepObserver*>(arena->attachment()) : nullptr;
}

/// Tells a Recorder that the state changes to another one, and that addresses of objects become invalid.
inline void note_replaced_state(arena_alloc::Arena& arena) noexcept {
  if (arena.attachment() != nullptr) static_cast<StepObserver*>(arena.attachment())->note_restore();
}

}  // namespace forkmunk::FORKMUNK_SPACE
