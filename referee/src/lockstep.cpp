#include <forkmunk/referee/lockstep.h>

namespace forkmunk::referee {

using engine::Physics;

Lockstep::Lockstep()
    : chipmunk_(Physics::chipmunk()), flat_(Physics::flat()) {}

void Lockstep::begin_match(const engine::MatchSetup& setup) {
  chipmunk_.begin_match(setup);
  flat_.begin_match(setup);
  ++match_count_;
  compare();
}

bool Lockstep::step(engine::Commands commands) {
  chipmunk_.step(commands);
  flat_.step(commands);
  ++tick_count_;
  return compare();
}

bool Lockstep::compare() {
  if (chipmunk_.hash() == flat_.hash()) return !difference_;
  if (difference_) return false;
  const auto difference = first_difference(chipmunk_, flat_);
  difference_ = EngineDifference{match_count_ - 1, flat_.tick(), difference ? difference->a : "another hash",
                                 difference ? difference->b : "another hash"};
  return false;
}

LockstepReport check_engines(const Recording& recording, const ReplayProgress& progress) {
  Lockstep lockstep;
  for (const RecordedMatch& match : recording.matches) {
    lockstep.begin_match(match.setup);
    for (const RecordedTick& tick : match.ticks) {
      if (!lockstep.step(played(tick.commands))) break;
      if (progress && lockstep.tick_count() % 512 == 0) progress(lockstep.tick_count());
    }
    if (lockstep.difference()) break;
  }
  return {lockstep.tick_count(), lockstep.difference()};
}

}  // namespace forkmunk::referee
