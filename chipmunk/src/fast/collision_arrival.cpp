#include "fast/collision_arrival.h"

#include <forkmunk/chipmunk/chipmunk_layout.h>
#include <forkmunk/strict_math/force_inline.h>

namespace forkmunk::chipmunk::fast {
namespace {

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

// cpArbiterUpdate(), but for the contacts.
void update(cpArbiter& arbiter, const cpShape* a, const cpShape* b, cpVect n, cpSpace* space,
            HandlerCache& cache) noexcept {
  arbiter.a = a;
  arbiter.b = b;
  arbiter.body_a = a->body;
  arbiter.body_b = b->body;
  arbiter.n = n;
  arbiter.e = a->e * b->e;
  arbiter.u = a->u * b->u;
  const cpVect surface_vr = cpvsub(b->surfaceV, a->surfaceV);
  arbiter.surface_vr = cpvsub(surface_vr, cpvmult(n, cpvdot(surface_vr, n)));
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
  kept.set_slot(slots.number, slots.contact_count);
}

// The same for a kernel's collision, where no arbiter is late: what it reads of its old contacts is its own.
FORKMUNK_INLINE void set_contacts(layout::ContactArbiter& kept, const Collision& found,
                                  const cpContactSlots& slots) noexcept {
  cpArbiter& arbiter = kept.arbiter;
  cpContact* const own = kept.contacts;
  struct Impulses {
    cpFloat normal, tangent;
  };
  const Impulses old[]{{0, 0}, {own[0].jnAcc, own[0].jtAcc}, {own[1].jnAcc, own[1].jtAcc}};
  const cpHashValue hashes[]{own[0].hash, own[1].hash};
  const int old_count = arbiter.count;
  const cpVect a = arbiter.body_a->p, b = arbiter.body_b->p;
  for (int i = 0; i < found.count; ++i) {
    // No branch, as it would be mispredicted.
    const unsigned is_first =
        static_cast<unsigned>(old_count > 0) & static_cast<unsigned>(found.hashes[i] == hashes[0]);
    const unsigned is_second =
        static_cast<unsigned>(old_count > 1) & static_cast<unsigned>(found.hashes[i] == hashes[1]);
    const Impulses& impulses = old[is_second != 0 ? 2 : is_first];
    own[i].r1 = cpvsub(found.points[2 * i], a);
    own[i].r2 = cpvsub(found.points[2 * i + 1], b);
    own[i].jnAcc = impulses.normal;
    own[i].jtAcc = impulses.tangent;
    own[i].hash = found.hashes[i];
  }
  arbiter.contacts = own;
  arbiter.count = found.count;
  kept.set_slot(slots.number, slots.contact_count);
}

// Whether begin or preSolve is, or calls, one of the user's functions.
bool calls_back(const cpArbiter& arbiter) noexcept {
  const auto calls = [&](auto which) {
    const auto none = cpCollisionHandlerDoNothing.*which, function = arbiter.handler->*which;
    if (function == none) return false;
    return function != cpSpaceWildcardCaller()->*which || arbiter.handlerA->*which != none ||
           arbiter.handlerB->*which != none;
  };
  const bool is_first = arbiter.state == CP_ARBITER_STATE_FIRST_COLLISION;
  return (is_first && calls(&cpCollisionHandler::beginFunc)) || calls(&cpCollisionHandler::preSolveFunc);
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

namespace {

// The end of cpSpaceCollideShapes(). \param is_accepted  by the handlers.
void enter(cpSpace* space, cpArbiter* arbiter, cpContactSlots& slots, bool is_accepted) {
  const cpShape &a = *arbiter->a, &b = *arbiter->b;
  // Sensors and pairs of infinite masses call back, and are not solved.
  if (is_accepted && !(a.sensor || b.sensor) && !(a.body->m == INFINITY && b.body->m == INFINITY)) {
    cpArrayPush(space->arbiters, arbiter);
  } else {
    slots.contact_count -= static_cast<unsigned int>(arbiter->count);
    arbiter->contacts = nullptr;
    arbiter->count = 0;
    if (arbiter->state != CP_ARBITER_STATE_IGNORE) arbiter->state = CP_ARBITER_STATE_NORMAL;
  }
  arbiter->stamp = space->stamp;
}

// Calls the handlers back, then the end of cpSpaceCollideShapes(). \return whether a user's function was called.
bool call_and_enter(cpSpace* space, cpArbiter* arbiter, cpContactSlots& slots) {
  const bool calls = calls_back(*arbiter);
  enter(space, arbiter, slots, calls ? is_accepted(space, arbiter) : arbiter->state != CP_ARBITER_STATE_IGNORE);
  return calls;
}

// A kernel's collision becomes that of an arbiter. \return the arbiter.
FORKMUNK_INLINE cpArbiter* take(cpSpace* space, cpArbiter* arbiter, const cpShape* a, const cpShape* b,
                                const Collision& found, cpContactSlots& slots, HandlerCache& handlers) {
  if (arbiter == nullptr) arbiter = cpSpaceArbiterOf(space, a, b);
  update(*arbiter, a, b, found.normal, space, handlers);
  set_contacts(*reinterpret_cast<layout::ContactArbiter*>(arbiter), found, slots);
  slots.contact_count += found.count;
  return arbiter;
}

}  // namespace

bool arrive(cpSpace* space, cpArbiter* arbiter, cpCollisionInfo& info, NewContacts& contacts, LateContacts& late,
            HandlerCache& handlers) {
  cpContactSlots& slots = *reinterpret_cast<cpContactSlots*>(space->contactBuffersHead);
  if (arbiter == nullptr) arbiter = cpSpaceArbiterOf(space, info.a, info.b);
  auto& kept = *reinterpret_cast<layout::ContactArbiter*>(arbiter);
  late.follow(*space);
  if (late.any()) contacts.overlay(kept, slots, info.count);
  for (int i = 0; i < info.count; ++i) update_contact(info.arr[i], *arbiter, info.a->body->p, info.b->body->p);
  arbiter->contacts = info.arr;
  arbiter->count = info.count;
  update(*arbiter, info.a, info.b, info.n, space, handlers);
  keep_contacts(kept, slots);
  if (late.any()) late.write(kept);
  slots.contact_count += static_cast<unsigned int>(info.count);
  return call_and_enter(space, arbiter, slots);
}

bool arrive(cpSpace* space, cpArbiter* arbiter, const cpShape* a, const cpShape* b, const Collision& found,
            HandlerCache& handlers) {
  cpContactSlots& slots = *reinterpret_cast<cpContactSlots*>(space->contactBuffersHead);
  return call_and_enter(space, take(space, arbiter, a, b, found, slots, handlers), slots);
}

void arrive_quietly(cpSpace* space, cpArbiter* arbiter, const cpShape* a, const cpShape* b, const Collision& found,
                    HandlerCache& handlers) {
  cpContactSlots& slots = *reinterpret_cast<cpContactSlots*>(space->contactBuffersHead);
  arbiter = take(space, arbiter, a, b, found, slots, handlers);
  enter(space, arbiter, slots, arbiter->state != CP_ARBITER_STATE_IGNORE);
}

}  // namespace forkmunk::chipmunk::fast
