#pragma once

/// For functions that must be compiled into their callers: with the callers' instructions, or because their bits need
/// this project's flags.
#define FORKMUNK_INLINE [[gnu::always_inline]] inline
