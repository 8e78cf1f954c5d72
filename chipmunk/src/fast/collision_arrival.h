#pragma once

#include "fast/collision_kernel.h"
#include "fast/handler_cache.h"
#include "fast/late_contacts.h"
#include "fast/stock_step.h"

#include <forkmunk/chipmunk/chipmunk_layout.h>

namespace forkmunk::chipmunk::fast {

/// Whether a collision in the space may call a user's function while the narrow phase is at work: begin or preSolve.
[[nodiscard]] bool may_call_back(const cpSpace& space) noexcept;

/// The arbiter of two shapes in a bucket of the space's cached arbiters, from `bin` on; null if they have none.
[[nodiscard]] cpArbiter* find_arbiter(const layout::HashSetBin* bin, const cpShape* a, const cpShape* b) noexcept;

/// What cpSpaceCollideShapes() does with the collision of two shapes: makes the arbiter if they have none, calls back,
/// and adds it to space->arbiters. \pre cpSpaceContactSlots(); info.count > 0 contacts are in contacts.data().
/// \return whether a user's function was called: what it has changed may decide the collisions after it.
bool arrive(cpSpace* space, cpArbiter* arbiter, cpCollisionInfo& info, NewContacts& contacts, LateContacts& late,
            HandlerCache& handlers);

/// The same for what a kernel has found of shapes in the order of their types. \pre no arbiter is late.
bool arrive(cpSpace* space, cpArbiter* arbiter, const cpShape* a, const cpShape* b, const Collision& found,
            HandlerCache& handlers);

/// The same where the shapes' handlers do not call back.
void arrive_quietly(cpSpace* space, cpArbiter* arbiter, const cpShape* a, const cpShape* b, const Collision& found,
                    HandlerCache& handlers);

}  // namespace forkmunk::chipmunk::fast
