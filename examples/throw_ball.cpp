// A planner that throws a ball over a wall of boxes into a basket. It tries throws in a fork of the world, which it
// restores before each, and samples around the best one. Prints the best throw; exits with 1 if it misses.
#include <forkmunk/space/space.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

using namespace forkmunk::space;

constexpr double kStepSeconds = 1.0 / 120;
constexpr int kFlightSteps = 360;
constexpr cpVect kBasket{420, 30};

struct Throw {
  double angle_rad;
  double speed;
  double miss = 0;  // final distance of the ball from the basket
};

// The planner's pointers into the scene, in the space's memory.
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

// Throws the ball, steps the world, and returns the distance by which the ball missed.
double play(Space& world, cpBody* ball, const Throw& plan) {
  cpBodySetVelocity(ball, cpvmult(cpvforangle(plan.angle_rad), plan.speed));
  for (int i = 0; i < kFlightSteps; ++i) world.step(kStepSeconds);
  return cpvdist(cpBodyGetPosition(ball), kBasket);
}

// Returns the best of many throws; does not change the world.
Throw plan(const Space& world, const Scene& scene) {
  Space imagined = world.fork();
  cpBody* ball = imagined.twin_of(world, scene.ball);
  const Snapshot here = imagined.save();
  std::mt19937 random(1);
  const auto around = [&random](double middle, double spread) {
    return middle + spread * (static_cast<double>(random()) / 2147483648.0 - 1);
  };
  Throw middle{0.8, 600};
  double spread = 1;
  for (int round = 0; round < 6; ++round, spread *= 0.5) {
    std::vector<Throw> throws(60, middle);
    for (Throw& candidate : throws) {
      if (&candidate != throws.data()) {
        candidate.angle_rad = around(middle.angle_rad, 0.7 * spread);
        candidate.speed = around(middle.speed, 400 * spread);
      }
      if (!imagined.restore(here)) continue;  // of the same space: never refused
      candidate.miss = play(imagined, ball, candidate);
    }
    middle = std::ranges::min(throws, {}, &Throw::miss);
    std::printf("round %d: angle %.3f rad, speed %.1f, misses by %.1f\n", round + 1, middle.angle_rad, middle.speed,
                middle.miss);
  }
  return middle;
}

int main() {
  Space world;
  const Scene* scene = build(world);
  for (int i = 0; i < 120; ++i) world.step(kStepSeconds);  // the boxes settle
  const std::uint64_t before = world.hash();
  const Throw best = plan(world, *scene);
  const bool undisturbed = world.hash() == before;
  const double miss = play(world, scene->ball, best);  // in the real world: exactly the simulated result
  std::printf("best throw: angle %.3f rad, speed %.1f: the ball is %.1f from the basket's centre, %s\n", best.angle_rad,
              best.speed, miss, miss == best.miss ? "as planned" : "not as planned");
  return undisturbed && miss == best.miss && miss < 30 ? 0 : 1;
}
