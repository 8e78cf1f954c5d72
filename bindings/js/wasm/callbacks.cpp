// SPDX-License-Identifier: MIT
// Functions of JavaScript that C++ calls. JavaScript catches exceptions, which must not leave C++.

#include "exports.h"
#include "stand_ins.h"

#include <forkmunk/rollback.h>

extern "C" {
// bindings/js/src/collisions.mjs, by the handler's number in the space's memory
cpBool FORKMUNK_JS_IMPORT(fm_begin)(cpArbiter* arbiter, cpSpace* space, cpDataPointer handler);
cpBool FORKMUNK_JS_IMPORT(fm_preSolve)(cpArbiter* arbiter, cpSpace* space, cpDataPointer handler);
void FORKMUNK_JS_IMPORT(fm_postSolve)(cpArbiter* arbiter, cpSpace* space, cpDataPointer handler);
void FORKMUNK_JS_IMPORT(fm_separate)(cpArbiter* arbiter, cpSpace* space, cpDataPointer handler);

// bindings/js/src/rollback.mjs, by the number of the game that `user` is
int FORKMUNK_JS_IMPORT(fm_game_advance)(void* user, const forkmunk_input* inputs, size_t count, int frame);
void FORKMUNK_JS_IMPORT(fm_game_send)(void* user, const void* message, size_t size, uint32_t to);
void FORKMUNK_JS_IMPORT(fm_game_notice)(void* user, const forkmunk_notice* notice);
size_t FORKMUNK_JS_IMPORT(fm_game_predict)(void* user, void* input, size_t size, int player, int frame);
int FORKMUNK_JS_IMPORT(fm_game_save)(void* user, int slot);
int FORKMUNK_JS_IMPORT(fm_game_restore)(void* user, int slot);
int FORKMUNK_JS_IMPORT(fm_game_hash)(void* user, uint64_t* hash);
int FORKMUNK_JS_IMPORT(fm_game_write)(void* user, int slot, void* writer);
int FORKMUNK_JS_IMPORT(fm_game_read)(void* user, int slot, const void* bytes, size_t size);
int FORKMUNK_JS_IMPORT(fm_game_differences)(void* user, int one, int other, void* writer);
}

using namespace forkmunk::js;

namespace {

template <typename Function>
void name(const char* text, Function function) {
  forkmunk_name_code(text, reinterpret_cast<void (*)(void)>(function));
}

}  // namespace

extern "C" {

/// Names the functions, so that states with handlers travel. Called once, before any space is made.
EMSCRIPTEN_KEEPALIVE void fm_start() {
  name("js begin", &fm_begin);
  name("js preSolve", &fm_preSolve);
  name("js postSolve", &fm_postSolve);
  name("js separate", &fm_separate);
  name("js velocity", &update_velocity);
  for (const forkmunk::stand_ins::StandIn& each : forkmunk::stand_ins::kOfPython)
    forkmunk_name_code(each.name, each.function);
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

/// Returns the functions of a game, good until the next call.
EMSCRIPTEN_KEEPALIVE const forkmunk_game* fm_game(void* user, int predicts) {
  static forkmunk_game game;
  game = {.user = user,
          .advance = &fm_game_advance,
          .send = &fm_game_send,
          .notice = &fm_game_notice,
          .predict = predicts != 0 ? &fm_game_predict : nullptr,
          .save = &fm_game_save,
          .restore = &fm_game_restore,
          .hash = &fm_game_hash,
          .write = &fm_game_write,
          .read = &fm_game_read,
          .differences = &fm_game_differences};
  return &game;
}

}  // extern "C"
