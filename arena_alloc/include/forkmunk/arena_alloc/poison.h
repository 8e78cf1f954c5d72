// SPDX-License-Identifier: MIT
#pragma once

/// Poison and unpoison memory for AddressSanitizer. They are macros, because a program may mix objects with and without
/// the sanitizer.
///
/// A block must be unpoisoned as a whole before its release, because other code reuses the memory.

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
