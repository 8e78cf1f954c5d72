// SPDX-License-Identifier: MIT
#include "state_numbers.h"

#include <algorithm>
#include <functional>

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

StateNumbers::StateNumbers(const StateMemory& memory) : at_(memory), inside_(memory) {
  objects_.reserve(memory.bytes.size() / sizeof(cpBody));
  for (cpSpace* space : spaces_of(at_)) add_space(*space);
  const ArenaRoot* const root = root_of(at_);
  // There are no others if as many objects have numbers as ever got stamps.
  const bool is_whole = root != nullptr && outside_.empty() && stamped_count_ == arena_alloc::Chunk::of(root).stamp();
  if (!is_whole) add_rest();
}

void StateNumbers::add_rest() {
  const bool has_stamps = root_of(at_) != nullptr;
  SortKeys rest;  // whose, the stamp, and the address
  const auto add_chunk = [&](std::uint32_t, arena_alloc::Chunk& chunk) {
    if (!chunk.used() || ((kObjectsOfChipmunk | kObjectsOfUser) >> chunk.kind() & 1) == 0) return true;
    if (of(at_.address_of(chunk.payload())) != 0) return true;
    const bool is_users = (kObjectsOfUser >> chunk.kind() & 1) != 0;
    if (is_users) user_objects_.push_back(allocation_at(chunk.payload()));
    rest.push_back({is_users, has_stamps ? chunk.stamp() : 0, reinterpret_cast<std::uintptr_t>(chunk.payload())});
    return true;
  };
  arena_alloc::walk_chunks(at_.bytes.data(), arena_alloc::kFirstChunkOffset,
                           static_cast<std::uint32_t>(at_.bytes.size()), add_chunk);
  std::sort(rest.begin(), rest.end());
  for (const auto& key : rest) {
    const StateObject object = allocation_at(reinterpret_cast<const void*>(key[2]));
    add(at_.address_of(object.payload), object.bytes, object.kind);
  }
}

const StateObject* StateNumbers::user_object_around(const void* address) const {
  const auto after = std::upper_bound(user_objects_.begin(), user_objects_.end(), address,
                                      [&](const void* one, const StateObject& object) {
                                        return std::less<const void*>{}(one, at_.address_of(object.payload));
                                      });
  if (after == user_objects_.begin()) return nullptr;
  const StateObject& object = *(after - 1);
  const auto* const payload = static_cast<const std::byte*>(at_.address_of(object.payload));
  return static_cast<std::size_t>(static_cast<const std::byte*>(address) - payload) < object.bytes ? &object : nullptr;
}

std::uint32_t StateNumbers::number_outside(const void* address) const {
  const auto found = outside_.find(address);
  return found == outside_.end() ? 0 : found->second;
}

std::uint32_t& StateNumbers::place_outside(const void* address) {
  return outside_.try_emplace(address, AddressTable::kNone).first->second;
}

inline void StateNumbers::add(const void* object, std::uint32_t bytes, int kind) {
  if (object == nullptr) return;
  std::uint32_t& number = inside_.contains(object) ? inside_.at(object) : place_outside(object);
  if (number != AddressTable::kNone) return;
  objects_.push_back({static_cast<std::byte*>(const_cast<void*>(at_(object))), bytes, kind});
  stamped_count_ += bytes != 0 && is_stamped(kind) ? 1 : 0;
  number = static_cast<std::uint32_t>(objects_.size());
}

void StateNumbers::add_body(cpBody* body) {
  // The static body of a space lies in the space.
  const cpBody* const place = at_(body);
  const bool is_own = place != nullptr && (place->space == nullptr || place != &at_(place->space)->_staticBody);
  add(body, is_own ? sizeof(cpBody) : 0, FORKMUNK_KIND_BODY);
}

void StateNumbers::add_bodies(const cpArray& bodies) {
  for (int i = 0; i < bodies.num; ++i) add_body(static_cast<cpBody*>(at_(bodies.arr)[i]));
}

void StateNumbers::add_space(cpSpace& space) {
  add(at_.address_of(&space), sizeof(ListedSpace), FORKMUNK_KIND_SPACE);
  const std::size_t first_body = objects_.size();
  add_body(space.staticBody);
  add_bodies(*at_(space.dynamicBodies));
  add_bodies(*at_(space.staticBodies));
  const cpArray& components = *at_(space.sleepingComponents);
  for (int i = 0; i < components.num; ++i) {
    for (auto* body = static_cast<cpBody*>(at_(components.arr)[i]); body != nullptr; body = at_(body)->sleeping.next) {
      add_body(body);
    }
  }
  const std::size_t last_body = objects_.size();
  const auto for_each_body = [&](auto visit) {
    for (std::size_t i = first_body; i < last_body; ++i) {
      const auto* const body = reinterpret_cast<const cpBody*>(objects_[i].payload);
      visit(*body, at_.address_of(body));
    }
  };
  const auto add_allocation = [&](const void* object) {
    if (object == nullptr) return;
    // An object that was made outside of a scope has no header.
    const StateObject found = at_.contains(object) ? allocation_at(at_(object)) : StateObject{};
    add(object, found.bytes, found.kind);
  };
  for_each_body([&](const cpBody& body, const void*) {
    for (const cpShape* shape = body.shapeList; shape != nullptr; shape = at_(shape)->next) {
      add_allocation(shape);
      if (at_.contains(shape) && !arena_alloc::Chunk::of(at_(shape)).used()) break;  // freed in the space: damage
    }
  });
  const cpArray& joints = *at_(space.constraints);
  for (int i = 0; i < joints.num; ++i) add_allocation(at_(joints.arr)[i]);
  // The joints of sleeping bodies are in no array.
  for_each_body([&](const cpBody& body, const void* address) {
    for (const cpConstraint* joint = body.constraintList; joint != nullptr;) {
      add_allocation(joint);
      joint = at_(joint)->a == address ? at_(joint)->next_a : at_(joint)->next_b;
    }
  });
  add_contacts(space);
  for_each_body([&](const cpBody& body, const void* address) {
    for (const cpArbiter* contact = body.arbiterList; contact != nullptr;) {
      add(contact, sizeof(cpArbiter), FORKMUNK_KIND_ARBITERS);
      contact = at_(contact)->body_a == address ? at_(contact)->thread_a.next : at_(contact)->thread_b.next;
    }
  });
  add_handlers(space);
}

void StateNumbers::add_contacts(const cpSpace& space) {
  const cpArray& contacts = *at_(space.arbiters);
  for (int i = 0; i < contacts.num; ++i) add(at_(contacts.arr)[i], sizeof(cpArbiter), FORKMUNK_KIND_ARBITERS);
  // Shapes of bodies in no space have no number yet.
  const auto key_of = [&](const cpShape* shape) -> std::uintptr_t {
    if (const std::uint32_t number = of(shape)) return number | 1u << 31;
    return at_.contains(shape) ? at_(shape)->hashid : 0;
  };
  SortKeys cached;  // both shapes, and the contact
  const auto add_cached = [&](const cpArbiter& contact, const layout::HashSetBin& bin) {
    if (of(bin.element) != 0) return;
    cached.push_back({key_of(contact.a), key_of(contact.b), reinterpret_cast<std::uintptr_t>(bin.element)});
  };
  layout::for_each<cpArbiter>(layout::set_of(at_(space.cachedArbiters)), add_cached, at_);
  std::sort(cached.begin(), cached.end());
  for (const auto& entry : cached) {
    add(reinterpret_cast<const void*>(entry[2]), sizeof(cpArbiter), FORKMUNK_KIND_ARBITERS);
  }
}

void StateNumbers::add_handlers(const cpSpace& space) {
  add(at_.address_of(&space.defaultHandler), 0, FORKMUNK_KIND_COLLISION_HANDLER);
  SortKeys handlers;  // both types, and the handler
  const auto list = [&](const cpCollisionHandler& handler, const layout::HashSetBin&) {
    handlers.push_back({handler.typeA, handler.typeB, reinterpret_cast<std::uintptr_t>(&handler)});
  };
  layout::for_each<cpCollisionHandler>(layout::set_of(at_(space.collisionHandlers)), list, at_);
  // Types that are objects' addresses are sorted by these objects' order.
  std::sort(handlers.begin(), handlers.end());
  for (const auto& key : handlers) {
    const void* const handler = at_.address_of(reinterpret_cast<const void*>(key[2]));
    add(handler, sizeof(cpCollisionHandler), FORKMUNK_KIND_COLLISION_HANDLER);
  }
}

}  // namespace forkmunk::FORKMUNK_CHIPMUNK
