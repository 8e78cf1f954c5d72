// SPDX-License-Identifier: MIT
#include "double_side.h"

#include <forkmunk/base/error.h>
#include <forkmunk/space/space.h>

namespace double_side {

static_assert(sizeof(cpFloat) == sizeof(double));
using forkmunk::space::Snapshot;
using forkmunk::space::Space;

Fall fall() {
  Space world;
  const auto inside = world.enter();
  cpSpaceSetGravity(world.space(), cpv(0, -10));
  cpBody* ball = cpSpaceAddBody(world.space(), cpBodyNew(1, 1));
  cpSpaceAddShape(world.space(), cpCircleShapeNew(ball, 1, cpvzero));
  for (int i = 0; i < 60; ++i) world.step(1.0 / 60);
  return {world.hash(), cpBodyGetPosition(ball).y, world.save().to_bytes()};
}

std::string read(std::span<const std::byte> bytes) {
  try {
    static_cast<void>(Snapshot::from_bytes(bytes));
    return {};
  } catch (const forkmunk::Error& error) {
    return error.what();
  }
}

}  // namespace double_side
