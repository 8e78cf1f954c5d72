#include "line.h"

#include <forkmunk/base/error.h>
#include <forkmunk/engine/game.h>

#include <algorithm>
#include <span>

namespace forkmunk::web {

using engine::Player;

Line::Line(std::shared_ptr<const Schedule> schedule) : schedule_(std::move(schedule)), lives_(schedule_->lives) {
  begin_match();
}

Line Line::adopt(const formats::Recording& recording) {
  auto schedule = std::make_shared<Schedule>();
  for (const formats::RecordedMatch& match : recording.matches) schedule->matches.push_back(match.setup);
  if (schedule->matches.empty()) throw Error("found no match, expected at least one");
  schedule->lives = recording.matches.front().lives;
  Line line(std::move(schedule), Empty{});
  line.over_ = true;
  line.own_from_ = recording.tick_count();
  for (const formats::RecordedMatch& match : recording.matches) {
    line.matches_.push_back({line.flags_.size(), match.lives, {}});
    for (const formats::RecordedTick& tick : match.ticks) {
      TickFlags& flags = line.flags_.emplace_back();
      for (std::size_t i = 0; i < 2; ++i) {
        const formats::RecordedCar& car = tick.cars[i];
        for (const formats::RecordedBody* body : car.parts()) {
          line.states_.insert(line.states_.end(), {body->position.x, body->position.y, body->angle});
        }
        flags.alive[i] = car.alive.value_or(true) ? 1 : 0;
        if (tick.commands[i]) flags.commands[i] = static_cast<std::int8_t>(*tick.commands[i]);
      }
      line.states_.push_back(tick.deadline_position);
    }
  }
  line.lives_ = recording.final_lives.value_or(line.matches_.back().lives);
  return line;
}

void Line::mark(std::size_t index, std::istream& state) {
  if (index >= flags_.size() || (!marks_.empty() && index <= marks_.back().index)) {
    throw Error("found a state of tick " + std::to_string(index) + ", expected one behind the last and below " +
                std::to_string(flags_.size()));
  }
  world_.begin_match(schedule_->matches[match_of(index)]);
  marks_.push_back({index, std::make_shared<const engine::Snapshot>(engine::Snapshot::read(state, world_))});
}

Line Line::fork(std::size_t index) const {
  if (index >= flags_.size()) {
    throw Error("found tick " + std::to_string(index) + ", expected one below " + std::to_string(flags_.size()));
  }
  const auto after = std::upper_bound(marks_.begin(), marks_.end(), index,
                                      [](std::size_t at, const Mark& mark) { return at < mark.index; });
  if (after == marks_.begin()) throw Error("found no state at tick " + std::to_string(index) + " or before");
  const Mark& mark = *(after - 1);
  const bool is_own = index >= own_from_;
  Line line(schedule_, Empty{});
  line.copy_past(*this, is_own ? index : mark.index);
  line.own_from_ = is_own ? own_from_ : mark.index;
  line.world_.begin_match(schedule_->matches[line.matches_.size() - 1]);
  line.world_.restore(*mark.snapshot);
  for (std::size_t i = mark.index; i + 1 < line.flags_.size(); ++i) line.world_.step(formats::played(commands_at(i)));
  for (const Player player : engine::kPlayers) {
    line.matches_.back().causes[index_of(player)] = line.world_.cause_of_death(player);
  }
  while (line.flags_.size() <= index && !line.over_) line.step(commands_at(line.flags_.size() - 1));
  return line;
}

// Up to and including that tick, at which nothing is taken yet.
void Line::copy_past(const Line& other, std::size_t index) {
  states_.assign(other.states_.begin(), other.states_.begin() + static_cast<std::ptrdiff_t>((index + 1) * kStateSize));
  flags_.assign(other.flags_.begin(), other.flags_.begin() + static_cast<std::ptrdiff_t>(index + 1));
  flags_.back().commands = {-1, -1};
  matches_.assign(other.matches_.begin(),
                  other.matches_.begin() + static_cast<std::ptrdiff_t>(other.match_of(index) + 1));
  lives_ = matches_.back().lives;
  for (const Mark& mark : other.marks_) {
    if (mark.index <= index) marks_.push_back(mark);
  }
}

std::size_t Line::match_of(std::size_t index) const {
  std::size_t match = matches_.size() - 1;
  while (match > 0 && matches_[match].first > index) --match;
  return match;
}

formats::RecordedCommands Line::commands_at(std::size_t index) const {
  formats::RecordedCommands commands;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int8_t taken = flags_[index].commands[i];
    if (taken >= 0) commands[i] = static_cast<engine::Command>(taken);
  }
  return commands;
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
  for (const Player player : engine::kPlayers) flags.alive[index_of(player)] = world_.dead(player) ? 0 : 1;
  states_.resize(states_.size() + kStateSize);
  engine::observe(world_, std::span(states_).last<kStateSize>());
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
  search::Decision decision =
      seat.planner->decide(world_, enemy_last.value_or(last_command(opponent_of(player))), budget);
  if (!rules) return decision;
  if (const auto rule = rules_.apply(world_, player, decision)) decision.command = rule->command;
  return decision;
}

// In this match; stop before its first one.
engine::Command Line::last_command(Player player) const {
  const std::size_t last = flags_.size() - 1;  // at which nothing was taken yet
  if (last == matches_.back().first) return engine::Command::stop;
  return commands_at(last - 1)[index_of(player)].value_or(engine::Command::stop);
}

Futures Line::futures(Player side, std::int64_t ticks, std::size_t count) {
  return futures_of(world_, side, last_command(opponent_of(side)), ticks, count);
}

}  // namespace forkmunk::web
