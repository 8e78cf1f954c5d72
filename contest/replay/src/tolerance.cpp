// SPDX-License-Identifier: MIT
#include "fit.h"

#include <forkmunk/replay/tolerance.h>

#include <algorithm>

namespace forkmunk::replay {
namespace {

using engine::Command;
using engine::Commands;
using engine::Player;
using engine::Snapshot;
using engine::World;

bool any_dead(const formats::RecordedTick& tick) {
  return std::ranges::any_of(tick.cars, [](const formats::RecordedCar& car) { return car.alive == false; });
}

/// \pre the world is at the match's first tick.
class MatchFollower {
 public:
  MatchFollower(World& world, const formats::RecordedMatch& match, std::int64_t first_tick_num, double tolerance)
      : world_(world), timeline_(match, first_tick_num), tolerance_(tolerance) {
    result_.inferred.first_tick_num = first_tick_num;
    result_.deaths_recorded = match.has_alive_flags();
    for (std::size_t tick = 0; tick < timeline_.size(); ++tick) note_recorded_deaths(tick);
  }

  TolerantMatch run(const ReplayProgress& progress) {
    for (std::size_t tick = 0; tick < timeline_.size() && !world_.match_over(); ++tick) {
      if (const formats::RecordedTick* recorded = timeline_.at(tick)) compare(*recorded);
      note_replayed_death();
      choose_and_step(tick);
      if (tick % kProgressTicks == 0) progress(tick);
    }
    // The match ends after the replay's rest. A late death gets the ticks of its tolerance.
    for (std::int64_t late = 0; !world_.match_over(); ++late) {
      note_replayed_death();
      if (world_.takes_commands() && late > kDeathTicksTolerance) break;
      world_.step(last_);
    }
    result_.replayed_losers = {world_.dead(Player::first), world_.dead(Player::second)};
    result_.causes = {world_.cause_of_death(Player::first), world_.cause_of_death(Player::second)};
    summarise_errors();
    return result_;
  }

  /// The match ends after the recorded death, if any, and the replay's rest.
  [[nodiscard]] std::optional<std::int64_t> end() const {
    if (!world_.match_over()) return std::nullopt;
    const std::int64_t death = result_.replayed_death.value_or(world_.tick());
    return world_.tick() + result_.recorded_death.value_or(death) - death;
  }

 private:
  // The replay may end before the recording's deaths.
  void note_recorded_deaths(std::size_t tick) {
    const formats::RecordedTick* recorded = timeline_.at(tick);
    if (recorded == nullptr || !any_dead(*recorded)) return;
    if (!result_.recorded_death) result_.recorded_death = static_cast<std::int64_t>(tick);
    for (std::size_t i = 0; i < 2; ++i) {
      if (recorded->cars[i].alive == false) result_.recorded_losers[i] = true;
    }
  }

  void compare(const formats::RecordedTick& recorded) {
    const double error = fit_of(world_, recorded.cars).error();
    errors_.push_back(error);
    const std::int64_t tick = world_.tick();
    const bool near_death = result_.recorded_death && std::abs(tick - *result_.recorded_death) <= kDeathTicksTolerance;
    bool differs = false;
    const auto check = [&](std::string_view value, double expected, double found) {
      if (expected == found || (near_death && value.ends_with(".alive"))) return;
      differs = true;
      if (result_.first_mismatch) return;
      result_.first_mismatch = Mismatch{0, recorded.tick_num, tick, std::string(value), expected, found};
    };
    for_each_flag(recorded.cars, world_, check);
    check("deadline_position", recorded.deadline_position, world_.deadline_y());
    result_.wrong_flags += differs ? 1 : 0;
    if (error > tolerance_) resynchronise(recorded);
  }

  void resynchronise(const formats::RecordedTick& recorded) {
    ++result_.resyncs;
    set_poses(world_, recorded.cars);
  }

  void note_replayed_death() {
    if (!world_.takes_commands() && !result_.replayed_death) result_.replayed_death = world_.tick();
  }

  void choose_and_step(std::size_t tick) {
    const formats::RecordedTick* recorded = timeline_.at(tick);
    // Without alive flags the replay's decide: commands after a death were not applied.
    const bool has_flags = recorded != nullptr && result_.deaths_recorded;
    if (has_flags ? any_dead(*recorded) : !world_.takes_commands()) {
      result_.inferred.commands.push_back({});
      result_.inferred.fitting.push_back(0);
    } else {
      if (const formats::RecordedTick* evidence = timeline_.at(tick + 2)) {
        last_ = choose(*evidence);
      } else {
        result_.unsure_commands += 2;
      }
      result_.inferred.commands.push_back({last_.first, last_.second});
      result_.inferred.fitting.push_back(set_of(last_));
    }
    world_.step(last_);
  }

  // Errors are per car, so that one car's drift does not hide the command of the other.
  Commands choose(const formats::RecordedTick& evidence) {
    world_.save(here_);
    std::array<std::array<Fit, 3>, 3> fits{};  // by both players' commands
    Commands lead = last_;
    double least = HUGE_VAL;
    for (const Commands candidate : all_commands(last_)) {
      world_.restore(here_);
      world_.step(candidate);
      world_.step({});
      const Fit fit = fit_of(world_, evidence.cars);
      fits[index_of(candidate.first)][index_of(candidate.second)] = fit;
      const double error = fit.max_error[0] + fit.max_error[1];
      if (error < least) {
        least = error;
        lead = candidate;
      }
    }
    world_.restore(here_);
    const auto error_of = [&](Player player, Commands commands) {
      return fits[index_of(commands.first)][index_of(commands.second)].max_error[engine::index_of(player)];
    };
    for (const Player player : engine::kPlayers) {
      double second = HUGE_VAL;
      for (const Command other : engine::kCommands) {
        Commands commands = lead;
        Command& own = of(commands, player);
        if (own == other) continue;
        own = other;
        second = std::min(second, error_of(player, commands));
      }
      const double best = error_of(player, lead);
      ++(second > kSureRatio * best ? result_.sure_commands : result_.unsure_commands);
    }
    return lead;
  }

  static std::size_t index_of(Command command) { return static_cast<std::size_t>(command); }

  void summarise_errors() {
    result_.compared_ticks = errors_.size();
    if (errors_.empty()) return;
    std::ranges::sort(errors_);
    const auto quantile = [&](double share) {
      return errors_[static_cast<std::size_t>(share * static_cast<double>(errors_.size() - 1))];
    };
    result_.error_quantiles = {quantile(0.5), quantile(0.9), quantile(0.99), errors_.back()};
  }

  World& world_;
  Timeline timeline_;
  double tolerance_;
  TolerantMatch result_;
  std::vector<double> errors_;
  Snapshot here_;
  Commands last_;
};

template <typename Member>
std::size_t sum(const std::vector<TolerantMatch>& matches, Member member) {
  std::size_t total = 0;
  for (const TolerantMatch& match : matches) total += match.*member;
  return total;
}

}  // namespace

bool TolerantMatch::same_end() const noexcept {
  if (!deaths_recorded) return true;
  if (recorded_losers != replayed_losers || recorded_death.has_value() != replayed_death.has_value()) return false;
  return !recorded_death || std::abs(*recorded_death - *replayed_death) <= kDeathTicksTolerance;
}

Inference TolerantReplay::inference() const {
  Inference inference;
  for (const TolerantMatch& match : matches) inference.matches.push_back(match.inferred);
  return inference;
}

std::size_t TolerantReplay::sure_commands() const noexcept { return sum(matches, &TolerantMatch::sure_commands); }
std::size_t TolerantReplay::unsure_commands() const noexcept { return sum(matches, &TolerantMatch::unsure_commands); }
std::size_t TolerantReplay::resyncs() const noexcept { return sum(matches, &TolerantMatch::resyncs); }

double TolerantReplay::max_error() const noexcept {
  double error = 0;
  for (const TolerantMatch& match : matches) error = std::max(error, match.error_quantiles.max);
  return error;
}

bool TolerantReplay::same_ends() const noexcept { return std::ranges::all_of(matches, &TolerantMatch::same_end); }

std::size_t TolerantReplay::wrong_flags() const noexcept { return sum(matches, &TolerantMatch::wrong_flags); }

std::optional<Mismatch> TolerantReplay::first_mismatch() const {
  for (const TolerantMatch& match : matches) {
    if (match.first_mismatch) return match.first_mismatch;
  }
  return std::nullopt;
}

TolerantReplay replay_tolerantly(const formats::Recording& recording, engine::Physics physics, double tolerance,
                                 const ReplayProgress& progress) {
  TolerantReplay replay;
  World world(physics);
  std::int64_t tick_num = 0;
  std::size_t done = 0;
  for (std::size_t m = 0; m < recording.matches.size(); ++m) {
    const formats::RecordedMatch& match = recording.matches[m];
    world.begin_match(match.setup);
    MatchFollower follower(world, match, tick_num, tolerance);
    replay.matches.push_back(follower.run([&](std::size_t tick) {
      if (progress) progress(done + tick);
    }));
    if (auto& mismatch = replay.matches.back().first_mismatch) mismatch->match = m;
    done += match.ticks.size();
    std::optional<std::int64_t> end = follower.end();
    if (!replay.matches.back().deaths_recorded) end.reset();  // the replay's end may be some ticks off
    if (end) *end += tick_num;
    tick_num = first_tick_num_after(recording, m, end)
                   .value_or(match.ticks.empty() ? tick_num : match.ticks.back().tick_num + 1);
  }
  return replay;
}

using formats::MatchOutcome;

std::vector<MatchOutcome> match_outcomes(const formats::Recording& recording) {
  return match_outcomes(recording, replay_tolerantly(recording, engine::fastest_physics(infer_arithmetic(recording))));
}

std::vector<MatchOutcome> match_outcomes(const formats::Recording& recording, const TolerantReplay& followed) {
  std::vector<MatchOutcome> outcomes;
  for (std::size_t m = 0; m < recording.matches.size(); ++m) {
    const formats::RecordedMatch& match = recording.matches[m];
    const TolerantMatch& replay = followed.matches[m];
    MatchOutcome& outcome = outcomes.emplace_back();
    outcome.ticks = static_cast<int>(match.ticks.size());
    outcome.died = replay.deaths_recorded ? replay.recorded_losers : replay.replayed_losers;
    for (std::size_t i = 0; i < 2; ++i) {
      if (outcome.died[i]) outcome.cause[i] = replay.causes[i];
    }
  }
  return outcomes;
}

}  // namespace forkmunk::replay
