// SPDX-License-Identifier: MIT
#include "futures.h"

#include <forkmunk/planning/planner.h>

#include <algorithm>

namespace forkmunk::wasm {
namespace {

using engine::Player;
using planning::Candidate;
using planning::Plan;

Future played(engine::World& world, Player side, const Candidate& candidate, const Plan& reply) {
  Future future;
  future.side = side;
  future.score = candidate.score;
  const auto note = [&] {
    const engine::BodyState car = world.car(side).body;
    future.poses.insert(future.poses.end(), {car.position.x, car.position.y, car.angle});
  };
  note();
  for (int tick = 0; tick < candidate.plan.ticks() && world.takes_commands(); ++tick) {
    const engine::Command mine = candidate.plan.at(tick), other = reply.at(tick);
    world.step(side == Player::first ? engine::Commands{mine, other} : engine::Commands{other, mine});
    if ((tick + 1) % kPoseTicks == 0 || tick + 1 == candidate.plan.ticks() || !world.takes_commands()) note();
  }
  future.dies = world.dead(side);
  future.wins = !future.dies && world.dead(opponent_of(side));
  return future;
}

/// Returns the distinct plans except the chosen one, in ascending order of score.
std::vector<Candidate> ranked(std::vector<Candidate> candidates, const Plan& chosen) {
  const auto is_worse = [](const Candidate& a, const Candidate& b) { return a.score < b.score; };
  std::stable_sort(candidates.begin(), candidates.end(), is_worse);
  std::vector<Candidate> result;
  for (const Candidate& candidate : candidates) {
    const auto same = [&](const Candidate& other) { return other.plan == candidate.plan; };
    if (candidate.plan != chosen && std::ranges::none_of(result, same)) result.push_back(candidate);
  }
  return result;
}

double distance_of_ends(const Future& a, const Future& b) {
  const auto end = [](const Future& future, std::size_t i) { return future.poses[future.poses.size() - 3 + i]; };
  const double x = end(a, 0) - end(b, 0), y = end(a, 1) - end(b, 1);
  return x * x + y * y;
}

/// Selects `count` futures with distant end points, in their order, by farthest-point sampling that starts from the
/// chosen one. Otherwise many similar plans would hide the few that lead elsewhere.
std::vector<Future> far_apart(std::vector<Future> futures, const Future& chosen, std::size_t count) {
  std::vector<double> distance;
  for (const Future& future : futures) distance.push_back(distance_of_ends(future, chosen));
  std::vector<bool> taken(futures.size());
  for (std::size_t left = std::min(count, futures.size()); left > 0; --left) {
    const auto next = static_cast<std::size_t>(std::max_element(distance.begin(), distance.end()) - distance.begin());
    taken[next] = true;
    distance[next] = -1;
    for (std::size_t i = 0; i < futures.size(); ++i) {
      distance[i] = std::min(distance[i], taken[i] ? -1 : distance_of_ends(futures[i], futures[next]));
    }
  }
  std::vector<Future> result;
  for (std::size_t i = 0; i < futures.size(); ++i) {
    if (taken[i]) result.push_back(std::move(futures[i]));
  }
  return result;
}

}  // namespace

Futures futures_of(engine::World& world, Player side, engine::Command enemy_last, std::int64_t ticks,
                   std::size_t count) {
  planning::PlannerOptions options;
  options.seed = 1;
  const auto planner = planning::make_planner(search::kBestPlanner, options);
  std::vector<Candidate> candidates;
  planner->watch(&candidates);
  planner->begin_match(world, side);
  auto budget = search::Budget::of_ticks(ticks);
  const planning::Decision decision = planner->decide(world, enemy_last, budget);
  if (!decision.score) return {};
  const engine::Snapshot now = world.save();
  const auto way_of = [&](const Candidate& candidate) {
    Future future = played(world, side, candidate, decision.reply);
    world.restore(now);
    return future;
  };
  Future chosen = way_of({decision.plan, *decision.score});
  chosen.chosen = true;
  std::vector<Future> others;
  for (const Candidate& candidate : ranked(std::move(candidates), decision.plan)) others.push_back(way_of(candidate));
  Futures result{others.size() + 1, far_apart(std::move(others), chosen, count)};
  result.futures.push_back(std::move(chosen));
  return result;
}

}  // namespace forkmunk::wasm
