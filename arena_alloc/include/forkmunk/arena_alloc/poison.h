// SPDX-License-Identifier: MIT
#pragma once

/// Poisons and unpoisons memory for AddressSanitizer; does nothing in other builds. These are macros, not functions,
/// because a program may mix objects that were built with the sanitizer and without.
///
/// A block must be unpoisoned as a whole before it is released, because other code reuses its memory.

#if defined(__SANITIZE_ADDRESS__)
#define FORKMUNK_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FORKMUNK_ASAN 1
#endif
#endif

#ifdef FORKMUNK_ASAN
#include <sanitizer/asan_interface.h>
#define FORKMUNK_POISON(address, size_bytes) ASAN_POISON_MEMORY_REGION(address, size_bytes)
#define FORKMUNK_UNPOISON(address, size_bytes) ASAN_UNPOISON_MEMORY_REGION(address, size_bytes)
#else
#define FORKMUNK_POISON(address, size_bytes) void()
#define FORKMUNK_UNPOISON(address, size_bytes) void()
#endif
