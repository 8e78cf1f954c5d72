#pragma once

#include <forkmunk/arena_alloc/moves.h>
#include <forkmunk/arena_alloc/pointers.h>
#include <forkmunk/arena_alloc/scope.h>
#include <forkmunk/chipmunk/code_type.h>
#include <forkmunk/space/defects.h>
#include <forkmunk/space/space_snapshot.h>

#include <cstddef>
#include <cstdint>
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

/// Any Chipmunk scene that forks. You write ordinary Chipmunk, its whole C API under its own names; the memory is an
/// arena's, so that the scene is saved and restored by one memcpy, and copied.
///
/// Chipmunk's sources are compiled in strict arithmetic: the same bits on every machine. Its inline functions are
/// compiled with your program: cpvforangle() and others that need a sine take it from your C library.
namespace forkmunk::space {

using arena_alloc::Moves;
using arena_alloc::OutsidePointer;
using arena_alloc::PointerVisitor;
using arena_alloc::Scope;
using arena_alloc::uncounted;
using arena_alloc::uncounted_handle;

/// How fork() finds the pointers of an object that make() made.
enum class PointerPolicy : std::uint8_t {
  conservative,  ///< An aligned word that points into the space's memory is a pointer.
  none,          ///< It has none.
};

/// Specialise it for a type without pointers whose numbers could be taken for one: a counter in a word's upper half can
/// look like an address. A type with a member `void visit_pointers(PointerVisitor& visit)` that calls visit(pointer)
/// for each of its pointers, in the order of their offsets, needs no policy: these are its pointers.
template <typename T>
inline constexpr PointerPolicy pointer_policy = PointerPolicy::conservative;

template <typename T>
concept ShowsPointers = requires(T& object, PointerVisitor& visit) {
  object.visit_pointers(visit);
};

/// A scene, or several: everything that Chipmunk and make() allocate between enter() and the end of its scope.
///
/// It must not be destroyed, or assigned to, in its own callbacks or while a scope of its enter() lives: both abort,
/// unless check levels are off.
///
/// Thread rule: a Space belongs to one thread at a time; different Spaces do not disturb each other. Functions and what
/// they touch outside of the space stay as they are: only what is in its memory is saved, restored and forked.
class Space {
 public:
  /// An empty space. It grows by itself: `capacity_bytes` is what it must have room for where there are not enough
  /// addresses to grow into (kGrowthBytesMax of them are reserved; memory is taken as it is used).
  /// \throws std::bad_alloc; Error beyond kCapacityBytesMax.
  explicit Space(std::size_t capacity_bytes = kCapacityBytesDefault, std::size_t capacity_bytes_max = kGrowthBytesMax);
  ~Space();
  Space(Space&&) noexcept;
  Space& operator=(Space&&) noexcept;

  static constexpr std::size_t kCapacityBytesDefault = std::size_t{1} << 20;
  static constexpr std::size_t kCapacityBytesMax = std::size_t{1} << 30;
  static constexpr std::size_t kGrowthBytesMax = sizeof(void*) == 8 ? kCapacityBytesMax : std::size_t{1} << 24;

  /// As long as what it returns lives, this thread's allocations of Chipmunk's are this space's; scopes nest. Outside
  /// of all scopes new objects are malloc's, but what a step, a query or a woken body needs is its own space's.
  [[nodiscard]] Scope enter();

  /// The Chipmunk space that was there from the beginning; null once it was freed. More may be made with cpSpaceNew()
  /// in a scope.
  [[nodiscard]] cpSpace* space() const;
  /// All that live in this one's memory, in order of creation.
  [[nodiscard]] std::vector<cpSpace*> spaces() const;

  /// Chooses which defects of Chipmunk 7.0.3 the space has: Defects::none in a new Space. The choice is a part of the
  /// state, which is saved, forked and hashed, and it is that of all spaces(), those made later included.
  /// \throws Error, with nothing changed, in a callback.
  void set_defects(Defects defects);
  /// Returns the choice of space(). A snapshot from before there was a choice has Defects::none.
  [[nodiscard]] Defects defects() const;

  /// cpSpaceStep(space(), dt) in a scope. `dt` in seconds. \throws Error if the space outgrew its memory, in this step
  /// or before it: it then takes only restore() and destruction; and in a callback of a step. What a callback throws
  /// comes out of here and leaves the step half done: then, too, only restore() and destruction are left. The same
  /// holds for what comes out of cpSpaceStep(), a query or a removal.
  void step(double dt);

  /// Steps as step(), and restores the state of before the step where a body, joint or contact became non-finite.
  /// \throws Error that names the first of them, and as step() does.  Cost: that of save() and of step(), and a visit to
  /// each body, joint and contact.
  void step_checked(double dt);

  /// An object of the game's own: saved, restored and forked with it. It is never destroyed.
  /// \throws Error if the space outgrew its memory, and, with nothing changed, if there is no room for the object.
  template <typename T, typename... Arguments>
  T* make(Arguments&&... arguments);
  /// `count` of them, value-initialised.
  template <typename T>
  std::span<T> make_array(std::size_t count);
  /// Gives back what make() or make_array() made, or cpBodyNew() and its like allocated and no space has. \throws
  /// Error, with nothing changed, for any other address, as far as the bytes before it show.
  void release(void* object);

  /// Memory inside the space, for containers: what it holds is saved, restored and forked. The container object must
  /// live in there too: make_container().
  [[nodiscard]] std::pmr::memory_resource* memory_resource() const;
  /// A container that takes a std::pmr::polymorphic_allocator (std::pmr::vector<int>), in the space's memory and
  /// allocating from it. It is never destroyed. Pointers to keys and hashes of addresses in it do not survive a fork.
  template <typename Container, typename... Arguments>
  Container* make_container(Arguments&&... arguments) {
    return std::pmr::polymorphic_allocator<>(memory_resource())
        .new_object<Container>(std::forward<Arguments>(arguments)...);
  }

  /// Copies the state away. Cost: one memcpy of live_bytes(). \throws Error in a callback of a step or query, and if
  /// the space outgrew its memory; at check level 2 also if Chipmunk's structures lead out of it (outside_pointers()).
  [[nodiscard]] Snapshot save() const;
  /// The same into `snapshot`, whose buffer is reused when large enough.
  void save(Snapshot& snapshot) const;

  /// Restores the state that `snapshot` was taken from: stepping on from here gives the same states, bit for bit, as
  /// stepping on from save() did. Pointers to what was there then are good again. \return false, with the space
  /// unchanged, for what a caller can expect: the snapshot is empty, or this Space cannot grow to hold it. \throws
  /// Error for a mistake: a call in a callback. Cost: one memcpy; a snapshot of another Space is translated, too.
  [[nodiscard]] bool restore(const Snapshot& snapshot);

  /// An independent twin in memory of its own: the same states, bit for bit, from here on, and callbacks in the same
  /// order. It can grow to its origin's capacity_bytes(), or where addresses are few, at least to what its origin was
  /// made with. \throws Error as save() does; std::bad_alloc.
  [[nodiscard]] Space fork() const;

  /// Packs the space's memory, so that a space that shrank has small snapshots again: without what was freed, and
  /// without the unused ends of arrays and pools. All objects move, as in a fork; states, hash() and the order of
  /// callbacks stay the same. Snapshots that were saved before remain good, with their own addresses.
  /// \return the new addresses: `moves(old)`.  \throws Error as save() does, and in a scope of enter(), with nothing
  /// changed; std::bad_alloc.  Cost: that of several forks.
  Moves compact();

  /// What `object` of `other` is in this space, which was forked or restored from it: a body's or an object's twin.
  /// Null for null. \pre `object` is older than the fork or the snapshot, and neither space was compacted since: others
  /// have no twin, and only some are noticed. \throws Error if `object` is not in `other`'s memory.
  template <typename T>
  [[nodiscard]] T* twin_of(const Space& other, T* object) const {
    return static_cast<T*>(const_cast<void*>(twin_address(other, object)));
  }

  /// A hash of all that decides the future: every field of every object, make()'s too. Equal in forks, after compact(),
  /// and in other processes and on other machines that did the same, also with addresses of another width; functions
  /// count by their names (name_code()). Cost: docs/guide/space.md. \throws Error if the space outgrew its memory.
  [[nodiscard]] std::uint64_t hash() const;

  /// Bytes that save() would copy now.
  [[nodiscard]] std::size_t live_bytes() const;
  /// Bytes that it can grow to.
  [[nodiscard]] std::size_t capacity_bytes() const;
  /// Whether a step, a query or a removal is at work in it: so it is in its callbacks.
  [[nodiscard]] bool is_in_call() const;
  /// Whether it outgrew its memory: only restore() and destruction are left.
  [[nodiscard]] bool is_overflowed() const;
  /// What leads out of the space's memory: user data without a name that could be an address, and Chipmunk's own
  /// pointers to bodies, shapes or joints that were made outside of a scope, which is a mistake. \throws as hash().
  [[nodiscard]] std::vector<OutsidePointer> outside_pointers() const;

 private:
  friend class Snapshot;
  friend std::optional<std::string> first_difference(const Space& one, const Space& other);
  struct Implementation;
  explicit Space(std::unique_ptr<Implementation> implementation) noexcept;
  [[nodiscard]] Implementation& implementation(const char* function) const;
  [[nodiscard]] void* allocate_object(std::size_t bytes, PointerPolicy pointers, void (*show)(void*, PointerVisitor&));
  void load(std::span<const std::byte> portable);
  [[nodiscard]] const void* twin_address(const Space& other, const void* object) const;

  template <typename T>
  [[nodiscard]] void* allocate_for(std::size_t count);

  std::unique_ptr<Implementation> implementation_;  // null: moved from
};

/// The first field in which two spaces differ, in words, with both values: "body 3: v differs: 0.5, 0.25". It also
/// compares where objects lie, as after a fork; nothing if all is equal, and hash() with it. \throws as hash().
[[nodiscard]] std::optional<std::string> first_difference(const Space& one, const Space& other);

/// name_code(), refusals included, for an address of any constant object outside of all spaces: user data that holds it
/// counts by the name.
void name_address(const std::string& name, const void* address);
/// name_code() for a function by its address. `type`: the fields that may hold it in a snapshot that is read.
void name_typed_code(const std::string& name, const void* address, chipmunk::CodeType type);

/// Gives a function (a collision callback, a velocity function) a name, so that it counts in hash() and can travel with
/// Snapshot::write(). Do so before any Space is hashed or written; names are the program's, not a Space's. A name that
/// another function had is this one's from then on.
/// \throws Error for an empty name, one with a NUL or of Chipmunk's ("chipmunk ..."), null, and Chipmunk's own
/// functions. Thread: any.
template <typename Result, typename... Arguments>
void name_code(const std::string& name, Result (*function)(Arguments...)) {
  name_typed_code(name, reinterpret_cast<const void*>(function), chipmunk::code_type_of<Result (*)(Arguments...)>());
}

template <typename T>
void* Space::allocate_for(std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>,
                "what is saved by memcpy must be trivially copyable; for containers see make_container()");
  static_assert(alignof(T) <= 16, "the space's memory is aligned to 16 bytes");
  // The largest capacity is always refused, as the space's own objects take some of it.
  const std::size_t bytes = count > kCapacityBytesMax / sizeof(T) ? kCapacityBytesMax : count * sizeof(T);
  if constexpr (ShowsPointers<T>) {
    struct Pointers {
      static void show(void* object, PointerVisitor& visit) { static_cast<T*>(object)->visit_pointers(visit); }
    };
    return allocate_object(bytes, PointerPolicy::none, &Pointers::show);
  } else {
    return allocate_object(bytes, pointer_policy<T>, nullptr);
  }
}

template <typename T, typename... Arguments>
T* Space::make(Arguments&&... arguments) {
  return new (allocate_for<T>(1)) T{std::forward<Arguments>(arguments)...};
}

template <typename T>
std::span<T> Space::make_array(std::size_t count) {
  static_assert(!ShowsPointers<T>, "an array is found conservatively or has no pointers");
  auto* first = static_cast<T*>(allocate_for<T>(count));
  std::uninitialized_value_construct_n(first, count);
  return {first, count};
}

}  // namespace forkmunk::space
