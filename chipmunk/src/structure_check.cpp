// SPDX-License-Identifier: MIT

#include "field_names.h"

#include <forkmunk/base/error.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/chipmunk_layout.h>
#include <forkmunk/chipmunk/defects.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

/// What Chipmunk's functions rely on in a state, checked before they see it: every pointer that a space reaches has a
/// target of the right kind and alignment in the right list, lists and trees end, counts agree, and every function is
/// called by its own signature. Numbers of the simulation are not checked; the few that decide about structure are.
namespace forkmunk::chipmunk {
namespace {

/// More is absurd: a step takes time in proportion to it.
constexpr int kIterationsMax = 10000;

/// The state at work: its allocations, by address, and what was seen so far.
class StructureMemory {
 public:
  struct Allocation {
    const std::byte* begin;
    std::size_t bytes;
    int kind;
    const void* owner = nullptr;  // of a buffer of a pool
  };

  StructureMemory(const arena_alloc::Arena& arena, const NamedCode& code);

  [[noreturn]] void fail(const char* what, const void* address) const;
  void require(bool holds, const char* what, const void* address) const {
    if (!holds) fail(what, address);
  }
  /// The allocation that `address` lies in; null if there is none.
  [[nodiscard]] const Allocation* find(const void* address) const;
  /// What a pointer to the beginning of an allocation of `kind` leads to, with `bytes` at least.
  template <typename T>
  [[nodiscard]] T& whole(const T* address, int kind, const char* what, std::size_t bytes = sizeof(T)) const {
    const Allocation* found = find(address);
    const auto* position = reinterpret_cast<const std::byte*>(address);
    require(found != nullptr && found->begin == position && found->kind == kind && found->bytes >= bytes, what,
            address);
    return *const_cast<T*>(address);
  }
  /// What a pointer to an element of an array of T in an allocation of `kind` leads to; it starts after `header` bytes.
  template <typename T>
  [[nodiscard]] T& element(const T* address, int kind, const char* what, std::size_t header = 0) const {
    const Allocation* found = find(address);
    const auto* position = reinterpret_cast<const std::byte*>(address);
    require(found != nullptr && found->kind == kind, what, address);
    const auto offset = static_cast<std::size_t>(position - found->begin);
    require(offset >= header && (offset - header) % sizeof(T) == 0 && sizeof(T) <= found->bytes - offset, what,
            address);
    return *const_cast<T*>(address);
  }
  /// The same of an element of a buffer of `owner`'s pool. \pre pool()
  template <typename T>
  [[nodiscard]] T& pooled(const T* address, int kind, const void* owner, const char* what) const {
    require_pooled(address, kind, owner, what);
    return *const_cast<T*>(address);
  }
  /// Notes that something has its one owner. Fails the second time.
  void claim(const void* address, const char* what) { require(claimed_.insert(address).second, what, address); }

  /// Whether `code` has a name of Chipmunk's, "chipmunk " aside.
  [[nodiscard]] bool is_named(const void* code, const char* name) const;
  template <typename Function>
  [[nodiscard]] bool is_callable(Function function, CodeType type) const {
    return is_callable_at(reinterpret_cast<const void*>(function), type);
  }
  /// Whether one of a handler's functions asks the arbiter's wildcard handlers.
  [[nodiscard]] bool asks_wildcards(const cpCollisionHandler& handler) const;
  [[nodiscard]] const arena_alloc::Arena& arena() const { return arena_; }
  [[nodiscard]] std::size_t count_of(int kind) const;

  /// An array of its owner's own; its elements.
  [[nodiscard]] std::span<void* const> array(const cpArray* array, const char* what);
  /// The same for an array of whole allocations of these kinds, each used once.
  void buffers(const cpArray* array, std::initializer_list<int> kinds, const char* what);
  /// The buffers of a pool, whose elements are of these kinds, each used once.
  void pool(const cpArray* last, std::initializer_list<int> kinds, const void* owner, const char* what);
  /// A tree's buffers, and its elements in no use.
  void check_pools(const layout::Tree& tree, const char* what);
  /// Elements of `owner`'s pool in no use, each of which has the address of the next one after `next_offset` bytes.
  void free_list(const void* first, std::size_t next_offset, int kind, const void* owner, const char* what);
  /// Pools of trees and hash sets that are in no space.
  void check_other_pools();
  /// A hash set of its owner's own. Calls visit(element, bin).
  template <typename Element, typename Visit>
  void hash_set(const layout::HashSet* set, const char* equality, Visit visit) {
    check_hash_set(set, equality);
    for (unsigned int i = 0; i < set->bucket_count; ++i) {
      for (layout::HashSetBin* bin = set->buckets[i]; bin != nullptr; bin = bin->next) {
        visit(static_cast<Element*>(bin->element), *bin);
      }
    }
  }

 private:
  /// Notes the owner of a pool's buffer. \return its bytes.
  std::size_t own_buffer(const void* buffer, std::initializer_list<int> kinds, const void* owner, const char* what);
  void require_pooled(const void* address, int kind, const void* owner, const char* what) const;
  void check_pool(const layout::HashSet& set, const char* what);
  void check_hash_set(const layout::HashSet* set, const char* equality);
  [[nodiscard]] bool is_callable_at(const void* code, CodeType type) const;

  const arena_alloc::Arena& arena_;
  const NamedCode& code_;
  std::vector<Allocation> allocations_{};
  std::unordered_set<const void*> claimed_{};
};

/// A space's broad phase: which shapes are in it, and whether in its static part.
using IndexedShapes = std::unordered_map<const cpShape*, bool>;
[[nodiscard]] IndexedShapes check_indices(StructureMemory& memory, const cpSpace& space);

/// Bodies, shapes, joints and arbiters of all spaces: they may be shared.
class StructureObjects {
 public:
  explicit StructureObjects(StructureMemory& memory) : memory_(memory) {}
  void check(const std::vector<cpSpace*>& spaces);

 private:
  enum class Role { awake, still, asleep, outside };
  struct Body {
    cpSpace* space;  // outside: null
    Role role;
    const cpBody* root;  // asleep
  };
  struct SpaceParts {
    IndexedShapes shapes{};
    std::unordered_set<const cpCollisionHandler*> handlers{};
    std::unordered_set<const cpArbiter*> arbiters{};  // at work
    std::unordered_set<const cpArbiter*> checked{};   // all that live
  };

  [[nodiscard]] static cpBodyType type_of(const cpBody& body) {
    if (body.sleeping.idleTime == INFINITY) return CP_BODY_TYPE_STATIC;
    return std::isinf(body.m) && body.m > 0 ? CP_BODY_TYPE_KINEMATIC : CP_BODY_TYPE_DYNAMIC;
  }
  cpBody& body_at(const cpBody* address) const;
  [[nodiscard]] cpShape& shape_at(const cpShape* address) const;
  [[nodiscard]] cpConstraint& joint_at(const cpConstraint* address) const;
  Body& reach(const cpBody* address);
  SpaceParts& parts_of(const cpSpace* space, const void* owner);

  void list(cpSpace& space, const cpBody* address, Role role, const cpBody* root);
  void list_bodies(cpSpace& space);
  void check_numbers(const cpSpace& space) const;
  void check_callbacks(cpSpace& space);
  void check_contact_buffers(const cpSpace& space);
  void check_arbiters(cpSpace& space);
  void check_arbiter(const cpArbiter* address);
  [[nodiscard]] const layout::ContactArbiter& arbiter_at(const void* address, const char* what) const;
  void require_owner(const cpArbiter* arbiter, const cpSpace* space) const;
  void check_contacts(const layout::ContactArbiter& kept) const;
  void check_pool(const cpSpace& space);
  void check_handlers(const cpArbiter& arbiter, const cpSpace& space);
  void check_body(const cpBody& body);
  void check_outside(const cpBody& body);
  void check_shapes_of(const cpBody& body);
  void check_joints_of(const cpBody& body);
  void check_arbiters_of(const cpBody& body);
  void check_shape(const cpShape& shape);
  void check_joint(const cpConstraint& joint);
  void check_ends();

  StructureMemory& memory_;
  std::map<const cpSpace*, SpaceParts> parts_{};
  std::unordered_map<const cpBody*, Body> bodies_{};
  std::vector<const cpBody*> unchecked_bodies_{};
  std::unordered_set<const cpShape*> listed_shapes_{};
  std::unordered_map<const cpConstraint*, int> joint_ends_{};
  std::unordered_set<const cpConstraint*> working_joints_{};
  std::unordered_map<const cpArbiter*, int> arbiter_ends_{};
};

StructureMemory::StructureMemory(const arena_alloc::Arena& arena, const NamedCode& code) : arena_(arena), code_(code) {
  arena.for_each_allocation([&](std::byte* payload, std::size_t bytes, int kind) {
    allocations_.push_back({payload, bytes, kind, nullptr});
  });
}

void StructureMemory::fail(const char* what, const void* address) const {
  std::string text("a state that cannot be stepped: ");
  text += what;
  const auto add = [&](const char* word, std::ptrdiff_t number) { text.append(word).append(std::to_string(number)); };
  if (const Allocation* found = find(address)) {
    add(", at offset ", static_cast<const std::byte*>(address) - arena_.base());
    text.append(" (").append(name_of_kind(found->kind));
    add(" ",
        std::count_if(allocations_.data(), found, [&](const Allocation& each) { return each.kind == found->kind; }));
    text += ')';
  } else {
    text += address == nullptr         ? ", a null pointer"
            : arena_.contains(address) ? ", in memory that was freed"
                                       : ", outside of the space's memory";
  }
  throw Error(text);
}

const StructureMemory::Allocation* StructureMemory::find(const void* address) const {
  const auto* position = static_cast<const std::byte*>(address);
  auto next = std::upper_bound(allocations_.begin(), allocations_.end(), position,
                               [](const std::byte* p, const Allocation& a) { return p < a.begin; });
  if (next == allocations_.begin()) return nullptr;
  --next;
  return static_cast<std::size_t>(position - next->begin) < next->bytes ? &*next : nullptr;
}

std::size_t StructureMemory::count_of(int kind) const {
  return static_cast<std::size_t>(
      std::count_if(allocations_.begin(), allocations_.end(), [&](const Allocation& a) { return a.kind == kind; }));
}

bool StructureMemory::is_named(const void* code, const char* name) const {
  constexpr std::size_t kPrefix = std::char_traits<char>::length("chipmunk ");
  const std::string* found = code_.name_of(code);
  return found != nullptr && found->starts_with("chipmunk ") && found->compare(kPrefix, std::string::npos, name) == 0;
}

bool StructureMemory::is_callable_at(const void* code, CodeType type) const {
  const std::string* name = code_.name_of(code);
  if (name == nullptr) return false;
  const CodeType found = code_.type_of(code);
  return found == type || (found == CodeType::unknown && !name->starts_with("chipmunk "));
}

bool StructureMemory::asks_wildcards(const cpCollisionHandler& handler) const {
  const auto asks = [&](const auto function) {
    const std::string* name = code_.name_of(reinterpret_cast<const void*>(function));
    return name != nullptr && (name->starts_with("chipmunk pair ") || name->starts_with("chipmunk wildcard "));
  };
  return asks(handler.beginFunc) || asks(handler.preSolveFunc) || asks(handler.postSolveFunc) ||
         asks(handler.separateFunc);
}

std::span<void* const> StructureMemory::array(const cpArray* address, const char* what) {
  const cpArray& array = whole(address, FORKMUNK_KIND_ARRAY, what);
  claim(&array, what);
  require(array.max > 0 && array.num >= 0 && array.num <= array.max, what, &array);
  const std::span<void* const> elements{array.arr, static_cast<std::size_t>(array.num)};
  if (array.arr == reinterpret_cast<void* const*>(&array + 1)) {
    require(array.max == 1 && find(&array)->bytes >= sizeof array + sizeof(void*), what, &array);
    return elements;
  }
  const auto count = static_cast<std::size_t>(array.max);
  claim(&whole(array.arr, FORKMUNK_KIND_POINTERS, what, count * sizeof(void*)), what);
  return elements;
}

std::size_t StructureMemory::own_buffer(const void* buffer, std::initializer_list<int> kinds, const void* owner,
                                        const char* what) {
  const Allocation* found = find(buffer);
  require(found != nullptr && found->begin == buffer && found->owner == nullptr &&
              std::ranges::find(kinds, found->kind) != kinds.end(),
          what, buffer);
  allocations_[static_cast<std::size_t>(found - allocations_.data())].owner = owner;
  return found->bytes;
}

void StructureMemory::buffers(const cpArray* address, std::initializer_list<int> kinds, const char* what) {
  for (void* buffer : array(address, what)) own_buffer(buffer, kinds, address, what);
}

void StructureMemory::pool(const cpArray* last, std::initializer_list<int> kinds, const void* owner, const char* what) {
  const auto* buffer = reinterpret_cast<const layout::PoolBuffer*>(last);
  for (; buffer != nullptr; buffer = buffer->before) {
    const std::size_t bytes = own_buffer(buffer, kinds, owner, what);
    const layout::PoolLayout layout = layout::pool_layout(find(buffer)->kind);
    require(bytes >= layout.head && (bytes - layout.head) % layout.stride == 0, what, buffer);
  }
}

void StructureMemory::require_pooled(const void* address, int kind, const void* owner, const char* what) const {
  const Allocation* found = find(address);
  require(found != nullptr && found->kind == kind && found->owner == owner, what, address);
  const layout::PoolLayout layout = layout::pool_layout(kind);
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - found->begin);
  require(offset >= layout.head && (offset - layout.head) % layout.stride == 0, what, address);
}

void StructureMemory::free_list(const void* first, std::size_t next_offset, int kind, const void* owner,
                                const char* what) {
  for (const void* element = first; element != nullptr;) {
    require_pooled(element, kind, owner, what);
    claim(element, what);
    std::memcpy(&element, static_cast<const std::byte*>(element) + next_offset, sizeof element);
  }
}

void StructureMemory::check_other_pools() {
  const char* const what = "a pool of what is in no space";
  for (const Allocation& each : allocations_) {
    if (claimed_.contains(each.begin)) continue;
    if (each.kind == FORKMUNK_KIND_TREE) {
      check_pools(*reinterpret_cast<const layout::Tree*>(each.begin), what);
    } else if (each.kind == FORKMUNK_KIND_HASH_SET) {
      check_pool(*reinterpret_cast<const layout::HashSet*>(each.begin), what);
    }
  }
}

void StructureMemory::check_pools(const layout::Tree& tree, const char* what) {
  pool(tree.buffers, {FORKMUNK_KIND_POOLED_NODES, FORKMUNK_KIND_POOLED_PAIRS}, &tree, what);
  free_list(tree.pooled_nodes, offsetof(layout::Node, parent), FORKMUNK_KIND_POOLED_NODES, &tree, what);
  free_list(tree.pooled_pairs, offsetof(layout::Pair, a.next), FORKMUNK_KIND_POOLED_PAIRS, &tree, what);
}

void StructureMemory::check_pool(const layout::HashSet& set, const char* what) {
  pool(set.buffers, {FORKMUNK_KIND_POOLED_BINS}, &set, what);
  free_list(set.pooled_bins, offsetof(layout::HashSetBin, next), FORKMUNK_KIND_POOLED_BINS, &set, what);
}

void StructureMemory::check_hash_set(const layout::HashSet* address, const char* equality) {
  const char* const what = "a hash set is broken";
  const layout::HashSet& set = whole(address, FORKMUNK_KIND_HASH_SET, what);
  claim(&set, what);
  require(is_named(set.equal, equality) && set.default_value == nullptr && set.bucket_count > 0, what, &set);
  claim(&whole(set.buckets, FORKMUNK_KIND_POINTERS, what, set.bucket_count * sizeof(void*)), what);
  check_pool(set, what);
  std::size_t entry_count = 0;
  const auto claim_bin = [&](const layout::HashSetBin* bin) {
    claim(&pooled(bin, FORKMUNK_KIND_POOLED_BINS, &set, what), what);
  };
  for (unsigned int i = 0; i < set.bucket_count; ++i) {
    for (const layout::HashSetBin* bin = set.buckets[i]; bin != nullptr; bin = bin->next, ++entry_count) {
      claim_bin(bin);
      require(bin->hash % set.bucket_count == i && bin->element != nullptr, what, bin);
    }
  }
  require(entry_count == set.entry_count, what, &set);
}

using layout::Node;
using layout::Pair;
using layout::Tree;

/// Far from the largest, so that it does not wrap for a long time: leaves are compared with it.
constexpr cpTimestamp kStampMax = cpTimestamp{1} << 31;
/// Cells that a shape may cover: a step visits each.
constexpr double kCellsMax = 1 << 20;

/// Two trees, of what is still and of what moves, and the pairs of leaves that hang between and in them.
class TreesCheck {
 public:
  TreesCheck(StructureMemory& memory, const cpSpace& space) : memory_(memory), space_(space) {}

  IndexedShapes check() {
    const Tree& still = tree_at(space_.staticShapes);
    const Tree& moving = tree_at(space_.dynamicShapes);
    memory_.require(still.dynamic_tree == &moving && still.static_tree == nullptr && moving.static_tree == &still &&
                        moving.dynamic_tree == nullptr,
                    "static and dynamic tree are not linked", &moving);
    memory_.require(moving.stamp < kStampMax, "a tree's stamp is too large", &moving);
    stamp_ = moving.stamp;
    for (const Tree* tree : {&still, &moving}) memory_.check_pools(*tree, "a tree's pools");
    check_tree(still, true);
    check_tree(moving, false);
    for (const Node* leaf : leaves_) check_pairs(*leaf);
    for (const auto& [pair, count] : pair_ends_) memory_.require(count == 2, "a pair hangs in one leaf", pair);
    return std::move(shapes_);
  }

 private:
  void claim(const Node* node, const Tree* owner) {
    memory_.claim(&memory_.pooled(node, FORKMUNK_KIND_POOLED_NODES, owner, "a tree's node"),
                  "a tree's node is used twice");
  }
  // All pairs are of the tree of what moves.
  void claim(const Pair* pair) {
    memory_.claim(&memory_.pooled(pair, FORKMUNK_KIND_POOLED_PAIRS, space_.dynamicShapes, "a tree's pair"),
                  "a tree's pair is used twice");
  }

  const Tree& tree_at(const cpSpatialIndex* index) {
    const Tree& tree = memory_.whole(reinterpret_cast<const Tree*>(index), FORKMUNK_KIND_TREE, "a tree");
    memory_.claim(&tree, "a tree is used twice");
    memory_.require(memory_.is_named(tree.klass, "tree") &&
                        memory_.is_named(reinterpret_cast<const void*>(tree.bb_function), "box of a shape"),
                    "a tree's functions", &tree);
    const auto* velocity = reinterpret_cast<const void*>(tree.velocity_function);
    memory_.require(velocity == nullptr || memory_.is_named(velocity, "velocity of a shape"), "a tree's functions",
                    &tree);
    return tree;
  }

  void check_tree(const Tree& tree, bool is_static) {
    std::unordered_set<const Node*> leaves;
    std::vector<std::pair<const Node*, const Node*>> rest;  // node, parent
    if (tree.root != nullptr) rest.emplace_back(tree.root, nullptr);
    while (!rest.empty()) {
      const auto [node, parent] = rest.back();
      rest.pop_back();
      claim(node, &tree);
      memory_.require(node->parent == parent, "a tree's node has another parent", node);
      if (!node->is_leaf()) {
        rest.emplace_back(node->children.b, node);
        rest.emplace_back(node->children.a, node);
        continue;
      }
      memory_.require(node->leaf.stamp < stamp_, "a leaf has a stamp of the future", node);
      memory_.require(shapes_.emplace(node->shape, is_static).second, "a shape has two leaves", node);
      leaves.insert(node);
      leaves_.insert(node);
    }
    std::size_t found = 0;
    memory_.hash_set<Node>(tree.leaves, "leaves' equality", [&](const Node* leaf, const layout::HashSetBin& bin) {
      memory_.require(leaves.contains(leaf), "a set of leaves has what is not in its tree", &bin);
      hash_of_.emplace(leaf->shape, bin.hash);
      ++found;
    });
    memory_.require(found == leaves.size() && found == hash_of_.size() - hashed_,
                    "a tree has other leaves than its set", &tree);
    hashed_ = hash_of_.size();
    for (const Node* leaf : leaves) {
      const auto* found_shape = memory_.find(leaf->shape);
      memory_.require(found_shape != nullptr && found_shape->bytes >= sizeof(cpShape) &&
                          found_shape->begin == reinterpret_cast<const std::byte*>(leaf->shape) &&
                          leaf->shape->hashid == hash_of_[leaf->shape],
                      "a leaf's shape", leaf);
    }
  }

  void check_pairs(const Node& leaf) {
    std::unordered_set<const Node*> others;
    const Pair* previous = nullptr;
    for (const Pair* pair = leaf.leaf.pairs; pair != nullptr;) {
      int& count = pair_ends_[pair];
      if (count++ == 0) claim(pair);
      memory_.require(pair->a.leaf == &leaf || pair->b.leaf == &leaf, "a pair of other leaves", pair);
      const layout::PairEnd& end = pair->end_at(&leaf);
      const Node* other = pair->end_beyond(&leaf).leaf;
      memory_.require(end.previous == previous && other != &leaf && leaves_.contains(other), "a broken list of pairs",
                      pair);
      memory_.require(others.insert(other).second, "two leaves have several pairs", pair);
      previous = pair;
      pair = end.next;
    }
  }

  StructureMemory& memory_;
  const cpSpace& space_;
  cpTimestamp stamp_ = 0;
  IndexedShapes shapes_{};
  std::unordered_set<const Node*> leaves_{};
  std::unordered_map<const Pair*, int> pair_ends_{};
  std::unordered_map<const cpShape*, cpHashValue> hash_of_{};
  std::size_t hashed_ = 0;
};

/// Two spatial hashes.
class SpaceHashesCheck {
 public:
  SpaceHashesCheck(StructureMemory& memory, const cpSpace& space) : memory_(memory), space_(space) {}

  IndexedShapes check() {
    const layout::SpaceHash& still = hash_at(space_.staticShapes);
    const layout::SpaceHash& moving = hash_at(space_.dynamicShapes);
    memory_.require(still.dynamic_index == &moving && still.static_index == nullptr && moving.static_index == &still &&
                        moving.dynamic_index == nullptr,
                    "static and dynamic spatial hash are not linked", &moving);
    check_hash(still, true);
    check_hash(moving, false);
    return std::move(shapes_);
  }

 private:
  const layout::SpaceHash& hash_at(const cpSpatialIndex* index) {
    const auto& hash =
        memory_.whole(reinterpret_cast<const layout::SpaceHash*>(index), FORKMUNK_KIND_SPACE_HASH, "a spatial hash");
    memory_.claim(&hash, "a spatial hash is used twice");
    memory_.require(memory_.is_named(hash.klass, "spatial hash") &&
                        memory_.is_named(reinterpret_cast<const void*>(hash.bb_function), "box of a shape"),
                    "a spatial hash's functions", &hash);
    memory_.require(hash.cell_count > 0 && hash.cell_size > 0 && std::isfinite(hash.cell_size),
                    "a spatial hash's cells", &hash);
    return hash;
  }

  void check_hash(const layout::SpaceHash& hash, bool is_static) {
    std::unordered_map<const layout::SpaceHashHandle*, int> uses;
    const auto claim_handle = [&](const layout::SpaceHashHandle* handle) {
      const char* const what = "a spatial hash's handle";
      memory_.claim(&memory_.element(handle, FORKMUNK_KIND_SPACE_HASH_HANDLES, what), what);
    };
    memory_.hash_set<layout::SpaceHashHandle>(
        hash.handles, "handles' equality", [&](const layout::SpaceHashHandle* handle, const layout::HashSetBin& bin) {
          claim_handle(handle);
          uses[handle] = 1;
          check_shape(hash, static_cast<const cpShape*>(handle->object), is_static, bin);
        });
    const auto cell_count = static_cast<std::size_t>(hash.cell_count);
    memory_.claim(&memory_.whole(hash.cells, FORKMUNK_KIND_POINTERS, "cells", cell_count * sizeof(void*)), "cells");
    for (std::size_t i = 0; i < cell_count; ++i) {
      for (const layout::SpaceHashBin* bin = hash.cells[i]; bin != nullptr; bin = bin->next) {
        claim(bin);
        // One that is in no set is of a shape that was removed.
        if (uses.emplace(bin->handle, 0).second) {
          claim_handle(bin->handle);
          memory_.require(bin->handle->object == nullptr, "a handle that is in no set", bin->handle);
        }
        ++uses[bin->handle];
      }
    }
    for (const auto& [handle, count] : uses) {
      memory_.require(handle->use_count == count, "a handle's count of uses", handle);
    }
    for (const layout::SpaceHashBin* bin = hash.pooled_bins; bin != nullptr; bin = bin->next) claim(bin);
    for (const void* handle : memory_.array(hash.pooled_handles, "a spatial hash's pool")) {
      claim_handle(static_cast<const layout::SpaceHashHandle*>(handle));
    }
    memory_.buffers(hash.buffers, {FORKMUNK_KIND_SPACE_HASH_BINS, FORKMUNK_KIND_SPACE_HASH_HANDLES},
                    "a spatial hash's buffers");
  }

  void claim(const layout::SpaceHashBin* bin) {
    const char* const what = "a spatial hash's bin";
    memory_.claim(&memory_.element(bin, FORKMUNK_KIND_SPACE_HASH_BINS, what), what);
  }

  void check_shape(const layout::SpaceHash& hash, const cpShape* shape, bool is_static, const layout::HashSetBin& bin) {
    const auto* found = memory_.find(shape);
    memory_.require(found != nullptr && found->bytes >= sizeof(cpShape) &&
                        found->begin == reinterpret_cast<const std::byte*>(shape) && shape->hashid == bin.hash,
                    "a handle's shape", &bin);
    memory_.require(shapes_.emplace(shape, is_static).second, "a shape has two handles", &bin);
    const double width = (shape->bb.r - shape->bb.l) / hash.cell_size;
    const double height = (shape->bb.t - shape->bb.b) / hash.cell_size;
    memory_.require(width < kCellsMax && height < kCellsMax && width * height < kCellsMax,
                    "a shape covers too many cells", shape);
  }

  StructureMemory& memory_;
  const cpSpace& space_;
  IndexedShapes shapes_{};
};

IndexedShapes check_indices(StructureMemory& memory, const cpSpace& space) {
  const auto* index = memory.find(space.dynamicShapes);
  if (index != nullptr && index->kind == FORKMUNK_KIND_SPACE_HASH) return SpaceHashesCheck(memory, space).check();
  return TreesCheck(memory, space).check();
}

void StructureObjects::check(const std::vector<cpSpace*>& spaces) {
  for (cpSpace* space : spaces) {
    parts_[space];
    check_numbers(*space);
    memory_.pool(space->allocatedBuffers, {FORKMUNK_KIND_CONTACT_ARBITERS, FORKMUNK_KIND_CONTACT_SLOTS}, space,
                 "a space's buffers");
    list_bodies(*space);
  }
  for (cpSpace* space : spaces) {
    parts_[space].shapes = check_indices(memory_, *space);
    check_callbacks(*space);
    check_contact_buffers(*space);
  }
  for (cpSpace* space : spaces) check_arbiters(*space);
  for (cpSpace* space : spaces) {
    for (void* joint : memory_.array(space->constraints, "a space's joints")) {
      memory_.require(working_joints_.insert(static_cast<cpConstraint*>(joint)).second, "a joint is listed twice",
                      joint);
      memory_.require(joint_at(static_cast<cpConstraint*>(joint)).space == space, "a joint of another space", joint);
      check_joint(joint_at(static_cast<cpConstraint*>(joint)));
    }
    for (const auto& [shape, is_static] : parts_[space].shapes) reach(shape_at(shape).body);
    check_pool(*space);
  }
  while (!unchecked_bodies_.empty()) {
    const cpBody* body = unchecked_bodies_.back();
    unchecked_bodies_.pop_back();
    check_body(*body);
  }
  check_ends();
}

void StructureObjects::check_pool(const cpSpace& space) {
  std::unordered_set<const cpArbiter*> seen;
  for (void* element : memory_.array(space.pooledArbiters, "a space's pool")) {
    const cpArbiter* arbiter = &arbiter_at(element, "a pooled arbiter").arbiter;
    require_owner(arbiter, &space);
    memory_.require(seen.insert(arbiter).second, "an arbiter is pooled twice", arbiter);
    // Without persistence Chipmunk pools what is at work, until the next step begins.
    if (space.collisionPersistence == 0 && parts_[&space].arbiters.contains(arbiter)) continue;
    memory_.claim(arbiter, "a pooled arbiter is in use");
  }
}

cpBody& StructureObjects::body_at(const cpBody* address) const {
  if (const auto* found = memory_.find(address); found != nullptr && found->kind == FORKMUNK_KIND_SPACE) {
    auto* space = reinterpret_cast<cpSpace*>(const_cast<std::byte*>(found->begin));
    memory_.require(address == &space->_staticBody, "a body", address);
    return space->_staticBody;
  }
  return memory_.whole(address, FORKMUNK_KIND_BODY, "a body");
}

cpShape& StructureObjects::shape_at(const cpShape* address) const {
  const auto* found = memory_.find(address);
  const int kind = found == nullptr ? FORKMUNK_KIND_PLAIN : found->kind;
  memory_.require(kind == FORKMUNK_KIND_CIRCLE || kind == FORKMUNK_KIND_SEGMENT || kind == FORKMUNK_KIND_POLY,
                  "a shape", address);
  return memory_.whole(address, kind, "a shape");
}

cpConstraint& StructureObjects::joint_at(const cpConstraint* address) const {
  const auto* found = memory_.find(address);
  const int kind = found == nullptr ? FORKMUNK_KIND_PLAIN : found->kind;
  memory_.require(kind >= FORKMUNK_KIND_PIN_JOINT && kind <= FORKMUNK_KIND_SIMPLE_MOTOR, "a joint", address);
  return memory_.whole(address, kind, "a joint");
}

StructureObjects::Body& StructureObjects::reach(const cpBody* address) {
  const auto [found, is_new] = bodies_.try_emplace(address, Body{nullptr, Role::outside, nullptr});
  if (is_new) {
    body_at(address);
    unchecked_bodies_.push_back(address);
  }
  return found->second;
}

StructureObjects::SpaceParts& StructureObjects::parts_of(const cpSpace* space, const void* owner) {
  const auto found = parts_.find(space);
  memory_.require(found != parts_.end(), "an object of a space that is none", owner);
  return found->second;
}

void StructureObjects::check_numbers(const cpSpace& space) const {
  memory_.require(space.iterations > 0 && space.iterations <= kIterationsMax, "a space's number of iterations", &space);
  memory_.require(space.collisionPersistence > 0 || space.sleepTimeThreshold == INFINITY,
                  "a space with sleeping needs a collision persistence above 0", &space);
  memory_.require(space.locked == 0 && !space.skipPostStep, "a space is in a step", &space);
}

void StructureObjects::list(cpSpace& space, const cpBody* address, Role role, const cpBody* root) {
  const cpBody& body = body_at(address);
  memory_.require(bodies_.emplace(address, Body{&space, role, root}).second, "a body is listed twice", address);
  unchecked_bodies_.push_back(address);
  memory_.require(body.space == &space || (role == Role::asleep && body.space == nullptr && body.shapeList == nullptr),
                  "a body of another space", address);
  memory_.require(body.sleeping.root == root, "a body sleeps elsewhere", address);
}

void StructureObjects::list_bodies(cpSpace& space) {
  const double threshold = space.sleepTimeThreshold;
  for (void* element : memory_.array(space.dynamicBodies, "a space's moving bodies")) {
    const auto* body = static_cast<cpBody*>(element);
    list(space, body, Role::awake, nullptr);
    memory_.require(body->sleeping.next == nullptr && type_of(*body) != CP_BODY_TYPE_STATIC, "a moving body is still",
                    body);
    // Chipmunk would put it to sleep, and abort.
    memory_.require(
        type_of(*body) == CP_BODY_TYPE_DYNAMIC || threshold == INFINITY || body->sleeping.idleTime < threshold,
        "a kinematic body would sleep at once: give the space a sleep time threshold above 0", body);
  }
  for (void* body : memory_.array(space.staticBodies, "a space's static bodies")) {
    list(space, static_cast<cpBody*>(body), Role::still, nullptr);
    memory_.require(type_of(*static_cast<cpBody*>(body)) == CP_BODY_TYPE_STATIC, "a static body moves", body);
  }
  for (void* root : memory_.array(space.sleepingComponents, "a space's sleeping bodies")) {
    for (const auto* body = static_cast<cpBody*>(root); body != nullptr; body = body->sleeping.next) {
      list(space, body, Role::asleep, static_cast<cpBody*>(root));
      memory_.require(type_of(*body) == CP_BODY_TYPE_DYNAMIC, "a sleeping body is not dynamic", body);
    }
  }
  memory_.require(memory_.array(space.rousedBodies, "a space's roused bodies").empty(), "a body wakes between steps",
                  &space);
  reach(space.staticBody);
  reach(&space._staticBody);
}

void StructureObjects::check_callbacks(cpSpace& space) {
  SpaceParts& parts = parts_[&space];
  const auto check_functions = [&](const cpCollisionHandler& handler) {
    memory_.require(memory_.is_callable(handler.beginFunc, CodeType::collision_test) &&
                        memory_.is_callable(handler.preSolveFunc, CodeType::collision_test) &&
                        memory_.is_callable(handler.postSolveFunc, CodeType::collision_event) &&
                        memory_.is_callable(handler.separateFunc, CodeType::collision_event),
                    "a collision handler's functions", &handler);
  };
  check_functions(space.defaultHandler);
  memory_.require(space.usesWildcards || !memory_.asks_wildcards(space.defaultHandler), "a space's default handler",
                  &space);
  const auto* set = reinterpret_cast<layout::HashSet*>(space.collisionHandlers);
  memory_.hash_set<cpCollisionHandler>(
      set, "handlers' equality", [&](const cpCollisionHandler* address, const layout::HashSetBin&) {
        const auto& handler = memory_.whole(address, FORKMUNK_KIND_COLLISION_HANDLER, "a collision handler");
        memory_.claim(&handler, "a collision handler is used twice");
        check_functions(handler);
        constexpr cpCollisionType kWildcard = CP_WILDCARD_COLLISION_TYPE;
        // It would call itself for ever.
        memory_.require((handler.typeA != kWildcard && handler.typeB != kWildcard) || !memory_.asks_wildcards(handler),
                        "a wildcard handler asks wildcard handlers", &handler);
        parts.handlers.insert(&handler);
      });
  for (void* element : memory_.array(space.postStepCallbacks, "a space's post-step callbacks")) {
    const auto& callback =
        memory_.whole(static_cast<cpPostStepCallback*>(element), FORKMUNK_KIND_POST_STEP_CALLBACK, "a callback");
    memory_.claim(&callback, "a post-step callback is used twice");
    memory_.require(callback.func == nullptr || memory_.is_callable(callback.func, CodeType::post_step),
                    "a post-step callback's function", &callback);
  }
}

void StructureObjects::check_contact_buffers(const cpSpace& space) {
  const auto* head = reinterpret_cast<const layout::ContactSlots*>(space.contactBuffersHead);
  if (head == nullptr) return;
  const std::size_t count = memory_.count_of(FORKMUNK_KIND_CONTACT_SLOTS);
  const layout::ContactSlots* buffer = head;
  do {
    const auto& slots = memory_.pooled(buffer, FORKMUNK_KIND_CONTACT_SLOTS, &space, "a contact buffer");
    memory_.claim(&slots, "a ring of contact buffers");
    memory_.require(slots.contact_count <= layout::kContactSlotCount && slots.number > 0 && slots.number <= count,
                    "a ring of contact buffers", buffer);
    buffer = buffer->next;
  } while (buffer != head);
}

void StructureObjects::check_outside(const cpBody& body) {
  memory_.require(body.space == nullptr || (parts_.contains(body.space) && body.space->staticBody == &body),
                  "a body is not in the lists of its space", &body);
  if (body.sleeping.root != nullptr) {
    const auto root = bodies_.find(body.sleeping.root);
    memory_.require(root != bodies_.end() && (root->second.role == Role::awake || root->second.role == Role::asleep) &&
                        body.arbiterList == nullptr,
                    "a body outside of the space sleeps", &body);
  }
  if (type_of(body) != CP_BODY_TYPE_DYNAMIC || body.shapeList == nullptr) return;
  memory_.require(parts_of(shape_at(body.shapeList).space, &body).shapes.contains(body.shapeList) &&
                      body.shapeList->space->sleepTimeThreshold == INFINITY,
                  "a dynamic body has shapes in a space with sleeping, and is not in it itself", &body);
}

void StructureObjects::check_body(const cpBody& body) {
  memory_.require(memory_.is_callable(body.velocity_func, CodeType::velocity) &&
                      memory_.is_callable(body.position_func, CodeType::position),
                  "a body's functions", &body);
  if (bodies_.at(&body).role == Role::outside) check_outside(body);
  check_shapes_of(body);
  check_joints_of(body);
  check_arbiters_of(body);
}

void StructureObjects::check_shapes_of(const cpBody& body) {
  const bool is_static = type_of(body) == CP_BODY_TYPE_STATIC || bodies_.at(&body).role == Role::asleep;
  const cpShape* previous = nullptr;
  for (const cpShape* shape = body.shapeList; shape != nullptr; previous = shape, shape = shape->next) {
    check_shape(shape_at(shape));
    memory_.require(listed_shapes_.insert(shape).second, "a shape is in two lists", shape);
    memory_.require(shape->body == &body && shape->prev == previous, "a body's list of shapes is broken", shape);
    const IndexedShapes& shapes = parts_of(shape->space, shape).shapes;
    const auto indexed = shapes.find(shape);
    memory_.require(indexed != shapes.end() && indexed->second == is_static, "a shape is not in its index", shape);
  }
}

void StructureObjects::check_shape(const cpShape& shape) {
  const StructureMemory::Allocation& found = *memory_.find(&shape);
  const int kind = found.kind;
  memory_.require(memory_.is_named(shape.klass, name_of_kind(kind)), "a shape's class", &shape);
  if (kind != FORKMUNK_KIND_POLY) return;
  const auto& poly =
      memory_.whole(reinterpret_cast<const cpPolyShape*>(&shape), kind, "a polygon", layout::kPolygonHeadBytes);
  memory_.require(poly.count > 0, "a polygon has no vertices", &shape);
  const bool fits = poly.count <= layout::polygon_room(found.bytes);
  memory_.require(fits == (poly.planes == poly._planes), "a polygon's vertices", &shape);
  if (!fits) {
    const std::size_t bytes = 2 * static_cast<std::size_t>(poly.count) * sizeof(cpSplittingPlane);
    memory_.claim(&memory_.whole(poly.planes, FORKMUNK_KIND_PLANES, "a polygon's planes", bytes),
                  "two polygons share planes");
  }
}

void StructureObjects::check_joints_of(const cpBody& body) {
  std::unordered_set<const cpConstraint*> seen;
  for (const cpConstraint* joint = body.constraintList; joint != nullptr;) {
    const cpConstraint& c = joint_at(joint);
    memory_.require(seen.insert(joint).second && (c.a == &body || c.b == &body), "a body's list of joints is broken",
                    joint);
    parts_of(c.space, joint);
    if (joint_ends_[joint]++ == 0 && !working_joints_.contains(joint)) check_joint(c);
    joint = c.a == &body ? c.next_a : c.next_b;
  }
}

void StructureObjects::check_joint(const cpConstraint& joint) {
  const int kind = memory_.find(&joint)->kind;
  memory_.require(memory_.is_named(joint.klass, name_of_kind(kind)), "a joint's class", &joint);
  const auto is_event = [&](const auto function) {
    return function == nullptr || memory_.is_callable(function, CodeType::joint_event);
  };
  memory_.require(is_event(joint.preSolve) && is_event(joint.postSolve), "a joint's functions", &joint);
  if (kind == FORKMUNK_KIND_DAMPED_SPRING) {
    const auto& spring = memory_.whole(reinterpret_cast<const cpDampedSpring*>(&joint), kind, "a damped spring");
    memory_.require(memory_.is_callable(spring.springForceFunc, CodeType::joint_force), "a spring's force", &joint);
  }
  if (kind == FORKMUNK_KIND_DAMPED_ROTARY_SPRING) {
    const auto& spring = memory_.whole(reinterpret_cast<const cpDampedRotarySpring*>(&joint), kind, "a rotary spring");
    memory_.require(memory_.is_callable(spring.springTorqueFunc, CodeType::joint_force), "a spring's torque", &joint);
  }
  for (const cpBody* body : {joint.a, joint.b}) {
    const Body& end = reach(body);
    memory_.require(end.space == nullptr || end.space == joint.space, "a joint of a body in another space", &joint);
  }
}

void StructureObjects::check_ends() {
  for (const auto& [space, parts] : parts_) {
    for (const auto& [shape, is_static] : parts.shapes) {
      memory_.require(listed_shapes_.contains(shape), "a shape is not in its body's list", shape);
    }
    for (const cpArbiter* arbiter : parts.arbiters) {
      memory_.require(arbiter_ends_.contains(arbiter), "an arbiter is not in its bodies' lists", arbiter);
    }
    for (const cpArbiter* arbiter : parts.checked) {
      const auto is_unlinked = [](const cpArbiterThread& thread) {
        return thread.next == nullptr && thread.prev == nullptr;
      };
      const auto ends = arbiter_ends_.find(arbiter);
      const bool is_listed = ends != arbiter_ends_.end();
      memory_.require(is_listed ? ends->second == 2 : is_unlinked(arbiter->thread_a) && is_unlinked(arbiter->thread_b),
                      "an arbiter is in one list", arbiter);
    }
  }
  for (const cpConstraint* joint : working_joints_) {
    memory_.require(joint_ends_.contains(joint), "a joint is not in its bodies' lists", joint);
  }
  for (const auto& [joint, ends] : joint_ends_) {
    memory_.require(ends == (joint->a == joint->b ? 1 : 2), "a joint is in one body's list", joint);
  }
}

// Read as its bytes: no other value may be loaded as a cpArbiterState.
bool has_state(const cpArbiter& arbiter) {
  std::uint32_t state = 0;
  static_assert(sizeof state == sizeof arbiter.state);
  std::memcpy(&state, &arbiter.state, sizeof state);
  return state <= CP_ARBITER_STATE_INVALIDATED;
}

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
    const bool is_first = parts_[&space].arbiters.insert(arbiter).second;
    const bool may_repeat = (forkmunk_defects(&space) & FORKMUNK_DEFECT_HASH_CELLS) != 0;
    memory_.require(arbiter->a->space == &space && (is_first || may_repeat), "an arbiter is listed twice", arbiter);
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

}  // namespace

void check_structure(const arena_alloc::Arena& arena, const NamedCode& code) {
  StructureMemory memory(arena, code);
  const std::vector<cpSpace*> spaces = spaces_of(arena);
  const ArenaRoot* root = root_of(arena);
  const std::string* resource = code.name_of(root->resource);
  memory.require(resource != nullptr && *resource == "forkmunk memory resource", "its memory resource is none", root);
  memory.require(memory.count_of(FORKMUNK_KIND_ROOT) == 1, "it has several roots", root);
  memory.require(memory.count_of(FORKMUNK_KIND_SPACE) == spaces.size(), "a space is in no list", root);
  StructureObjects(memory).check(spaces);
  memory.check_other_pools();
}

}  // namespace forkmunk::chipmunk
