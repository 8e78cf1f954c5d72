// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/chipmunk/precision.h>

#include <chipmunk/chipmunk.h>

namespace forkmunk::FORKMUNK_SPACE {

/// Returns the arena that a space is in; null for a space in no arena.
arena_alloc::Arena* arena_of(const cpSpace* space);

}  // namespace forkmunk::FORKMUNK_SPACE
