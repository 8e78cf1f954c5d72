// SPDX-License-Identifier: MIT
// Collision handlers, whose functions are JavaScript's.

#include "exports.h"
#include "stand_ins.h"

// Functions of bindings/js/src/collisions.mjs, by the handler's number in the space's memory. JavaScript catches
// exceptions of callbacks, because they must not leave Chipmunk's loops.
extern "C" {
cpBool FORKMUNK_JS_IMPORT(fm_begin)(cpArbiter* arbiter, cpSpace* space, cpDataPointer handler);
cpBool FORKMUNK_JS_IMPORT(fm_preSolve)(cpArbiter* arbiter, cpSpace* space, cpDataPointer handler);
void FORKMUNK_JS_IMPORT(fm_postSolve)(cpArbiter* arbiter, cpSpace* space, cpDataPointer handler);
void FORKMUNK_JS_IMPORT(fm_separate)(cpArbiter* arbiter, cpSpace* space, cpDataPointer handler);
}

namespace {

template <typename Function>
void name(const char* text, Function function) {
  forkmunk_name_code(text, reinterpret_cast<void (*)(void)>(function));
}

}  // namespace

extern "C" {

void fm_start_objects();  // in objects.cpp

/// Names the functions, so that states with handlers travel. Called once, before any space is made.
EMSCRIPTEN_KEEPALIVE void fm_start() {
  name("js begin", &fm_begin);
  name("js preSolve", &fm_preSolve);
  name("js postSolve", &fm_postSolve);
  name("js separate", &fm_separate);
  for (const forkmunk::stand_ins::StandIn& each : forkmunk::stand_ins::kOfPython)
    forkmunk_name_code(each.name, each.function);
  fm_start_objects();
}

/// Gets or makes the handler of two types, of a type and any other, or of all. \param count  the number of given types.
/// \param number  for a new handler. \param events  which functions JavaScript has: a sum of 1 for begin, 2 for
/// preSolve, 4 for postSolve and 8 for separate. \return the handler's number; 0 on failure
EMSCRIPTEN_KEEPALIVE int fm_handler(forkmunk_space* world, int count, unsigned int a, unsigned int b, int number,
                                    int events) {
  return forkmunk::space::guarded_value(0, [&] {
    const auto scope = world->space.enter();
    cpSpace* const space = world->space.space();
    cpCollisionHandler* const handler = count == 0   ? cpSpaceAddDefaultCollisionHandler(space)
                                        : count == 1 ? cpSpaceAddWildcardHandler(space, a)
                                                     : cpSpaceAddCollisionHandler(space, a, b);
    if (handler->userData == nullptr) handler->userData = reinterpret_cast<cpDataPointer>(number);
    if ((events & 1) != 0) handler->beginFunc = &fm_begin;
    if ((events & 2) != 0) handler->preSolveFunc = &fm_preSolve;
    if ((events & 4) != 0) handler->postSolveFunc = &fm_postSolve;
    if ((events & 8) != 0) handler->separateFunc = &fm_separate;
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(handler->userData));
  });
}

}  // extern "C"
