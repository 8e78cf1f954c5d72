// SPDX-License-Identifier: MIT

#include "fit.h"

#include <forkmunk/engine/game.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/replay/replay.h>

#include <algorithm>
#include <cmath>

namespace forkmunk::replay {
namespace {

using engine::Commands;
using engine::Player;
using engine::World;

// A wrong arithmetic diverges within these ticks, even after a long fall.
constexpr std::size_t kDetectionTicks = 1000;
constexpr std::size_t kReplayProgressTicks = 512;

class Replayer {
 public:
  Replayer(const formats::Recording& recording, engine::Physics physics, std::size_t tick_limit,
           const ReplayProgress& progress)
      : recording_(recording), world_(physics), tick_limit_(tick_limit), progress_(progress) {}

  ReplayReport run() {
    if (!recording_.matches.empty()) lives_ = recording_.matches.front().lives;
    for (match_ = 0; match_ < recording_.matches.size() && !stopped(); ++match_) replay_match();
    if (!stopped() && differs_before_tick_) count(true);  // the last match may have no ticks
    if (!stopped() && !recording_.matches.empty()) check_final_lives();
    return std::move(report_);
  }

 private:
  [[nodiscard]] bool stopped() const { return tick_limit_ != 0 && report_.tick_count >= tick_limit_; }

  void replay_match() {
    const formats::RecordedMatch& match = recording_.matches[match_];
    match_start_ = tick_num_;
    world_.begin_match(match.setup);
    differs_before_tick_ = lives_differ("lives.", match.lives);
    for (const formats::RecordedTick& tick : match.ticks) {
      if (stopped()) return;
      if (++report_.tick_count % kReplayProgressTicks == 0 && progress_) progress_(report_.tick_count);
      replay_tick(tick);
    }
    finish_match();
    if (!world_.match_over()) return;
    engine::settle_lives(world_, lives_);
    tick_num_ = first_tick_num_after(recording_, match_, tick_num_).value();
  }

  void replay_tick(const formats::RecordedTick& tick) {
    while (tick.tick_num > tick_num_ && !world_.match_over()) skip_missing_tick();
    if (tick.tick_num != tick_num_ || world_.match_over()) {
      note("tick_num", static_cast<double>(tick.tick_num), std::nullopt);
      return count(true);
    }
    count(compare(tick));
    last_commands_ = formats::played(tick.commands);
    step();
  }

  // Steps with the file's commands for the tick, or else the last commands.
  void skip_missing_tick() {
    lack_tick();
    const auto index = static_cast<std::size_t>(tick_num_);
    if (index < recording_.commands_by_tick_num.size())
      last_commands_ = formats::played(recording_.commands_by_tick_num[index]);
    step();
  }

  void step() {
    world_.step(last_commands_);
    ++tick_num_;
  }

  // The replay must end too, unless the recording was truncated, or the game was aborted at the limit of ticks or
  // because the state diverged.
  void finish_match() {
    const bool last = match_ + 1 == recording_.matches.size();
    if (last && (!recording_.ended() || tick_num_ >= engine::kGameTicksMax || !world_.is_finite())) return;
    if (world_.takes_commands()) lack_end();
    while (!world_.takes_commands() && !world_.match_over()) skip_missing_tick();
  }

  // No player died, so at least one tick is missing, and all up to the next match's first.
  void lack_end() {
    lack_tick();
    const auto next = first_tick_num_after(recording_, match_, std::nullopt);
    while (next && tick_num_ < *next && ++tick_num_ < *next) lack_tick();
  }

  void check_final_lives() {
    if (!recording_.ended()) return;
    match_ = recording_.matches.size() - 1;
    tick_num_ = std::max<std::int64_t>(tick_num_ - 1, match_start_);
    if (lives_differ("end_game.", *recording_.final_lives) && !last_tick_differs_) ++report_.mismatching_ticks;
  }

  void lack_tick() {
    note("tick_num", std::nullopt, static_cast<double>(tick_num_));
    ++report_.tick_count;
    count(true);
  }

  void count(bool differs) {
    last_tick_differs_ = differs || differs_before_tick_;
    differs_before_tick_ = false;
    if (last_tick_differs_) ++report_.mismatching_ticks;
  }

  bool compare(const formats::RecordedTick& tick) {
    bool differ = false;
    for (const Player player : engine::kPlayers) {
      const std::size_t i = engine::index_of(player);
      const formats::RecordedCar& recorded = tick.cars[i];
      const std::string_view prefix = i == 0 ? "cars.1" : "cars.2";
      for_each_number(recorded, world_.car(player), [&](std::string_view name, double expected, double found) {
        if (expected != found) differ |= differs(std::string(prefix).append(name), expected, found);
      });
    }
    for_each_flag(tick.cars, world_, [&](const char* value, double expected, double found) {
      if (expected == found) return;
      note(value, expected, found);
      differ = true;
    });
    return differs("deadline_position", tick.deadline_position, world_.deadline_y()) || differ;
  }

  bool lives_differ(const std::string& name, const engine::Lives& recorded) {
    for (std::size_t i = 0; i < 2; ++i) {
      if (recorded[i] != lives_[i]) note(name + std::to_string(i + 1), recorded[i], lives_[i]);
    }
    return recorded != lives_;
  }

  bool differs(std::string value, double expected, double found) {
    if (expected == found) return false;
    const double error = std::abs(expected - found);
    report_.max_error = std::max(report_.max_error, std::isnan(error) ? INFINITY : error);
    note(std::move(value), expected, found);
    return true;
  }

  void note(std::string value, std::optional<double> expected, std::optional<double> found) {
    if (report_.first_mismatch) return;
    report_.first_mismatch = Mismatch{match_, tick_num_, tick_num_ - match_start_, std::move(value), expected, found};
  }

  const formats::Recording& recording_;
  World world_;
  std::size_t tick_limit_;
  const ReplayProgress& progress_;
  ReplayReport report_;
  std::size_t match_ = 0;
  std::int64_t tick_num_ = 0;
  std::int64_t match_start_ = 0;
  engine::Lives lives_{};
  bool differs_before_tick_ = false;  // the lives differ at a match's start
  bool last_tick_differs_ = false;
  Commands last_commands_;
};

}  // namespace

ReplayReport replay(const formats::Recording& recording, engine::Physics physics, std::size_t tick_limit,
                    const ReplayProgress& progress) {
  return Replayer(recording, physics, tick_limit, progress).run();
}

Arithmetic detect_arithmetic(const formats::Recording& recording) {
  if (!is_available(Arithmetic::referee)) return Arithmetic::strict;
  const auto mismatches = [&](Arithmetic arithmetic) {
    return replay(recording, engine::fastest_physics(arithmetic), kDetectionTicks).mismatching_ticks;
  };
  return mismatches(Arithmetic::strict) <= mismatches(Arithmetic::referee) ? Arithmetic::strict : Arithmetic::referee;
}

}  // namespace forkmunk::replay
