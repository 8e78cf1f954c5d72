// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/chipmunk/allocation_kinds.h>
#include <forkmunk/chipmunk/precision.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>

#include <chipmunk/chipmunk_structs.h>

/// The private layouts of Chipmunk 7.0.3 that hashing, forking and emptying a space need.
namespace forkmunk::FORKMUNK_CHIPMUNK::layout {

/// The beginning of a pool's buffer in a build with the fast step (src/fast/stock_step.h), where Chipmunk's arrays of
/// buffers point to the last buffer.
struct alignas(8) PoolBuffer {
  PoolBuffer* before;
};

struct HashSetBin {
  void* element;
  cpHashValue hash;
  HashSetBin* next;
};

/// A chained hash set, visited by bucket: the number of buckets fixes the order.
struct HashSet {
  unsigned int entry_count;
  unsigned int bucket_count;
  void* equal;
  void* default_value;
  HashSetBin** buckets;
  HashSetBin* pooled_bins;
  cpArray* buffers;
};

struct Pair;

/// A node of cpBBTree.c. Only leaves have a shape.
struct Node {
  cpShape* shape;
  cpBB bb;
  Node* parent;
  union {
    struct {
      Node *a, *b;
    } children;
    struct {
      cpTimestamp stamp;
      Pair* pairs;
    } leaf;
  };
  [[nodiscard]] bool is_leaf() const { return shape != nullptr; }
};

struct PairEnd {
  Pair* previous;
  Node* leaf;
  Pair* next;
};

/// Two leaves whose boxes overlap. `id` warm-starts their next collision test.
struct Pair {
  PairEnd a, b;
  cpCollisionID id;
  [[nodiscard]] const PairEnd& end_at(const Node* leaf) const { return a.leaf == leaf ? a : b; }
  [[nodiscard]] const PairEnd& end_beyond(const Node* leaf) const { return a.leaf == leaf ? b : a; }
};

struct Tree {
  void* klass;
  cpSpatialIndexBBFunc bb_function;
  Tree *static_tree, *dynamic_tree;
  cpBBTreeVelocityFunc velocity_function;
  HashSet* leaves;
  Node* root;
  Node* pooled_nodes;  // linked by parent
  Pair* pooled_pairs;  // linked by a.next
  cpArray* buffers;
  cpTimestamp stamp;
};

/// The head of a contact buffer. The contacts follow, and the buffers form a ring.
struct alignas(cpContact) alignas(void*) ContactBuffer {
  cpTimestamp stamp;
  ContactBuffer* next;
  unsigned int contact_count;
};

/// In a build with the fast step, contacts are in their arbiters (src/fast/stock_space.c).
struct ContactSlots {
  cpTimestamp stamp;
  ContactSlots* next;
  unsigned int contact_count;
  unsigned int number : 31;  ///< Counted from 1, in the order of allocation.
  /// True if a cached arbiter may be older than its buffer's content; the same in all buffers of a ring.
  unsigned int has_stale : 1;
};

/// In a build with the fast step, `arbiter.contacts` are `contacts`, or null.
struct ContactArbiter {
  cpArbiter arbiter;
  cpContact contacts[CP_MAX_CONTACTS_PER_ARBITER];

  /// The place of the contacts in stock Chipmunk: the buffer's number and the first slot. The contacts' padding holds
  /// both, which saves 16 bytes in each snapshot.
#ifdef FORKMUNK_SINGLE
  std::uint32_t buffer_, slot_;
  [[nodiscard]] std::uint32_t buffer() const noexcept { return buffer_; }
  [[nodiscard]] std::uint32_t slot() const noexcept { return slot_; }
  void set_slot(std::uint32_t buffer, std::uint32_t slot) noexcept { buffer_ = buffer, slot_ = slot; }
#else
  [[nodiscard]] std::uint32_t buffer() const noexcept { return padding_of(contacts[0]); }
  [[nodiscard]] std::uint32_t slot() const noexcept { return padding_of(contacts[1]); }
  void set_slot(std::uint32_t buffer, std::uint32_t slot) noexcept {
    std::memcpy(&contacts[0].hash + 1, &buffer, sizeof buffer);
    std::memcpy(&contacts[1].hash + 1, &slot, sizeof slot);
  }

 private:
  static_assert(offsetof(cpContact, hash) + sizeof(cpHashValue) + sizeof(std::uint32_t) <= sizeof(cpContact));
  [[nodiscard]] static std::uint32_t padding_of(const cpContact& contact) noexcept {
    std::uint32_t number;
    std::memcpy(&number, &contact.hash + 1, sizeof number);
    return number;
  }
#endif
};

/// The bytes before a polygon's planes, and the number of vertices whose planes fit inside (src/fast/stock_memory.c).
inline constexpr std::size_t kPolygonHeadBytes = offsetof(cpPolyShape, _planes);
[[nodiscard]] constexpr int polygon_room(std::size_t allocated_bytes) {
  return static_cast<int>((allocated_bytes - kPolygonHeadBytes) / (2 * sizeof(cpSplittingPlane)));
}

struct SpaceHashHandle {
  void* object;
  int use_count;
  cpTimestamp stamp;
};

struct SpaceHashBin {
  SpaceHashHandle* handle;
  SpaceHashBin* next;
};

/// A broad phase by cells, which hash as wide as a C long, so their order depends on the machine.
struct SpaceHash {
  void* klass;
  cpSpatialIndexBBFunc bb_function;
  void *static_index, *dynamic_index;
  int cell_count;
  cpFloat cell_size;
  SpaceHashBin** cells;
  HashSet* handles;
  SpaceHashBin* pooled_bins;
  cpArray* pooled_handles;
  cpArray* buffers;
  cpTimestamp stamp;
};

/// The bytes before a pool buffer's elements, and of an element; 0 for other allocations.
struct PoolLayout {
  std::size_t head, stride;
};
[[nodiscard]] constexpr PoolLayout pool_layout(int kind) noexcept {
  switch (kind) {
    case FORKMUNK_KIND_POOLED_BINS: return {sizeof(PoolBuffer), sizeof(HashSetBin)};
    case FORKMUNK_KIND_POOLED_NODES: return {sizeof(PoolBuffer), sizeof(Node)};
    case FORKMUNK_KIND_POOLED_PAIRS: return {sizeof(PoolBuffer), sizeof(Pair)};
    case FORKMUNK_KIND_CONTACT_ARBITERS: return {sizeof(PoolBuffer), sizeof(ContactArbiter)};
    case FORKMUNK_KIND_CONTACT_SLOTS: return {sizeof(PoolBuffer), sizeof(ContactSlots)};
    case FORKMUNK_KIND_SPACE_HASH_BINS: return {0, sizeof(SpaceHashBin)};
    case FORKMUNK_KIND_SPACE_HASH_HANDLES: return {0, sizeof(SpaceHashHandle)};
    default: return {0, 0};
  }
}
static_assert(sizeof(PoolBuffer) % alignof(Node) == 0 && sizeof(PoolBuffer) % alignof(ContactArbiter) == 0);

/// The contacts of a buffer, as released with 64-bit pointers. Padding follows from C's rules, as in Chipmunk.
inline constexpr unsigned int kContactSlotCount = FORKMUNK_BY_PRECISION(341, 682);
static_assert(sizeof(HashSetBin) == 3 * sizeof(void*) && sizeof(Pair) == 7 * sizeof(void*));
static_assert(sizeof(cpFloat) == sizeof(float)  ? sizeof(Node) == sizeof(cpBB) + 4 * sizeof(void*)
              : sizeof(void*) == sizeof(double) ? sizeof(Node) == 64
                                                : sizeof(Node) == 48 || sizeof(Node) == 56);

/// Computes CP_HASH_PAIR of chipmunk_private.h, which C++ cannot compile if pointers are wider than hashes.
template <typename T>
[[nodiscard]] inline cpHashValue pair_hash(T a, T b) noexcept {
  const auto part = [](T each) { return static_cast<std::uint32_t>((std::uintptr_t)each) * 3344921057u; };
  return part(a) ^ part(b);
}

[[nodiscard]] inline cpHashValue pair_id_hash(const cpShape* a, const cpShape* b) noexcept {
  return pair_hash(a->hashid, b->hashid);
}

[[nodiscard]] inline Tree& tree_of(cpSpatialIndex* index) { return *reinterpret_cast<Tree*>(index); }
[[nodiscard]] inline HashSet& set_of(cpHashSet* set) { return *reinterpret_cast<HashSet*>(set); }

/// Calls visit(element, bin) in the order of the set. \param at  returns a pointer's place.
template <typename Element, typename Visitor, typename At = std::identity>
void for_each(const HashSet& set, Visitor visit, At at = {}) {
  HashSetBin* const* const buckets = at(set.buckets);
  for (unsigned int i = 0; i < set.bucket_count; ++i) {
    for (HashSetBin* bin = at(buckets[i]); bin != nullptr; bin = at(bin->next)) {
      visit(*at(static_cast<Element*>(bin->element)), *bin);
    }
  }
}

template <typename Element, typename Visitor>
void for_each(const cpArray& array, Visitor visit) {
  for (int i = 0; i < array.num; ++i) visit(*static_cast<Element*>(array.arr[i]));
}

}  // namespace forkmunk::FORKMUNK_CHIPMUNK::layout
