#include "fast/collision_arrival.h"

#include <forkmunk/chipmunk/chipmunk_layout.h>

namespace forkmunk::chipmunk::fast {
namespace {

bool calls_back(const cpCollisionHandler& handler) noexcept {
  return handler.beginFunc != cpCollisionHandlerDoNothing.beginFunc ||
         handler.preSolveFunc != cpCollisionHandlerDoNothing.preSolveFunc;
}

// A contact becomes relative to its bodies, and has the impulses of the contact of the step before that has its hash.
void update_contact(cpContact& contact, const cpArbiter& arbiter, cpVect a, cpVect b) noexcept {
  contact.r1 = cpvsub(contact.r1, a);
  contact.r2 = cpvsub(contact.r2, b);
  contact.jnAcc = contact.jtAcc = 0;
  for (int i = 0; i < arbiter.count; ++i) {
    const cpContact& old = arbiter.contacts[i];
    if (contact.hash != old.hash) continue;
    contact.jnAcc = old.jnAcc;
    contact.jtAcc = old.jtAcc;
  }
}

// cpArbiterUpdate() in a space that has no handlers but the default one.
void update(cpArbiter& arbiter, const cpCollisionInfo& info, cpSpace* space) noexcept {
  const cpShape *const a = info.a, *const b = info.b;
  arbiter.a = a;
  arbiter.b = b;
  arbiter.body_a = a->body;
  arbiter.body_b = b->body;
  for (int i = 0; i < info.count; ++i) update_contact(info.arr[i], arbiter, a->body->p, b->body->p);
  arbiter.contacts = info.arr;
  arbiter.count = info.count;
  arbiter.n = info.n;
  arbiter.e = a->e * b->e;
  arbiter.u = a->u * b->u;
  const cpVect surface_vr = cpvsub(b->surfaceV, a->surfaceV);
  arbiter.surface_vr = cpvsub(surface_vr, cpvmult(info.n, cpvdot(surface_vr, info.n)));
  cpCollisionHandler* const handler = &space->defaultHandler;
  arbiter.handler = handler;
  arbiter.swapped = a->type != handler->typeA && handler->typeA != CP_WILDCARD_COLLISION_TYPE;
  if (arbiter.state == CP_ARBITER_STATE_CACHED) arbiter.state = CP_ARBITER_STATE_FIRST_COLLISION;
}

// Whether the handlers accept a collision.
bool is_accepted(cpSpace* space, cpArbiter* arbiter) {
  const cpCollisionHandler* const handler = arbiter->handler;
  if (arbiter->state == CP_ARBITER_STATE_FIRST_COLLISION && !handler->beginFunc(arbiter, space, handler->userData)) {
    cpArbiterIgnore(arbiter);
  }
  return arbiter->state != CP_ARBITER_STATE_IGNORE && handler->preSolveFunc(arbiter, space, handler->userData) &&
         arbiter->state != CP_ARBITER_STATE_IGNORE;
}

}  // namespace

Callbacks::Callbacks(cpSpace* space) {
  all_ = calls_back(space->defaultHandler);
  if (!all_) cpHashSetEach(space->collisionHandlers, &add, this);
}

void Callbacks::add(void* handler, void* self) {
  auto& callbacks = *static_cast<Callbacks*>(self);
  const auto* const added = static_cast<const cpCollisionHandler*>(handler);
  if (!calls_back(*added)) return;
  if (callbacks.count_ < kHandlersMax) {
    callbacks.handlers_[callbacks.count_++] = added;
  } else {
    callbacks.all_ = true;
  }
}

bool Callbacks::concern(const cpShape& a, const cpShape& b) const noexcept {
  if (all_) return true;
  for (std::size_t i = 0; i < count_; ++i) {
    const cpCollisionType first = handlers_[i]->typeA, second = handlers_[i]->typeB;
    if (second == CP_WILDCARD_COLLISION_TYPE && (first == a.type || first == b.type)) return true;
    if ((first == a.type && second == b.type) || (first == b.type && second == a.type)) return true;
  }
  return false;
}

void arrive(cpSpace* space, cpArbiter* arbiter, cpShape* a, cpShape* b, cpCollisionInfo& info) {
  if (arbiter == nullptr) arbiter = cpSpaceArbiterOf(space, info.a, info.b);
  if (layout::set_of(space->collisionHandlers).entry_count == 0 && !space->usesWildcards) {
    update(*arbiter, info, space);
  } else {
    cpArbiterUpdate(arbiter, &info, space);
  }
  cpArbiterKeepContacts(arbiter);
  // Sensors and pairs of infinite masses call back, and are not solved.
  if (is_accepted(space, arbiter) && !(a->sensor || b->sensor) && !(a->body->m == INFINITY && b->body->m == INFINITY)) {
    cpArrayPush(space->arbiters, arbiter);
  } else {
    arbiter->contacts = nullptr;
    arbiter->count = 0;
    if (arbiter->state != CP_ARBITER_STATE_IGNORE) arbiter->state = CP_ARBITER_STATE_NORMAL;
  }
  arbiter->stamp = space->stamp;
}

}  // namespace forkmunk::chipmunk::fast
