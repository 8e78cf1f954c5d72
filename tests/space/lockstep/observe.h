#pragma once

#include "scene.h"

namespace lockstep_scene {

/// Appends the state of a space's bodies, contacts and joints, each in Chipmunk's order. \param may_sleep  whether a
/// body may have woken since contacts were solved.
void observe(const cpSpace* space, lockstep::Words& words, bool may_sleep = false);

}  // namespace lockstep_scene
