// SPDX-License-Identifier: MIT
#include "scene.h"
#include "space/stock_by_id/owned_allocation.h"

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/base/simd_target.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/space/space.h>

#include <cstdlib>
#include <functional>
#include <string>

#include <gtest/gtest.h>

namespace lockstep_scene_of_stock {
std::unique_ptr<lockstep::Scene> make(const lockstep::Plan& plan, cpSpace* space);
std::unique_ptr<lockstep::Scene> make_random(std::uint64_t seed, cpSpace* space);
std::unique_ptr<lockstep::Scene> make_stale(int steps_asleep, cpSpace* space);
std::unique_ptr<lockstep::Scene> make_fixed(cpSpace* space);
std::unique_ptr<lockstep::Scene> make_foreign(lockstep::Foreign change, cpSpace* space);
std::unique_ptr<lockstep::Scene> make_opening(cpSpace* space);
std::unique_ptr<lockstep::Scene> make_turning(cpSpace* space);
std::unique_ptr<lockstep::Scene> make_querying(cpSpace* space);
}  // namespace lockstep_scene_of_stock
extern "C" cpSpace* FORKMUNK_STOCK_SPACE();

namespace forkmunk::space {
namespace {

using lockstep::Plan;
using lockstep::Scene;
using lockstep::Trouble;
using lockstep::Words;
using Make = std::function<std::unique_ptr<Scene>(cpSpace*)>;

class FastScene {
 public:
  explicit FastScene(const Make& make) {
    world_.set_defects(Defects::stock);
    const auto inside = world_.enter();
    scene_ = make(world_.space());
  }
  void step() {
    const auto inside = world_.enter();
    scene_->step();
  }
  [[nodiscard]] Words observed() const {
    Words words;
    scene_->observe(words);
    return words;
  }

 private:
  Space world_;
  std::unique_ptr<Scene> scene_;
};

class StockScene {
 public:
  explicit StockScene(const Make& make) {
    owned_memory = &memory_;
    scene_ = make(FORKMUNK_STOCK_SPACE());
  }
  void step() {
    owned_memory = &memory_;
    scene_->step();
  }
  [[nodiscard]] Words observed() const {
    Words words;
    scene_->observe(words);
    return words;
  }

 private:
  OwnedMemory memory_;
  std::unique_ptr<Scene> scene_;
};

void step_both(const std::string& name, const Make& fast, const Make& stock, int steps) {
  FastScene one(fast);
  StockScene other(stock);
  for (int i = 0; i < steps; ++i) {
    one.step();
    other.step();
    const Words ours = one.observed(), theirs = other.observed();
    if (ours == theirs) continue;
    const auto at = std::mismatch(ours.begin(), ours.end(), theirs.begin(), theirs.end()).first - ours.begin();
    FAIL() << name << ", step " << i << ": word " << at << " of " << ours.size() << " differs";
  }
}

/// FORKMUNK_LOCKSTEP_SCENES, or `few`.
int scene_count(int few) {
  const char* wanted = std::getenv("FORKMUNK_LOCKSTEP_SCENES");
#ifdef FORKMUNK_SANITIZED
  few /= 6;
#endif
  return wanted != nullptr ? std::atoi(wanted) : few;
}

class StepLockstep : public testing::TestWithParam<SimdTarget> {
 protected:
  void SetUp() override { ASSERT_TRUE(set_simd_target(GetParam())); }
  void TearDown() override { set_simd_target(available_simd_targets().back()); }
};

void step_plan(const Plan& plan, int steps) {
  const std::string name = "seed " + std::to_string(plan.seed) + ", " + std::to_string(plan.body_count) +
                           " bodies, trouble " + std::to_string(static_cast<int>(plan.trouble));
  step_both(
      name, [&](cpSpace* space) { return lockstep_scene::make(plan, space); },
      [&](cpSpace* space) { return lockstep_scene_of_stock::make(plan, space); }, steps);
}

TEST_P(StepLockstep, BuiltScenesAreStocks) {
  constexpr int kSizes[] = {10, 24, 60, 10, 120, 30, 250, 15};
  const int count = scene_count(180);
  for (int i = 0; i < count && !HasFatalFailure(); ++i) {
    const auto trouble = static_cast<Trouble>(i % static_cast<int>(Trouble::count));
    const int bodies = i % 89 == 88 ? 1000 : kSizes[i / static_cast<int>(Trouble::count) % 8];
    step_plan({static_cast<std::uint64_t>(i), bodies, trouble}, bodies > 200 ? 40 : 150);
  }
}

// An impulse on infinite mass made NaN, which was stored over another lane's velocity.
TEST_P(StepLockstep, FixedBodyThatBecomesNanIsStocks) { step_plan({691, 120, Trouble::infinities}, 80); }

TEST_P(StepLockstep, RandomScenesAreStocks) {
  const int count = scene_count(30);
  for (int seed = 1; seed <= count && !HasFatalFailure(); ++seed) {
    const auto as_seed = static_cast<std::uint64_t>(seed);
    step_both(
        "random scene " + std::to_string(seed),
        [&](cpSpace* space) { return lockstep_scene::make_random(as_seed, space); },
        [&](cpSpace* space) { return lockstep_scene_of_stock::make_random(as_seed, space); }, 200);
  }
}

// A new contact overwrites the old one after a round of the ring of buffers.
TEST_P(StepLockstep, ContactsThatAreKeptForLongAreStocks) {
  for (int steps = 1; steps <= 12 && !HasFatalFailure(); ++steps) {
    step_both(
        std::to_string(steps) + " steps asleep",
        [&](cpSpace* space) { return lockstep_scene::make_stale(steps, space); },
        [&](cpSpace* space) { return lockstep_scene_of_stock::make_stale(steps, space); }, 60);
  }
}

// Groups are reused while contacts stay.
TEST_P(StepLockstep, StacksWithFixedBodiesAreStocks) {
  step_both(
      "stacks", [](cpSpace* space) { return lockstep_scene::make_fixed(space); },
      [](cpSpace* space) { return lockstep_scene_of_stock::make_fixed(space); }, 100);
}

TEST_P(StepLockstep, SmoothSegmentsThatCallbacksTurnAreStocks) {
  step_both(
      "smooth segments", [](cpSpace* space) { return lockstep_scene::make_turning(space); },
      [](cpSpace* space) { return lockstep_scene_of_stock::make_turning(space); }, 60);
}

TEST_P(StepLockstep, PairsThatACallbackLetsCollideAreStocks) {
  step_both(
      "filters", [](cpSpace* space) { return lockstep_scene::make_opening(space); },
      [](cpSpace* space) { return lockstep_scene_of_stock::make_opening(space); }, 60);
}

// The solver meets repeated contacts twice.
TEST_P(StepLockstep, PairsThatASpatialHashRepeatsAreStocks) {
  step_both(
      "queries", [](cpSpace* space) { return lockstep_scene::make_querying(space); },
      [](cpSpace* space) { return lockstep_scene_of_stock::make_querying(space); }, 200);
}

TEST_P(StepLockstep, PairsThatAreChangedByOtherWaysAreStocks) {
  using lockstep::Foreign;
  for (const Foreign change : {Foreign::joints_before, Foreign::joints, Foreign::reindexed, Foreign::infinite_angle}) {
    step_both(
        "change " + std::to_string(static_cast<int>(change)),
        [&](cpSpace* space) { return lockstep_scene::make_foreign(change, space); },
        [&](cpSpace* space) { return lockstep_scene_of_stock::make_foreign(change, space); }, 5);
  }
}

INSTANTIATE_TEST_SUITE_P(, StepLockstep, testing::ValuesIn(available_simd_targets()),
                         [](const auto& of) { return std::string(to_string(of.param)); });

}  // namespace
}  // namespace forkmunk::space
