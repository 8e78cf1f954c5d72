#include "structure_check.h"

#include <cstring>

namespace forkmunk::chipmunk {
namespace {

// Read as its bytes: no other value may be loaded as a cpArbiterState.
bool has_state(const cpArbiter& arbiter) {
  std::uint32_t state = 0;
  static_assert(sizeof state == sizeof arbiter.state);
  std::memcpy(&state, &arbiter.state, sizeof state);
  return state <= CP_ARBITER_STATE_INVALIDATED;
}

}  // namespace

void StructureObjects::check_arbiters(cpSpace& space) {
  const auto* set = reinterpret_cast<layout::HashSet*>(space.cachedArbiters);
  memory_.hash_set<cpArbiter>(set, "contacts' equality", [&](const cpArbiter* arbiter, const layout::HashSetBin& bin) {
    check_arbiter(arbiter);
    memory_.require(arbiter->a->space == &space && bin.hash == layout::pair_id_hash(arbiter->a, arbiter->b),
                    "a cached arbiter", arbiter);
  });
  for (void* element : memory_.array(space.arbiters, "a space's arbiters")) {
    const auto* arbiter = static_cast<cpArbiter*>(element);
    check_arbiter(arbiter);
    memory_.require(arbiter->a->space == &space && parts_[&space].arbiters.insert(arbiter).second,
                    "an arbiter is listed twice", arbiter);
  }
}

const layout::ContactArbiter& StructureObjects::arbiter_at(const void* address, const char* what) const {
  return memory_.element(static_cast<const layout::ContactArbiter*>(address), FORKMUNK_KIND_CONTACT_ARBITERS, what,
                         sizeof(layout::PoolBuffer));
}

void StructureObjects::require_owner(const cpArbiter* arbiter, const cpSpace* space) const {
  static_cast<void>(memory_.pooled(reinterpret_cast<const layout::ContactArbiter*>(arbiter),
                                   FORKMUNK_KIND_CONTACT_ARBITERS, space, "an arbiter of another space's pool"));
}

// Called for each list that it is in; checks it once.
void StructureObjects::check_arbiter(const cpArbiter* address) {
  const cpArbiter& arbiter = arbiter_at(address, "an arbiter").arbiter;
  const cpShape& a = shape_at(arbiter.a);
  const cpShape& b = shape_at(arbiter.b);
  SpaceParts& parts = parts_of(a.space, &arbiter);
  if (!parts.checked.insert(&arbiter).second) return;
  memory_.claim(&arbiter, "an arbiter is used twice");
  require_owner(&arbiter, a.space);
  memory_.require(has_state(arbiter), "an arbiter's state", &arbiter);
  memory_.require(parts.shapes.contains(&a) && parts.shapes.contains(&b),
                  "an arbiter of shapes that are not in a space", &arbiter);
  memory_.require(arbiter.body_a == a.body && arbiter.body_b == b.body && a.body != b.body, "an arbiter's bodies",
                  &arbiter);
  const Body& body_a = reach(a.body);
  const Body& body_b = reach(b.body);
  for (const Body* body : {&body_a, &body_b}) {
    memory_.require(body->space == nullptr || body->space == a.space, "an arbiter of bodies in another space",
                    &arbiter);
  }
  check_contacts(reinterpret_cast<const layout::ContactArbiter&>(arbiter));
  check_handlers(arbiter, *a.space);
}

void StructureObjects::check_handlers(const cpArbiter& arbiter, const cpSpace& space) {
  const auto& handlers = parts_.at(&space).handlers;
  memory_.require(arbiter.handler == &space.defaultHandler || handlers.contains(arbiter.handler),
                  "an arbiter's handler", &arbiter);
  for (const cpCollisionHandler* handler : {arbiter.handlerA, arbiter.handlerB}) {
    if (handler == nullptr) {
      memory_.require(!memory_.asks_wildcards(*arbiter.handler), "an arbiter without wildcard handlers", &arbiter);
      continue;
    }
    memory_.require(memory_.is_named(handler, "handler that does nothing") ||
                        (handlers.contains(handler) && !memory_.asks_wildcards(*handler)),
                    "an arbiter's wildcard handlers", &arbiter);
  }
}

void StructureObjects::check_contacts(const layout::ContactArbiter& kept) const {
  const cpArbiter& arbiter = kept.arbiter;
  memory_.require(arbiter.count >= 0 && arbiter.count <= CP_MAX_CONTACTS_PER_ARBITER &&
                      (arbiter.contacts == kept.contacts || (arbiter.contacts == nullptr && arbiter.count == 0)),
                  "an arbiter's contacts", &arbiter);
}

void StructureObjects::check_arbiters_of(const cpBody& body) {
  std::unordered_set<const cpArbiter*> seen;
  const cpArbiter* previous = nullptr;
  for (const cpArbiter* arbiter = body.arbiterList; arbiter != nullptr;) {
    check_arbiter(arbiter);
    memory_.require(seen.insert(arbiter).second && (arbiter->body_a == &body || arbiter->body_b == &body),
                    "a body's list of arbiters is broken", arbiter);
    const cpArbiterThread& thread = arbiter->body_a == &body ? arbiter->thread_a : arbiter->thread_b;
    memory_.require(thread.prev == previous, "a body's list of arbiters is broken", arbiter);
    const Body& a = bodies_.at(arbiter->body_a);
    const Body& b = bodies_.at(arbiter->body_b);
    const bool is_asleep = a.role == Role::asleep || b.role == Role::asleep;
    memory_.require(parts_.at(arbiter->a->space).arbiters.contains(arbiter) != is_asleep,
                    "an arbiter of sleeping bodies is at work, or one of waking bodies is not", arbiter);
    for (const cpBody* end : {arbiter->body_a, arbiter->body_b}) {
      const Body& state = bodies_.at(end);
      memory_.require(!is_asleep || type_of(*end) == CP_BODY_TYPE_STATIC ||
                          (state.role == Role::asleep && (a.root == nullptr || b.root == nullptr || a.root == b.root)),
                      "a sleeping body touches one that is awake", arbiter);
    }
    ++arbiter_ends_[arbiter];
    previous = arbiter;
    arbiter = thread.next;
  }
}

}  // namespace forkmunk::chipmunk
