// SPDX-License-Identifier: MIT
// Two pucks push each other off a table that shrinks. One searches plans for both sides in a fork of the world, and the
// other chases it. Exits with 1 if the planner does not win most games.
#include <forkmunk/search/game.h>
#include <forkmunk/space/space.h>

#include <cstdio>

using namespace forkmunk;
using space::Snapshot;
using space::Space;

constexpr double kTable = 120, kShrinks = 0.25, kRadius = 14, kStepSeconds = 1.0 / 60;  // kShrinks is per tick

struct Scene {  // saved with the bodies, in the space's memory
  cpBody* pucks[2];
  int ticks;
};

Scene* build(Space& world, double offset) {
  const auto building = world.enter();
  cpSpace* space = world.space();
  cpSpaceSetDamping(space, 0.5);
  Scene scene{};
  for (int i : {0, 1}) {
    cpBody* puck = cpSpaceAddBody(space, cpBodyNew(1, cpMomentForCircle(1, 0, kRadius, cpvzero)));
    cpBodySetPosition(puck, i == 0 ? cpv(-60, offset) : cpv(60, -offset));
    cpShapeSetElasticity(cpSpaceAddShape(space, cpCircleShapeNew(puck, kRadius, cpvzero)), 0.9);
    scene.pucks[i] = puck;
  }
  return world.make<Scene>(scene);
}

// A search::ForkableGame.
struct Pucks {
  using State = Snapshot;
  static constexpr std::size_t kCommandCount = 5;  // nothing, and a push in four directions
  Space space;
  Scene* scene = nullptr;

  void save(Snapshot& to) const { space.save(to); }
  // Never refused, because the snapshot is of the same space.
  void restore(const Snapshot& from) { static_cast<void>(space.restore(from)); }
  void step(search::GameCommand first, search::GameCommand second) {
    constexpr cpVect kPushes[] = {{0, 0}, {300, 0}, {-300, 0}, {0, 300}, {0, -300}};
    cpBodySetForce(scene->pucks[0], kPushes[first]);
    cpBodySetForce(scene->pucks[1], kPushes[second]);
    space.step(kStepSeconds);
    ++scene->ticks;
  }
  // Measures from the puck's centre.
  [[nodiscard]] double margin(std::size_t puck) const {
    return kTable - kShrinks * scene->ticks - cpvlength(cpBodyGetPosition(scene->pucks[puck]));
  }
  [[nodiscard]] bool is_over() const { return margin(0) < 0 || margin(1) < 0; }
  [[nodiscard]] double outcome(search::Side side) const {
    const bool mine = margin(index_of(side)) < 0, theirs = margin(1 - index_of(side)) < 0;
    return mine == theirs ? 0 : mine ? -1 : 1;
  }
  [[nodiscard]] double score(search::Side side) const { return margin(index_of(side)) - margin(1 - index_of(side)); }
};

search::GameCommand chase(const Pucks& world, search::Side side) {
  const std::size_t me = index_of(side);
  const cpVect way = cpvsub(cpBodyGetPosition(world.scene->pucks[1 - me]), cpBodyGetPosition(world.scene->pucks[me]));
  if (cpfabs(way.x) > cpfabs(way.y)) return way.x > 0 ? 1 : 2;
  return way.y > 0 ? 3 : 4;
}

// Returns +1 if the planner wins, -1 if it loses.
double play(int number) {
  Pucks real;
  real.scene = build(real.space, 3.0 * number - 9);
  Pucks imagined{real.space.fork()};
  imagined.scene = imagined.space.twin_of(real.space, real.scene);
  search::GameOf<Pucks> game(imagined);
  const auto side = number % 2 == 0 ? search::Side::first : search::Side::second;
  search::SearchOptions options;
  options.seed = static_cast<std::uint64_t>(number);
  options.horizon = 60;
  options.hold = 10;
  options.opponent = search::OpponentModel::planned;  // its plan is searched first
  search::GamePlanner planner(game, side, "stretched", options);

  Snapshot here;
  search::GameCommand theirs = 0;
  while (!real.is_over()) {
    real.save(here);
    imagined.restore(here);  // the fork follows
    auto budget = search::Budget::of_ticks(1500);
    const search::GameCommand mine = planner.decide(theirs, budget).command;
    theirs = chase(real, opponent_of(side));
    side == search::Side::first ? real.step(mine, theirs) : real.step(theirs, mine);
  }
  return real.outcome(side);
}

int main() {
  double total = 0;
  for (int number = 0; number < 6; ++number) {
    const double result = play(number);
    total += result;
    std::printf("game %d: the planner %s\n", number, result > 0 ? "wins" : result < 0 ? "loses" : "draws");
  }
  return total > 0 ? 0 : 1;
}
