// SPDX-License-Identifier: MIT
#include "contest.h"
#include "support/scenes.h"
#include "world_implementation.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

namespace forkmunk::planning {
namespace {

using namespace search;
using Playouts = BasicPlayouts<Contest>;
using Trial = BasicTrial<Contest>;

using engine::Command;
using engine::Player;
using engine::World;

constexpr double kNone = -std::numeric_limits<double>::infinity();

Plan random_plan(Random& random, int ticks) {
  Plan plan(ticks, random.pick(engine::kCommands));
  for (int tick = 1; tick < ticks; ++tick)
    plan.set(tick, random.below(8) == 0 ? random.pick(engine::kCommands) : plan.at(tick - 1));
  return plan;
}

World played_world(const tests::Scene& scene, int ticks, engine::Physics physics = engine::Physics::flat) {
  World world(physics);
  world.begin_match(scene.setup);
  tests::Script script(11);
  for (int i = 0; i < ticks && world.takes_commands(); ++i) world.step(script.next());
  return world;
}

std::unique_ptr<Evaluator> evaluator_of(const World& world) {
  auto evaluator = make_evaluator("normalised");
  evaluator->begin_match(world.setup());
  return evaluator;
}

double score_by_the_formula(const World& world, Player side, const Evaluator& evaluator, const Plan& plan,
                            const Plan& reply, const Scoring& scoring) {
  World fork = world.fork();
  double score = 0;
  for (int tick = 1; tick <= scoring.horizon; ++tick) {
    const Command own = plan.at(tick - 1);
    const Command other = reply.at(tick - 1);
    fork.step(side == Player::first ? engine::Commands{own, other} : engine::Commands{other, own});
    double discount = 1;
    for (int i = 0; i < tick; ++i) discount *= scoring.discount;
    if (!fork.takes_commands()) {
      const bool both = fork.dead(side) && fork.dead(opponent_of(side));
      return score + discount * kWin * (both ? -0.02 : fork.dead(side) ? -1 : 1);
    }
    const bool stride = tick >= scoring.first_stride && (tick - scoring.first_stride) % scoring.stride == 0;
    if (scoring.every_tick || stride || tick == scoring.horizon) {
      score += discount * evaluator.evaluate(fork, side, tick);
    }
  }
  return score;
}

TEST(OpponentModels, RobustScoresAPlanByTheWorstOfItsReplies) {
  int late_is_worst = 0, before_is_worst = 0;
  for (const tests::Scene& scene : tests::all_scenes()) {
    World world = played_world(scene, 41);
    const auto evaluator = evaluator_of(world);
    const Scoring scoring{.horizon = 40, .first_stride = 5 - world.tick() % 5, .discount = 0.995};
    PlannerOptions options;
    options.evaluator = "normalised";
    options.opponent = OpponentModel::robust;
    options.horizon = scoring.horizon;
    const auto planner = make_planner("stretched", options);
    planner->begin_match(world, Player::first);
    const auto decide = [&](std::int64_t ticks) {
      Budget budget = Budget::of_ticks(ticks);
      return planner->decide(world, Command::right, budget);
    };
    const auto score = [&](const Plan& plan, const Plan& reply) {
      return score_by_the_formula(world, Player::first, *evaluator, plan, reply, scoring);
    };
    const Decision one = decide(700), several = decide(3000);
    EXPECT_EQ(one.score, score(one.plan, one.reply)) << scene.map << ' ' << scene.car;

    Plan late = several.reply;
    late.fill(0, 4, Command::right);
    const double at_once = score(several.plan, several.reply);
    const double later = score(several.plan, late);
    const double before = score(several.plan, one.reply);
    EXPECT_EQ(several.score, std::min({at_once, later, before})) << scene.map << ' ' << scene.car;
    late_is_worst += later < std::min(at_once, before) ? 1 : 0;
    before_is_worst += before < std::min(at_once, later) ? 1 : 0;
  }
  EXPECT_GT(late_is_worst, 0);
  EXPECT_GT(before_is_worst, 0);
}

TEST(Playouts, ScoreIsTheFormulaAndBranchesScoreAsWholePlansDo) {
  int deaths = 0;
  for (const tests::Scene& scene : tests::all_scenes()) {
    World world = played_world(scene, 40);
    const auto before = engine::implementation_of(world).raw_hash();
    const auto evaluator = evaluator_of(world);
    Playouts playouts(*evaluator);
    playouts.begin_match(world, 100);
    Random random(5);
    Budget budget = Budget::of_ticks(1'000'000);
    playouts.begin(world, budget);
    for (const Scoring& scoring :
         {Scoring{.first_stride = 3}, Scoring{.horizon = 40, .stride = 8, .first_stride = 8, .every_tick = true}}) {
      const Side side = scoring.every_tick ? Side::first : Side::second;
      const std::array replies{random_plan(random, scoring.horizon), random_plan(random, scoring.horizon)};
      playouts.face(side, replies, scoring);
      Trial parent;
      parent.plan = random_plan(random, scoring.horizon);
      ASSERT_TRUE(playouts.play(parent, nullptr, 0, kNone));
      for (int i = 0; i < 12; ++i) {
        const auto from = static_cast<int>(random.below(static_cast<std::uint64_t>(scoring.horizon)));
        Trial child;
        child.plan = parent.plan;
        child.plan.fill(from, scoring.horizon, random.pick(engine::kCommands));
        const std::int64_t ticks = budget.ticks_used();
        ASSERT_TRUE(playouts.play(child, &parent, from, kNone));
        EXPECT_LE(budget.ticks_used() - ticks, 2 * (scoring.horizon - from + scoring.stride))
            << "shared ticks were replayed";
        double worst = std::numeric_limits<double>::infinity();
        playouts.restore(nullptr);
        for (const Plan& reply : replies) {
          worst = std::min(worst, score_by_the_formula(world, player_of(side), *evaluator, child.plan, reply, scoring));
        }
        ASSERT_NEAR(child.score, worst, 1e-6 * std::abs(worst)) << scene.map << ' ' << scene.car << ' ' << i;
        deaths += std::abs(worst) > 1000;
        if (i % 3 == 0) std::swap(parent, child);
      }
    }
    playouts.end();
    EXPECT_EQ(engine::implementation_of(world).raw_hash(), before) << "the world was not put back";
  }
  EXPECT_GT(deaths, 5) << "no playout ended in a death";
}

TEST(Playouts, BatchedPlansScoreAsOneByOne) {
  int deaths = 0;
  for (const engine::Physics physics : {engine::Physics::flat, engine::Physics::chipmunk}) {
    for (const tests::Scene& scene : tests::all_scenes()) {
      World world = played_world(scene, 40, physics);
      const auto before = world.hash();
      const auto evaluator = evaluator_of(world);
      Playouts playouts(*evaluator);
      playouts.begin_match(world, 500);
      Random random(6);
      Budget budget = Budget::of_ticks(100'000);
      playouts.begin(world, budget);
      const std::array replies{random_plan(random, 60), random_plan(random, 60)};
      playouts.face(Side::second, replies, {.first_stride = 2, .discount = 0.99});
      Trial parent;
      parent.plan = random_plan(random, 60);
      ASSERT_TRUE(playouts.play(parent, nullptr, 0, kNone));

      std::array<Trial, kBatchMax> slots;
      std::array<bool, kBatchMax> is_used{};
      std::vector<std::pair<Plan, double>> played;
      const std::int64_t ticks = budget.ticks_used();
      constexpr double kPart = 0.04;
      int begun = 0;
      const auto next = [&](Trial& child) {
        is_used[static_cast<std::size_t>(&child - slots.data())] = true;
        const int from = begun++ == 0 ? 0 : static_cast<int>(random.below(60));
        child.plan = parent.plan;
        child.plan.fill(from, 60, random.pick(engine::kCommands));
        return Playouts::Start{&parent, from};
      };
      playouts.play_batch(
          slots, kPart, next, [] { return kNone; },
          [&](Trial& child) {
            played.emplace_back(child.plan, child.score);
            if (played.size() % 3 == 0) std::swap(parent, child);
          });
      EXPECT_EQ(std::ranges::count(is_used, true), physics == engine::Physics::flat ? 4 : 1);
      EXPECT_LE(budget.ticks_used(), kPart * 100'000 + 8) << "eight ticks more at most";
      EXPECT_GT(budget.ticks_used() - ticks, (kPart * 100'000 - 120) * 0.8);
      ASSERT_GT(played.size(), 20u);
      for (const auto& [plan, score] : played) {
        Trial alone;
        alone.plan = plan;
        ASSERT_TRUE(playouts.play(alone, nullptr, 0, kNone));
        EXPECT_EQ(alone.score, score) << scene.map << ' ' << scene.car;
        deaths += std::abs(score) > 1000;
      }
      playouts.end();
      EXPECT_EQ(world.hash(), before) << "the world was not put back";
    }
  }
  EXPECT_GT(deaths, 20) << "no playout ended in a death";
}

// A plan without a score costs no ticks.
TEST(Playouts, AMirroredTrialIsThatOfTheOtherSideWithoutSteps) {
  int deaths = 0;
  for (const tests::Scene& scene : tests::all_scenes()) {
    World world = played_world(scene, 40);
    const auto evaluator = evaluator_of(world);
    Playouts playouts(*evaluator);
    playouts.begin_match(world, 100);
    Budget budget = Budget::of_ticks(1'000'000);
    playouts.begin(world, budget);
    Random random(5);
    const Scoring scoring{.horizon = 60, .first_stride = 3};
    for (int i = 0; i < 8; ++i) {
      Trial theirs, mine, played, child, child_of_played;
      theirs.plan = random_plan(random, 60);
      mine.plan = played.plan = random_plan(random, 60);
      EXPECT_FALSE(playouts.play_mirrored(mine, theirs)) << "was not played";
      playouts.face(Side::second, {&mine.plan, 1}, scoring);
      ASSERT_TRUE(playouts.play(theirs, nullptr, 0, kNone));
      playouts.face(Side::first, {&theirs.plan, 1}, scoring);
      const std::int64_t ticks = budget.ticks_used();
      ASSERT_TRUE(playouts.play_mirrored(mine, theirs));
      EXPECT_EQ(budget.ticks_used(), ticks);
      ASSERT_TRUE(playouts.play(played, nullptr, 0, kNone));
      EXPECT_EQ(mine.score, played.score);
      deaths += static_cast<int>(std::abs(mine.score) > kWin / 2);
      child.plan = child_of_played.plan = random_plan(random, 60);
      for (int tick = 0; tick < 17; ++tick) child.plan.set(tick, mine.plan.at(tick));
      child_of_played.plan = child.plan;
      ASSERT_TRUE(playouts.play(child, &mine, 17, kNone));
      ASSERT_TRUE(playouts.play(child_of_played, &played, 17, kNone));
      EXPECT_EQ(child.score, child_of_played.score);
    }
    playouts.end();
  }
  EXPECT_GT(deaths, 0);
}

TEST(Playouts, APlanIsOnlyBegunIfTheBudgetSufficesToEndIt) {
  World world = played_world(tests::all_scenes().front(), 0);
  const auto evaluator = evaluator_of(world);
  Playouts playouts(*evaluator);
  playouts.begin_match(world, 100);
  for (const std::int64_t limit : {59, 60, 100, 119, 120, 239, 240, 299, 300, 1000}) {
    Budget budget = Budget::of_ticks(limit);
    playouts.begin(world, budget);
    const std::array replies{Plan(60, Command::stop)};
    playouts.face(Side::first, replies, {});
    std::array<Trial, kBatchMax> slots;
    int ended = 0;
    playouts.play_batch(
        slots, 1,
        [](Trial& child) {
          child.plan = Plan(60, Command::stop);
          return Playouts::Start{};
        },
        [] { return kNone; }, [&](Trial&) { ++ended; });
    playouts.end();
    EXPECT_EQ(ended, limit / 60);
    EXPECT_EQ(budget.ticks_used(), limit / 60 * 60);
  }
}

TEST(Playouts, APlanThatIsNoBetterAgainstOneReplyIsNotTriedAgainstTheOthers) {
  World world = played_world(tests::all_scenes().front(), 10);
  const auto evaluator = evaluator_of(world);
  Playouts playouts(*evaluator);
  playouts.begin_match(world, 100);
  Budget budget = Budget::of_ticks(1'000'000);
  playouts.begin(world, budget);
  const std::array replies{Plan(20, Command::left), Plan(20, Command::stop), Plan(20, Command::right)};
  playouts.face(Side::first, replies, {.horizon = 20});
  Trial trial;
  trial.plan = Plan(20, Command::stop);
  ASSERT_TRUE(playouts.play(trial, nullptr, 0, kNone));
  EXPECT_EQ(budget.ticks_used(), 60);
  const double floor = trial.score;
  EXPECT_FALSE(playouts.play(trial, nullptr, 0, floor + 1));
  EXPECT_EQ(budget.ticks_used(), 80) << "the worst reply comes first, and is enough";
  playouts.end();
}

TEST(Playouts, GivesUpWhenTheBudgetIsSpent) {
  World world = played_world(tests::all_scenes().front(), 10);
  const auto evaluator = evaluator_of(world);
  Playouts playouts(*evaluator);
  playouts.begin_match(world, 100);
  Budget budget = Budget::of_ticks(22);
  playouts.begin(world, budget);
  const std::array replies{Plan(60, Command::left)};
  playouts.face(Side::first, replies, {});
  Trial trial;
  trial.plan = Plan(60, Command::stop);
  EXPECT_FALSE(playouts.play(trial, nullptr, 0, kNone));
  EXPECT_EQ(budget.ticks_used(), 24) << "at its next check";
  playouts.end();
}

}  // namespace
}  // namespace forkmunk::planning
