// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/arena.h>

#include <chipmunk/chipmunk.h>

namespace forkmunk::space {

/// Returns the arena that a space is in; null for a space in no arena.
arena_alloc::Arena* arena_of(const cpSpace* space);

}  // namespace forkmunk::space
