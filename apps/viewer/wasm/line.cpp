// SPDX-License-Identifier: MIT
#include "line.h"

#include <forkmunk/base/error.h>
#include <forkmunk/formats/message.h>
#include <forkmunk/replay/tolerance.h>

#include <algorithm>

namespace forkmunk::wasm {
namespace {

using engine::Player;
using planning::Candidate;
using planning::Plan;

constexpr int kPoseTicks = 3;

Future played(engine::World& world, Player side, const Candidate& candidate, const Plan& reply) {
  Future future;
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
  return future;
}

/// Returns the distinct plans but the chosen one, in ascending order of score.
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

/// Selects `count` futures with distant end points by farthest-point sampling from the chosen one. Otherwise many
/// similar plans would hide the few that lead elsewhere.
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

/// Runs the best planner for `ticks` simulated ticks. Returns `count` of its plans with different end points, and the
/// chosen one. Restores the world.
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

}  // namespace

Line::Line(Schedule schedule) : schedule_(std::make_shared<const Schedule>(std::move(schedule))) { begin_game(); }

Line::Line(formats::Recording recording) {
  if (recording.tick_count() == 0) throw Error("the recording has no ticks");
  auto schedule = std::make_shared<Schedule>();
  schedule->lives = recording.matches.front().lives;
  for (const formats::RecordedMatch& match : recording.matches) schedule->matches.push_back(match.setup);
  schedule_ = std::move(schedule);
  recorded_ = std::make_shared<const formats::Recording>(std::move(recording));
  own_from_ = recorded_->tick_count();
  for (const formats::RecordedMatch& match : recorded_->matches) {
    matches_.push_back({ticks_.size(), match.lives, {}});
    ticks_.insert(ticks_.end(), match.ticks.begin(), match.ticks.end());
  }
  note_recorded_deaths();
}

// Without alive flags, deaths follow from the lives before the next match.
void Line::note_recorded_deaths() {
  for (std::size_t m = 0; m < matches_.size(); ++m) {
    const formats::RecordedMatch& match = recorded_->matches[m];
    if (match.ticks.empty()) continue;
    const bool has_flags = match.has_alive_flags();
    const bool is_last = m + 1 == matches_.size();
    const auto after = is_last ? recorded_->final_lives : std::optional(recorded_->matches[m + 1].lives);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto dead = std::ranges::find_if(
          match.ticks, [&](const formats::RecordedTick& tick) { return !tick.cars[i].alive.value_or(true); });
      if (dead != match.ticks.end()) {
        matches_[m].deaths[i] = Death{static_cast<std::size_t>(dead - match.ticks.begin())};
      } else if (!has_flags && after && (*after)[i] < match.lives[i]) {
        matches_[m].deaths[i] = Death{match.ticks.size() - 1};
      }
    }
  }
}

replay::Verification Line::verify() {
  if (recorded_ == nullptr) throw Error("the line was played here; expected a recorded line");
  replay::VerifyOptions options;
  options.physics = engine::Physics::flat;
  replay::Verification verification = replay::verify(*recorded_, options);
  if (verification.mismatching_ticks() == 0) play_again(commands_of(*recorded_, verification).by_tick_num);
  return verification;
}

void Line::play_again(const std::vector<formats::RecordedCommands>& commands) {
  Line played(schedule_);
  played.begin_game();
  // Commands at the last tick of a truncated game have no effect.
  for (std::size_t left = ticks_.size() - (recorded_->ended() ? 0 : 1); left > 0; --left) {
    const std::size_t at = played.ticks_.size() - 1;
    if (played.over()) throw Error("the replay is over at tick ", at, ", but the recording continues");
    played.step(at < commands.size() ? commands[at] : formats::RecordedCommands{});
  }
  played.recorded_ = std::move(recorded_);
  *this = std::move(played);
}

void Line::find_causes() {
  if (recorded_ == nullptr) throw Error("the line was played here; expected a recorded line");
  const std::vector<formats::MatchOutcome> outcomes = replay::match_outcomes(*recorded_);
  for (std::size_t m = 0; m < matches_.size(); ++m) {
    for (std::size_t i = 0; i < 2; ++i) {
      if (matches_[m].deaths[i]) matches_[m].deaths[i]->cause = outcomes[m].cause[i];
    }
  }
}

void Line::take_commands(const std::array<std::string_view, 2>& letters) {
  constexpr std::string_view kLetters = "LSR";
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t tick = 0; tick < std::min(letters[i].size(), ticks_.size()); ++tick) {
      const std::size_t command = kLetters.find(letters[i][tick]);
      ticks_[tick].commands[i].reset();
      if (command != std::string_view::npos) ticks_[tick].commands[i] = static_cast<engine::Command>(command);
    }
  }
}

void Line::mark(std::size_t every, std::istream& states) {
  for (std::size_t match = 0; match < matches_.size(); ++match) {
    engine::World world;
    world.begin_match(schedule()[match]);
    const std::size_t end = match + 1 < matches_.size() ? matches_[match + 1].first : ticks_.size();
    for (std::size_t index = matches_[match].first; index < end; index += every) {
      engine::GameSnapshot moment{match, matches_[match].lives, static_cast<std::int64_t>(index),
                                  engine::Snapshot::read(states, world)};
      marks_.push_back({index, std::make_shared<const engine::GameSnapshot>(std::move(moment))});
    }
  }
}

Line Line::fork(std::size_t index) const {
  if (index >= ticks_.size()) {
    throw Error("tick ", index, ": must be below ", ticks_.size());
  }
  const auto after = std::upper_bound(marks_.begin(), marks_.end(), index,
                                      [](std::size_t at, const Mark& mark) { return at < mark.index; });
  if (after == marks_.begin()) throw Error("no state at tick ", index, " or before");
  const Mark& mark = *(after - 1);
  const bool is_own = index >= own_from_;
  Line line(schedule_);
  line.copy_past(*this, is_own ? index : mark.index);
  line.own_from_ = is_own ? own_from_ : mark.index;
  line.game_.emplace(schedule(), engine::Physics::flat, schedule_->lives);
  line.game_->restore(*mark.moment);
  for (std::size_t i = mark.index; i + 1 < line.ticks_.size(); ++i)
    line.game_->step(formats::played(ticks_[i].commands));
  while (line.ticks_.size() <= index && !line.over()) line.step(ticks_[line.ticks_.size() - 1].commands);
  return line;
}

// The tick `index` has no commands yet.
void Line::copy_past(const Line& other, std::size_t index) {
  ticks_.assign(other.ticks_.begin(), other.ticks_.begin() + static_cast<std::ptrdiff_t>(index + 1));
  ticks_.back().commands = {};
  matches_.assign(other.matches_.begin(),
                  other.matches_.begin() + static_cast<std::ptrdiff_t>(other.match_of(index) + 1));
  for (std::optional<Death>& death : matches_.back().deaths) {
    if (death && death->tick > index - matches_.back().first) death.reset();
  }
  for (const Mark& mark : other.marks_) {
    if (mark.index <= index) marks_.push_back(mark);
  }
}

std::size_t Line::match_of(std::size_t index) const {
  std::size_t match = matches_.size() - 1;
  while (match > 0 && matches_[match].first > index) --match;
  return match;
}

void Line::step(formats::RecordedCommands commands) {
  if (over()) return;
  if (!world().takes_commands()) commands = {};  // as in the referee's recordings
  ticks_.back().commands = commands;
  switch (game_->step(formats::played(commands))) {
    case engine::Game::Event::ticked: append_tick(); break;
    case engine::Game::Event::match_over:
      game_->next_match();
      begin_match();
      break;
    case engine::Game::Event::game_over: break;
  }
}

void Line::step_world(const std::vector<engine::Commands>& commands) {
  engine::World world = this->world().fork();
  for (const engine::Commands& pair : commands) world.step(pair);
  engine::GameSnapshot moment = game_->save();
  world.save(moment.world);
  game_->restore(moment);
}

void Line::begin_game() {
  game_.emplace(schedule(), engine::Physics::flat, schedule_->lives);
  begin_match();
}

void Line::begin_match() {
  matches_.push_back({ticks_.size(), lives(), {}});
  append_tick();
}

void Line::append_tick() {
  const std::size_t index = ticks_.size();
  const std::size_t tick = index - matches_.back().first;
  ticks_.push_back(formats::recorded_tick(world(), static_cast<std::int64_t>(index)));
  for (const Player player : engine::kPlayers) {
    std::optional<Death>& death = matches_.back().deaths[index_of(player)];
    if (world().dead(player) && !death) death = Death{tick, world().cause_of_death(player)};
  }
  if (tick % kMarkTicks == 0) {
    marks_.push_back({index, std::make_shared<const engine::GameSnapshot>(game_->save())});
  }
}

const engine::World& Line::world() const {
  if (!game_) throw Error("the line is recorded; expected a line that is played");
  return game_->world();
}

engine::Lives Line::lives() const noexcept {
  return game_ ? game_->lives() : recorded_->final_lives.value_or(matches_.back().lives);
}

void Line::seat(Player player, std::string_view planner, std::uint64_t seed) {
  planning::PlannerOptions options;
  options.seed = seed;
  seats_[index_of(player)] = {planning::make_planner(planner, options), SIZE_MAX};
}

planning::Decision Line::decide(Player player, search::Budget& budget) {
  Seat& seat = seats_[index_of(player)];
  if (seat.planner == nullptr) throw Error("no planner in this seat");
  engine::World world = this->world().fork();
  if (seat.match != matches_.size()) {
    seat.planner->begin_match(world, player);
    seat.match = matches_.size();
  }
  return seat.planner->decide(world, last_command(opponent_of(player)), budget);
}

// Returns stop before the first command of a match.
engine::Command Line::last_command(Player player) const {
  const std::size_t last = ticks_.size() - 1;  // the last state has no commands yet
  if (last == matches_.back().first) return engine::Command::stop;
  return ticks_[last - 1].commands[index_of(player)].value_or(engine::Command::stop);
}

Futures Line::futures(Player side, std::int64_t ticks, std::size_t count) const {
  engine::World world = this->world().fork();
  return futures_of(world, side, last_command(opponent_of(side)), ticks, count);
}

formats::Recording Line::recording(const std::array<std::string, 2>& player_ids) const {
  formats::Recording recording;
  recording.player_ids = player_ids;
  recording.has_commands = true;
  if (over()) recording.final_lives = lives();
  const std::size_t end = ticks_.size() - (over() ? 0 : 1);
  for (std::size_t index = 0, m = 0; index < end; ++index) {
    for (; m < matches_.size() && index == matches_[m].first; ++m) {
      recording.matches.push_back({schedule()[m], matches_[m].lives, {}});
    }
    recording.matches.back().ticks.push_back(ticks_[index]);
  }
  return recording;
}

}  // namespace forkmunk::wasm
