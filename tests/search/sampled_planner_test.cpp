// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>
#include <forkmunk/search/sampled_planner.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::search {
namespace {

constexpr SamplingMethod kMethods[] = {SamplingMethod::cross_entropy, SamplingMethod::path_integral,
                                       SamplingMethod::stretched};

/// A point with inertia; each action costs the squared distance from the goal.
struct Point {
  struct State {
    double x = 0, y = 0, vx = 0, vy = 0;
  };
  State state;
  void save(State& to) const { to = state; }
  void restore(const State& from) { state = from; }
  void step(std::span<const double> push) {
    state.vx += 0.1 * push[0];
    state.vy += 0.1 * push[1];
    state.x += 0.1 * state.vx;
    state.y += 0.1 * state.vy;
  }
  [[nodiscard]] double cost() const { return (state.x - 1) * (state.x - 1) + (state.y + 0.5) * (state.y + 0.5); }
};

SamplingOptions options(std::uint64_t seed = 1) {
  SamplingOptions made;
  made.horizon = 20;
  made.low = {-3, -3};
  made.high = {3, 3};
  made.plan_count = 64;
  made.hold = 2;
  made.temperature = 0.5;
  made.seed = seed;
  return made;
}

// Returns the final cost relative to doing nothing, 20 x 1.25.
double drive(SamplingMethod method, std::uint64_t seed, std::vector<double>* actions = nullptr) {
  Point world;
  SampledPlanner planner(method, options(seed));
  double cost = 0;
  for (int i = 0; i < 60; ++i) {
    const std::span<const double> plan = planner.plan(playouts_in(world, planner.options()));
    for (std::size_t k = 0; k < plan.size(); ++k) EXPECT_TRUE(plan[k] >= -3 && plan[k] <= 3);
    world.step(plan.subspan(0, 2));
    if (actions != nullptr) actions->insert(actions->end(), plan.begin(), plan.begin() + 2);
    planner.advance();
    if (i >= 40) cost += world.cost();
  }
  return cost;
}

TEST(SampledPlanner, EachMethodReachesAGoal) {
  for (const SamplingMethod method : kMethods) {
    for (const std::uint64_t seed : {1, 2, 3}) EXPECT_LT(drive(method, seed), 0.5) << static_cast<int>(method);
  }
}

// A change of a method changes its number, which is the same on every machine.
TEST(SampledPlanner, SeedsDecideTheBits) {
  std::vector<std::uint64_t> found;
  for (const SamplingMethod method : kMethods) {
    std::vector<double> once, again, other;
    drive(method, 5, &once);
    drive(method, 5, &again);
    drive(method, 6, &other);
    EXPECT_EQ(once, again);
    EXPECT_NE(once, other);
    std::uint64_t hash = 0;
    for (const double x : once) hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15u;
    found.push_back(hash);
  }
  EXPECT_EQ(found, (std::vector<std::uint64_t>{13079812659641262088u, 8957680046905789291u, 6429186584438576934u}));
}

TEST(SampledPlanner, KeepsAndShiftsItsPlan) {
  for (const SamplingMethod method : kMethods) {
    SampledPlanner planner(method, options());
    EXPECT_EQ(planner.cost(), std::numeric_limits<double>::infinity());
    Point world;
    const std::span<const double> plan = planner.plan(playouts_in(world, planner.options()));
    EXPECT_EQ(world.state.x, 0) << "the world is as it was";
    const std::vector<double> before(plan.begin(), plan.end());
    planner.advance(3);
    const std::span<const double> best = planner.best();
    EXPECT_TRUE(std::equal(best.begin(), best.end() - 6, before.begin() + 6));
    for (std::size_t i = best.size() - 6; i < best.size(); ++i) EXPECT_EQ(best[i], before[best.size() - 2 + i % 2]);
    planner.advance(1000);
    planner.reset();
    EXPECT_EQ(planner.best()[7], 0);
  }
}

TEST(SampledPlanner, SurvivesBadCosts) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const SamplingMethod method : kMethods) {
    SampledPlanner planner(method, options());
    planner.plan([&](std::span<const double>, std::span<double> costs) { std::ranges::fill(costs, nan); });
    EXPECT_EQ(planner.cost(), std::numeric_limits<double>::infinity());
    EXPECT_EQ(planner.best()[3], 0);
    EXPECT_THROW(planner.plan([](auto, auto) { throw std::runtime_error("no scores"); }), std::runtime_error);
    EXPECT_THROW(planner.plan(nullptr), Error);
    planner.plan([&](std::span<const double> plans, std::span<double> costs) {
      for (std::size_t i = 0; i < costs.size(); ++i) costs[i] = i % 2 == 0 ? nan : plans[i * 40];
    });
    EXPECT_LT(planner.cost(), 0);
    for (const double x : planner.best()) EXPECT_TRUE(std::isfinite(x));
    planner.plan([&](std::span<const double>, std::span<double> costs) { std::ranges::fill(costs, nan); });
    EXPECT_EQ(planner.cost(), std::numeric_limits<double>::infinity());
    planner.plan([&](std::span<const double>, std::span<double> costs) {
      std::ranges::fill(costs, 0);
      costs[1] = costs[2] = -std::numeric_limits<double>::infinity();
    });
    for (const double x : planner.best()) EXPECT_TRUE(std::isfinite(x));
  }
}

TEST(SampledPlanner, HasNoPlanAfterAMove) {
  Point world;
  SampledPlanner planner(SamplingMethod::cross_entropy, options());
  const ScorePlans score = playouts_in(world, planner.options());
  planner.plan(score);
  const std::vector<double> best(planner.best().begin(), planner.best().end());
  const SampledPlanner moved = std::move(planner);
  EXPECT_TRUE(std::ranges::equal(moved.best(), best));
  EXPECT_THROW(planner.plan(score), Error);
  planner.reset();
  planner.advance();
  EXPECT_TRUE(planner.best().empty());
}

// Three times 5.1 sums to more than 15.3.
TEST(SampledPlanner, StaysWithinItsLimits) {
  for (const double limit : {5.1, 0.1, 1e100, 5e-324}) {
    for (const SamplingMethod method : kMethods) {
      SamplingOptions strict = options();
      strict.low = {-limit, limit / 3};
      strict.high = {limit, limit};
      strict.spread = 1;
      SampledPlanner planner(method, strict);
      const auto outside = [&](std::span<const double> plans) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < plans.size(); ++i) {
          if (!(plans[i] >= strict.low[i % 2] && plans[i] <= strict.high[i % 2])) ++count;
        }
        return count;
      };
      std::size_t count = 0;
      for (const double direction : {1, -1}) {
        for (int i = 0; i < 5; ++i) {
          count += outside(planner.plan([&](std::span<const double> plans, std::span<double> costs) {
            count += outside(plans);
            for (std::size_t k = 0; k < costs.size(); ++k) {
              costs[k] = 0;
              for (const double x : plans.subspan(k * 40, 40)) costs[k] += direction * x / limit;
            }
          }));
        }
      }
      EXPECT_EQ(count, 0u) << "method " << static_cast<int>(method) << ", limit " << limit;
    }
  }
}

TEST(SampledPlanner, PutsTheWorldBackWhenItThrows) {
  struct Breaking : Point {
    int left = 30;
    void step(std::span<const double> push) {
      if (left-- == 0) throw std::runtime_error("broken");
      Point::step(push);
    }
  } world;
  SampledPlanner planner(SamplingMethod::stretched, options());
  EXPECT_THROW(planner.plan(playouts_in(world, planner.options())), std::runtime_error);
  EXPECT_EQ(world.state.x, 0);
  EXPECT_EQ(world.state.vx, 0);
}

TEST(SampledPlanner, PlayoutsOfOtherOptionsAreRefused) {
  Point world;
  SampledPlanner planner(SamplingMethod::stretched, options());
  SamplingOptions longer = options(), wider = options();
  longer.horizon = 40;
  wider.low.push_back(-3);
  wider.high.push_back(3);
  for (const SamplingOptions& other : {longer, wider}) {
    EXPECT_THROW(planner.plan(playouts_in(world, other)), Error);
    EXPECT_EQ(world.state.x, 0);
  }
}

TEST(SampledPlanner, RefusesOptionsOutOfRange) {
  const auto refused = [](const auto& change) {
    SamplingOptions changed = options();
    change(changed);
    EXPECT_THROW(SampledPlanner(SamplingMethod::cross_entropy, changed), Error);
  };
  refused([](SamplingOptions& o) { o.low.clear(); });
  refused([](SamplingOptions& o) { o.low = {1}; });
  refused([](SamplingOptions& o) { o.low = {1, 3}; });
  refused([](SamplingOptions& o) { o.high[0] = std::numeric_limits<double>::infinity(); });
  refused([](SamplingOptions& o) { o.high[0] = 8e307; });  // the sum of two is infinite
  refused([](SamplingOptions& o) { o.low[0] = -1.1e100; });
  refused([](SamplingOptions& o) { o.horizon = 0; });
  refused([](SamplingOptions& o) { o.horizon = std::numeric_limits<std::size_t>::max(); });
  refused([](SamplingOptions& o) { o.plan_count = 2; });
  refused([](SamplingOptions& o) { o.round_count = 0; });
  refused([](SamplingOptions& o) { o.hold = 0; });
  refused([](SamplingOptions& o) { o.hold = 21; });
  refused([](SamplingOptions& o) { o.spread = 0; });
  refused([](SamplingOptions& o) { o.elites = 2; });
  refused([](SamplingOptions& o) { o.temperature = -1; });
}

}  // namespace
}  // namespace forkmunk::search
