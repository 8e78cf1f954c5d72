#include "fast/collision_arrival.h"

#include <forkmunk/chipmunk/chipmunk_layout.h>

namespace forkmunk::chipmunk::fast {
namespace {

template <typename Function>
bool is_users(Function function, Function none, Function wildcards) noexcept {
  return function != none && function != wildcards;
}

bool has_begin(const cpCollisionHandler& handler) noexcept {
  return is_users(handler.beginFunc, cpCollisionHandlerDoNothing.beginFunc, cpSpaceWildcardCaller()->beginFunc);
}
bool has_pre_solve(const cpCollisionHandler& handler) noexcept {
  return is_users(handler.preSolveFunc, cpCollisionHandlerDoNothing.preSolveFunc,
                  cpSpaceWildcardCaller()->preSolveFunc);
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

void Callbacks::read(cpSpace* space) {
  // Handlers are never removed.
  if (layout::set_of(space->collisionHandlers).entry_count != count_) {
    count_ = 0;
    cpHashSetEach(space->collisionHandlers, &add, this);
  }
  all_ = count_ > kHandlersMax || has_begin(space->defaultHandler) || has_pre_solve(space->defaultHandler);
  for (std::size_t i = 0; i < count_ && !all_; ++i) {
    Handler& known = handlers_[i];
    known.has_begin = has_begin(*known.handler);
    known.has_pre_solve = has_pre_solve(*known.handler);
  }
}

void Callbacks::add(void* handler, void* self) {
  auto& callbacks = *static_cast<Callbacks*>(self);
  if (callbacks.count_ < kHandlersMax) {
    callbacks.handlers_[callbacks.count_].handler = static_cast<const cpCollisionHandler*>(handler);
  }
  ++callbacks.count_;
}

Callbacks::Forecast Callbacks::find(cpSpace* space, const cpShape& a, const cpShape& b) const noexcept {
  bool may_begin = all_, may_pre_solve = all_;
  for (std::size_t i = 0; i < count_ && !may_pre_solve; ++i) {
    const Handler& known = handlers_[i];
    if (!known.has_begin && !known.has_pre_solve) continue;
    const cpCollisionType first = known.handler->typeA, second = known.handler->typeB;
    const bool is_wildcard = second == CP_WILDCARD_COLLISION_TYPE && (first == a.type || first == b.type);
    const bool is_pair = (first == a.type && second == b.type) || (first == b.type && second == a.type);
    if (!is_wildcard && !is_pair) continue;
    may_begin = may_begin || known.has_begin;
    may_pre_solve = known.has_pre_solve;
  }
  if (!may_begin && !may_pre_solve) return Forecast::none;
  const layout::HashSet& met = layout::set_of(space->cachedArbiters);
  const cpArbiter* const arbiter = find_arbiter(met.buckets[layout::pair_id_hash(&a, &b) % met.bucket_count], &a, &b);
  const bool has_touched =
      arbiter != nullptr && (arbiter->state == CP_ARBITER_STATE_NORMAL || arbiter->state == CP_ARBITER_STATE_IGNORE);
  if (!has_touched) return Forecast::unlikely;
  // They do not begin to touch again; Chipmunk asks no preSolve where a callback has refused the collision.
  return may_pre_solve ? Forecast::likely : Forecast::none;
}

cpArbiter* find_arbiter(const layout::HashSetBin* bin, const cpShape* a, const cpShape* b) noexcept {
  for (; bin != nullptr; bin = bin->next) {
    auto* const arbiter = static_cast<cpArbiter*>(bin->element);
    if ((arbiter->a == a && arbiter->b == b) || (arbiter->a == b && arbiter->b == a)) return arbiter;
  }
  return nullptr;
}

void arrive(cpSpace* space, cpArbiter* arbiter, cpCollisionInfo& info, NewContacts& contacts, LateContacts& late) {
  cpContactSlots& slots = *reinterpret_cast<cpContactSlots*>(space->contactBuffersHead);
  if (arbiter == nullptr) arbiter = cpSpaceArbiterOf(space, info.a, info.b);
  auto& kept = *reinterpret_cast<layout::ContactArbiter*>(arbiter);
  late.follow(*space);
  if (late.any()) contacts.overlay(kept, slots, info.count);
  if (layout::set_of(space->collisionHandlers).entry_count == 0 && !space->usesWildcards) {
    update(*arbiter, info, space);
  } else {
    cpArbiterUpdate(arbiter, &info, space);
  }
  keep_contacts(kept, slots);
  if (late.any()) late.write(kept);
  const cpShape &a = *info.a, &b = *info.b;
  const auto count = static_cast<unsigned int>(info.count);
  slots.contact_count += count;
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
}

}  // namespace forkmunk::chipmunk::fast
