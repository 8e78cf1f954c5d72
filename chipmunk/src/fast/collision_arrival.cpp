#include "fast/collision_arrival.h"

#include <forkmunk/chipmunk/chipmunk_layout.h>

namespace forkmunk::chipmunk::fast {
namespace {

// Whether a handler's function of an arbiter is, or calls, one of the user's. \param which  a member of handlers.
template <typename Member>
bool calls_user(const cpArbiter& arbiter, Member which) noexcept {
  const auto none = cpCollisionHandlerDoNothing.*which, function = arbiter.handler->*which;
  if (function == none) return false;
  return function != cpSpaceWildcardCaller()->*which || arbiter.handlerA->*which != none ||
         arbiter.handlerB->*which != none;
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

// As cpArbiterUpdate() does.
void set_handlers(cpArbiter& arbiter, cpSpace* space, HandlerCache& cache) noexcept {
  cpCollisionHandler* const handler = &space->defaultHandler;
  const cpCollisionType a = arbiter.a->type, b = arbiter.b->type;
  if (layout::set_of(space->collisionHandlers).entry_count == 0 && !space->usesWildcards) {
    arbiter.handler = handler;
    arbiter.swapped = a != handler->typeA && handler->typeA != CP_WILDCARD_COLLISION_TYPE;
    return;
  }
  const cpPairHandlers& found = cache.find(space, a, b);
  arbiter.handler = found.handler;
  arbiter.swapped = found.swapped;
  if (found.handler == handler && !space->usesWildcards) return;
  arbiter.handlerA = found.a;
  arbiter.handlerB = found.b;
}

// cpArbiterUpdate().
void update(cpArbiter& arbiter, const cpCollisionInfo& info, cpSpace* space, HandlerCache& cache) noexcept {
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
  set_handlers(arbiter, space, cache);
  if (arbiter.state == CP_ARBITER_STATE_CACHED) arbiter.state = CP_ARBITER_STATE_FIRST_COLLISION;
}

// The contacts that an arbiter was updated with become its own. What the solver sets keeps what it was: it is set
// before anything reads it.
void keep_contacts(layout::ContactArbiter& kept, const cpContactSlots& slots) noexcept {
  cpArbiter& arbiter = kept.arbiter;
  for (int i = 0; i < arbiter.count; ++i) {
    const cpContact& found = arbiter.contacts[i];
    cpContact& own = kept.contacts[i];
    own.r1 = found.r1;
    own.r2 = found.r2;
    own.jnAcc = found.jnAcc;
    own.jtAcc = found.jtAcc;
    own.hash = found.hash;
  }
  arbiter.contacts = kept.contacts;
  kept.buffer = slots.number;
  kept.slot = slots.contact_count;
}

bool calls_back(const cpArbiter& arbiter) noexcept {
  const bool is_first = arbiter.state == CP_ARBITER_STATE_FIRST_COLLISION;
  return (is_first && calls_user(arbiter, &cpCollisionHandler::beginFunc)) ||
         calls_user(arbiter, &cpCollisionHandler::preSolveFunc);
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

bool may_call_back(const cpSpace& space) noexcept {
  const cpCollisionHandler &handler = space.defaultHandler, &none = cpCollisionHandlerDoNothing;
  return layout::set_of(space.collisionHandlers).entry_count != 0 || space.usesWildcards ||
         handler.beginFunc != none.beginFunc || handler.preSolveFunc != none.preSolveFunc;
}

cpArbiter* find_arbiter(const layout::HashSetBin* bin, const cpShape* a, const cpShape* b) noexcept {
  for (; bin != nullptr; bin = bin->next) {
    auto* const arbiter = static_cast<cpArbiter*>(bin->element);
    if ((arbiter->a == a && arbiter->b == b) || (arbiter->a == b && arbiter->b == a)) return arbiter;
  }
  return nullptr;
}

bool arrive(cpSpace* space, cpArbiter* arbiter, cpCollisionInfo& info, NewContacts& contacts, LateContacts& late,
            HandlerCache& handlers) {
  cpContactSlots& slots = *reinterpret_cast<cpContactSlots*>(space->contactBuffersHead);
  if (arbiter == nullptr) arbiter = cpSpaceArbiterOf(space, info.a, info.b);
  auto& kept = *reinterpret_cast<layout::ContactArbiter*>(arbiter);
  late.follow(*space);
  if (late.any()) contacts.overlay(kept, slots, info.count);
  update(*arbiter, info, space, handlers);
  keep_contacts(kept, slots);
  if (late.any()) late.write(kept);
  const cpShape &a = *info.a, &b = *info.b;
  const auto count = static_cast<unsigned int>(info.count);
  slots.contact_count += count;
  const bool has_called_back = calls_back(*arbiter);
  // Sensors and pairs of infinite masses call back, and are not solved.
  if (is_accepted(space, arbiter) && !(a.sensor || b.sensor) && !(a.body->m == INFINITY && b.body->m == INFINITY)) {
    cpArrayPush(space->arbiters, arbiter);
  } else {
    slots.contact_count -= count;
    arbiter->contacts = nullptr;
    arbiter->count = 0;
    if (arbiter->state != CP_ARBITER_STATE_IGNORE) arbiter->state = CP_ARBITER_STATE_NORMAL;
  }
  arbiter->stamp = space->stamp;
  return has_called_back;
}

}  // namespace forkmunk::chipmunk::fast
