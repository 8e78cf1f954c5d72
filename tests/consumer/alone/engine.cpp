// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>
#include <forkmunk/engine/world.h>

int main() {
  const forkmunk::engine::World world;
  try {
    (void)world.tick();
  } catch (const forkmunk::Error&) {
    return world.has_match() ? 1 : 0;
  }
  return 1;
}
