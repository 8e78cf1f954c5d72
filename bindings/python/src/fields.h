// SPDX-License-Identifier: MIT
#pragma once

#include "object.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

/// The fields of bodies, shapes, constraints and spaces, by name: how each is read, checked and written.
namespace forkmunk::python {

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

/// \throws Error or TypeError for what `check` does not allow. \param what  it is, for errors.
[[nodiscard]] Value value_of(Check check, py::handle object, const std::string& what);

/// \throws Error in begin and pre_solve of its space, if a change of the object would wake a body.
void refuse_to_wake(const Object& object, const void* inside);
/// \throws AttributeError for another name.
[[nodiscard]] const Field& space_field(std::string_view name);

void add_fields(py::module_& module);

}  // namespace forkmunk::python
