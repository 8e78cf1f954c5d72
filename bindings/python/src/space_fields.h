#pragma once

#include "space_core.h"

#include <cstdint>
#include <string>
#include <string_view>

/// Properties of bodies, shapes and constraints by name: how each is read, checked and written.
namespace forkmunk::python {

enum class Check : std::uint8_t {
  none,          // read-only
  number,        // finite
  not_negative,  // finite, 0 or more
  limit,         // 0 or more, infinity too
  moment,        // above 0, infinity too
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
};

/// \throws Error or TypeError for what `check` does not allow. \param what  it is, for errors.
[[nodiscard]] Value value_of(Check check, py::handle object, const std::string& what);

/// Of "Body", "Shape", "Constraint", or of one kind only: "Circle". \throws AttributeError
[[nodiscard]] const Field& field_of(std::string_view kind, std::string_view name);
/// Whether it is one that all bodies, shapes or joints have, and the kind is such.
[[nodiscard]] bool has_field(Kind kind, const Field& field);
/// Sets what `check` allows. \throws Error, TypeError
void write_field(Object& object, const Field& field, py::handle given);
/// \throws Error in begin and pre_solve, if a change of the object would wake a body.
void refuse_to_wake(const Object& object, const void* inside);
[[nodiscard]] const Field& space_field(std::string_view name);

/// (group, categories, mask)
[[nodiscard]] py::tuple filter_tuple(const cpShapeFilter& filter);

}  // namespace forkmunk::python
