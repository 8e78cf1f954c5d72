// SPDX-License-Identifier: MIT
#include "search_trace_reader.h"

#include <forkmunk/base/check.h>
#include <forkmunk/strict_math/strict_math.h>

#include <utility>

namespace forkmunk::player {
namespace {

using engine::Player;
using engine::Vec2;

constexpr int kPathTicks = 5;  // ticks between points of a path
// A coordinate beyond every map, where a car may become infinite next.
constexpr double kFarAway = 1e6;

bool can_be_drawn(Vec2 point) { return std::abs(point.x) < kFarAway && std::abs(point.y) < kFarAway; }

/// Returns the mean of the body's vertices, which is also the point of the viewers' trails.
Vec2 middle_of(const engine::World& world, Player player) {
  const std::vector<Vec2>& body = world.setup().car.body_poly;
  Vec2 mean{};
  for (const Vec2 vertex : body) {
    mean.x += vertex.x / static_cast<double>(body.size());
    mean.y += vertex.y / static_cast<double>(body.size());
  }
  if (player == Player::second) mean.x = -mean.x;
  const engine::BodyState car = world.car(player).body;
  const auto [s, c] = strict_math::sin_cos(car.angle);
  return {car.position.x + mean.x * c - mean.y * s, car.position.y + mean.x * s + mean.y * c};
}

}  // namespace

SearchTraceReader::SearchTraceReader(const planning::PlannerOptions& options)
    : evaluator_(planning::make_evaluator(options.evaluator, options.weights)) {}

void SearchTraceReader::begin_match(const engine::MatchSetup& setup) { evaluator_->begin_match(setup); }

formats::SearchTrace SearchTraceReader::read(engine::World& world, Player me, const planning::Decision& decision) {
  formats::SearchTrace trace;
  trace.score = decision.score;
  trace.ticks = decision.ticks;
  trace.plan = to_string(decision.plan);
  for (const planning::Evaluator::Term& term : evaluator_->explain(world, me, 0)) {
    trace.terms.push_back({std::string(term.name), term.value * term.weight});
  }
  world.save(here_);
  const bool foresees = decision.reply.ticks() > 0;
  for (int tick = 0; tick <= decision.plan.ticks(); ++tick) {
    if (tick % kPathTicks == 0) {
      const Vec2 mine = middle_of(world, me);
      const Vec2 theirs = middle_of(world, opponent_of(me));
      if (!can_be_drawn(mine) || !can_be_drawn(theirs)) break;
      trace.path.push_back(mine);
      if (foresees) trace.enemy_path.push_back(theirs);
    }
    if (!world.takes_commands()) break;
    engine::Commands commands{decision.plan.at(tick), decision.reply.at(tick)};
    if (me == Player::second) std::swap(commands.first, commands.second);
    world.step(commands);
  }
  world.restore(here_);
  return trace;
}

}  // namespace forkmunk::player
