// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/chipmunk/precision.h>
#include <forkmunk/space/batch.h>

#include <string>

namespace forkmunk::FORKMUNK_SPACE {

/// The objects of a batch's origin, in a copy, because the origin may be destroyed or changed.
struct Batch::Objects {
  explicit Objects(const Space& origin);

  Space twin;                    // a copy of the origin
  const std::byte* origin_base;  // may be freed
  std::size_t origin_bytes;

  /// Returns null if the world or the origin does not have the object.
  template <typename Object>
  [[nodiscard]] Object* find(const arena_alloc::Arena& world, const Object* object) const noexcept;
  template <typename Object>
  [[nodiscard]] Object* at(const arena_alloc::Arena& world, const Object* object) const noexcept {
    return reinterpret_cast<Object*>(world.base() + offset_of(object));
  }
  /// Throws for a missing object. \param what  such as "Batch::read(), world 3: body 2".
  template <typename Object>
  [[noreturn]] void refuse(const Object* object, const std::string& what) const;

 private:
  [[nodiscard]] std::size_t offset_of(const void* object) const noexcept {
    return static_cast<std::size_t>(static_cast<const std::byte*>(object) - origin_base);
  }
};

[[nodiscard]] inline arena_alloc::Arena& arena_of(const Space& space) {
  return *arena_alloc::Arena::containing(space.memory_resource());
}

/// Returns a name such as "body 2".
[[nodiscard]] std::string name_of(const cpBody* kind, std::size_t index);
[[nodiscard]] std::string name_of(const cpConstraint* kind, std::size_t index);
[[nodiscard]] std::string name_of(const cpShape* kind, std::size_t index);

[[nodiscard]] bool is_finite(const cpSpace& space) noexcept;

/// \throws Error unless `field` fits the kind of object.
void require_field(const char* function, Field field, const cpBody* object);
void require_field(const char* function, Field field, const cpConstraint* object);

/// Copy width_of(field) numbers.
void read_field(Field field, cpBody* body, double* out) noexcept;
void read_field(Field field, cpConstraint* motor, double* out) noexcept;
void write_field(Field field, cpBody* body, const double* values) noexcept;
void write_field(Field field, cpConstraint* motor, const double* values) noexcept;

void require_finite(const char* function, std::span<const double> values);
/// \throws Error if Chipmunk would abort for the number.
void require_value(const char* function, Field field, double value);

}  // namespace forkmunk::FORKMUNK_SPACE
