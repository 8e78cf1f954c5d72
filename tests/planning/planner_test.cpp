// SPDX-License-Identifier: MIT
#include "positions.h"
#include "world_implementation.h"

#include <forkmunk/base/error.h>
#include <forkmunk/planning/planner.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::planning {
namespace {

using namespace search;

using engine::Command;
using engine::Player;
using engine::World;

class EveryPlanner : public testing::TestWithParam<PlannerInfo> {};

INSTANTIATE_TEST_SUITE_P(Planners, EveryPlanner, testing::ValuesIn(planners().begin(), planners().end()),
                         [](const auto& tested) { return std::string(tested.param.name); });

std::vector<Decision> decisions(const tests::Scene& scene, std::string_view name, const PlannerOptions& options,
                                std::int64_t budget_ticks, int ticks) {
  World world;
  world.begin_match(scene.setup);
  const auto planner = make_planner(name, options);
  planner->begin_match(world, Player::second);
  tests::Script script(3);
  Command enemy = Command::stop;
  std::vector<Decision> result;
  for (int tick = 0; tick < ticks && world.takes_commands(); ++tick) {
    Budget budget = Budget::of_ticks(budget_ticks);
    result.push_back(planner->decide(world, enemy, budget));
    enemy = script.next().first;
    world.step({enemy, result.back().command});
  }
  return result;
}

TEST_P(EveryPlanner, DecidesTheSameTwiceOverManyBudgets) {
  PlannerOptions options;
  options.seed = 9;
  double budget = 100;
  for (int i = 0; i < 9; ++i, budget *= 1.5) {
    const tests::Scene& scene = tests::all_scenes()[static_cast<std::size_t>(i * 2)];
    const auto ticks = static_cast<std::int64_t>(budget);
    const auto once = decisions(scene, GetParam().name, options, ticks, 12);
    const auto twice = decisions(scene, GetParam().name, options, ticks, 12);
    ASSERT_EQ(once.size(), twice.size());
    for (std::size_t tick = 0; tick < once.size(); ++tick) {
      EXPECT_EQ(once[tick].command, twice[tick].command) << ticks << " ticks, tick " << tick;
      EXPECT_EQ(once[tick].plan, twice[tick].plan) << ticks << " ticks, tick " << tick;
      EXPECT_EQ(once[tick].ticks, twice[tick].ticks) << ticks << " ticks, tick " << tick;
      EXPECT_EQ(once[tick].score, twice[tick].score) << ticks << " ticks, tick " << tick;
    }
  }
}

TEST_P(EveryPlanner, CarriesItsStateIntoAnother) {
  for (const int threads : {1, 2}) {
    SCOPED_TRACE(threads);
    PlannerOptions options;
    options.seed = 5;
    options.threads = threads;
    World world;
    world.begin_match(tests::all_scenes()[0].setup);
    const auto one = make_planner(GetParam().name, options);
    one->begin_match(world, Player::first);
    const auto decide = [&](Planner& planner) {
      Budget budget = Budget::of_ticks(world.tick() % 8 < 4 ? 400 : 1000);  // robust plays several replies in 1000
      return planner.decide(world, Command::left, budget);
    };
    for (int tick = 0; tick < 10; ++tick) world.step({decide(*one).command, Command::left});
    PlannerState written;
    one->carry(written);
    const auto other = make_planner(GetParam().name, options);
    other->begin_match(world, Player::first);
    PlannerState read(written.bytes());
    other->carry(read);
    EXPECT_TRUE(read.at_end());
    for (int tick = 0; tick < 10; ++tick) {
      const Decision decision = decide(*one), its = decide(*other);
      EXPECT_EQ(decision.plan, its.plan);
      EXPECT_EQ(decision.score, its.score);
      world.step({decision.command, Command::left});
    }
    for (std::size_t bytes = 0; bytes < written.bytes().size(); bytes += 7) {
      PlannerState truncated(std::string_view(written.bytes()).substr(0, bytes));
      EXPECT_THROW(other->carry(truncated), Error);
    }
  }
}

TEST_P(EveryPlanner, KeepsToTheBudgetAndRestoresTheWorld) {
  for (tests::SearchPosition& position : tests::search_positions()) {
    const auto planner = make_planner(GetParam().name, {});
    planner->begin_match(position.world, Player::first);
    const auto before = engine::implementation_of(position.world).raw_hash();
    for (const std::int64_t ticks : {0, 1, 100, 777, 2000}) {
      Budget budget = Budget::of_ticks(ticks);
      const Decision decision = planner->decide(position.world, Command::left, budget);
      EXPECT_EQ(decision.ticks, budget.ticks_used());
      EXPECT_LE(decision.ticks, ticks + 12) << position.name;
      EXPECT_EQ(decision.command, decision.plan.at(0));
      ASSERT_EQ(engine::implementation_of(position.world).raw_hash(), before) << position.name << ' ' << ticks;
    }
  }
}

TEST_P(EveryPlanner, ServesEveryOpponentModelAndEvaluator) {
  for (const OpponentModelInfo& model : opponent_models()) {
    for (const EvaluatorInfo& evaluator : evaluators()) {
      PlannerOptions options;
      options.evaluator = evaluator.name;
      options.opponent = model.model;
      const auto found = decisions(tests::scene_of("PillHubbleMap", "Bus"), GetParam().name, options, 600, 3);
      EXPECT_EQ(found.size(), 3u) << model.name << ' ' << evaluator.name;
      EXPECT_GT(found.front().ticks, 40) << model.name << ' ' << evaluator.name;
    }
  }
}

TEST_P(EveryPlanner, DiffersWithTheOpponentModel) {
  // The scores differ only if the planner uses the opponent's plan.
  std::vector<double> scores;
  for (const OpponentModel model : {OpponentModel::still, OpponentModel::constant3, OpponentModel::planned}) {
    PlannerOptions options;
    options.opponent = model;
    scores.push_back(0);
    for (tests::SearchPosition& position : tests::search_positions()) {
      const auto planner = make_planner(GetParam().name, options);
      planner->begin_match(position.world, Player::first);
      Budget budget = Budget::of_ticks(1000);
      scores.back() += planner->decide(position.world, Command::right, budget).score.value();
    }
  }
  EXPECT_NE(scores[0], scores[1]);
  EXPECT_NE(scores[0], scores[2]);
}

TEST_P(EveryPlanner, RefusesToDecideBeforeAMatch) {
  World world;
  world.begin_match(tests::scene_of("PillMap", "Bus").setup);
  for (const int threads : {1, 2}) {
    PlannerOptions options;
    options.threads = threads;
    Budget budget = Budget::of_ticks(100);
    EXPECT_THROW((void)make_planner(GetParam().name, options)->decide(world, Command::stop, budget), Error) << threads;
  }
}

TEST_P(EveryPlanner, RefusesAWorldOfAnotherMatch) {
  World begun, other, chipmunk(engine::Physics::chipmunk);
  chipmunk.begin_match(tests::scene_of("PillMap", "Bus").setup);
  begun.begin_match(tests::scene_of("PillMap", "Bus").setup);
  other.begin_match(tests::scene_of("IslandMap", "Bus").setup);
  for (const int threads : {1, 2}) {
    PlannerOptions options;
    options.threads = threads;
    const auto planner = make_planner(GetParam().name, options);
    planner->begin_match(begun, Player::first);
    Budget budget = Budget::of_ticks(100), more = Budget::of_ticks(100);
    EXPECT_THROW((void)planner->decide(other, Command::stop, budget), Error) << threads;
    EXPECT_THROW((void)planner->decide(chipmunk, Command::stop, budget), Error) << threads;
    EXPECT_NO_THROW((void)planner->decide(begun, Command::stop, more)) << threads;
  }
}

// Searches with small budgets leave the last ticks of plans alone.
std::ptrdiff_t plans_with_other_ends(Planner& planner, World& world, Budget budget) {
  std::vector<Candidate> candidates;
  planner.watch(&candidates);
  const Plan best = planner.decide(world, Command::stop, budget).plan;
  planner.watch(nullptr);
  return std::ranges::count_if(candidates, [&](const Candidate& each) {
    return std::ranges::any_of(std::array{36, 37, 38, 39},
                               [&](int tick) { return each.plan.at(tick) != best.at(tick); });
  });
}
std::ptrdiff_t plans_with_other_ends(Planner& planner, World& world, int ticks) {
  return plans_with_other_ends(planner, world, Budget::of_ticks(ticks));
}

TEST(Stretched, AShortSearchGoesOnWithALongOneOfTheSameTick) {
  World world;
  world.begin_match(tests::scene_of("PillMap", "Buggy").setup);
  const auto planner = make_planner("stretched", {});
  planner->begin_match(world, Player::first);
  const std::function<bool()> at_once = [] { return true; };
  Budget interrupted = Budget::of_ticks(4000);
  interrupted.stop_when(at_once);
  EXPECT_EQ(plans_with_other_ends(*planner, world, interrupted), 0);
  EXPECT_EQ(plans_with_other_ends(*planner, world, 400), 0) << "the search before it was interrupted";
  EXPECT_GT(plans_with_other_ends(*planner, world, 4000), 0);
  EXPECT_GT(plans_with_other_ends(*planner, world, 400), 0);
  PlannerState written;
  planner->carry(written);
  const auto copy = make_planner("stretched", {});
  copy->begin_match(world, Player::first);
  PlannerState read(written.bytes());
  copy->carry(read);
  EXPECT_GT(plans_with_other_ends(*copy, world, 400), 0) << "a copy forgot it";
  world.step({Command::stop, Command::stop});
  EXPECT_GT(plans_with_other_ends(*planner, world, 300), 0) << "more searches may follow, as in the tick before";
  PlannerState next;
  planner->carry(next);
  PlannerState next_read(next.bytes());
  copy->carry(next_read);
  EXPECT_GT(plans_with_other_ends(*copy, world, 300), 0) << "a copy forgot the tick before";
  world.step({Command::stop, Command::stop});
  EXPECT_EQ(plans_with_other_ends(*planner, world, 400), 0) << "two ticks later";
}

// An interrupted playout must not give the score.
TEST_P(EveryPlanner, HasNoScoreIfNoPlanWasPlayedToItsEnd) {
  const auto none = decisions(tests::scene_of("PillHubbleMap", "Bus"), GetParam().name, {}, 10, 20);
  for (const Decision& decision : none) EXPECT_FALSE(decision.score.has_value()) << decision.score.value_or(0);
  const auto some = decisions(tests::scene_of("PillHubbleMap", "Bus"), GetParam().name, {}, 3000, 20);
  for (const Decision& decision : some) {
    ASSERT_TRUE(decision.score.has_value());
    EXPECT_TRUE(std::isfinite(*decision.score));
  }
  for (const std::int64_t ticks : {0, 30, 50, 70, 100, 150}) {
    for (const Decision& decision :
         decisions(tests::scene_of("PillHubbleMap", "Bus"), GetParam().name, {}, ticks, 20)) {
      EXPECT_TRUE(std::isfinite(decision.score.value_or(0))) << ticks;
    }
  }
}

TEST_P(EveryPlanner, ReportsItsCandidatesAndDecidesTheSame) {
  const tests::Scene& scene = tests::scene_of("PillMap", "Bus");
  const auto decide_watched_by = [&](std::vector<Candidate>* candidates) {
    World world;
    world.begin_match(scene.setup);
    const auto planner = make_planner(GetParam().name, {});
    planner->begin_match(world, Player::second);
    planner->watch(candidates);
    Budget budget = Budget::of_ticks(3000);
    return planner->decide(world, Command::stop, budget);
  };
  std::vector<Candidate> candidates;
  const Decision watched = decide_watched_by(&candidates);
  const Decision unwatched = decide_watched_by(nullptr);
  EXPECT_EQ(watched.plan, unwatched.plan);
  EXPECT_EQ(watched.ticks, unwatched.ticks);
  ASSERT_TRUE(watched.score);
  EXPECT_EQ(*watched.score, unwatched.score);
  const auto is_chosen = [&](const Candidate& candidate) {
    return candidate.plan.at(0) == watched.command && candidate.score == *watched.score;
  };
  EXPECT_TRUE(std::ranges::any_of(candidates, is_chosen)) << candidates.size() << " candidates";
  EXPECT_GE(candidates.size(), 3u);
}

TEST(Planner, BadOptionsAreRefused) {
  const auto message = [](std::string_view name, auto change) -> std::string {
    PlannerOptions options;
    change(options);
    try {
      (void)make_planner(name, options);
    } catch (const Error& error) {
      return {error.what()};
    }
    return {};
  };
  const auto expect_named = [](const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << "'" << text << "', " << part;
  };
  expect_named(message("oracle", [](auto&) {}),
               {"oracle", "straight", "stretched", "coarse", "genetic", "grid", "coevolve", "best"});
  expect_named(message("grid", [](auto& o) { o.horizon = 500; }), {"horizon", "500", "4", "128"});
  expect_named(message("stretched", [](auto& o) { o.hold = -1; }), {"hold", "-1", "1", "128"});
  expect_named(message("stretched", [](auto& o) { o.discount = 1.5; }), {"discount", "1.5", "0.5"});
  expect_named(message("stretched", [](auto& o) { o.evaluator = std::string("wishful"); }), {"evaluator", "wishful"});
}

}  // namespace
}  // namespace forkmunk::planning
