// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/moves.h>
#include <forkmunk/arena_alloc/pointers.h>
#include <forkmunk/arena_alloc/scope.h>
#include <forkmunk/chipmunk/code_type.h>
#include <forkmunk/chipmunk/precision.h>
#include <forkmunk/space/space_snapshot.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <chipmunk/chipmunk.h>
#include <chipmunk/chipmunk_structs.h>

/// Any Chipmunk scene that forks, with Chipmunk's whole C API under its own names. All memory of a scene lies in one
/// arena, so one memcpy saves or restores it.
///
/// Chipmunk is compiled in strict arithmetic, which gives the same bits on every machine. Its inline functions are
/// compiled with your program: cpvforangle() and others take sines from your C library.
namespace forkmunk::FORKMUNK_SPACE {

/// A set of defects of Chipmunk 7.0.3 (docs/reference/defects.md). A scene that meets no defect has the same bits with
/// each.
enum class Defects : std::uint8_t {
  none,    ///< No known defect.
  pymunk,  ///< The results of pymunk 6.9 to 7.3.
  stock,   ///< The results of Chipmunk 7.0.3, bit for bit.
};

/// Thrown by Space::step_checked(). One pointer is set, if the restored state has the object.
struct NonFiniteError : Error {
  NonFiniteError(const std::string& text, const char* field) : Error(text), number(field) {}

  const char* number;  ///< "position", "velocity", "angle", "angular velocity" or "impulse"
  const cpBody* body = nullptr;
  const cpConstraint* joint = nullptr;
  const cpShape* shape = nullptr;  ///< The first of two in contact.
};

using arena_alloc::Moves;
using arena_alloc::OutsidePointer;
using arena_alloc::PointerVisitor;
using arena_alloc::Scope;
using arena_alloc::uncounted;
using arena_alloc::uncounted_handle;

/// The way to find the pointers in an object of make().
enum class PointerPolicy : std::uint8_t {
  conservative,  ///< Every aligned word that points into the space.
  none,
};

/// The policy of a type. Specialise it with PointerPolicy::none for a type without pointers whose numbers, such as
/// hashes, could look like addresses.
///
/// A type with a member `void visit_pointers(PointerVisitor& visit)`, which calls visit(pointer) for each pointer in
/// the order of offsets, needs no policy.
template <typename T>
inline constexpr PointerPolicy pointer_policy = PointerPolicy::conservative;

template <typename T>
concept ShowsPointers = requires(T& object, PointerVisitor& visit) {
  object.visit_pointers(visit);
};

/// One or several scenes in one arena: everything that Chipmunk and make() allocate in a scope of enter(). Functions,
/// and what callbacks use outside of the Space, are not saved.
///
/// A Space must not be destroyed or assigned to in its callbacks, or in a scope of its enter(). Both abort the program,
/// unless checks are off. Thread: one at a time.
class Space {
 public:
  /// Creates an empty space, which grows up to `capacity_bytes_max` where the system has addresses, and at least to
  /// `capacity_bytes`. Memory is taken as it is used. \throws std::bad_alloc; Error beyond kCapacityBytesMax.
  explicit Space(std::size_t capacity_bytes = kCapacityBytesDefault, std::size_t capacity_bytes_max = kGrowthBytesMax);
  ~Space();
  Space(Space&&) noexcept;
  Space& operator=(Space&&) noexcept;

  static constexpr std::size_t kCapacityBytesDefault = std::size_t{1} << 20;
  static constexpr std::size_t kCapacityBytesMax = std::size_t{1} << 30;
  static constexpr std::size_t kGrowthBytesMax = sizeof(void*) == 8 ? kCapacityBytesMax : std::size_t{1} << 24;

  /// Opens a scope: while the returned Scope is alive, Chipmunk allocates from this Space on the calling thread. Scopes
  /// nest. Without a scope, new objects come from malloc(); what a step, a query or a woken body needs comes from the
  /// scene's Space.
  [[nodiscard]] Scope enter();

  /// Returns the first Chipmunk space, or null after it was freed. cpSpaceNew() in a scope makes further ones.
  [[nodiscard]] cpSpace* space() const;
  /// Returns all Chipmunk spaces, in order of creation.
  [[nodiscard]] std::vector<cpSpace*> spaces() const;

  /// Chooses the defects of all spaces(), present and later. The choice is a part of the state. A new Space has
  /// Defects::none. \throws Error, with nothing changed, in a callback.
  void set_defects(Defects defects);
  /// A snapshot from before there was a choice has Defects::none.
  [[nodiscard]] Defects defects() const;

  /// Steps space() by `dt` seconds.
  /// \throws Error, with nothing changed, for a `dt` that is not finite or, except with Defects::pymunk, negative.
  /// \throws Error in a callback of a step, and if the space outgrew its memory. An exception of a callback passes
  /// through and leaves the step half done. After either, only restore() and destruction are allowed. The same holds
  /// for cpSpaceStep(), queries and removals.
  void step(double dt);

  /// Steps like step(), but restores the state before the step if a body, a joint or a contact became non-finite.
  /// \throws NonFiniteError for the first of them. Cost: save(), step(), and a visit to each body, joint and contact.
  void step_checked(double dt);

  /// Makes an object of the game, which is saved and forked with the scene. Its destructor is never called. \throws
  /// Error if the space outgrew its memory; with nothing changed, if the object has no room.
  template <typename T, typename... Arguments>
  T* make(Arguments&&... arguments);
  /// Makes `count` value-initialised objects, like make().
  template <typename T>
  std::span<T> make_array(std::size_t count);
  /// Frees memory of make() or make_array(), or a Chipmunk object that no space contains. \throws Error, with nothing
  /// changed, for another address, where the bytes before it reveal that. Other wrong addresses are undefined
  /// behaviour.
  void release(void* object);

  /// Returns the memory inside the Space, for containers that lie in it.
  [[nodiscard]] std::pmr::memory_resource* memory_resource() const;
  /// Makes a container in the Space that allocates from it by a std::pmr::polymorphic_allocator. Its destructor is
  /// never called. Keys that are addresses, or hashes of them, do not survive a fork.
  template <typename Container, typename... Arguments>
  Container* make_container(Arguments&&... arguments) {
    return std::pmr::polymorphic_allocator<>(memory_resource())
        .new_object<Container>(std::forward<Arguments>(arguments)...);
  }

  /// Saves the state. Cost: one memcpy of live_bytes(), and a buffer unless that of `snapshot` is large enough. \throws
  /// Error in a callback of a step or query, and if the space outgrew its memory; at check level 2, also for
  /// outside_pointers() of Chipmunk objects.
  [[nodiscard]] Snapshot save() const;
  void save(Snapshot& snapshot) const;

  /// Restores the state that `snapshot` was taken from, with the same future, bit for bit. Pointers to objects of that
  /// state are valid again. \return false, with nothing changed, if the snapshot is empty or the Space cannot grow to
  /// hold it. \throws Error in a callback. Cost: one memcpy; a snapshot of another Space is also translated.
  [[nodiscard]] bool restore(const Snapshot& snapshot);

  /// Returns an independent copy with the same future, bit for bit, and the same order of callbacks. It can grow to
  /// capacity_bytes() of this Space; where addresses are few, at least as far as this Space's constructor asked for.
  /// \throws Error as save() does; std::bad_alloc.
  [[nodiscard]] Space fork() const;

  /// Returns save().to_bytes(), without the copy. \throws Error as both do.
  [[nodiscard]] std::vector<std::byte> to_bytes() const;
  /// \throws Error as Snapshot::from_bytes() does; std::bad_alloc.
  [[nodiscard]] static Space from_bytes(std::span<const std::byte> bytes,
                                        std::size_t memory_bytes_max = Snapshot::kMemoryBytesMax);

  /// Packs the memory, so that a Space that shrank has small snapshots again. Objects move; states, hash() and the
  /// order of callbacks stay the same. Earlier snapshots remain valid: restoring one makes its addresses valid again.
  /// \return the new addresses, by `moves(old)`. Translate every old address once, because a new address can be the old
  /// one of another object. The process keeps the memory that the Space has used. \throws Error as save() does, and,
  /// with nothing changed, in a scope of enter(); std::bad_alloc. Cost: several forks.
  Moves compact();

  /// Returns the object of this Space that corresponds to `object` of `other`; null for null. \pre This Space was
  /// forked or restored from `other`, `object` existed then, and neither Space was compacted since, unless an earlier
  /// snapshot was restored. Only some violations are noticed. \throws Error if `object` is not in `other`.
  template <typename T>
  [[nodiscard]] T* twin_of(const Space& other, T* object) const {
    return static_cast<T*>(const_cast<void*>(twin_address(other, object)));
  }

  /// Returns a hash of everything that decides the future, objects of make() included. The hash is equal in forks,
  /// after compact(), and on any machine that did the same. Functions count by their names (name_code()). Cost:
  /// docs/guide/space.md. \throws Error if the space outgrew its memory.
  [[nodiscard]] std::uint64_t hash() const;

  /// Returns the bytes that save() would copy now.
  [[nodiscard]] std::size_t live_bytes() const;
  /// Returns the bytes that the Space can grow to.
  [[nodiscard]] std::size_t capacity_bytes() const;
  /// Returns whether a step, query or removal runs.
  [[nodiscard]] bool is_in_call() const;
  /// Returns whether the Space outgrew its memory. Then only restore() and destruction are allowed.
  [[nodiscard]] bool is_overflowed() const;
  /// Returns the pointers that lead out of the Space: user data that could be an unnamed address, and pointers of
  /// Chipmunk to objects that were made outside of a scope. \throws as hash().
  [[nodiscard]] std::vector<OutsidePointer> outside_pointers() const;

 private:
  friend class Batch;
  friend class Recorder;
  friend class RolloutRun;
  friend class Snapshot;
  friend std::optional<std::string> first_difference(const Space& one, const Space& other);
  struct Implementation;
  explicit Space(std::unique_ptr<Implementation> implementation) noexcept;
  [[nodiscard]] Implementation& implementation(const char* function) const;
  // Steps worlds that have no problem, at most StepTogether::kSpacesMax.
  static void step_together(std::span<Space> worlds, double dt, std::span<std::exception_ptr> problems);
  [[nodiscard]] void* allocate_objects(std::size_t count, std::size_t object_bytes, PointerPolicy pointers,
                                       void (*show)(void*, PointerVisitor&));
  [[nodiscard]] const void* twin_address(const Space& other, const void* object) const;

  template <typename T>
  [[nodiscard]] void* allocate_for(std::size_t count);
  struct Releaser {
    Space* space;
    void operator()(void* object) const { space->release(object); }
  };
  // The memory of an object, which is freed if the constructor throws.
  using Room = std::unique_ptr<void, Releaser>;

  std::unique_ptr<Implementation> implementation_;  // null: moved from
};

/// Returns the first field that differs, with both values: "body 3: v differs: 0.5, 0.25". Compares positions of
/// objects in memory, too. \throws as hash().
[[nodiscard]] std::optional<std::string> first_difference(const Space& one, const Space& other);

/// Names a constant object outside of all spaces, so that user data with its address counts by this name. Refuses what
/// name_code() refuses.
void name_address(const std::string& name, const void* address);
/// Names a function. `type` decides which fields of a snapshot may hold it.
void name_typed_code(const std::string& name, const void* address, chipmunk::CodeType type);

/// Names a function, such as a collision callback, so that it counts in hash() and can travel with Snapshot::write().
/// Name functions before any Space is hashed or written. Names belong to the program; a name that another function had
/// moves to `function`. \throws Error for null, for Chipmunk's own functions, for an empty name, and for a name that
/// contains a NUL or begins with "chipmunk ". Thread: any.
template <typename Result, typename... Arguments>
void name_code(const std::string& name, Result (*function)(Arguments...)) {
  name_typed_code(name, reinterpret_cast<const void*>(function), chipmunk::code_type_of<Result (*)(Arguments...)>());
}

/// Works like cpSpaceSegmentQueryFirst(), but finds sensors, too. With Defects::pymunk, it visits the boxes of pymunk
/// 7, and cpSpaceSegmentQueryFirst() those of pymunk 6.
cpShape* segment_query_first_of_pymunk_7(cpSpace* space, cpVect start, cpVect end, cpFloat radius, cpShapeFilter filter,
                                         cpSegmentQueryInfo* out);

template <typename T>
void* Space::allocate_for(std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>,
                "what is saved by memcpy must be trivially copyable; for containers see make_container()");
  static_assert(alignof(T) <= 16, "the space's memory is aligned to 16 bytes");
  if constexpr (ShowsPointers<T>) {
    struct Pointers {
      static void show(void* object, PointerVisitor& visit) { static_cast<T*>(object)->visit_pointers(visit); }
    };
    return allocate_objects(count, sizeof(T), PointerPolicy::none, &Pointers::show);
  } else {
    return allocate_objects(count, sizeof(T), pointer_policy<T>, nullptr);
  }
}

template <typename T, typename... Arguments>
T* Space::make(Arguments&&... arguments) {
  Room room(allocate_for<T>(1), {this});
  T* const object = new (room.get()) T{std::forward<Arguments>(arguments)...};
  static_cast<void>(room.release());
  return object;
}

template <typename T>
std::span<T> Space::make_array(std::size_t count) {
  static_assert(!ShowsPointers<T>, "an array is found conservatively or has no pointers");
  Room room(allocate_for<T>(count), {this});
  std::uninitialized_value_construct_n(static_cast<T*>(room.get()), count);
  return {static_cast<T*>(room.release()), count};
}

}  // namespace forkmunk::FORKMUNK_SPACE
