// SPDX-License-Identifier: MIT
#pragma once

#include "arguments.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <chipmunk/chipmunk.h>

/// The base class of Python's bodies, shapes and joints. Each is a Chipmunk object in memory of its own, or, between
/// Space.add() and Space.remove(), in a space's memory, where its id finds it.
namespace forkmunk::python {

class SpaceCore;

enum class Kind : std::uint8_t {
  none,  // __init__ did not run
  body,
  circle,
  segment,
  poly,
#include "kinds.inc"  // the joints
};
[[nodiscard]] constexpr bool is_shape(Kind kind) noexcept { return kind >= Kind::circle && kind <= Kind::poly; }
[[nodiscard]] constexpr bool is_joint(Kind kind) noexcept { return kind > Kind::poly; }
template <typename Visit>
decltype(auto) visit_object(void* object, Kind kind, const Visit& visit) {
  if (kind == Kind::body) return visit(static_cast<cpBody*>(object));
  if (is_shape(kind)) return visit(static_cast<cpShape*>(object));
  return visit(static_cast<cpConstraint*>(object));
}
/// Returns what a function such as cpSpaceEachBody() calls back with.
template <typename T, typename Owner>
[[nodiscard]] std::vector<T*> collected(void (*each)(Owner*, void (*)(T*, void*), void*), Owner* owner) {
  std::vector<T*> found;
  each(
      owner, [](T* item, void* list) { static_cast<std::vector<T*>*>(list)->push_back(item); }, &found);
  return found;
}
template <typename T>
[[nodiscard]] std::vector<T*> collected(void (*each)(cpBody*, void (*)(cpBody*, T*, void*), void*), cpBody* body) {
  std::vector<T*> found;
  each(
      body, [](cpBody*, T* item, void* list) { static_cast<std::vector<T*>*>(list)->push_back(item); }, &found);
  return found;
}
[[nodiscard]] std::string_view name_of(Kind kind) noexcept;
/// Returns Kind::none for other names.
[[nodiscard]] Kind kind_named(std::string_view name) noexcept;
[[nodiscard]] Kind kind_of(const cpShape* shape) noexcept;
[[nodiscard]] Kind kind_of(const cpConstraint* joint) noexcept;

/// Python zeroes the memory.
struct Object {
  PyObject_HEAD;
  PyObject* core;       // the SpaceCore whose memory it is in, or was before a restore; null: its own memory
  void* own;            // Chipmunk's object in memory of its own
  PyObject* bodies[2];  // a shape's Body, or a joint's a and b; null: none, or the space finds it
  PyObject* shapes;     // a body's dict of shapes; null: the space finds them
  PyObject* joints;     // a body's WeakKeyDictionary of joints
  PyObject* home;       // the Space that this copy keeps alive
  std::uint64_t id;     // in its space, and in the space's copies
  Kind kind;

  [[nodiscard]] auto references() noexcept { return std::array{&bodies[0], &bodies[1], &shapes, &joints, &home}; }
  /// Frees the object's own memory, or unbinds the object from its space.
  void leave() noexcept;
};

void add_object(py::module_& module);

/// Returns null for other objects.
[[nodiscard]] Object* object_in(py::handle object) noexcept;
/// \throws TypeError for other objects.
[[nodiscard]] Object& object_of(py::handle object);
/// \throws TypeError for an object of another kind.
[[nodiscard]] Object& body_of(py::handle object, const char* what);
[[nodiscard]] Object& shape_of(py::handle object, const char* what);
/// Returns null without a body, or if the space must find it. \throws TypeError
[[nodiscard]] Object* body_at(const Object& object, int index);

[[nodiscard]] SpaceCore* core_of(const Object& object);
/// Updates links to bodies. \throws Error if the object was never made or is gone, or its space cannot be used now.
[[nodiscard]] void* chipmunk_object(const Object& object);
[[nodiscard]] cpBody* chipmunk_body(const Object& object);
[[nodiscard]] cpShape* chipmunk_shape(const Object& object);

/// Returns a new id, below 2^40.
[[nodiscard]] std::uint64_t new_id() noexcept;

// Memory: object_memory.cpp.

/// Copies a Chipmunk object into the innermost scope's memory, or without a scope into memory of its own. The copy is
/// in no space and linked to nothing but its bodies.
[[nodiscard]] void* copy_of(const void* object, Kind kind);
void free_object(void* object, Kind kind) noexcept;
/// Returns bytes for pickles on machines of one layout.
[[nodiscard]] std::string bytes_of(const void* object, Kind kind);
/// Returns an object without bodies. \throws Error for damaged bytes.
[[nodiscard]] void* object_from(std::string_view bytes, Kind kind);
/// \throws Error for anything but Body.DYNAMIC, KINEMATIC or STATIC.
[[nodiscard]] cpBodyType body_type_of(py::handle object);
/// Makes an object from a dict {"kind", ...}, on `object`'s bodies. Values come first, because reading may move bodies.
/// \throws Error.
[[nodiscard]] void* make_object(Kind kind, const py::dict& values, const Object& object);

/// Lets the next step start without the impulse of the last one.
void forget_impulse(cpConstraint* joint);

[[nodiscard]] cpDampedSpringForceFunc default_spring_force(Kind kind);

/// The functions by which Chipmunk calls Python, or its own.
enum class Function : std::uint8_t { velocity, position, pre_solve, post_solve, force };
void set_function(void* object, Kind kind, Function function, bool on);
[[nodiscard]] bool has_functions(const void* object, Kind kind);

enum class Check : std::uint8_t {
  none,          // read-only
  number,        // finite
  not_negative,  // finite, 0 or more
  limit,         // 0 or more, infinity too
  any,           // infinity too
  vector,
  boolean,
  whole,  // 0 or more, 64 bits
  filter,
};

struct Value {
  double number = 0;
  cpVect vector{};
  std::uintptr_t whole = 0;
  cpShapeFilter filter{};
};

struct Field {
  std::string_view name;
  Check check;
  py::object (*get)(void*);
  void (*set)(void*, const Value&);
  std::uintptr_t min = 0, max = std::numeric_limits<std::uintptr_t>::max();  // the range of a whole number
};

template <Check check>
auto part_of(const Value& value) {
  if constexpr (check == Check::vector) {
    return value.vector;
  } else if constexpr (check == Check::boolean) {
    return static_cast<cpBool>(value.whole);
  } else if constexpr (check == Check::whole) {
    return value.whole;
  } else if constexpr (check == Check::filter) {
    return value.filter;
  } else {
    return value.number;
  }
}

/// \throws Error or TypeError for what `check` does not allow. \param min, max  the range of a whole number.
[[nodiscard]] Value value_of(Check check, py::handle object, const std::string& what, std::uintptr_t min = 0,
                             std::uintptr_t max = std::numeric_limits<std::uintptr_t>::max());

[[nodiscard]] std::span<const Field> arbiter_fields();

void add_fields(py::module_& module);

}  // namespace forkmunk::python
