// SPDX-License-Identifier: MIT
#pragma once

#include "c_handles.h"

#include <chipmunk/chipmunk_structs.h>
#include <emscripten.h>

/// Declares a function of JavaScript, whose address may serve as a pointer to a C function.
#define FORKMUNK_JS_IMPORT(name) __attribute__((import_module("env"), import_name(#name))) name

/// The declarations that the files of the WebAssembly module share. JavaScript checks all arguments (bindings/js/src),
/// because Chipmunk aborts on wrong ones. Functions fail as those of <forkmunk/space.h> do.
namespace forkmunk::js {

/// The kind of object that a handle in JavaScript represents.
enum class Kind : int { space, body, shape, constraint };

/// The velocity function of bodies with a gravity scale or damping of their own.
void update_velocity(cpBody* body, cpVect gravity, cpFloat damping, cpFloat dt);

}  // namespace forkmunk::js
