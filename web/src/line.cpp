#include "line.h"

#include <forkmunk/base/error.h>
#include <forkmunk/engine/game.h>
#include <forkmunk/formats/recorded_state.h>

#include <algorithm>

namespace forkmunk::web {

using engine::Player;

Line::Line(std::shared_ptr<const Schedule> schedule) : schedule_(std::move(schedule)), lives_(schedule_->lives) {
  begin_match();
}

Line Line::fork(std::size_t index) const {
  if (index >= flags_.size()) {
    throw Error("found tick " + std::to_string(index) + ", expected one below " + std::to_string(flags_.size()));
  }
  Line line(schedule_);
  line.states_.assign(states_.begin(), states_.begin() + static_cast<std::ptrdiff_t>((index + 1) * kStateSize));
  line.flags_.assign(flags_.begin(), flags_.begin() + static_cast<std::ptrdiff_t>(index + 1));
  line.matches_.clear();
  for (const LineMatch& match : matches_) {
    if (match.first <= index) line.matches_.push_back(match);
  }
  line.matches_.back().causes = {};
  line.lives_ = line.matches_.back().lives;
  line.marks_.clear();
  for (const Mark& mark : marks_) {
    if (mark.index <= index) line.marks_.push_back(mark);
  }
  line.world_.begin_match(schedule_->matches[line.matches_.size() - 1]);
  const Mark& mark = line.marks_.back();  // every match begins with one
  if (!line.world_.restore(*mark.snapshot)) throw Error("found a state of another match");
  for (std::size_t i = mark.index; i < index; ++i) {
    const auto command = [&](std::size_t player) {
      return flags_[i].commands[player] < 0 ? engine::Command::stop
                                            : static_cast<engine::Command>(flags_[i].commands[player]);
    };
    line.world_.step({command(0), command(1)});
  }
  line.flags_.back().commands = {-1, -1};
  return line;
}

void Line::step(formats::RecordedCommands commands) {
  if (over_) return;
  if (!world_.takes_commands()) commands = {};  // as the referee writes it
  for (std::size_t player = 0; player < 2; ++player) {
    flags_.back().commands[player] = commands[player] ? static_cast<std::int8_t>(*commands[player]) : std::int8_t{-1};
  }
  world_.step(formats::played(commands));
  if (!world_.is_finite() || flags_.size() >= static_cast<std::size_t>(engine::kGameTicksMax)) over_ = true;
  for (const Player player : engine::kPlayers) {
    matches_.back().causes[index_of(player)] = world_.cause_of_death(player);
  }
  if (world_.is_finite() && world_.match_over())
    end_match();
  else if (!over_)
    append_tick();
}

void Line::end_match() {
  engine::settle_lives(world_, lives_);
  over_ = over_ || std::min(lives_[0], lives_[1]) <= 0 || matches_.size() == schedule_->matches.size();
  if (!over_) begin_match();
}

void Line::begin_match() {
  world_.begin_match(schedule_->matches[matches_.size()]);
  matches_.push_back({flags_.size(), lives_, {}});
  append_tick();
}

void Line::append_tick() {
  const std::size_t index = flags_.size();
  TickFlags flags;
  for (const Player player : engine::kPlayers) {
    const formats::RecordedCar car = formats::recorded_car(world_, player);
    for (const formats::RecordedBody& body :
         {static_cast<formats::RecordedBody>(car), car.rear_wheel, car.front_wheel}) {
      states_.insert(states_.end(), {body.position.x, body.position.y, body.angle});
    }
    flags.alive[index_of(player)] = world_.dead(player) ? 0 : 1;
  }
  states_.push_back(world_.deadline_y());
  flags_.push_back(flags);
  if ((index - matches_.back().first) % kMarkTicks == 0) {
    marks_.push_back({index, std::make_shared<const engine::Snapshot>(world_.save())});
  }
}

void Line::seat(Player player, std::string_view planner, std::uint64_t seed) {
  search::PlannerOptions options;
  options.seed = seed;
  seats_[index_of(player)] = {search::make_planner(planner, options), SIZE_MAX};
}

search::Decision Line::decide(Player player, std::optional<engine::Command> enemy_last, search::Budget& budget,
                              bool rules) {
  Seat& seat = seats_[index_of(player)];
  if (seat.planner == nullptr) throw Error("found no planner in that seat, expected one");
  if (seat.match != matches_.size()) {
    seat.planner->begin_match(world_, player);
    seat.match = matches_.size();
  }
  if (!enemy_last) {
    enemy_last = engine::Command::stop;
    const std::size_t last = flags_.size() - 1;  // at which nothing was taken yet
    if (last > matches_.back().first && flags_[last - 1].commands[1 - index_of(player)] >= 0) {
      enemy_last = static_cast<engine::Command>(flags_[last - 1].commands[1 - index_of(player)]);
    }
  }
  search::Decision decision = seat.planner->decide(world_, *enemy_last, budget);
  if (!rules) return decision;
  if (const auto rule = rules_.apply(world_, player, decision)) decision.command = rule->command;
  return decision;
}

double Line::score(Player player) const {
  if (world_.dead(player)) return -search::kWin;
  if (world_.dead(engine::opponent_of(player))) return search::kWin;
  const auto evaluator = search::make_evaluator(search::PlannerOptions{}.evaluator);
  evaluator->begin_match(world_.setup());
  return evaluator->evaluate(world_, player, 0);
}

}  // namespace forkmunk::web
