// SPDX-License-Identifier: MIT
#include <forkmunk/arena_alloc/arena.h>

int main() {
  forkmunk::arena_alloc::Arena arena(1 << 16);
  return arena.contains(arena.allocate(100)) ? 0 : 1;
}
