// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/precision.h>

namespace forkmunk::FORKMUNK_SPACE {

/// Returns all names, of Chipmunk's functions and classes and of the program. Must not change while another thread
/// reads the names.
[[nodiscard]] const chipmunk::NamedCode& code_names();

}  // namespace forkmunk::FORKMUNK_SPACE
