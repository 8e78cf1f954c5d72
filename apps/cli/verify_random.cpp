#include "verify_random.h"

#include <forkmunk/cars/catalogue.h>
#include <forkmunk/cars/random_car.h>
#include <forkmunk/maps/catalogue.h>
#include <forkmunk/maps/random_map.h>
#include <forkmunk/planning/planner.h>

#include <array>
#include <cmath>
#include <memory>

namespace forkmunk::tools {
namespace {

using engine::Command;

constexpr int kMatchesPerGame = 9;

engine::MatchSetup random_match(Random& random) {
  const auto& maps = maps::catalogue();
  const auto& cars = cars::catalogue();
  return {random.below(3) == 0 ? maps::random_map(random) : maps[random.below(maps.size())].setup,
          random.below(2) == 0 ? cars::random_car(random) : cars[random.below(cars.size())].setup};
}

// The commands of one player: random, held for some ticks, or planned.
class Driver {
 public:
  Driver(Random& random, engine::World& world, engine::Player me) : random_(random) {
    static constexpr std::array kPlanners{"straight", "stretched", "genetic"};
    if (random.below(8) != 0) return;
    planning::PlannerOptions options;
    options.seed = random.next();
    planner_ = planning::make_planner(kPlanners[random.below(kPlanners.size())], options);
    planner_->begin_match(world, me);
  }

  Command next(engine::World& world, Command enemy_last) {
    if (planner_ != nullptr) {
      search::Budget budget = search::Budget::of_ticks(60);
      return planner_->decide(world, enemy_last, budget).command;
    }
    if (held_ticks_-- <= 0) {
      command_ = random_.pick(engine::kCommands);
      held_ticks_ = static_cast<int>(random_.below(40));
    }
    return command_;
  }

 private:
  Random& random_;
  std::unique_ptr<planning::Planner> planner_;
  Command command_ = Command::stop;
  int held_ticks_ = 0;
};

}  // namespace

RandomLockstepReport check_random_games(std::uint64_t seed, std::size_t tick_count,
                                        const std::function<void(std::size_t)>& progress) {
  RandomLockstepReport report;
  for (std::uint64_t game = seed; report.tick_count < tick_count && !report.difference; ++game) {
    Random random(game);
    engine::Lockstep lockstep;
    for (int match = 0; match < kMatchesPerGame && !lockstep.difference(); ++match) {
      lockstep.begin_match(random_match(random));
      ++report.match_count;
      engine::World& world = lockstep.flat();
      Driver first(random, world, engine::Player::first), second(random, world, engine::Player::second);
      engine::Commands last;
      const int cut = random.below(4) == 0 ? 20 + static_cast<int>(random.below(300)) : 3000;
      int rest = random.below(3) == 0 ? static_cast<int>(random.below(200)) : 0;  // ticks after the match's end
      while (world.tick() < cut && (!world.match_over() || rest-- > 0)) {
        const engine::Commands commands{first.next(world, last.second), second.next(world, last.first)};
        last = commands;
        if (!lockstep.step(commands)) break;
        if (!world.is_finite()) {  // further steps compute nothing
          ++report.diverged_match_count;
          break;
        }
        if (progress && lockstep.tick_count() % 512 == 0) progress(report.tick_count + lockstep.tick_count());
      }
    }
    report.tick_count += lockstep.tick_count();
    report.last_seed = game;
    report.difference = lockstep.difference();
  }
  return report;
}

}  // namespace forkmunk::tools
