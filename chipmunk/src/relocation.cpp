#include "fields.h"
#include "rekey.h"
#include "visitors.h"

namespace forkmunk::chipmunk {
namespace {

using layout::HashSet;
using layout::HashSetBin;

struct Relocation : CallsShowing {
  static constexpr bool kWantsData = false;
  std::uintptr_t from;
  std::uintptr_t bytes;
  std::uintptr_t to;

  template <typename T>
  void at_any(T*& pointer) const {
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(pointer) - from;
    if (offset < bytes) pointer = reinterpret_cast<T*>(to + offset);
  }
  template <typename T>
  void pointer(const char*, T*& p) const {
    at_any(p);
  }
  template <typename T>
  void code(const char*, T&) const {}
  void user(const char*, void*& p) const { at_any(p); }
  void user(const char*, std::uintptr_t& number) const {
    if (number - from < bytes) number = to + (number - from);
  }
  template <typename T>
  void data(const char*, const T&) const {}
  void word(void*& w) const { at_any(w); }
  void bytes_at(const std::byte*, std::size_t) const {}
  void at(const char*, std::size_t) const {}
};

}  // namespace

namespace {

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

}  // namespace

void rekey(const cpSpace& space) {
  rekey<cpArbiter>(layout::set_of(space.cachedArbiters),
                   [](const cpArbiter& arbiter) { return layout::pair_hash(arbiter.a, arbiter.b); });
  rekey<cpCollisionHandler>(layout::set_of(space.collisionHandlers), [](const cpCollisionHandler& handler) {
    return layout::pair_hash(handler.typeA, handler.typeB);
  });
}

void relocate(arena_alloc::Arena& arena, const std::byte* from, std::size_t bytes) noexcept {
  Relocation relocation{
      {}, reinterpret_cast<std::uintptr_t>(from), bytes, reinterpret_cast<std::uintptr_t>(arena.base())};
  if (relocation.from == relocation.to) return;
  arena.for_each_allocation(
      [&](std::byte* payload, std::size_t size, int kind) { visit_allocation(relocation, payload, size, kind); });
  if (static_cast<std::uint32_t>(relocation.from) == static_cast<std::uint32_t>(relocation.to)) return;
  arena.for_each_allocation([](std::byte* payload, std::size_t, int kind) {
    if (kind == FORKMUNK_KIND_SPACE) rekey(*reinterpret_cast<const cpSpace*>(payload));
  });
}

}  // namespace forkmunk::chipmunk
