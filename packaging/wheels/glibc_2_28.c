// SPDX-License-Identifier: MIT
// Symbols that gcc's objects take from a newer glibc than 2.28, for wheels that scripts/wheels links.
#include <stdint.h>
#include <sys/random.h>

#define HIDDEN __attribute__((visibility("hidden")))

/// Is set while the process has one thread. libstdc++ counts references without atomic operations then.
HIDDEN char __libc_single_threaded = 0;

/// Returns a random number for std::random_device.
HIDDEN uint32_t arc4random(void) {
  uint32_t number = 0;
  while (getrandom(&number, sizeof number, 0) != sizeof number) {
  }
  return number;
}
