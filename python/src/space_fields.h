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
  positive,      // finite, above 0
  limit,         // 0 or more, infinity too
  moment,        // above 0, infinity too
  not_zero,
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

/// "Body", "Circle", ..., "SimpleMotor".
[[nodiscard]] std::string_view kind_of(const ObjectEntry& object);
/// \throws AttributeError
[[nodiscard]] const Field& field_of(std::string_view kind, std::string_view name);
[[nodiscard]] const Field& space_field(std::string_view name);

/// (group, categories, mask)
[[nodiscard]] py::tuple filter_tuple(const cpShapeFilter& filter);

}  // namespace forkmunk::python
