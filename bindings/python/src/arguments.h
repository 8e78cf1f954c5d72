// SPDX-License-Identifier: MIT
#pragma once

#include "arrays.h"

#include <forkmunk/engine/command.h>
#include <forkmunk/engine/match_setup.h>
#include <forkmunk/engine/physics.h>
#include <forkmunk/engine/snapshot.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

/// Conversions of Python's objects to C++. They throw Error for values and TypeError for types, with the argument's
/// name.
namespace forkmunk::python {

/// Returns UTF-8. Lone surrogates become escapes: "\\udc80".
[[nodiscard]] std::string utf8_of(py::handle string);
/// Returns a text like "(any, 2)" for {-1, 2}.
[[nodiscard]] std::string shape_text(std::span<const std::ptrdiff_t> shape);
/// Returns the type and the value, cut to 60 letters: "float 1.5".
[[nodiscard]] std::string described(py::handle object);

/// Throw TypeError and Error: "what: found ..., expected ...".
[[noreturn]] void refuse_type(std::string_view what, py::handle found, std::string_view expected);
[[noreturn]] void refuse_value(std::string_view what, py::handle found, std::string_view expected);
[[noreturn]] void refuse_value(std::string_view what, const std::string& found, std::string_view expected);

/// Returns the names of a catalogue's entries.
template <typename Catalogue>
[[nodiscard]] py::tuple names_of(const Catalogue& catalogue) {
  py::list names;
  for (const auto& entry : catalogue) names.append(std::string(entry.name));
  return py::tuple(names);
}

/// Reads what pybind11 converts to a T. \param what  the name in errors.
template <typename T>
[[nodiscard]] T given(py::handle object, const char* what, std::string_view expected) {
  try {
    return object.cast<T>();
  } catch (const py::cast_error&) {
    refuse_type(what, object, expected);
  }
}

/// Returns a whole number as an int, or null for anything else, also a bool.
[[nodiscard]] py::object whole_in(py::handle object);
/// Returns the length of a sequence, or -1, also for an array without dimensions.
[[nodiscard]] Py_ssize_t length_of(py::handle object);
/// Reads "left", "stop", "right", or -1, 0, 1 (also NumPy's integers).
[[nodiscard]] engine::Command command_of(py::handle object);
[[nodiscard]] constexpr int number_of(engine::Command command) noexcept { return static_cast<int>(command) - 1; }
/// Reads 0 or 1, "first" or "second".
[[nodiscard]] engine::Player player_of(py::handle object);
/// Reads a whole number. \param what  the name in errors.
[[nodiscard]] std::size_t count_of(py::handle object, std::string_view what, std::size_t least = 0,
                                   std::size_t most = SIZE_MAX);
inline constexpr std::size_t kThreadCountMax = 1024;

/// Reads names or the dicts of a new_match message, or such a message alone.
[[nodiscard]] engine::MatchSetup setup_of(py::handle map, py::handle car);
/// Reads an entry of a list: a pair of map and car, or a message.
[[nodiscard]] engine::MatchSetup setup_of(py::handle given);
/// Returns {"proto_map": …, "proto_car": …} as in a new_match message.
[[nodiscard]] py::dict dict_of(const engine::MatchSetup& setup);
/// Reads "strict" or "referee", and "flat", "chipmunk" or None.
[[nodiscard]] engine::Physics physics_of(const std::string& arithmetic, const std::optional<std::string>& engine);

/// Reads a C-contiguous int8 array. \param shape  such as {256, 2}, with -1 for any number.
void read_commands(py::handle array, const char* what, std::span<const std::ptrdiff_t> shape,
                   std::vector<engine::Commands>& commands);
/// Reads a C-contiguous array of bool or uint8, (count,). None selects all.
[[nodiscard]] std::vector<std::uint8_t> mask_of(py::handle array, const char* what, std::size_t count);

[[nodiscard]] std::span<const std::byte> span_of(const py::bytes& bytes);
[[nodiscard]] py::bytes bytes_of(std::span<const std::byte> bytes);
[[nodiscard]] py::bytes bytes_of(const engine::Snapshot& snapshot);
[[nodiscard]] engine::Snapshot snapshot_of(py::handle bytes, const engine::World& world);

}  // namespace forkmunk::python
