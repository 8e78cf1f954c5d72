#include <forkmunk/engine/world.h>
#include <forkmunk/replay/replay.h>
#include <forkmunk/replay/tolerance.h>
#include <forkmunk/replay/tracker.h>

#include <algorithm>
#include <vector>

namespace forkmunk::replay {
namespace {

using engine::Command;
using engine::Commands;
using engine::Player;
using engine::World;

// Without a command the motors keep their rates: the tracker knows the command before it.
Command known_as(Command command, const std::vector<Command>& before) {
  if (command != Command::none) return command;
  return before.empty() ? Command::stop : before.back();
}

/// Sends one match to a tracker, and compares it with a world that is stepped with all commands.
class MatchCheck {
 public:
  MatchCheck(Tracker& tracker, World& truth, Player me, TrackerReport& report)
      : tracker_(tracker), truth_(truth), me_(me), report_(report) {}

  void run(const formats::RecordedMatch& match) {
    truth_.begin_match(match.setup);
    tracker_.receive(formats::message_for(me_, match));
    if (tracker_.world().hash() != truth_.hash()) ++report_.wrong_starts;
    for (const formats::RecordedTick& tick : match.ticks) {
      if (truth_.takes_commands()) {  // rest ticks have no messages
        ++report_.message_count;
        tracker_.receive(formats::message_for(me_, tick));
        check_state();
        if (const auto own = tick.commands[index_of(me_)]) tracker_.answered(*own);
        if (report_.message_count % 2 == 0) tracker_.prepare();  // the results are the same
      }
      truth_.save(before_);
      before_hash_ = truth_.hash();
      before_commands_ = commands_;
      commands_ = formats::played(tick.commands);
      if (truth_.takes_commands()) opponents_.push_back(known_as(opponents_command(commands_), opponents_));
      truth_.step(commands_);
    }
    check_commands();
  }

 private:
  [[nodiscard]] Command opponents_command(Commands commands) const {
    return me_ == Player::first ? commands.second : commands.first;
  }

  void check_state() {
    World& world = tracker_.world();
    if (!tracker_.problem().empty()) ++report_.problem_count;
    const std::uint64_t truth_hash = truth_.hash();
    const std::uint64_t leader_hash = world.hash();
    const bool first_tick = truth_.tick() == 0;

    bool found = false;
    for (std::size_t i = 0; i < tracker_.candidate_count(); ++i) {
      world.restore(tracker_.candidate(i));
      found = found || world.hash() == truth_hash;
    }
    if (!found || tracker_.candidate_count() > 3) ++report_.wrong_candidates;
    if (!first_tick) {
      const engine::Snapshot* settled = tracker_.settled();
      if (settled != nullptr) world.restore(*settled);
      if (settled == nullptr || world.hash() != before_hash_) ++report_.wrong_settled;
      if (leader_hash != hash_if_repeated()) ++report_.wrong_worlds;
    }
    world.restore(tracker_.candidate(0));
  }

  // The state now if the opponent repeated its last known command, that of the tick before the last.
  [[nodiscard]] std::uint64_t hash_if_repeated() {
    truth_.save(now_);
    truth_.restore(before_);
    Commands repeated = commands_;
    const Command last_known = truth_.tick() == 0 ? Command::stop : opponents_command(before_commands_);
    (me_ == Player::first ? repeated.second : repeated.first) = last_known;
    truth_.step(repeated);
    const std::uint64_t hash = truth_.hash();
    truth_.restore(now_);
    return hash;
  }

  // All but the last two of a match are known.
  void check_commands() {
    const auto known = tracker_.opponent_commands();
    const std::size_t shown = opponents_.size() < 2 ? 0 : opponents_.size() - 2;
    if (known.size() != shown) ++report_.wrong_commands;
    for (std::size_t i = 0; i < std::min(known.size(), shown); ++i) {
      if (known[i] != opponents_[i]) ++report_.wrong_commands;
    }
  }

  Tracker& tracker_;
  World& truth_;
  Player me_;
  TrackerReport& report_;
  engine::Snapshot before_, now_;
  std::uint64_t before_hash_ = 0;
  Commands commands_, before_commands_;  // of the last tick and of the one before
  std::vector<Command> opponents_;
};

// Sends one match of another build to a tracker; there is no exact world to compare with.
void follow_match(Tracker& tracker, const formats::RecordedMatch& match, Player me, TrackerReport& report) {
  tracker.receive(formats::message_for(me, match));
  std::vector<Command> opponents;
  for (const formats::RecordedTick& tick : match.ticks) {
    const auto is_dead = [](const formats::RecordedCar& car) { return car.alive == false; };
    if (std::ranges::any_of(tick.cars, is_dead)) break;  // rest ticks have no messages
    ++report.message_count;
    tracker.receive(formats::message_for(me, tick));
    if (!tracker.problem().empty()) ++report.problem_count;
    if (tracker.error() > kToleranceDefault) ++report.strayed_count;
    if (const auto own = tick.commands[index_of(me)]) tracker.answered(*own);
    if (report.message_count % 2 == 0) tracker.prepare();
    const Commands played = formats::played(tick.commands);
    opponents.push_back(known_as(me == Player::first ? played.second : played.first, opponents));
  }
  const auto known = tracker.opponent_commands();
  for (std::size_t i = 0; i < std::min(known.size(), opponents.size()); ++i) {
    if (tracker.sure()[i] == 0) {
      ++report.unsure_commands;
    } else if (known[i] != opponents[i]) {
      ++report.wrong_commands;
    }
  }
}

}  // namespace

TrackerReport check_tracker(const formats::Recording& recording, engine::Physics physics,
                            const ReplayProgress& progress) {
  TrackerReport report;
  const bool exact = replay(recording, physics).mismatching_ticks == 0;
  std::vector<bool> resynced(recording.matches.size());
  for (const Player me : engine::kPlayers) {
    Tracker tracker(physics);
    World truth(physics);
    for (std::size_t m = 0; m < recording.matches.size(); ++m) {
      const std::size_t before = tracker.resync_count();
      if (exact) {
        MatchCheck(tracker, truth, me, report).run(recording.matches[m]);
      } else {
        follow_match(tracker, recording.matches[m], me, report);
      }
      if (tracker.resync_count() > before) resynced[m] = true;
      if (progress) progress(report.message_count / 2);
    }
    report.resync_count += tracker.resync_count();
  }
  report.matches_resynced = static_cast<std::size_t>(std::ranges::count(resynced, true));
  return report;
}

}  // namespace forkmunk::replay
