// SPDX-License-Identifier: MIT
#include "fit.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/base/random.h>
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/maps/catalogue.h>
#include <forkmunk/replay/tracker.h>
#include <forkmunk/replay/verification.h>

#include <algorithm>
#include <bit>
#include <span>

namespace forkmunk::replay {
namespace {

using engine::Command;
using engine::Commands;
using engine::Player;
using engine::World;
using formats::Recording;

constexpr std::size_t kCloneEvery = 97;
constexpr std::size_t kBranchTicks = 200;

}  // namespace

CloneReport check_clones(const Recording& recording, engine::Physics physics, const ReplayProgress& progress) {
  CloneReport report;
  World undisturbed(physics);
  World world(physics);
  engine::Snapshot snapshot;
  Random random(97);
  std::size_t done = 0;

  for (const formats::RecordedMatch& match : recording.matches) {
    undisturbed.begin_match(match.setup);
    world.begin_match(match.setup);
    std::vector<std::uint64_t> hashes;  // by tick of the match
    hashes.reserve(match.ticks.size());
    for (const formats::RecordedTick& tick : match.ticks) {
      undisturbed.step(formats::played(tick.commands));
      hashes.push_back(undisturbed.hash());
    }

    const auto follow = [&](World& clone, std::size_t from) {
      const std::size_t end = std::min(from + kBranchTicks, match.ticks.size());
      for (std::size_t i = from; i < end; ++i) {
        clone.step(formats::played(match.ticks[i].commands));
        ++report.compared_ticks;
        if (clone.hash() == hashes[i]) continue;
        ++report.mismatching_ticks;
        if (!report.first_mismatch_tick) report.first_mismatch_tick = match.ticks[i].tick_num;
      }
    };

    for (std::size_t tick = 0; tick < match.ticks.size(); ++tick) {
      if (tick % kCloneEvery == 0) {
        ++report.clone_count;
        world.save(snapshot);
        World twin = world.fork();
        for (std::size_t i = 0; i < kBranchTicks; ++i) {
          world.step({random.pick(engine::kCommands), random.pick(engine::kCommands)});
        }
        world.restore(snapshot);
        follow(world, tick);
        world.restore(snapshot);
        follow(twin, tick);
        if (progress) progress(done + tick);
      }
      world.step(formats::played(match.ticks[tick].commands));
    }
    done += match.ticks.size();
  }
  return report;
}

LockstepReport check_engines(const Recording& recording, const ReplayProgress& progress) {
  engine::Lockstep lockstep;
  for (const formats::RecordedMatch& match : recording.matches) {
    lockstep.begin_match(match.setup);
    for (const formats::RecordedTick& tick : match.ticks) {
      if (!lockstep.step(formats::played(tick.commands))) break;
      if (progress && lockstep.tick_count() % 512 == 0) progress(lockstep.tick_count());
    }
    if (lockstep.difference()) break;
  }
  return {lockstep.tick_count(), lockstep.difference()};
}

namespace {

// Without a command the motors keep their rates, as by the previous one.
Command known_as(Command command, const std::vector<Command>& before) {
  if (command != Command::none) return command;
  return before.empty() ? Command::stop : before.back();
}

class MatchCheck {
 public:
  MatchCheck(Tracker& tracker, World& truth, Player me, TrackerReport& report)
      : tracker_(tracker), truth_(truth), me_(me), opponent_(opponent_of(me)), report_(report) {}

  void run(const formats::RecordedMatch& match) {
    truth_.begin_match(match.setup);
    tracker_.receive(formats::message_for(me_, match));
    if (tracker_.world().hash() != truth_.hash()) ++report_.wrong_starts;
    for (const formats::RecordedTick& tick : match.ticks) {
      if (truth_.takes_commands()) {
        ++report_.message_count;
        tracker_.receive(formats::message_for(me_, tick));
        check_state();
        const auto own = tick.commands[index_of(me_)];
        if (own) tracker_.answered(*own);
        candidates_max_ = own ? 3 : 9;
        if (report_.message_count % 2 == 0) tracker_.prepare();  // the results must be the same without prepare()
      }
      truth_.save(before_);
      before_hash_ = truth_.hash();
      before_commands_ = commands_;
      commands_ = formats::played(tick.commands);
      if (truth_.takes_commands()) opponents_.push_back(known_as(of(commands_, opponent_), opponents_));
      truth_.step(commands_);
    }
    check_commands();
  }

 private:
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
    if (!found || tracker_.candidate_count() > candidates_max_) ++report_.wrong_candidates;
    if (!first_tick) {
      const engine::Snapshot* settled = tracker_.settled();
      if (settled != nullptr) world.restore(*settled);
      if (settled == nullptr || world.hash() != before_hash_) ++report_.wrong_settled;
      if (leader_hash != hash_if_repeated()) ++report_.wrong_worlds;
    }
    world.restore(tracker_.candidate(0));
  }

  // The last known command is of the tick before the last.
  [[nodiscard]] std::uint64_t hash_if_repeated() {
    truth_.save(now_);
    truth_.restore(before_);
    Commands repeated = commands_;
    of(repeated, opponent_) = truth_.tick() == 0 ? Command::stop : of(before_commands_, opponent_);
    truth_.step(repeated);
    const std::uint64_t hash = truth_.hash();
    truth_.restore(now_);
    return hash;
  }

  // All but the last two commands of a match are known.
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
  Player me_, opponent_;
  TrackerReport& report_;
  std::size_t candidates_max_ = 1;
  engine::Snapshot before_, now_;
  std::uint64_t before_hash_ = 0;
  Commands commands_, before_commands_;  // of the last tick and of the one before
  std::vector<Command> opponents_;
};

// There is no exact world to compare another build with.
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
    Commands played = formats::played(tick.commands);
    opponents.push_back(known_as(of(played, opponent_of(me)), opponents));
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

TrackerReport check_tracker(const Recording& recording, engine::Physics physics, const ReplayProgress& progress) {
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

namespace {

// Ignores the external id. Returns null if there is no such entry.
template <typename Named, typename Setup>
const Named* same_numbers(std::span<const Named> catalogue, Setup setup) {
  for (const Named& named : catalogue) {
    setup.external_id = named.setup.external_id;
    if (setup == named.setup) return &named;
  }
  return nullptr;
}

template <typename Named, typename Setup>
void check_labels(const std::string& what, std::span<const Named> catalogue, const Setup& setup,
                  const std::string& label, std::size_t match, std::vector<LabelProblem>& problems) {
  const Named* const named = same_numbers(catalogue, setup);
  if (named == nullptr) return;
  const std::string found = "the " + what + " is " + std::string(named->name);
  if (setup.external_id != named->setup.external_id) {
    problems.push_back({match, found + ", whose external_id is " + std::to_string(named->setup.external_id) +
                                   "; found " + std::to_string(setup.external_id)});
  }
  // A varied scene keeps the name of the original scene.
  if (!label.empty() && label != named->name) {
    problems.push_back({match, found + "; `matches` names " + printable(label)});
  }
}

}  // namespace

std::vector<LabelProblem> label_problems(const Recording& recording) {
  std::vector<LabelProblem> problems;
  for (std::size_t m = 0; m < recording.matches.size(); ++m) {
    const std::string label = m < recording.match_names.size() ? recording.match_names[m] : std::string();
    const std::size_t comma = std::min(label.find(','), label.size());
    const engine::MatchSetup& setup = recording.matches[m].setup;
    check_labels("map", maps::catalogue(), setup.map, label.substr(0, comma), m, problems);
    check_labels("car", cars::catalogue(), setup.car, label.substr(std::min(comma + 1, label.size())), m, problems);
  }
  return problems;
}

namespace {

class Verifier {
 public:
  Verifier(const VerifyOptions& options, const VerifyProgress& progress) : options_(options), progress_(progress) {}

  Verification run(Recording recording) {
    if (recording.tick_count() == 0) throw Error("the recording has no ticks");
    report_.tick_count = recording.tick_count();
    report_.match_count = recording.matches.size();
    report_.ended = recording.ended();
    report_.label_problems = label_problems(recording);
    const bool has_commands = recording.has_commands && !options_.ignore_commands;
    const Recording original = options_.tracker && !has_commands ? recording : Recording{};
    if (has_commands && !options_.tolerance) {
      by_own_commands(recording);
    } else {
      infer(recording);
    }
    if (options_.both_engines) report_.lockstep = check_engines(recording, show("in lockstep"));
    if (options_.clones) report_.clones = check_clones(recording, report_.physics, show("cloning along"));
    if (options_.tracker) {
      const bool has_all = has_commands || (report_.replay && report_.replay->mismatching_ticks == 0);
      report_.tracker = check_tracker(has_all ? recording : played(original), report_.physics, show("tracking"));
    }
    return std::move(report_);
  }

 private:
  void choose_physics(Arithmetic (*fitting)(const Recording&), const Recording& recording) {
    if (options_.physics) {
      report_.physics = *options_.physics;
      return;
    }
    const Arithmetic arithmetic = fitting(recording);
    report_.physics = options_.chipmunk ? engine::chipmunk_physics(arithmetic) : engine::fastest_physics(arithmetic);
  }

  void by_own_commands(const Recording& recording) {
    report_.commands = CommandSource::recorded;
    report_.wrong_commands.emplace();
    choose_physics(detect_arithmetic, recording);
    replay_exactly(recording);
  }

  void replay_exactly(const Recording& recording) {
    report_.replay = replay(recording, report_.physics, 0, show("replaying"));
    report_.tick_count = report_.replay->tick_count;
  }

  // Exactly, or within the tolerance.
  void infer(Recording& recording) {
    choose_physics(infer_arithmetic, recording);
    report_.commands = CommandSource::inferred;
    report_.tolerance = options_.tolerance;
    Inference inference;
    if (options_.tolerance) {
      report_.followed = replay_tolerantly(recording, report_.physics, *options_.tolerance, show("following"));
      inference = report_.followed->inference();
    } else {
      inference = infer_commands(recording, report_.physics, 0, show("inferring"));
      report_.ambiguous_ticks = inference.ambiguous_ticks();
    }
    if (recording.has_commands) report_.wrong_commands = inference.wrong_commands(recording);
    recording = with_commands(std::move(recording), inference);
    if (!options_.tolerance) replay_exactly(recording);
    report_.inferred = std::move(inference.matches);
  }

  // Infers the commands in the arithmetic that fits, even if another one is verified.
  [[nodiscard]] Recording played(const Recording& recording) const {
    const engine::Physics own = engine::fastest_physics(infer_arithmetic(recording));
    Recording exact = with_commands(recording, infer_commands(recording, own, 0, show("inferring")));
    if (replay(exact, own, 0, show("replaying")).mismatching_ticks == 0) return exact;
    return with_commands(recording,
                         replay_tolerantly(recording, own, kToleranceDefault, show("following")).inference());
  }

  [[nodiscard]] ReplayProgress show(const char* what) const {
    if (!progress_) return {};
    return [this, what](std::size_t done) { progress_(what, done); };
  }

  const VerifyOptions& options_;
  const VerifyProgress& progress_;
  Verification report_;
};

}  // namespace

bool Verification::good() const {
  if (mismatching_ticks() > 0 || !label_problems.empty()) return false;
  if (followed && !followed->same_ends()) return false;
  if (wrong_commands && !wrong_commands->empty() && !followed) return false;
  if (lockstep && lockstep->difference) return false;
  return (!clones || clones->mismatching_ticks == 0) && (!tracker || tracker->wrong() == 0);
}

std::size_t Verification::mismatching_ticks() const {
  if (replay) return replay->mismatching_ticks;
  return followed ? followed->wrong_flags() : 0;
}

std::optional<Mismatch> Verification::first_mismatch() const {
  if (replay) return replay->first_mismatch;
  return followed ? followed->first_mismatch() : std::nullopt;
}

GameCommands commands_of(const Recording& recording, const Verification& verification) {
  GameCommands commands;
  const auto set = [&](std::int64_t tick_num, const formats::RecordedCommands& pair) {
    const auto index = static_cast<std::size_t>(tick_num);
    if (commands.by_tick_num.size() <= index) commands.by_tick_num.resize(index + 1);
    commands.by_tick_num[index] = pair;
  };
  for (const InferredMatch& match : verification.inferred) {
    for (std::size_t tick = 0; tick < match.commands.size(); ++tick) {
      const std::int64_t tick_num = match.first_tick_num + static_cast<std::int64_t>(tick);
      set(tick_num, match.commands[tick]);
      if (std::popcount(match.fitting[tick]) > 1)
        commands.ambiguous_ticks.push_back(static_cast<std::size_t>(tick_num));
    }
  }
  if (!verification.inferred.empty()) return commands;
  for (const formats::RecordedMatch& match : recording.matches) {
    for (const formats::RecordedTick& tick : match.ticks) set(tick.tick_num, tick.commands);
  }
  return commands;
}

Verification verify(Recording recording, const VerifyOptions& options, const VerifyProgress& progress) {
  return Verifier(options, progress).run(std::move(recording));
}

}  // namespace forkmunk::replay
