// SPDX-License-Identifier: MIT
// Symbols of a newer glibc than 2.28 that gcc's objects need, for wheels that scripts/wheels links.
#include <math.h>
#include <stdint.h>
#include <sys/random.h>

#define HIDDEN __attribute__((visibility("hidden")))

/// Set while the process has one thread. libstdc++ counts references without atomic operations then.
HIDDEN char __libc_single_threaded = 0;

/// For std::random_device.
HIDDEN uint32_t arc4random(void) {
  uint32_t number = 0;
  while (getrandom(&number, sizeof number, 0) != sizeof number) {
  }
  return number;
}

/// The referee's arithmetic has the bits of glibc 2.36, whose sincos() gives what sin() and cos() give. glibc 2.31's
/// gives other last bits. -fno-builtin keeps gcc from making a sincos() of the two calls.
HIDDEN void sincos(double angle, double* sine, double* cosine) {
  *sine = sin(angle);
  *cosine = cos(angle);
}
