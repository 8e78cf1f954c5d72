#pragma once

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/space/batch.h>

#include <string>

namespace forkmunk::space {

/// The objects of a batch's origin. A twin of the origin is kept, which also stands for the origin's structure once the
/// origin is gone or has changed.
struct Batch::Objects {
  explicit Objects(const Space& origin);

  Space twin;                    // of the origin, as it was when the batch was made
  const std::byte* origin_base;  // its memory, which may be gone
  std::size_t origin_bytes;

  /// The twin of an object of the origin in a world; null if the origin had no such object, or the world has none.
  template <typename Object>
  [[nodiscard]] Object* find(const arena_alloc::Arena& world, const Object* object) const noexcept;
  /// The same, after find() found it.
  template <typename Object>
  [[nodiscard]] Object* at(const arena_alloc::Arena& world, const Object* object) const noexcept {
    return reinterpret_cast<Object*>(world.base() + offset_of(object));
  }
  /// Throws the Error for what find() did not find. \param what  it is: "Batch::read(), world 3: body 2".
  template <typename Object>
  [[noreturn]] void refuse(const Object* object, const std::string& what) const;

 private:
  [[nodiscard]] std::size_t offset_of(const void* object) const noexcept {
    return static_cast<std::size_t>(static_cast<const std::byte*>(object) - origin_base);
  }
};

/// The arena of a space's memory.
[[nodiscard]] inline arena_alloc::Arena& arena_of(const Space& space) {
  return *arena_alloc::Arena::containing(space.memory_resource());
}

/// An object in an Error: "body 2".
[[nodiscard]] std::string name_of(const cpBody* kind, std::size_t index);
[[nodiscard]] std::string name_of(const cpConstraint* kind, std::size_t index);
[[nodiscard]] std::string name_of(const cpShape* kind, std::size_t index);

/// Whether a step can be computed: Chipmunk's tree does not find its way among numbers that are not finite.
[[nodiscard]] bool is_finite(const cpSpace& space) noexcept;

/// \throws Error unless `field` is one of a body's, or a motor's.
void require_field(const char* function, Field field, const cpBody* object);
void require_field(const char* function, Field field, const cpConstraint* object);

/// Copies a field out of or into an object: width_of(field) numbers.
void read_field(Field field, cpBody* body, double* out) noexcept;
void write_field(Field field, cpBody* body, const double* values) noexcept;

/// \throws Error if one of them is not finite.
void require_finite(const char* function, std::span<const double> values);

}  // namespace forkmunk::space
