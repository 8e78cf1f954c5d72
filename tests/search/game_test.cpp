// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>
#include <forkmunk/search/game.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::search {
namespace {

/// Tag: `first` hunts, `second` flees between walls, half as fast. Commands: stay, left, right, jump right.
struct Tag {
  struct State {
    double at[2] = {};
    int ticks = 0;
    friend bool operator==(const State&, const State&) = default;
  };
  static constexpr std::size_t kCommandCount = 4;
  State now{{-4, 4}, 0};
  int broken_at = -1;

  void save(State& to) const { to = now; }
  void restore(const State& from) { now = from; }
  void step(GameCommand first, GameCommand second) {
    constexpr double kWay[] = {0, -1, 1, 2};
    if (now.ticks == broken_at) throw Error("broken");
    now.at[0] = std::clamp(now.at[0] + kWay[first] * 0.5, -10.0, 10.0);
    now.at[1] = std::clamp(now.at[1] + kWay[second] * 0.25, -10.0, 10.0);
    ++now.ticks;
  }
  [[nodiscard]] double gap() const { return std::abs(now.at[0] - now.at[1]); }
  [[nodiscard]] bool is_over() const { return gap() < 0.3; }
  [[nodiscard]] double outcome(Side side) const { return side == Side::first ? 1 : -1; }
  [[nodiscard]] double score(Side side) const { return side == Side::first ? -gap() : gap(); }
};

int ticks_to_catch(const char* name, OpponentModel model) {
  Tag tag;
  GameOf<Tag> game(tag);
  SearchOptions options;
  options.horizon = 20;
  options.opponent = model;
  GamePlanner hunter(game, Side::first, name, options);
  GamePlanner prey(game, Side::second, "stretched", options);
  GameCommand last[2] = {};
  while (!tag.is_over() && tag.now.ticks < 200) {
    const Tag::State before = tag.now;
    Budget budgets[] = {Budget::of_ticks(800), Budget::of_ticks(800)};
    const GameCommand a = hunter.decide(last[1], budgets[0]).command;
    const GameCommand b = prey.decide(last[0], budgets[1]).command;
    EXPECT_EQ(tag.now, before);
    EXPECT_LE(budgets[0].ticks_used(), 820);
    last[0] = a, last[1] = b;
    tag.step(a, b);
  }
  return tag.now.ticks;
}

TEST(GamePlanner, EveryPlannerCatchesUnderEveryModel) {
  for (const PlannerInfo& planner : planners()) {
    for (const OpponentModelInfo& model : opponent_models()) {
      const int ticks = ticks_to_catch(std::string(planner.name).c_str(), model.model);
      EXPECT_LT(ticks, 60) << planner.name << " against " << model.name;
      EXPECT_EQ(ticks_to_catch(std::string(planner.name).c_str(), model.model), ticks);
    }
  }
}

TEST(GamePlanner, RestoresTheStateWhenTheGameThrows) {
  Tag tag;
  GameOf<Tag> game(tag);
  GamePlanner planner(game, Side::first, "genetic");
  const Tag::State before = tag.now;
  tag.broken_at = 7;
  Budget budget = Budget::of_ticks(500);
  EXPECT_THROW(static_cast<void>(planner.decide(0, budget)), Error);
  EXPECT_EQ(tag.now, before);
  tag.broken_at = -1;
  Budget more = Budget::of_ticks(500);
  EXPECT_TRUE(planner.decide(0, more).score);
}

TEST(GamePlanner, GoesOnAfterAnyNumberOfTicks) {
  for (const PlannerInfo& info : planners()) {
    Tag tag;
    GameOf<Tag> game(tag);
    GamePlanner planner(game, Side::first, info.name);
    for (int call = 0; call < 4; ++call) {
      Budget budget = Budget::of_ticks(500);
      EXPECT_TRUE(planner.decide(0, budget, std::numeric_limits<int>::max()).score) << info.name;
    }
  }
}

TEST(GamePlanner, AMovedFromOneIsRefused) {
  Tag tag;
  GameOf<Tag> game(tag);
  GamePlanner planner(game, Side::first, "genetic");
  GamePlanner other = std::move(planner);
  Budget budget = Budget::of_ticks(500);
  EXPECT_THROW(static_cast<void>(planner.decide(0, budget)), Error);
  EXPECT_TRUE(other.decide(0, budget).score);
}

/// `first` moves by command - 4. The score is x up to 30, and `beyond` farther on.
struct Ledge {
  using State = double;
  static constexpr std::size_t kCommandCount = 9;
  State x = 0;
  double beyond = 0;

  void save(State& to) const { to = x; }
  void restore(const State& from) { x = from; }
  void step(GameCommand first, GameCommand) { x += first - 4; }
  [[nodiscard]] bool is_over() const { return false; }
  [[nodiscard]] double outcome(Side) const { return 0; }
  [[nodiscard]] double score(Side side) const { return x > 30 ? beyond : side == Side::first ? x : -x; }
};

TEST(GamePlanner, KeepsAwayFromStatesWithoutANumberForAScore) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double beyond : {std::numeric_limits<double>::quiet_NaN(), -infinity}) {
    for (const PlannerInfo& planner : planners()) {
      Ledge ledge{20, beyond};
      GameOf<Ledge> game(ledge);
      SearchOptions options;
      options.horizon = 10;
      GamePlanner player(game, Side::first, planner.name, options);
      for (int tick = 0; tick < 40; ++tick) {
        Budget budget = Budget::of_ticks(2000);
        const GameDecision decision = player.decide(0, budget);
        ASSERT_TRUE(decision.score) << planner.name << " at tick " << tick;
        ledge.step(decision.command, 0);
        ASSERT_LE(ledge.x, 30) << planner.name << " at tick " << tick;
      }
    }
  }
}

TEST(GamePlanner, GridFinishesATreeOfManyCommands) {
  Ledge ledge{-1000};
  GameOf<Ledge> game(ledge);
  GamePlanner player(game, Side::first, "grid");
  Budget budget = Budget::of_ticks(1500);
  EXPECT_EQ(player.decide(0, budget).command, 8);
}

// The longest horizon has more ticks than an int holds.
TEST(GamePlanner, GridTakesAnyBudget) {
  Ledge ledge{-1000};
  GameOf<Ledge> game(ledge);
  GamePlanner player(game, Side::first, "grid"), other(game, Side::first, "grid");
  Budget endless = Budget::of_ticks(std::int64_t{1} << 60), large = Budget::of_ticks(1'000'000);
  const GameDecision decision = player.decide(0, endless), same = other.decide(0, large);
  EXPECT_EQ(decision.ticks, same.ticks);
  EXPECT_EQ(decision.plan, same.plan);
}

TEST(GamePlanner, RefusesBadOptionsAndCommands) {
  Tag tag;
  GameOf<Tag> game(tag);
  SearchOptions horizon;
  horizon.horizon = 1000;
  EXPECT_THROW(GamePlanner(game, Side::first, "no_planner"), Error);
  EXPECT_THROW(GamePlanner(game, Side::first, "grid", horizon), Error);
  GamePlanner planner(game, Side::first, "grid");
  Budget budget = Budget::of_ticks(100);
  EXPECT_THROW(static_cast<void>(planner.decide(4, budget)), Error);
  EXPECT_THROW(static_cast<void>(planner.decide(0, budget, -1)), Error);
}

TEST(OpponentModel, NamesAreReadBack) {
  for (const OpponentModelInfo& info : opponent_models()) {
    EXPECT_EQ(parse_opponent_model(info.name), info.model);
  }
  EXPECT_EQ(parse_opponent_model("psychic"), std::nullopt);
}

}  // namespace
}  // namespace forkmunk::search
