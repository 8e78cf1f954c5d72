// SPDX-License-Identifier: MIT
// Chipmunk calls one of the named functions here, which calls JavaScript by the handler's number in the space's memory.

#include "exports.h"
#include "stand_ins.h"

namespace {

enum class Event : int { begin, pre_solve, post_solve, separate };

}  // namespace

// JavaScript catches exceptions of callbacks, because they must not leave Chipmunk's loops.
extern "C" __attribute__((import_module("env"), import_name("fm_call"))) int fm_call(int handler, int event,
                                                                                     void* arbiter);

namespace {

int call(Event event, cpArbiter* arbiter, cpDataPointer handler) {
  return fm_call(static_cast<int>(reinterpret_cast<std::uintptr_t>(handler)), static_cast<int>(event), arbiter);
}
cpBool begin(cpArbiter* arbiter, cpSpace*, cpDataPointer handler) { return call(Event::begin, arbiter, handler) != 0; }
cpBool pre_solve(cpArbiter* arbiter, cpSpace*, cpDataPointer handler) {
  return call(Event::pre_solve, arbiter, handler) != 0;
}
void post_solve(cpArbiter* arbiter, cpSpace*, cpDataPointer handler) { call(Event::post_solve, arbiter, handler); }
void separate(cpArbiter* arbiter, cpSpace*, cpDataPointer handler) { call(Event::separate, arbiter, handler); }

template <typename Function>
void name(const char* text, Function function) {
  forkmunk_name_code(text, reinterpret_cast<void (*)(void)>(function));
}

}  // namespace

extern "C" {

void fm_start_objects();  // in objects.cpp

/// Names the functions, so that states with handlers travel. Called once, before any space is made.
EMSCRIPTEN_KEEPALIVE void fm_start() {
  name("js begin", &begin);
  name("js preSolve", &pre_solve);
  name("js postSolve", &post_solve);
  name("js separate", &separate);
  for (const forkmunk::stand_ins::StandIn& each : forkmunk::stand_ins::kOfPython)
    forkmunk_name_code(each.name, each.function);
  fm_start_objects();
}

/// Gets or makes the handler of two types, of a type and any other, or of all. \param count  the number of given types.
/// \param number  for a new handler. \param events  bits of the events with functions in JavaScript. \return the
/// handler's number; 0 on failure
EMSCRIPTEN_KEEPALIVE int fm_handler(forkmunk_space* world, int count, unsigned int a, unsigned int b, int number,
                                    int events) {
  cpSpace* const space = forkmunk_space_space(world);
  if (space == nullptr || forkmunk_space_enter(world) != FORKMUNK_OK) return 0;
  cpCollisionHandler* const handler = count == 0   ? cpSpaceAddDefaultCollisionHandler(space)
                                      : count == 1 ? cpSpaceAddWildcardHandler(space, a)
                                                   : cpSpaceAddCollisionHandler(space, a, b);
  if (handler->userData == nullptr) handler->userData = reinterpret_cast<cpDataPointer>(number);
  const auto wants = [events](Event event) { return (events >> static_cast<int>(event) & 1) != 0; };
  if (wants(Event::begin)) handler->beginFunc = &begin;
  if (wants(Event::pre_solve)) handler->preSolveFunc = &pre_solve;
  if (wants(Event::post_solve)) handler->postSolveFunc = &post_solve;
  if (wants(Event::separate)) handler->separateFunc = &separate;
  forkmunk_space_leave(world);
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(handler->userData));
}

}  // extern "C"
