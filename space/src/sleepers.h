// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/chipmunk/precision.h>

#include <chipmunk/chipmunk.h>

/// Bodies that fell asleep on something wake when it changes. In Chipmunk, most changes of a static body or of its
/// shapes wake nothing, so bodies hang in the air, asleep (FORKMUNK_DEFECT_SLEEPERS).
namespace forkmunk::FORKMUNK_SPACE {

/// Wakes the bodies that rest on a shape or overlap its box, after the shape was added or changed. A body whose own
/// shape changed wakes, too.
void wake_around(cpShape* shape);

/// Wakes the bodies that a joint connects with a static body, after the static body moved.
void wake_joined(cpBody* body);

/// Wakes everything that rests on a static body.
void wake_on(cpBody* body);

/// Wakes the bodies around the static shapes that have moved since they were indexed, and reindexes those shapes.
void reindex_static(cpSpace* space, void (*reindex)(cpSpace*));

/// Removes the contacts of a body that is about to be put to sleep with bodies that stay awake. \param group  the
/// sleeping body whose group it joins; null if there is none.
void forget_awake_contacts(cpBody* body, const cpBody* group);

}  // namespace forkmunk::FORKMUNK_SPACE
