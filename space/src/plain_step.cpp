#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/arena_alloc/emergency_memory.h>

#include <chipmunk/chipmunk.h>

/// Chipmunk's own (the plain build renames them), in the scope of the space's arena, whoever calls them: what a step's
/// callbacks make is that arena's, and so are indices and collision handlers, which are allocated far from the name of
/// whom they are for.
namespace {

using forkmunk::arena_alloc::Arena;

// A space that is in no arena has none of its own.
Arena* arena_of(const cpSpace* space) {
  Arena* arena = Arena::containing(space);
  return arena != nullptr ? arena : forkmunk::arena_alloc::emergency_owner(space);
}

}  // namespace

extern "C" {

void forkmunk_plain_cpSpaceStep(cpSpace* space, cpFloat dt);
void forkmunk_plain_cpSpaceUseSpatialHash(cpSpace* space, cpFloat dim, int count);
cpCollisionHandler* forkmunk_plain_cpSpaceAddCollisionHandler(cpSpace* space, cpCollisionType a, cpCollisionType b);
cpCollisionHandler* forkmunk_plain_cpSpaceAddWildcardHandler(cpSpace* space, cpCollisionType type);

void cpSpaceStep(cpSpace* space, cpFloat dt) {
  const Arena::Scope scope(arena_of(space));
  forkmunk_plain_cpSpaceStep(space, dt);
}

void cpSpaceUseSpatialHash(cpSpace* space, cpFloat dim, int count) {
  const Arena::Scope scope(arena_of(space));
  forkmunk_plain_cpSpaceUseSpatialHash(space, dim, count);
}

cpCollisionHandler* cpSpaceAddCollisionHandler(cpSpace* space, cpCollisionType a, cpCollisionType b) {
  const Arena::Scope scope(arena_of(space));
  return forkmunk_plain_cpSpaceAddCollisionHandler(space, a, b);
}

cpCollisionHandler* cpSpaceAddWildcardHandler(cpSpace* space, cpCollisionType type) {
  const Arena::Scope scope(arena_of(space));
  return forkmunk_plain_cpSpaceAddWildcardHandler(space, type);
}
}
