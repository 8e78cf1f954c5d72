#include <forkmunk/engine/lockstep.h>

namespace forkmunk::engine {

Lockstep::Lockstep() : chipmunk_(Physics::chipmunk()), flat_(Physics::flat()) {}

void Lockstep::begin_match(const MatchSetup& setup) {
  chipmunk_.begin_match(setup);
  flat_.begin_match(setup);
  ++match_count_;
  compare();
}

bool Lockstep::step(Commands commands) {
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

}  // namespace forkmunk::engine
