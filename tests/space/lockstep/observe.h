#pragma once

#include "scene.h"

namespace lockstep_scene {

/// Appends the state of a space's bodies, contacts and joints, each in Chipmunk's order.
void observe(const cpSpace* space, lockstep::Words& words);

}  // namespace lockstep_scene
