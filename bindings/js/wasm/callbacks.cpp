// SPDX-License-Identifier: MIT
// Functions of JavaScript that C++ calls. JavaScript catches exceptions, which must not leave C++.

#include "exports.h"
#include "stand_ins.h"

#include <forkmunk/rollback.h>

extern "C" {
// bindings/js/src/queries.mjs, and listedBy() in module.mjs: for each object that Chipmunk finds
void FORKMUNK_JS_IMPORT(fm_pointHit)(cpShape* shape, cpVect point, cpFloat distance, cpVect gradient, void*);
void FORKMUNK_JS_IMPORT(fm_segmentHit)(cpShape* shape, cpVect point, cpVect normal, cpFloat alpha, void*);
void FORKMUNK_JS_IMPORT(fm_boxHit)(cpShape* shape, void*);
void FORKMUNK_JS_IMPORT(fm_shapeHit)(cpShape* shape, cpContactPointSet* points, void*);
void FORKMUNK_JS_IMPORT(fm_object)(void* object, void*);
void FORKMUNK_JS_IMPORT(fm_attached)(cpBody* body, void* object, void*);
void FORKMUNK_JS_IMPORT(fm_contactHit)(cpShape* shape, cpContactPointSet* points, cpShape* other);

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

using Function = void (*)();

template <typename T>
Function code(T* function) {
  return reinterpret_cast<Function>(function);
}

void report_contacts(cpBody* body, bool is_one_of_all) {
  for (cpArbiter* arbiter = body->arbiterList; arbiter != nullptr;
       arbiter = arbiter->body_a == body ? arbiter->thread_a.next : arbiter->thread_b.next) {
    // Bodies that are not static have the contact in their lists, too.
    if (is_one_of_all && arbiter->body_a != body && cpBodyGetType(arbiter->body_a) != CP_BODY_TYPE_STATIC) continue;
    cpShape *one = nullptr, *other = nullptr;
    cpArbiterGetShapes(arbiter, &one, &other);
    cpContactPointSet points = cpArbiterGetContactPointSet(arbiter);
    fm_contactHit(one, &points, other);
  }
}

}  // namespace

extern "C" {

/// Returns the addresses of the functions, in the order of CALLED in module.mjs.
EMSCRIPTEN_KEEPALIVE const void* fm_functions() {
  static const Function functions[] = {
      code(&fm_pointHit),    code(&fm_segmentHit),   code(&fm_boxHit),       code(&fm_shapeHit),
      code(&fm_object),      code(&fm_attached),     code(&fm_begin),        code(&fm_preSolve),
      code(&fm_postSolve),   code(&fm_separate),     code(&fm_game_advance), code(&fm_game_send),
      code(&fm_game_notice), code(&fm_game_predict), code(&fm_game_save),    code(&fm_game_restore),
      code(&fm_game_hash),   code(&fm_game_write),   code(&fm_game_read),    code(&fm_game_differences)};
  return functions;
}

/// Names the functions, so that states with handlers travel. Called once, before any space is made.
EMSCRIPTEN_KEEPALIVE void fm_start() {
  forkmunk_name_code("js begin", code(&fm_begin));
  forkmunk_name_code("js preSolve", code(&fm_preSolve));
  forkmunk_name_code("js postSolve", code(&fm_postSolve));
  forkmunk_name_code("js separate", code(&fm_separate));
  forkmunk_name_code("js velocity", code(&update_velocity));
  for (const forkmunk::stand_ins::StandIn& each : forkmunk::stand_ins::kOfPython)
    forkmunk_name_code(each.name, each.function);
}

/// Reports the contacts of a body, or, for null, of all bodies that move.
EMSCRIPTEN_KEEPALIVE void fm_contacts(cpSpace* space, cpBody* body) {
  if (body != nullptr) return report_contacts(body, false);
  const auto report_of_each = [](cpBody* each, void*) {
    if (cpBodyGetType(each) != CP_BODY_TYPE_STATIC) report_contacts(each, true);
  };
  cpSpaceEachBody(space, report_of_each, nullptr);
}

}  // extern "C"
