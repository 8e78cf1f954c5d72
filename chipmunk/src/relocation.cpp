#include "fields.h"
#include "rekey.h"
#include "visitors.h"

namespace forkmunk::chipmunk {
namespace {

using layout::HashSet;
using layout::HashSetBin;

struct Relocation : MovesPointers<Relocation> {
  std::uintptr_t from, bytes, to;

  Relocation(std::uintptr_t from_, std::uintptr_t bytes_, std::uintptr_t to_) : from(from_), bytes(bytes_), to(to_) {}
  template <typename T>
  void move(T*& pointer) const {
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(pointer) - from;
    if (offset < bytes) pointer = reinterpret_cast<T*>(to + offset);
  }
  void move_user(void*& pointer) const { move(pointer); }
};

// Files the elements of a set under new hashes.
template <typename Element, typename Hash>
void rekey(HashSet& set, Hash hash_of) {
  HashSetBin* bins = nullptr;
  for (unsigned int i = 0; i < set.bucket_count; ++i) {
    while (HashSetBin* bin = set.buckets[i]) {
      set.buckets[i] = bin->next;
      bin->next = bins;
      bins = bin;
    }
  }
  while (HashSetBin* bin = bins) {
    bins = bin->next;
    bin->hash = hash_of(*static_cast<const Element*>(bin->element));
    HashSetBin*& bucket = set.buckets[bin->hash % set.bucket_count];
    bin->next = bucket;
    bucket = bin;
  }
}

void rekey_arbiters(const cpSpace& space) {
  rekey<cpArbiter>(layout::set_of(space.cachedArbiters),
                   [](const cpArbiter& arbiter) { return layout::pair_hash(arbiter.a, arbiter.b); });
}

}  // namespace

void rekey_handlers(const cpSpace& space) {
  rekey<cpCollisionHandler>(layout::set_of(space.collisionHandlers), [](const cpCollisionHandler& handler) {
    return layout::pair_hash(handler.typeA, handler.typeB);
  });
}

void relocate(arena_alloc::Arena& arena, const std::byte* from, std::size_t bytes) noexcept {
  Relocation relocation(reinterpret_cast<std::uintptr_t>(from), bytes, reinterpret_cast<std::uintptr_t>(arena.base()));
  if (relocation.from == relocation.to) return;
  arena.for_each_allocation(
      [&](std::byte* payload, std::size_t size, int kind) { visit_allocation(relocation, payload, size, kind); });
  if (static_cast<std::uint32_t>(relocation.from) == static_cast<std::uint32_t>(relocation.to)) return;
  bool has_ids = false;  // for keys of contacts, instead of addresses
  arena.for_each_allocation(
      [&](std::byte*, std::size_t, int kind) { has_ids = has_ids || kind == FORKMUNK_KIND_CONTACT_ARBITERS; });
  arena.for_each_allocation([&](std::byte* payload, std::size_t, int kind) {
    if (kind != FORKMUNK_KIND_SPACE) return;
    const auto& space = *reinterpret_cast<const cpSpace*>(payload);
    if (!has_ids) rekey_arbiters(space);
    rekey_handlers(space);
  });
}

}  // namespace forkmunk::chipmunk
