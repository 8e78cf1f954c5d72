// SPDX-License-Identifier: MIT
// Two planners play a match. Each has the same budget at every tick, and gets only the other's last command.

#include <forkmunk/cars/catalogue.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/maps/catalogue.h>
#include <forkmunk/planning/planner.h>

#include <cstdio>

int main() {
  using namespace forkmunk;
  engine::World world;
  world.begin_match({*maps::find("IslandMap"), *cars::find("Buggy")});
  const auto first = planning::make_planner("stretched", {});
  const auto second = planning::make_planner("grid", {});
  first->begin_match(world, engine::Player::first);
  second->begin_match(world, engine::Player::second);

  engine::Commands last;
  while (world.takes_commands()) {
    search::Budget first_budget = search::Budget::of_ticks(400);
    search::Budget second_budget = search::Budget::of_ticks(400);
    const planning::Decision mine = first->decide(world, last.second, first_budget);
    const planning::Decision theirs = second->decide(world, last.first, second_budget);
    if (world.tick() % 60 == 0) std::printf("tick %4d  %s\n", world.tick(), to_string(mine.plan).c_str());
    last = {mine.command, theirs.command};
    world.step(last);
  }
  std::printf("%s at tick %d\n", world.dead(engine::Player::second) ? "stretched won" : "grid won", world.tick());
}
