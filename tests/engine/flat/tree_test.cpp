// SPDX-License-Identifier: MIT
#include "engine/flat/chipmunk_kernels.h"
#include "flat/broad_phase.h"
#include "flat/live_state.h"
#include "flat/narrow_phase.h"
#include "flat/step.h"
#include "support/scenes.h"

#include <forkmunk/arena_alloc/system_memory.h>
#include <forkmunk/chipmunk/chipmunk_layout.h>

#include <algorithm>
#include <tuple>

#include <gtest/gtest.h>

namespace forkmunk::engine::flat {
namespace {

using Boxes = std::array<Box, kMovingShapeCount>;

/// Two shapes, numbered as in Pair::other, and the first id.
using Test = std::tuple<std::size_t, std::size_t, std::uint32_t>;

/// The id depends on all of a test.
std::uint32_t id_after(const Test& test) {
  const auto [a, b, id] = test;
  return static_cast<std::uint32_t>(id * 31 + a * 1009 + b * 7 + 1);
}

struct Recorder {
  const MatchModel& model;
  const Boxes& boxes;
  std::vector<Test> tests;

  [[nodiscard]] const Box& box_of(std::size_t shape) const {
    return shape < kMovingShapeCount ? boxes[shape] : model.segment_boxes[shape - kMovingShapeCount];
  }
  [[nodiscard]] bool meet(std::size_t shape, const Box& box) const { return intersect(box_of(shape), box); }
  std::uint32_t test(std::size_t a, std::size_t b, std::uint32_t id) {
    tests.emplace_back(a, b, id);
    return id_after(tests.back());
  }
};

/// Skips pairs without an effect, which Chipmunk tests.
class StockTree {
 public:
  StockTree(const MatchModel& model, const LiveState& state, const Boxes& boxes, std::uint32_t stamp)
      : recorder_{model, boxes, {}} {
    shapes_.resize(kMovingShapeCount + model.static_count());
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      shapes_[i] = {this, i,
                    i > kDeadlineShape && i < kMovingShapeCount ? &state.bodies[body_of(i)].velocity : nullptr};
    }
    fixed_.reset(stock.cpBBTreeNew(box_of, nullptr));
    moving_.reset(stock.cpBBTreeNew(box_of, fixed_.get()));
    stock.cpBBTreeSetVelocityFunc(moving_.get(), velocity_of);
    chipmunk::layout::tree_of(moving_.get()).stamp = stamp;
    std::uint32_t id = state.first_shape_id;
    for (std::size_t i = kMovingShapeCount; i < shapes_.size(); ++i) insert(fixed_.get(), i, id++);
    for (std::size_t i = 0; i < kMovingShapeCount; ++i) insert(moving_.get(), i, id++);
  }

  const std::vector<Test>& step() {
    recorder_.tests.clear();
    moving_->klass->reindexQuery(moving_.get(), on_pair, &recorder_);
    return recorder_.tests;
  }

 private:
  struct Shape {
    StockTree* tree;
    std::size_t index;
    const Vec* velocity;
  };

  void insert(cpSpatialIndex* index, std::size_t shape, std::uint32_t id) {
    index->klass->insert(index, &shapes_[shape], id);
  }
  static cpBB box_of(void* object) {
    const auto& shape = *static_cast<Shape*>(object);
    const Box& box = shape.tree->recorder_.box_of(shape.index);
    return {box.low[0], box.low[1], box.high[0], box.high[1]};
  }
  static cpVect velocity_of(void* object) {
    const Vec* const velocity = static_cast<Shape*>(object)->velocity;
    return velocity == nullptr ? cpvzero : cp(*velocity);
  }
  static cpCollisionID on_pair(void* a, void* b, cpCollisionID id, void* data) {
    auto& recorder = *static_cast<Recorder*>(data);
    const std::size_t first = static_cast<Shape*>(a)->index, second = static_cast<Shape*>(b)->index;
    const std::size_t low = std::min(first, second), high = std::max(first, second);
    const bool concerning = high < kMovingShapeCount ? concerns(low, high)
                                                     : concerns(low, recorder.model.segments[high - kMovingShapeCount]);
    if (!concerning || !recorder.meet(first, recorder.box_of(second))) return id;
    return recorder.test(first, second, id);
  }

  Recorder recorder_;
  std::vector<Shape> shapes_;
  Owned<cpSpatialIndex> fixed_, moving_;
};

class TreeTest : public testing::Test {
 protected:
  void begin(std::uint32_t first_shape_id, std::uint32_t stamp) {
    MatchSetup setup = tests::scene_of("PillMap", "Buggy").setup;
    setup.map.segments.clear();
    for (std::size_t i = random_.below(60); i > 0; --i) {
      const Vec a{random_.between(0, 1200), random_.between(0, 800)};
      setup.map.segments.push_back({vec2(a), vec2(a + random_vec(random_, 200)), random_.between(0, 10)});
    }
    model_ = std::make_unique<MatchModel>(setup);
    block_ = arena_alloc::allocate_system(size_bytes_max(*model_));
    flat::begin(*model_, {first_shape_id, 0, stamp}, state());
    const WorldShapes shapes(*model_, state());
    boxes_ = shapes.boxes;
    stock_ = std::make_unique<StockTree>(*model_, state(), boxes_, stamp);
  }

  // Some shapes jump; velocities enlarge leaves; insertions into a grid of equal shapes have equal costs.
  void move_shapes() {
    if (on_a_grid_) {
      for (Box& box : boxes_) {
        if (random_.below(3) != 0) continue;
        const Lanes low{100.0 * random_.below(4), 100.0 * random_.below(4)};
        box = {low, low + 60};
      }
      for (Body& body : state().bodies) body.velocity = {0, 0};
      return;
    }
    for (std::size_t i = 0; i < kMovingShapeCount; ++i) {
      const Vec size{random_.between(1, 80), random_.between(1, 80)};
      if (random_.below(12) == 0) {
        const Vec low{random_.between(0, 1100), random_.between(0, 700)};
        boxes_[i] = {Lanes{low.x, low.y}, Lanes{low.x + size.x, low.y + size.y}};
      } else {
        const Vec step = random_vec(random_, 6);
        boxes_[i] = {boxes_[i].low + Lanes{step.x, step.y}, boxes_[i].high + Lanes{step.x, step.y}};
      }
    }
    for (Body& body : state().bodies) body.velocity = random_vec(random_, 300);
  }

  void step() {
    move_shapes();
    update_tree(state(), boxes_);
    Recorder recorder{*model_, boxes_, {}};
    find_pairs(*model_, state(), boxes_, recorder);
    ++state().rules.tick;
    ASSERT_EQ(recorder.tests, stock_->step());
    test_count_ += recorder.tests.size();
  }

  void expect_all_pairs_listed() const {
    std::vector<std::pair<std::size_t, std::size_t>> expected, found;
    for (std::size_t leaf = 0; leaf < kMovingShapeCount; ++leaf) {
      const Box& box = state().nodes[leaf].box;
      ASSERT_TRUE(contains(box, boxes_[leaf]));
      for (std::size_t other = 0; other < leaf; ++other) {
        if (concerns(leaf, other) && intersect(box, state().nodes[other].box)) expected.emplace_back(other, leaf);
      }
      for (std::size_t i = 0; i < model_->static_count(); ++i) {
        if (concerns(leaf, model_->segments[i]) && intersect(box, model_->segment_boxes[i])) {
          expected.emplace_back(leaf, kMovingShapeCount + i);
        }
      }
      const PairList& list = state().pair_lists[leaf];
      for (std::size_t i = 0; i < list.count; ++i) {
        found.push_back(std::minmax(leaf, std::size_t{state().pairs()[list.begin + i].other}));
      }
    }
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found, expected);
  }

  [[nodiscard]] LiveState& state() const { return *reinterpret_cast<LiveState*>(block_.get()); }
  [[nodiscard]] std::optional<std::string> damage() const {
    return find_damage(*model_, {block_.get(), state().size_bytes()});
  }

  Random random_{16};
  std::unique_ptr<MatchModel> model_;
  arena_alloc::SystemBlock block_;
  Boxes boxes_;
  std::unique_ptr<StockTree> stock_;
  std::size_t test_count_ = 0;
  bool on_a_grid_ = false;
};

TEST_F(TreeTest, PairsAreTestedInChipmunksOrderAndNoneIsMissed) {
  for (int match = 0; match < 60; ++match) {
    SCOPED_TRACE(match);
    begin(random_.below(1000), random_.below(1000));
    on_a_grid_ = match % 3 == 0;
    for (int tick = 0; tick < 150; ++tick) {
      ASSERT_NO_FATAL_FAILURE(step()) << "tick " << tick;
      ASSERT_NO_FATAL_FAILURE(expect_all_pairs_listed()) << "tick " << tick;
      ASSERT_EQ(damage(), std::nullopt);
    }
  }
  EXPECT_GT(test_count_, 10000u);
}

// Pairs with leaves from before a wrap may be missing, but none is listed twice.
TEST_F(TreeTest, StaysWholeWhenItsStampWrapsAround) {
  for (int match = 0; match < 20; ++match) {
    begin(7, 0xFFFFFFFFu - 200);
    for (int tick = 0; tick < 400; ++tick) {
      move_shapes();
      update_tree(state(), boxes_);
      Recorder recorder{*model_, boxes_, {}};
      find_pairs(*model_, state(), boxes_, recorder);
      ++state().rules.tick;
      ASSERT_EQ(damage(), std::nullopt) << "tick " << tick;
    }
    ASSERT_LT(state().tree_stamp, 1000u);
  }
}

TEST_F(TreeTest, AnInnerNodesBoxHoldsItsChildrensAndNothingElse) {
  begin(3, 0);
  for (int tick = 0; tick < 300; ++tick) {
    ASSERT_NO_FATAL_FAILURE(step());
    for (std::size_t i = kMovingShapeCount; i < kNodeCount; ++i) {
      const Node& node = state().nodes[i];
      const Box box = merged(state().nodes[node.a].box, state().nodes[node.b].box);
      ASSERT_TRUE(contains(box, node.box) && contains(node.box, box)) << "node " << i;
    }
  }
}

TEST_F(TreeTest, AQueryOfTheMapEqualsBruteForce) {
  for (int match = 0; match < 30; ++match) {
    begin(0, 0);
    for (int round = 0; round < 100; ++round) {
      const Vec low{random_.between(-50, 1200), random_.between(-50, 800)};
      const Box box{Lanes{low.x, low.y}, Lanes{low.x + random_.between(0, 300), low.y + random_.between(0, 300)}};
      std::vector<std::size_t> expected, found;
      for (std::size_t i = 0; i < model_->static_count(); ++i) {
        if (intersect(box, model_->segment_boxes[i])) expected.push_back(i);
      }
      query_segments(*model_, box, [&](std::size_t segment) { found.push_back(segment); });
      std::sort(found.begin(), found.end());
      ASSERT_EQ(found, expected);
    }
  }
}

}  // namespace
}  // namespace forkmunk::engine::flat
