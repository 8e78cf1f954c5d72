// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/precision.h>

namespace forkmunk::FORKMUNK_SPACE {

/// Returns Chipmunk's and the program's names. Must not change while another thread reads them.
[[nodiscard]] const chipmunk::NamedCode& code_names();

}  // namespace forkmunk::FORKMUNK_SPACE
