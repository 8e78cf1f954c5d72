// SPDX-License-Identifier: MIT
// JavaScript's functions that Chipmunk calls for each object that its queries and lists find (bindings/js/src).

#include "exports.h"

extern "C" {

void FORKMUNK_JS_IMPORT(fm_pointHit)(cpShape* shape, cpVect point, cpFloat distance, cpVect gradient, void*);
void FORKMUNK_JS_IMPORT(fm_segmentHit)(cpShape* shape, cpVect point, cpVect normal, cpFloat alpha, void*);
void FORKMUNK_JS_IMPORT(fm_boxHit)(cpShape* shape, void*);
void FORKMUNK_JS_IMPORT(fm_shapeHit)(cpShape* shape, cpContactPointSet* points, void*);
void FORKMUNK_JS_IMPORT(fm_object)(void* object, void*);
void FORKMUNK_JS_IMPORT(fm_attached)(cpBody* body, void* object, void*);
void FORKMUNK_JS_IMPORT(fm_contactHit)(cpShape* shape, cpContactPointSet* points, cpShape* other);

}  // extern "C"

namespace {

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

/// Returns the functions that Chipmunk takes, in the order of HITS in module.mjs.
EMSCRIPTEN_KEEPALIVE const void* fm_hit_functions() {
  using Function = void (*)();
  static const Function functions[] = {
      reinterpret_cast<Function>(&fm_pointHit), reinterpret_cast<Function>(&fm_segmentHit),
      reinterpret_cast<Function>(&fm_boxHit),   reinterpret_cast<Function>(&fm_shapeHit),
      reinterpret_cast<Function>(&fm_object),   reinterpret_cast<Function>(&fm_attached)};
  return functions;
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
