#pragma once

#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/chipmunk_layout.h>

#include <cmath>
#include <cstddef>
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

/// \throws Error that names the first thing that is wrong.
/// \pre the heap is sound, the list of spaces is a list of spaces, and no space is in a step.
void check_structure(const arena_alloc::Arena& arena, const NamedCode& code);

/// More is absurd: a step takes time in proportion to it.
inline constexpr int kIterationsMax = 10000;

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

}  // namespace forkmunk::chipmunk
