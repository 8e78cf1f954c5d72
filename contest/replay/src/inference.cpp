// SPDX-License-Identifier: MIT
#include "fit.h"

#include <forkmunk/engine/world.h>
#include <forkmunk/replay/inference.h>

#include <algorithm>
#include <bit>

namespace forkmunk::replay {
namespace {

using engine::Command;
using engine::Commands;
using engine::Snapshot;
using engine::World;

constexpr std::size_t kArithmeticTicks = 300;
// Two consecutive missing ticks give 9^3 hypotheses. The commands of longer gaps cannot be inferred.
constexpr std::size_t kGapTicksMax = 2;
constexpr std::size_t kHypothesisCountMax = 729;
constexpr std::array kAllCommands{Command::left, Command::stop, Command::right, Command::none};
constexpr CommandSet kAllNine = 0x1ff;  // all pairs of kCommands

struct Pairs {
  std::array<Commands, 9> list;
  std::size_t count = 0;
};

/// Returns the pairs that may follow `last`, which comes first: a player without commands gets no more. With `lost`,
/// returns the pairs by which a player gets none from now on.
Pairs pairs_after(Commands last, bool lost) {
  Pairs pairs;
  if (!lost) pairs.list[pairs.count++] = last;
  for (const Command one : kAllCommands) {
    for (const Command two : kAllCommands) {
      const int first = (one == Command::none) - (last.first == Command::none);
      const int second = (two == Command::none) - (last.second == Command::none);
      const bool fits = first >= 0 && second >= 0 && (first + second > 0) == lost;
      if (fits && Commands{one, two} != last) pairs.list[pairs.count++] = {one, two};
    }
  }
  return pairs;
}

std::optional<Command> as_recorded(Command command) {
  return command == Command::none ? std::nullopt : std::optional(command);
}

struct Hypothesis {
  Snapshot snapshot;
  Commands last;         // of the tick before
  std::size_t step = 0;  // index of the step that led here
};

/// Steps form a tree, whose leaves are the remaining hypotheses.
struct Step {
  std::size_t parent = 0;
  formats::RecordedCommands commands;
  CommandSet fitting = 0;
};

/// \pre the world is at the match's first tick. It ends after its last.
class MatchInferrer {
 public:
  MatchInferrer(World& world, const formats::RecordedMatch& match, std::int64_t first_tick_num, ReplayProgress progress)
      : world_(world), timeline_(match, first_tick_num), progress_(std::move(progress)) {}

  InferredMatch run(std::size_t tick_limit) {
    alive_.resize(1);
    alive_count_ = 1;
    world_.save(alive_[0].snapshot);
    steps_.push_back({});
    const std::size_t end = tick_limit == 0 ? timeline_.size() : std::min(timeline_.size(), tick_limit);
    for (std::size_t tick = 0; tick < end && !over_; ++tick) {
      extend_all(tick);
      if (alive_count_ == 1) settle();
      if (tick % kProgressTicks == 0) progress_(tick);
    }
    finish();
    return std::move(result_);
  }

 private:
  // Keeps extensions that agree with the log two ticks later.
  void extend_all(std::size_t tick) {
    next_count_ = 0;
    nearest_.reset();
    for (std::size_t i = 0; i < alive_count_; ++i) extend(alive_[i], tick, false);
    if (next_count_ == 0) {
      for (std::size_t i = 0; i < alive_count_; ++i) extend(alive_[i], tick, true);
    }
    if (next_count_ == 0) keep_nearest();
    std::swap(alive_, next_);
    alive_count_ = next_count_;
  }

  // With `lost`, a player is lost at this tick, to whom the referee could not send it.
  void extend(const Hypothesis& from, std::size_t tick, bool lost) {
    world_.restore(from.snapshot);
    const bool takes_commands = world_.takes_commands();
    if (lost && !takes_commands) return;
    const formats::RecordedTick* evidence = timeline_.at(tick + 2);
    const Pairs candidates = pairs_after(from.last, lost);
    // Without recorded ticks soon after, the last commands are repeated.
    const bool blind = !timeline_.any_within(tick + 2, kGapTicksMax + 1);
    const std::size_t count = takes_commands && !blind ? candidates.count : 1;
    for (std::size_t i = 0; i < count && next_count_ < kHypothesisCountMax; ++i) {
      world_.restore(from.snapshot);
      if (evidence != nullptr) {
        world_.step(candidates.list[i]);
        world_.step({});
        const Fit fit = fit_of(world_, evidence->cars);
        if (!fit.exact()) {
          if (!lost) note_nearest(fit, from, candidates.list[i], takes_commands);
          continue;
        }
        world_.restore(from.snapshot);
      }
      keep(from, candidates.list[i], takes_commands, blind ? kAllNine : set_of(candidates.list[i]));
    }
  }

  void keep(const Hypothesis& from, Commands commands, bool takes_commands, CommandSet fitting) {
    world_.step(commands);
    over_ = world_.match_over();
    const std::uint64_t hash = world_.hash();
    for (std::size_t i = 0; i < next_count_; ++i) {
      if (hashes_[i] != hash) continue;
      steps_[next_[i].step].fitting |= fitting;
      join(steps_[next_[i].step].parent, from.step);
      return;
    }
    if (next_.size() == next_count_) next_.emplace_back();
    if (hashes_.size() == next_count_) hashes_.emplace_back();
    Hypothesis& kept = next_[next_count_];
    world_.save(kept.snapshot);
    hashes_[next_count_] = hash;
    ++next_count_;
    kept.last = takes_commands ? commands : from.last;
    kept.step = steps_.size();
    Step step{from.step, {}, 0};
    if (takes_commands) step = {from.step, {as_recorded(commands.first), as_recorded(commands.second)}, fitting};
    steps_.push_back(step);
  }

  struct Nearest {
    Fit fit;
    const Hypothesis* from;
    Commands commands;
    bool takes_commands;
  };

  void note_nearest(const Fit& fit, const Hypothesis& from, Commands commands, bool takes_commands) {
    if (!nearest_ || fit < nearest_->fit) nearest_ = Nearest{fit, &from, commands, takes_commands};
  }

  void keep_nearest() {
    ++result_.unexplained_ticks;
    world_.restore(nearest_->from->snapshot);
    keep(*nearest_->from, nearest_->commands, nearest_->takes_commands, set_of(nearest_->commands));
  }

  // A single hypothesis makes the past certain.
  void settle() {
    const std::size_t first = result_.commands.size();
    for (std::size_t step = alive_[0].step; step != 0; step = steps_[step].parent) {
      result_.commands.push_back(steps_[step].commands);
      result_.fitting.push_back(steps_[step].fitting);
    }
    std::reverse(result_.commands.begin() + static_cast<std::ptrdiff_t>(first), result_.commands.end());
    std::reverse(result_.fitting.begin() + static_cast<std::ptrdiff_t>(first), result_.fitting.end());
    steps_.resize(1);
    alive_[0].step = 0;
  }

  // Merges the fitting pairs on the path to `other` into the path to `step`, of the same tick, back to their common
  // ancestor.
  void join(std::size_t step, std::size_t other) {
    for (; step != other; step = steps_[step].parent, other = steps_[other].parent) {
      steps_[step].fitting |= steps_[other].fitting;
    }
  }

  // Reports the first remaining hypothesis, and the pairs of all as fitting.
  void finish() {
    for (std::size_t i = 1; i < alive_count_; ++i) join(alive_[0].step, alive_[i].step);
    settle();
    world_.restore(alive_[0].snapshot);
  }

  World& world_;
  Timeline timeline_;
  ReplayProgress progress_;
  InferredMatch result_;
  std::vector<Hypothesis> alive_, next_;  // never shrunk, so that the buffers of their snapshots are reused
  std::size_t alive_count_ = 0, next_count_ = 0;
  std::vector<std::uint64_t> hashes_;
  std::vector<Step> steps_;  // step 0 is the last certain state
  std::optional<Nearest> nearest_;
  bool over_ = false;  // in the hypotheses' states
};

CommandSet set_of_recorded(const formats::RecordedCommands& recorded) {
  CommandSet set = 0;
  for (const Command first : kAllCommands) {
    for (const Command second : kAllCommands) {
      if (recorded[0].value_or(first) == first && recorded[1].value_or(second) == second) {
        set |= set_of({first, second});
      }
    }
  }
  return set;
}

}  // namespace

std::size_t Inference::ambiguous_ticks() const noexcept {
  std::size_t count = 0;
  for (const InferredMatch& match : matches) {
    count += static_cast<std::size_t>(
        std::ranges::count_if(match.fitting, [](CommandSet fitting) { return std::popcount(fitting) > 1; }));
  }
  return count;
}

std::size_t Inference::unexplained_ticks() const noexcept {
  std::size_t count = 0;
  for (const InferredMatch& match : matches) count += match.unexplained_ticks;
  return count;
}

std::vector<WrongCommand> Inference::wrong_commands(const formats::Recording& recording) const {
  std::vector<WrongCommand> wrong;
  for (std::size_t m = 0; m < std::min(matches.size(), recording.matches.size()); ++m) {
    const InferredMatch& inferred = matches[m];
    const Timeline timeline(recording.matches[m], inferred.first_tick_num);
    for (std::size_t tick = 0; tick < inferred.commands.size(); ++tick) {
      const formats::RecordedTick* recorded = timeline.at(tick);
      if (recorded == nullptr || inferred.fitting[tick] == 0) continue;
      if ((inferred.fitting[tick] & set_of_recorded(recorded->commands)) != 0) continue;
      for (const engine::Player player : engine::kPlayers) {
        const auto command = recorded->commands[index_of(player)];
        const auto fitting = inferred.commands[tick][index_of(player)];
        if (command && command != fitting) wrong.push_back({m, recorded->tick_num, player, *command, fitting});
      }
    }
  }
  return wrong;
}

Inference infer_commands(const formats::Recording& recording, engine::Physics physics, std::size_t tick_limit,
                         const ReplayProgress& progress) {
  Inference inference;
  World world(physics);
  std::int64_t tick_num = 0;
  std::size_t done = 0;
  for (std::size_t m = 0; m < recording.matches.size(); ++m) {
    const formats::RecordedMatch& match = recording.matches[m];
    if (tick_limit != 0 && done >= tick_limit) break;
    world.begin_match(match.setup);
    MatchInferrer inferrer(world, match, tick_num, [&](std::size_t tick) {
      if (progress) progress(done + tick);
    });
    inference.matches.push_back(inferrer.run(tick_limit == 0 ? 0 : tick_limit - done));
    inference.matches.back().first_tick_num = tick_num;
    done += inference.matches.back().commands.size();
    while (!world.takes_commands() && !world.match_over()) world.step({});  // rest ticks that the log lacks
    const auto end = world.match_over() ? std::optional(tick_num + world.tick()) : std::nullopt;
    tick_num = first_tick_num_after(recording, m, end).value_or(tick_num + world.tick());
  }
  return inference;
}

Arithmetic infer_arithmetic(const formats::Recording& recording) {
  if (!is_available(Arithmetic::referee)) return Arithmetic::strict;
  const auto unexplained = [&](Arithmetic arithmetic) {
    return infer_commands(recording, engine::fastest_physics(arithmetic), kArithmeticTicks).unexplained_ticks();
  };
  return unexplained(Arithmetic::strict) <= unexplained(Arithmetic::referee) ? Arithmetic::strict : Arithmetic::referee;
}

formats::Recording with_commands(formats::Recording recording, const Inference& inference) {
  recording.has_commands = true;
  recording.commands_by_tick_num.clear();
  for (std::size_t m = 0; m < recording.matches.size(); ++m) {
    std::vector<formats::RecordedTick>& ticks = recording.matches[m].ticks;
    for (formats::RecordedTick& tick : ticks) tick.commands = {};
    if (m >= inference.matches.size()) continue;
    const InferredMatch& inferred = inference.matches[m];
    for (formats::RecordedTick& tick : ticks) {
      const auto index = static_cast<std::size_t>(tick.tick_num - inferred.first_tick_num);
      if (index < inferred.commands.size()) tick.commands = inferred.commands[index];
    }
    recording.commands_by_tick_num.resize(static_cast<std::size_t>(inferred.first_tick_num));
    recording.commands_by_tick_num.insert(recording.commands_by_tick_num.end(), inferred.commands.begin(),
                                          inferred.commands.end());
  }
  return recording;
}

}  // namespace forkmunk::replay
