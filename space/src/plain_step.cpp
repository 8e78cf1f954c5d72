#include <forkmunk/arena_alloc/arena.h>

#include <chipmunk/chipmunk.h>

extern "C" void forkmunk_plain_cpSpaceStep(cpSpace* space, cpFloat dt);

/// Chipmunk's own, in the scope of the space's arena: what its callbacks make is that arena's, whoever calls it.
extern "C" void cpSpaceStep(cpSpace* space, cpFloat dt) {
  const forkmunk::arena_alloc::Arena::Scope scope(forkmunk::arena_alloc::Arena::containing(space));
  forkmunk_plain_cpSpaceStep(space, dt);
}
