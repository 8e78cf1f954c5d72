#include <forkmunk/replay/engine_check.h>

namespace forkmunk::replay {

LockstepReport check_engines(const formats::Recording& recording, const ReplayProgress& progress) {
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

}  // namespace forkmunk::replay
