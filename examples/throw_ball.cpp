// SPDX-License-Identifier: MIT
// Throws a ball over a wall into a basket: the cross-entropy method tries throws in a fork of the world. Exits
// with 1 if the best throw misses.
#include <forkmunk/search/sampled_planner.h>
#include <forkmunk/space/space.h>

#include <cstdio>

using namespace forkmunk::space;
using namespace forkmunk::search;

constexpr double kStepSeconds = 1.0 / 120;
constexpr int kFlightSteps = 360;
constexpr cpVect kBasket{420, 30};

// Pointers into the scene.
struct Scene {
  cpBody* ball;
};

void add_wall(cpSpace* space, cpVect from, cpVect to) {
  cpShape* wall = cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), from, to, 3));
  cpShapeSetFriction(wall, 0.9);
  cpShapeSetElasticity(wall, 0.4);
}

cpBody* add_body(cpSpace* space, cpVect position, double mass, double moment) {
  cpBody* body = cpSpaceAddBody(space, cpBodyNew(mass, moment));
  cpBodySetPosition(body, position);
  return body;
}

Scene* build(Space& world) {
  const auto building = world.enter();
  cpSpace* space = world.space();
  cpSpaceSetGravity(space, cpv(0, -600));
  add_wall(space, cpv(-100, 0), cpv(800, 0));
  add_wall(space, cpvadd(kBasket, cpv(-30, -30)), cpvadd(kBasket, cpv(-35, 40)));
  add_wall(space, cpvadd(kBasket, cpv(30, -30)), cpvadd(kBasket, cpv(35, 40)));
  for (int row = 0; row < 6; ++row) {
    for (int column = 0; column < 2; ++column) {
      cpBody* box = add_body(space, cpv(200 + column * 31, 18 + row * 31), 1, cpMomentForBox(1, 30, 30));
      cpShapeSetFriction(cpSpaceAddShape(space, cpBoxShapeNew(box, 30, 30, 0)), 0.8);
    }
  }
  Scene* scene = world.make<Scene>(add_body(space, cpv(0, 12), 2, cpMomentForCircle(2, 0, 9, cpvzero)));
  cpShape* shape = cpSpaceAddShape(space, cpCircleShapeNew(scene->ball, 9, cpvzero));
  cpShapeSetFriction(shape, 0.6);
  cpShapeSetElasticity(shape, 0.5);
  return scene;
}

// The planner's world. An action is a throw: its angle in radians and its speed.
struct Playground {
  using State = Snapshot;
  Space space;
  cpBody* ball;

  void save(Snapshot& to) const { space.save(to); }
  // Never refused, because the snapshot is of the same space.
  void restore(const Snapshot& from) { static_cast<void>(space.restore(from)); }
  void step(std::span<const double> action) {
    cpBodySetVelocity(ball, cpvmult(cpvforangle(action[0]), action[1]));
    for (int i = 0; i < kFlightSteps; ++i) space.step(kStepSeconds);
  }
  // Returns the distance of the throw from the basket.
  [[nodiscard]] double cost() const { return cpvdist(cpBodyGetPosition(ball), kBasket); }
};

int main() {
  Playground real{Space(), nullptr};
  const Scene* scene = build(real.space);
  real.ball = scene->ball;
  for (int i = 0; i < 120; ++i) real.space.step(kStepSeconds);  // the boxes settle
  const std::uint64_t before = real.space.hash();

  Playground imagined{real.space.fork(), nullptr};
  imagined.ball = imagined.space.twin_of(real.space, real.ball);
  SamplingOptions options;
  options.horizon = 1;
  options.low = {0.1, 200};
  options.high = {1.5, 1000};
  options.plan_count = 60;
  options.round_count = 6;
  SampledPlanner planner(SamplingMethod::cross_entropy, options);
  const std::span<const double> best = planner.plan(playouts_in(imagined, options));

  const bool undisturbed = real.space.hash() == before;
  real.step(best);  // the real world gives exactly the simulated result
  const bool as_planned = real.cost() == planner.cost();
  std::printf("best throw: angle %.3f rad, speed %.1f: the ball is %.1f from the basket's centre, %s\n", best[0],
              best[1], real.cost(), as_planned ? "as planned" : "not as planned");
  return undisturbed && as_planned && real.cost() < 30 ? 0 : 1;
}
