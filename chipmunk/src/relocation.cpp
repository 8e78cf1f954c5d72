// SPDX-License-Identifier: MIT

#include "fields.h"
#include "visitors.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace forkmunk::FORKMUNK_CHIPMUNK {
namespace {

using arena_alloc::Arena;
using arena_alloc::Moves;
using layout::HashSet;
using layout::HashSetBin;
using layout::pool_layout;
using layout::PoolBuffer;
using layout::PoolLayout;
using layout::SpaceHash;
using layout::Tree;

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

// Collision types may be addresses of objects, so handlers' hashes follow the present addresses.
void rekey_handlers(const cpSpace& space) {
  rekey<cpCollisionHandler>(layout::set_of(space.collisionHandlers), [](const cpCollisionHandler& handler) {
    return layout::pair_hash(handler.typeA, handler.typeB);
  });
}

// Returns whether contacts of the last step are also pooled, which happens without persistence.
bool has_pooled_contacts(const cpSpace& space) {
  const cpArray &pool = *space.pooledArbiters, &contacts = *space.arbiters;
  const std::unordered_set<const void*> pooled(pool.arr, pool.arr + pool.num);
  return std::any_of(contacts.arr, contacts.arr + contacts.num,
                     [&](const void* each) { return pooled.contains(each); });
}

// The unused elements of pools and ends of arrays.
class Unused {
 public:
  explicit Unused(const Arena& arena) { find_elements(arena); }

  [[nodiscard]] bool has_element(const void* element) const { return elements_.contains(element); }
  [[nodiscard]] int room_of(const cpArray& array) const { return lengths_.at(array.arr); }
  /// Returns the bytes to keep of an array of pointers.
  [[nodiscard]] std::size_t bytes_of(const std::byte* pointers, std::size_t bytes) const {
    const auto found = lengths_.find(pointers);
    return found == lengths_.end() ? bytes : static_cast<std::size_t>(found->second) * sizeof(void*);
  }

 private:
  void find_elements(const Arena& arena) {
    arena.for_each_allocation([&](std::byte* payload, std::size_t, int kind) {
      if (kind == FORKMUNK_KIND_TREE) {
        const auto& tree = *reinterpret_cast<const Tree*>(payload);
        for (const layout::Node* n = tree.pooled_nodes; n != nullptr; n = n->parent) elements_.insert(n);
        for (const layout::Pair* p = tree.pooled_pairs; p != nullptr; p = p->a.next) elements_.insert(p);
      } else if (kind == FORKMUNK_KIND_HASH_SET) {
        const auto& set = *reinterpret_cast<const HashSet*>(payload);
        for (const layout::HashSetBin* b = set.pooled_bins; b != nullptr; b = b->next) elements_.insert(b);
      } else if (kind == FORKMUNK_KIND_SPACE) {
        const auto& space = *reinterpret_cast<const cpSpace*>(payload);
        if (!has_pooled_contacts(space)) insert_pool(*space.pooledArbiters);
      } else if (kind == FORKMUNK_KIND_SPACE_HASH) {
        const auto& hash = *reinterpret_cast<const SpaceHash*>(payload);
        for (const layout::SpaceHashBin* b = hash.pooled_bins; b != nullptr; b = b->next) elements_.insert(b);
        insert_pool(*hash.pooled_handles);
      } else if (kind == FORKMUNK_KIND_ARRAY) {
        const auto& array = *reinterpret_cast<const cpArray*>(payload);
        lengths_.try_emplace(array.arr, std::max(array.num, 1));
      }
    });
  }

  void insert_pool(const cpArray& array) {
    for (int i = 0; i < array.num; ++i) elements_.insert(array.arr[i]);
    lengths_[array.arr] = 1;
  }

  std::unordered_set<const void*> elements_;
  std::unordered_map<const void*, int> lengths_;
};

/// Chipmunk's stale pointers to objects that were left behind become null. The user's lead to the arena's beginning,
/// which hashes like any pointer to freed memory.
struct Translation : MovesPointers<Translation> {
  const Arena& from;
  const Moves& moves;
  std::byte* freed;

  Translation(const Arena& from_, const Moves& moves_, std::byte* freed_) : from(from_), moves(moves_), freed(freed_) {}
  template <typename T>
  void move(T*& pointer) const {
    if (from.contains(pointer)) pointer = moves(pointer);
  }
  void move_user(void*& pointer) const {
    if (void* const moved = moves.end_or_inside(pointer)) {
      pointer = moved;
    } else if (from.contains(pointer)) {
      pointer = freed;
    }
  }
};

class Compaction {
 public:
  Compaction(const Arena& from, Arena& to) : from_(from), to_(to), unused_(from) {}

  Moves run() {
    from_.for_each_allocation([&](std::byte* payload, std::size_t bytes, int kind) {
      if (const PoolLayout layout = pool_layout(kind); layout.stride != 0) {
        copy_pool(payload, bytes, kind, layout);
      } else {
        const std::size_t kept = kind == FORKMUNK_KIND_POINTERS ? unused_.bytes_of(payload, bytes) : bytes;
        copy(payload, kept, allocate_stamped(payload, kept, kind));
      }
    });
    to_.for_each_allocation([&](std::byte* payload, std::size_t, int kind) { leave_out_buffers(payload, kind); });
    Translation translation(from_, moves_, to_.base());
    to_.for_each_allocation(
        [&](std::byte* payload, std::size_t bytes, int kind) { visit_allocation(translation, payload, bytes, kind); });
    to_.for_each_allocation([&](std::byte* payload, std::size_t, int kind) { empty_pools(payload, kind); });
    return std::move(moves_);
  }

 private:
  std::byte* allocate(std::size_t bytes, int kind) { return static_cast<std::byte*>(to_.allocate(bytes, kind)); }

  std::byte* allocate_stamped(const std::byte* payload, std::size_t bytes, int kind) {
    const bool has_stamp = is_stamped(kind) || kind == FORKMUNK_KIND_ROOT;
    if (!has_stamp || root_of(from_) == nullptr) return allocate(bytes, kind);
    std::byte* const to = allocate(bytes + arena_alloc::kStampBytes, kind);
    arena_alloc::Chunk::of(to).add_stamp(arena_alloc::Chunk::of(payload).stamp());
    return to;
  }

  void copy(const std::byte* from, std::size_t bytes, std::byte* to) {
    std::memcpy(to, from, bytes);
    moves_.add(from, bytes, to);
  }

  void copy_pool(const std::byte* buffer, std::size_t bytes, int kind, PoolLayout layout) {
    const std::byte* const elements = buffer + layout.head;
    const std::size_t stride = layout.stride, count = (bytes - layout.head) / stride;
    std::size_t used = 0;
    for (std::size_t i = 0; i < count; ++i) used += unused_.has_element(elements + i * stride) ? 0 : 1;
    std::byte* to = used == 0 ? nullptr : allocate(layout.head + used * stride, kind);
    buffers_[buffer] = to;
    if (used == 0) return;
    if (layout.head != 0) copy(buffer, layout.head, to);  // a space in the user's own memory has a pointer to it, too
    to += layout.head;
    for (std::size_t i = 0; i < count; ++i) {
      if (unused_.has_element(elements + i * stride)) continue;
      copy(elements + i * stride, stride, to);
      to += stride;
    }
  }

  // Removes buffers without elements in use from lists. Buffers come first, because their addresses are not those of
  // objects.
  void leave_out_buffers(std::byte* payload, int kind) const {
    if (kind == FORKMUNK_KIND_ARRAY) {
      translate_buffers(*reinterpret_cast<cpArray*>(payload));
    } else if (kind == FORKMUNK_KIND_TREE) {
      translate_last(reinterpret_cast<Tree*>(payload)->buffers);
    } else if (kind == FORKMUNK_KIND_HASH_SET) {
      translate_last(reinterpret_cast<HashSet*>(payload)->buffers);
    } else if (kind == FORKMUNK_KIND_SPACE) {
      translate_last(reinterpret_cast<cpSpace*>(payload)->allocatedBuffers);
    } else if (pool_layout(kind).head != 0) {
      auto& buffer = *reinterpret_cast<PoolBuffer*>(payload);
      buffer.before = copy_of_last(buffer.before);
    }
  }

  void translate_last(cpArray*& last) const {
    last = reinterpret_cast<cpArray*>(copy_of_last(reinterpret_cast<PoolBuffer*>(last)));
  }

  [[nodiscard]] PoolBuffer* copy_of_last(const PoolBuffer* last) const {
    for (auto buffer = buffers_.find(last); buffer != buffers_.end(); buffer = buffers_.find(last)) {
      if (buffer->second != nullptr) return reinterpret_cast<PoolBuffer*>(buffer->second);
      last = last->before;
    }
    return nullptr;
  }

  // `array` lists a spatial hash's buffers. Its length is the room for elements.
  void translate_buffers(cpArray& array) const {
    void** const pointers = moves_(array.arr);
    array.max = unused_.room_of(array);
    array.num = std::min(array.num, array.max);
    int kept = 0;
    bool is_list_of_buffers = false;
    for (int i = 0; i < array.num; ++i) {
      const auto buffer = buffers_.find(pointers[i]);
      if (buffer == buffers_.end()) {
        pointers[kept++] = pointers[i];
        continue;
      }
      is_list_of_buffers = true;
      if (buffer->second != nullptr) pointers[kept++] = buffer->second;
    }
    if (is_list_of_buffers) array.num = kept;
  }

  static void empty_pools(std::byte* payload, int kind) {
    if (kind == FORKMUNK_KIND_TREE) {
      auto& tree = *reinterpret_cast<Tree*>(payload);
      tree.pooled_nodes = nullptr;
      tree.pooled_pairs = nullptr;
    } else if (kind == FORKMUNK_KIND_HASH_SET) {
      reinterpret_cast<HashSet*>(payload)->pooled_bins = nullptr;
    } else if (kind == FORKMUNK_KIND_SPACE_HASH) {
      auto& hash = *reinterpret_cast<SpaceHash*>(payload);
      hash.pooled_bins = nullptr;
      hash.pooled_handles->num = 0;
    } else if (kind == FORKMUNK_KIND_SPACE) {
      auto& space = *reinterpret_cast<cpSpace*>(payload);
      if (!has_pooled_contacts(space)) space.pooledArbiters->num = 0;
      rekey_handlers(space);
    }
  }

  const Arena& from_;
  Arena& to_;
  const Unused unused_;
  Moves moves_;
  std::unordered_map<const void*, std::byte*> buffers_;  // of pools; null for one without an element in use
};

}  // namespace

void relocate(arena_alloc::Arena& arena, const std::byte* from, std::size_t bytes) noexcept {
  Relocation relocation(reinterpret_cast<std::uintptr_t>(from), bytes, reinterpret_cast<std::uintptr_t>(arena.base()));
  if (relocation.from == relocation.to) return;
  bool has_ids = false;  // contacts have ids as keys
  const std::byte* last_space = nullptr;
  int space_count = 0;
  arena.for_each_allocation([&](std::byte* payload, std::size_t size, int kind) {
    visit_allocation(relocation, payload, size, kind);
    has_ids = has_ids || kind == FORKMUNK_KIND_CONTACT_ARBITERS;
    if (kind != FORKMUNK_KIND_SPACE) return;
    last_space = payload;
    ++space_count;
  });
  if (static_cast<std::uint32_t>(relocation.from) == static_cast<std::uint32_t>(relocation.to)) return;
  const auto rekey = [&](const std::byte* payload) {
    const auto& space = *reinterpret_cast<const cpSpace*>(payload);
    if (!has_ids) rekey_arbiters(space);
    rekey_handlers(space);
  };
  if (space_count == 1) return rekey(last_space);
  arena.for_each_allocation([&](std::byte* payload, std::size_t, int kind) {
    if (kind == FORKMUNK_KIND_SPACE) rekey(payload);
  });
}

Moves compact(const Arena& from, Arena& to) { return Compaction(from, to).run(); }

}  // namespace forkmunk::FORKMUNK_CHIPMUNK
