#pragma once

/// Checks of our own invariants. A failed check is a bug of ours: it prints file and line and aborts.
///
/// Level 0: none (for timing). Level 1, the default: cheap ones. Level 2: all, and the whole state is validated after
/// every step.

#ifndef FORKMUNK_CHECK_LEVEL
#define FORKMUNK_CHECK_LEVEL 1
#endif

// On Windows gcc's `printf` is the old C library's, which has no %zu; C++ programs have the standard one.
#if defined(__MINGW32__) && !defined(__clang__)
#define FORKMUNK_PRINTF gnu_printf
#else
#define FORKMUNK_PRINTF printf
#endif

namespace forkmunk {

/// Prints "file:line: <condition> failed: <message>" on stderr and aborts. `format` and what follows are printf's.
[[noreturn, gnu::cold, gnu::format(FORKMUNK_PRINTF, 4, 5)]] void fail_check(const char* file, int line,
                                                                            const char* condition, const char* format,
                                                                            ...) noexcept;

}  // namespace forkmunk

/// Aborts with file, line and a printf-style message when `condition` is false; costs nothing at check level 0.
#if FORKMUNK_CHECK_LEVEL >= 1
#define FORKMUNK_CHECK(condition, ...) \
  ((condition) ? void() : ::forkmunk::fail_check(__FILE__, __LINE__, #condition, __VA_ARGS__))
#else
#define FORKMUNK_CHECK(condition, ...) void()
#endif

/// The same at check level 2 only, for code where even one comparison is measurable.
#if FORKMUNK_CHECK_LEVEL >= 2
#define FORKMUNK_CHECK_DEEP(condition, ...) FORKMUNK_CHECK(condition, __VA_ARGS__)
#else
#define FORKMUNK_CHECK_DEEP(condition, ...) void()
#endif
