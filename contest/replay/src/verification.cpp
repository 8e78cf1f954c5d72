#include <forkmunk/base/error.h>
#include <forkmunk/replay/verification.h>

#include <bit>

namespace forkmunk::replay {
namespace {

using formats::Recording;

class Verifier {
 public:
  Verifier(const VerifyOptions& options, const SceneNamer& name, const VerifyProgress& progress)
      : options_(options), name_(name), progress_(progress) {}

  Verification run(Recording recording) {
    if (recording.tick_count() == 0) throw Error("the recording has no ticks");
    report_.tick_count = recording.tick_count();
    report_.match_count = recording.matches.size();
    report_.ended = recording.ended();
    const bool has_commands = recording.has_commands && !options_.ignore_commands;
    const Recording original = options_.tracker && !has_commands ? recording : Recording{};
    if (options_.tolerance) {
      follow(recording);
    } else if (recording.has_commands && !options_.ignore_commands) {
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
  // The given physics, or else those that fit.
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
    choose_physics(detect_arithmetic, recording);
    replay_exactly(recording);
  }

  void replay_exactly(const Recording& recording) {
    report_.replay = replay(recording, report_.physics, 0, show("replaying"));
    report_.tick_count = report_.replay->tick_count;
    if (report_.replay->first_mismatch) {
      report_.first_mismatch_scene = name_of(recording.matches[report_.replay->first_mismatch->match].setup);
    }
  }

  // Verifies the inferred commands by an exact replay.
  void infer(Recording& recording) {
    choose_physics(infer_arithmetic, recording);
    report_.commands = CommandSource::inferred;
    Inference inference = infer_commands(recording, report_.physics, 0, show("inferring"));
    if (recording.has_commands) report_.wrong_commands = inference.wrong_commands(recording);
    report_.ambiguous_ticks = inference.ambiguous_ticks();
    recording = with_commands(std::move(recording), inference);
    replay_exactly(recording);
    report_.inferred = std::move(inference.matches);
  }

  // Infers the commands in the arithmetic that fits the recording, even if another one is verified; within a tolerance
  // if the recording is of another build.
  [[nodiscard]] Recording played(const Recording& recording) const {
    const engine::Physics own = engine::fastest_physics(infer_arithmetic(recording));
    Recording exact = with_commands(recording, infer_commands(recording, own, 0, show("inferring")));
    if (replay(exact, own, 0, show("replaying")).mismatching_ticks == 0) return exact;
    Inference inference;
    for (const TolerantMatch& match : replay_tolerantly(recording, own, kToleranceDefault, show("following")).matches) {
      inference.matches.push_back(match.inferred);
    }
    return with_commands(recording, inference);
  }

  void follow(Recording& recording) {
    choose_physics(infer_arithmetic, recording);
    report_.commands = CommandSource::inferred;
    report_.tolerance = options_.tolerance;
    report_.followed = replay_tolerantly(recording, report_.physics, *options_.tolerance, show("following"));
    Inference inference;
    for (std::size_t m = 0; m < recording.matches.size(); ++m) {
      report_.scenes.push_back(name_of(recording.matches[m].setup));
      inference.matches.push_back(report_.followed->matches[m].inferred);
    }
    if (recording.has_commands) report_.wrong_commands = inference.wrong_commands(recording);
    recording = with_commands(std::move(recording), inference);
    report_.inferred = std::move(inference.matches);
  }

  [[nodiscard]] std::string name_of(const engine::MatchSetup& setup) const {
    return name_ ? name_(setup) : std::string();
  }

  [[nodiscard]] ReplayProgress show(const char* what) const {
    if (!progress_) return {};
    return [this, what](std::size_t done) { progress_(what, done); };
  }

  const VerifyOptions& options_;
  const SceneNamer& name_;
  const VerifyProgress& progress_;
  Verification report_;
};

}  // namespace

bool Verification::good() const {
  if (replay && replay->mismatching_ticks > 0) return false;
  if (followed && !followed->same_ends()) return false;
  if (wrong_commands.value_or(0) > 0 && !followed) return false;
  if (lockstep && lockstep->difference) return false;
  return (!clones || clones->mismatching_ticks == 0) && (!tracker || tracker->wrong() == 0);
}

std::size_t Verification::mismatching_ticks() const {
  if (replay) return replay->mismatching_ticks;
  std::size_t count = 0;
  if (followed) {
    for (const TolerantMatch& match : followed->matches) count += match.wrong_flags;
  }
  return count;
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

Verification verify(Recording recording, const VerifyOptions& options, const SceneNamer& name,
                    const VerifyProgress& progress) {
  return Verifier(options, name, progress).run(std::move(recording));
}

}  // namespace forkmunk::replay
