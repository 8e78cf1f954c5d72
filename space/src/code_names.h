#pragma once

#include <forkmunk/chipmunk/arena_state.h>

namespace forkmunk::space {

/// All names: Chipmunk's own functions and classes, and what the program named. Not to be changed while it is read.
[[nodiscard]] const chipmunk::NamedCode& code_names();

}  // namespace forkmunk::space
