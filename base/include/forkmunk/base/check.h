// SPDX-License-Identifier: MIT
#pragma once

/// Checks of the library's invariants. A failed check is a bug in the library: it prints file and line and aborts.
///
/// Level 0 has no checks, for timing. Level 1, the default, has cheap checks. Level 2 has all, and validates the whole
/// state after every step.

#ifndef FORKMUNK_CHECK_LEVEL
#define FORKMUNK_CHECK_LEVEL 1
#endif

// To gcc on Windows, `printf` means the old C library, which has no %zu.
#if defined(__MINGW32__) && !defined(__clang__)
#define FORKMUNK_PRINTF gnu_printf
#else
#define FORKMUNK_PRINTF printf
#endif

namespace forkmunk {

/// Prints "file:line: <condition> failed: <message>" on stderr and aborts. `format` is as in printf().
[[noreturn, gnu::cold, gnu::format(FORKMUNK_PRINTF, 4, 5)]] void fail_check(const char* file, int line,
                                                                            const char* condition, const char* format,
                                                                            ...) noexcept;

}  // namespace forkmunk

/// Aborts with a printf-style message when `condition` is false; costs nothing at level 0.
#if FORKMUNK_CHECK_LEVEL >= 1
#define FORKMUNK_CHECK(condition, ...) \
  ((condition) ? void() : ::forkmunk::fail_check(__FILE__, __LINE__, #condition, __VA_ARGS__))
#else
#define FORKMUNK_CHECK(condition, ...) void()
#endif

/// Checks at level 2 only, where even one comparison is measurable.
#if FORKMUNK_CHECK_LEVEL >= 2
#define FORKMUNK_CHECK_DEEP(condition, ...) FORKMUNK_CHECK(condition, __VA_ARGS__)
#else
#define FORKMUNK_CHECK_DEEP(condition, ...) void()
#endif
