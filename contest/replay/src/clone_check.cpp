#include <forkmunk/base/random.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/replay/replay.h>

#include <algorithm>
#include <vector>

namespace forkmunk::replay {
namespace {

using engine::World;

constexpr std::size_t kCloneEvery = 97;
constexpr std::size_t kBranchTicks = 200;

}  // namespace

CloneReport check_clones(const formats::Recording& recording, engine::Physics physics, const ReplayProgress& progress) {
  CloneReport report;
  World undisturbed(physics);
  World world(physics);
  engine::Snapshot snapshot;
  Random random(97);
  std::size_t done = 0;  // ticks of the game

  for (const formats::RecordedMatch& match : recording.matches) {
    undisturbed.begin_match(match.setup);
    world.begin_match(match.setup);
    std::vector<std::uint64_t> hashes;  // after each tick of the match
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

}  // namespace forkmunk::replay
