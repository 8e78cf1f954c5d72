// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/arena_alloc/chunk.h>
#include <forkmunk/base/error.h>
#include <forkmunk/chipmunk/allocation_kinds.h>
#include <forkmunk/chipmunk/precision.h>
#include <forkmunk/space/batch.h>

#include <string>

namespace forkmunk::FORKMUNK_SPACE {

[[nodiscard]] inline arena_alloc::Arena& arena_of(const Space& space) {
  return *arena_alloc::Arena::containing(space.memory_resource());
}

/// The objects of a batch's origin, in a copy, because the origin may be destroyed or changed.
struct Batch::Objects {
  explicit Objects(const Space& origin);

  Space twin;                    // a copy of the origin
  const std::byte* origin_base;  // may be freed
  std::size_t origin_bytes;

  /// Returns null if the world or the origin does not have the object.
  template <typename Object>
  [[nodiscard]] Object* find(const arena_alloc::Arena& world, const Object* object) const noexcept {
    if (object == nullptr || reinterpret_cast<const std::byte*>(object) < origin_base) return nullptr;
    if (offset_of(object) >= origin_bytes) return nullptr;
    const arena_alloc::Arena& first_world = arena_of(twin);
    const Object* first = at(first_world, object);
    Object* found = at(world, object);
    if (!is_there(first_world, first) || !is_there(world, found)) return nullptr;
    const bool same = !arena_alloc::is_uncounted(first->userData) || found->userData == first->userData;
    return same ? found : nullptr;
  }
  template <typename Object>
  [[nodiscard]] Object* at(const arena_alloc::Arena& world, const Object* object) const noexcept {
    return reinterpret_cast<Object*>(world.base() + offset_of(object));
  }
  /// Throws for a missing object. \param what  such as "Batch::read(), world 3: body 2".
  template <typename Object>
  [[noreturn]] void refuse(const Object* object, const std::string& what) const {
    if (find(arena_of(twin), object) == nullptr) {
      throw Error(what, " is no object of the Space that the batch was made of; give one of its objects");
    }
    throw Error(what, " is not there: it was removed, or a state without it was restored; restore a state that has it");
  }

 private:
  [[nodiscard]] static bool is_kind_of(const cpBody*, int kind) noexcept { return kind == FORKMUNK_KIND_BODY; }
  [[nodiscard]] static bool is_kind_of(const cpConstraint*, int kind) noexcept {
    return kind == FORKMUNK_KIND_SIMPLE_MOTOR;
  }
  [[nodiscard]] static bool is_kind_of(const cpShape*, int kind) noexcept {
    return kind >= FORKMUNK_KIND_CIRCLE && kind <= FORKMUNK_KIND_POLY;
  }
  template <typename Object>
  [[nodiscard]] static bool is_there(const arena_alloc::Arena& arena, const Object* object) noexcept {
    if (!arena.has_payload_at(object)) return false;
    return is_kind_of(object, arena_alloc::Chunk::of(object).kind()) && object->space != nullptr;
  }
  [[nodiscard]] std::size_t offset_of(const void* object) const noexcept {
    return static_cast<std::size_t>(static_cast<const std::byte*>(object) - origin_base);
  }
};

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
