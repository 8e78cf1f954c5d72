// SPDX-License-Identifier: MIT
#include <forkmunk/space/space.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

/// Measures what single precision loses (docs/guide/single_precision.md). precision_losses_double and
/// precision_losses_single print the same quantities.
namespace {

using forkmunk::space::Space;

constexpr double kStep = 1.0 / 60;

cpVect at(double x, double y) { return cpv(static_cast<cpFloat>(x), static_cast<cpFloat>(y)); }

cpBody* add_box(cpSpace* space, double x, double y) {
  cpBody* box = cpSpaceAddBody(space, cpBodyNew(1, cpMomentForBox(1, 1, 1)));
  cpBodySetPosition(box, at(x, y));
  cpShape* shape = cpSpaceAddShape(space, cpBoxShapeNew(box, 1, 1, 0));
  cpShapeSetFriction(shape, static_cast<cpFloat>(0.6));
  return box;
}

void add_ground(cpSpace* space, double from, double to) {
  cpShape* ground = cpSegmentShapeNew(cpSpaceGetStaticBody(space), at(from, 0), at(to, 0), 0);
  cpShapeSetFriction(cpSpaceAddShape(space, ground), static_cast<cpFloat>(0.6));
  cpSpaceSetGravity(space, at(0, -10));
  cpSpaceSetCollisionSlop(space, static_cast<cpFloat>(0.005));
}

void run(Space& world, double seconds) {
  for (int i = 0; i < std::lround(seconds / kStep); ++i) world.step(kStep);
}

void print(const char* what, double value) { std::printf("%-64s %.6f\n", what, value); }

/// Prints the height of the highest box after 10 s, whose centre was at `rows` - 0.5, and its way to the side.
void pyramid(int rows) {
  Space world;
  const auto inside = world.enter();
  add_ground(world.space(), -100, 100);
  cpBody* top = nullptr;
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < rows - row; ++i) top = add_box(world.space(), (i - 0.5 * (rows - row - 1)) * 1.03, row + 0.5);
  }
  run(world, 10);
  std::printf("pyramid of %d rows: ", rows);
  print("height of the highest box after 10 s", cpBodyGetPosition(top).y);
  std::printf("pyramid of %d rows: ", rows);
  print("its way to the side", std::abs(cpBodyGetPosition(top).x));
}

/// Prints how deep a stack of ten has sunk after 10 s far from the origin, and the way of a box at 0.02 m/s.
void far_away(double distance) {
  Space world;
  const auto inside = world.enter();
  add_ground(world.space(), distance - 20, distance + 20);
  cpBody* top = nullptr;
  for (int i = 0; i < 10; ++i) top = add_box(world.space(), distance, i + 0.5);
  cpBody* slow = cpSpaceAddBody(world.space(), cpBodyNewKinematic());
  cpBodySetPosition(slow, at(distance, 50));
  cpBodySetVelocity(slow, at(0.02, 0));
  run(world, 10);
  std::printf("%g m from the origin: ", distance);
  print("height of the highest of ten boxes after 10 s", cpBodyGetPosition(top).y);
  std::printf("%g m from the origin: ", distance);
  print("way of a body at 0.02 m/s in 10 s", cpBodyGetPosition(slow).x - distance);
}

/// Moves a body at 1 m/s, a wheel at 10 rad/s and a pendulum of ten links for ten minutes.
void ten_minutes() {
  Space world;
  const auto inside = world.enter();
  cpSpace* space = world.space();
  cpBody* runner = cpSpaceAddBody(space, cpBodyNewKinematic());
  cpBodySetVelocity(runner, at(1, 0));
  cpBody* wheel = cpSpaceAddBody(space, cpBodyNewKinematic());
  cpBodySetAngularVelocity(wheel, 10);
  cpSpaceSetGravity(space, at(0, -10));
  cpBody* above = cpSpaceGetStaticBody(space);
  double stretch = 0;
  std::vector<cpBody*> links;
  for (int i = 0; i < 10; ++i) {
    cpBody* link = cpSpaceAddBody(space, cpBodyNew(1, cpMomentForBox(1, 1, static_cast<cpFloat>(0.1))));
    cpBodySetPosition(link, at(i + 0.5, 0));
    cpSpaceAddConstraint(space, cpPivotJointNew(above, link, at(i, 0)));
    links.push_back(above = link);
  }
  for (int i = 0; i < 36000; ++i) {
    world.step(kStep);
    for (std::size_t k = 1; k < links.size() && i > 600; ++k) {
      const cpVect end = cpBodyLocalToWorld(links[k - 1], at(0.5, 0)),
                   start = cpBodyLocalToWorld(links[k], at(-0.5, 0));
      stretch = std::max(stretch, static_cast<double>(cpvdist(end, start)));
    }
  }
  print("10 minutes: way of a body at 1 m/s", cpBodyGetPosition(runner).x);
  print("10 minutes: angle of a wheel at 10 rad/s", cpBodyGetAngle(wheel));
  print("10 minutes: largest gap of a joint of a swinging chain, from 10 s on", stretch);
}

}  // namespace

int main() {
  pyramid(20);
  pyramid(60);
  for (const double distance : {0.0, 1000.0, 10000.0}) far_away(distance);
  ten_minutes();
}
