// SPDX-License-Identifier: MIT
#include "state_numbers.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace forkmunk::FORKMUNK_CHIPMUNK {
namespace {

constexpr std::uint64_t kinds_of(int first, int last) { return (~std::uint64_t{0} >> (63 - (last - first))) << first; }
constexpr std::uint64_t kObjectsOfChipmunk = kinds_of(FORKMUNK_KIND_BODY, FORKMUNK_KIND_BODY) |
                                             kinds_of(FORKMUNK_KIND_CIRCLE, FORKMUNK_KIND_POLY) |
                                             kinds_of(FORKMUNK_KIND_PIN_JOINT, FORKMUNK_KIND_SIMPLE_MOTOR);
constexpr std::uint64_t kObjectsOfUser = kinds_of(FORKMUNK_KIND_CONSERVATIVE, FORKMUNK_KIND_CONSERVATIVE) |
                                         kinds_of(FORKMUNK_KIND_PLAIN, FORKMUNK_KIND_PLAIN) |
                                         kinds_of(FORKMUNK_KIND_TYPED, FORKMUNK_KIND_TYPED) |
                                         kinds_of(FORKMUNK_KIND_POLYLINE_SET, FORKMUNK_KIND_POLYLINE_SET) |
                                         kinds_of(FORKMUNK_KIND_COUNT, arena_alloc::kKindCount - 1);

StateObject allocation_at(const void* payload) {
  const arena_alloc::Chunk& chunk = arena_alloc::Chunk::of(payload);
  return {static_cast<std::byte*>(const_cast<void*>(payload)), chunk.requested_bytes(), chunk.kind()};
}

}  // namespace

StateNumbers::StateNumbers(const arena_alloc::Arena& arena) : inside_(arena) {
  for (cpSpace* space : spaces_of(arena)) add_space(*space);
  add_rest(arena);
}

void StateNumbers::add_rest(const arena_alloc::Arena& arena) {
  const bool has_stamps = root_of(arena) != nullptr;
  std::vector<std::pair<std::uint32_t, StateObject>> loose, users;
  arena.for_each_chunk([&](std::uint32_t, arena_alloc::Chunk& chunk) {
    if (!chunk.used() || ((kObjectsOfChipmunk | kObjectsOfUser) >> chunk.kind() & 1) == 0) return;
    if (of(chunk.payload()) != 0) return;
    const bool is_users = (kObjectsOfUser >> chunk.kind() & 1) != 0;
    const StateObject object = allocation_at(chunk.payload());
    if (is_users) user_objects_.push_back(object);
    (is_users ? users : loose).push_back({has_stamps ? chunk.stamp() : 0, object});
  });
  for (auto* found : {&loose, &users}) {
    std::sort(found->begin(), found->end(), [](const auto& one, const auto& other) {
      if (one.first != other.first) return one.first < other.first;
      return std::less<const std::byte*>{}(one.second.payload, other.second.payload);
    });
    for (const auto& [stamp, object] : *found) add(object.payload, object.bytes, object.kind);
  }
}

const StateObject* StateNumbers::user_object_around(const void* address) const {
  const auto after = std::upper_bound(
      user_objects_.begin(), user_objects_.end(), address,
      [](const void* one, const StateObject& object) { return std::less<const void*>{}(one, object.payload); });
  if (after == user_objects_.begin()) return nullptr;
  const StateObject& object = *(after - 1);
  const auto offset = static_cast<const std::byte*>(address) - object.payload;
  return static_cast<std::size_t>(offset) < object.bytes ? &object : nullptr;
}

std::uint32_t StateNumbers::number_outside(const void* address) const {
  const auto found = outside_.find(address);
  return found == outside_.end() ? 0 : found->second;
}

bool StateNumbers::add(const void* object, std::size_t bytes, int kind) {
  if (object == nullptr || of(object) != 0) return false;
  objects_.push_back({static_cast<std::byte*>(const_cast<void*>(object)), bytes, kind});
  const auto number = static_cast<std::uint32_t>(objects_.size());
  if (inside_.contains(object)) {
    inside_.set(object, number);
  } else {
    outside_.emplace(object, number);
  }
  return true;
}

void StateNumbers::add_body(cpBody* body) {
  // The static body of a space lies in the space.
  const bool is_own = body != nullptr && (body->space == nullptr || body != &body->space->_staticBody);
  add(body, is_own ? sizeof(cpBody) : 0, FORKMUNK_KIND_BODY);
}

void StateNumbers::add_bodies(const cpArray& bodies) {
  for (int i = 0; i < bodies.num; ++i) add_body(static_cast<cpBody*>(bodies.arr[i]));
}

void StateNumbers::add_space(cpSpace& space) {
  add(&space, sizeof(ListedSpace), FORKMUNK_KIND_SPACE);
  const std::size_t first_body = objects_.size();
  add_body(space.staticBody);
  add_bodies(*space.dynamicBodies);
  add_bodies(*space.staticBodies);
  for (int i = 0; i < space.sleepingComponents->num; ++i) {
    for (auto* body = static_cast<cpBody*>(space.sleepingComponents->arr[i]); body != nullptr;
         body = body->sleeping.next) {
      add_body(body);
    }
  }
  const std::size_t last_body = objects_.size();
  const auto for_each_body = [&](auto visit) {
    for (std::size_t i = first_body; i < last_body; ++i) visit(*reinterpret_cast<cpBody*>(objects_[i].payload));
  };
  const auto add_allocation = [&](const void* object) {
    if (object == nullptr) return;
    const StateObject found = allocation_at(object);
    add(object, found.bytes, found.kind);
  };
  for_each_body([&](const cpBody& body) {
    for (const cpShape* shape = body.shapeList; shape != nullptr; shape = shape->next) {
      add_allocation(shape);
      if (!arena_alloc::Chunk::of(shape).used()) break;  // freed before it was removed: a damaged state
    }
  });
  for (int i = 0; i < space.constraints->num; ++i) add_allocation(space.constraints->arr[i]);
  // The joints of sleeping bodies are in no array.
  for_each_body([&](const cpBody& body) {
    for (const cpConstraint* joint = body.constraintList; joint != nullptr;) {
      add_allocation(joint);
      joint = joint->a == &body ? joint->next_a : joint->next_b;
    }
  });
  add_contacts(space);
  for_each_body([&](const cpBody& body) {
    for (const cpArbiter* contact = body.arbiterList; contact != nullptr;) {
      add(contact, sizeof(cpArbiter), FORKMUNK_KIND_ARBITERS);
      contact = contact->body_a == &body ? contact->thread_a.next : contact->thread_b.next;
    }
  });
  add_handlers(space);
}

void StateNumbers::add_contacts(const cpSpace& space) {
  for (int i = 0; i < space.arbiters->num; ++i) {
    add(space.arbiters->arr[i], sizeof(cpArbiter), FORKMUNK_KIND_ARBITERS);
  }
  std::vector<std::array<std::uintptr_t, 3>> cached;  // the numbers of both shapes, and the contact
  layout::for_each<cpArbiter>(layout::set_of(space.cachedArbiters), [&](cpArbiter& contact, const layout::HashSetBin&) {
    if (of(&contact) != 0) return;
    cached.push_back({of(contact.a), of(contact.b), reinterpret_cast<std::uintptr_t>(&contact)});
  });
  std::sort(cached.begin(), cached.end());
  for (const auto& entry : cached) {
    add(reinterpret_cast<const void*>(entry[2]), sizeof(cpArbiter), FORKMUNK_KIND_ARBITERS);
  }
}

void StateNumbers::add_handlers(const cpSpace& space) {
  add(&space.defaultHandler, 0, FORKMUNK_KIND_COLLISION_HANDLER);
  std::vector<const cpCollisionHandler*> handlers;
  layout::for_each<cpCollisionHandler>(
      layout::set_of(space.collisionHandlers),
      [&](const cpCollisionHandler& handler, const layout::HashSetBin&) { handlers.push_back(&handler); });
  // Types that are objects' addresses are sorted by these objects' order.
  std::sort(handlers.begin(), handlers.end(), [](const cpCollisionHandler* one, const cpCollisionHandler* other) {
    return one->typeA != other->typeA ? one->typeA < other->typeA : one->typeB < other->typeB;
  });
  for (const cpCollisionHandler* handler : handlers) {
    add(handler, sizeof(cpCollisionHandler), FORKMUNK_KIND_COLLISION_HANDLER);
  }
}

}  // namespace forkmunk::FORKMUNK_CHIPMUNK
