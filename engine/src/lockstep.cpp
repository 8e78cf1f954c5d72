#include "world_implementation.h"

#include <forkmunk/engine/testing/lockstep.h>

namespace forkmunk::engine {

Lockstep::Lockstep() : chipmunk_(Physics::chipmunk), flat_(Physics::flat) {}

void Lockstep::begin_match(const MatchSetup& setup) {
  chipmunk_.begin_match(setup);
  flat_.begin_match(setup);
  ++match_count_;
  for (World& world : group_) world = flat_.fork();
  compare();
}

bool Lockstep::step(Commands commands) {
  chipmunk_.step(commands);
  flat_.step(commands);
  std::array<World*, std::tuple_size_v<decltype(group_)>> worlds;
  std::array<Commands, worlds.size()> theirs;
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    worlds[i] = &group_[i];
    theirs[i] = worlds[i] == &twin() ? commands : Commands{kCommands[i % 3], i < 3 ? commands.first : kCommands[i / 3]};
  }
  step_together(worlds, theirs);
  ++tick_count_;
  return compare();
}

bool Lockstep::compare() {
  if (difference_) return false;
  if (chipmunk_.hash() != flat_.hash()) note_difference(chipmunk_, flat_, "");
  // Two flat worlds with the same commands since a fork have the same bytes.
  else if (implementation_of(flat_).raw_hash() != implementation_of(twin()).raw_hash()) {
    note_difference(flat_, twin(), "in a group: ");
  }
  return !difference_;
}

void Lockstep::note_difference(const World& expected, const World& found, const char* whose) {
  const auto difference = first_difference(expected, found);
  difference_ = EngineDifference{match_count_ - 1, flat_.tick(), difference ? difference->a : "another hash",
                                 whose + (difference ? difference->b : "another hash")};
}

}  // namespace forkmunk::engine
