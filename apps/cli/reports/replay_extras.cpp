#include "apps/cli/reports/replay_extras.h"

#include <forkmunk/replay/replay.h>
#include <forkmunk/replay/tolerance.h>

#include <sstream>

namespace forkmunk::reports {
namespace {

using replay::InferredMatch;

char letter(const std::optional<engine::Command>& command) {
  if (!command) return '-';
  return *command == engine::Command::left ? 'L' : *command == engine::Command::stop ? 'S' : 'R';
}

/// Inferred commands, a letter per tick event.
std::array<std::string, 2> letters(const formats::Recording& recording, const std::vector<InferredMatch>& inferred) {
  std::array<std::string, 2> result;
  for (std::size_t m = 0; m < recording.matches.size(); ++m) {
    for (const formats::RecordedTick& tick : recording.matches[m].ticks) {
      const auto at = static_cast<std::size_t>(tick.tick_num - inferred[m].first_tick_num);
      for (std::size_t i = 0; i < 2; ++i) {
        result[i] += at < inferred[m].commands.size() ? letter(inferred[m].commands[at][i]) : '-';
      }
    }
  }
  return result;
}

/// Replays a game that its known commands reproduce exactly.
class Walk {
 public:
  Walk(const formats::Recording& recording, const replay::Verification& verification, ReplayExtras& extras)
      : recording_(recording),
        commands_(commands_of(recording, verification).by_tick_num),
        world_(verification.physics),
        carries_(arithmetic_of(verification.physics) == Arithmetic::referee),
        extras_(extras) {}

  void run() {
    for (const formats::RecordedMatch& match : recording_.matches) {
      world_.begin_match(match.setup);
      for (std::size_t tick = 0; tick < match.ticks.size(); ++tick, ++index_) {
        if (carries_ && tick % kCarriedTicks == 0) carry();
        world_.step(index_ < commands_.size() ? formats::played(commands_[index_]) : engine::Commands{});
      }
      add_causes(match);
    }
  }

 private:
  void carry() {
    strict_.take_over(world_);
    std::ostringstream bytes;
    strict_.save().write(bytes);
    extras_.states.push_back({index_, bytes.str()});
  }

  // The step after the last tick of a truncated log may kill a player who is alive in the log.
  void add_causes(const formats::RecordedMatch& match) {
    const bool has_flags = match.has_alive_flags();
    std::array<engine::DeathCause, 2> causes{};
    for (const engine::Player player : engine::kPlayers) {
      const std::size_t i = engine::index_of(player);
      const bool lives = has_flags && (match.ticks.empty() || match.ticks.back().cars[i].alive.value_or(true));
      if (!lives) causes[i] = world_.cause_of_death(player);
    }
    extras_.causes.push_back(causes);
  }

  const formats::Recording& recording_;
  std::vector<formats::RecordedCommands> commands_;
  engine::World world_;
  engine::World strict_;
  bool carries_;
  std::size_t index_ = 0;
  ReplayExtras& extras_;
};

}  // namespace

ReplayExtras replay_extras(const formats::Recording& recording, const replay::ReplayProgress& progress) {
  const auto show = [&](const char*, std::size_t done) {
    if (progress) progress(done);
  };
  const replay::Verification verification = replay::verify(recording, {}, {}, show);
  ReplayExtras extras;
  extras.verdict = NativeVerdict{arithmetic_of(verification.physics), verification.mismatching_ticks(),
                                 verification.replay->first_mismatch};
  if (extras.verdict->mismatching_ticks == 0) {
    Walk(recording, verification, extras).run();
    if (!recording.has_commands) extras.commands = letters(recording, verification.inferred);
    return extras;
  }
  // A recording of another build: followed within a tolerance.
  const replay::TolerantReplay followed =
      replay::replay_tolerantly(recording, verification.physics, replay::kToleranceDefault, progress);
  for (const formats::MatchOutcome& outcome : replay::match_outcomes(recording, followed))
    extras.causes.push_back(outcome.cause);
  if (recording.has_commands) return extras;
  std::vector<InferredMatch> inferred;
  for (const replay::TolerantMatch& match : followed.matches) inferred.push_back(match.inferred);
  extras.commands = letters(recording, inferred);
  return extras;
}

}  // namespace forkmunk::reports
