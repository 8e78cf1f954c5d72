#include "fast/collision_arrival.h"

namespace forkmunk::chipmunk::fast {
namespace {

bool calls_back(const cpCollisionHandler& handler) noexcept {
  return handler.beginFunc != cpCollisionHandlerDoNothing.beginFunc ||
         handler.preSolveFunc != cpCollisionHandlerDoNothing.preSolveFunc;
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

void arrive(cpSpace* space, cpShape* a, cpShape* b, cpCollisionInfo& info) {
  cpSpacePushContacts(space, info.count);
  cpArbiter* const arbiter = cpSpaceArbiterOf(space, info.a, info.b);
  cpArbiterUpdate(arbiter, &info, space);
  // Sensors and pairs of infinite masses call back, and are not solved.
  if (is_accepted(space, arbiter) && !(a->sensor || b->sensor) && !(a->body->m == INFINITY && b->body->m == INFINITY)) {
    cpArrayPush(space->arbiters, arbiter);
  } else {
    cpSpacePushContacts(space, -info.count);
    arbiter->contacts = nullptr;
    arbiter->count = 0;
    if (arbiter->state != CP_ARBITER_STATE_IGNORE) arbiter->state = CP_ARBITER_STATE_NORMAL;
  }
  arbiter->stamp = space->stamp;
}

}  // namespace forkmunk::chipmunk::fast
