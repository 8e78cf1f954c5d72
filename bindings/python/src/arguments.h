// SPDX-License-Identifier: MIT
#pragma once

#include "arrays.h"

#include <forkmunk/engine/command.h>
#include <forkmunk/engine/match_setup.h>
#include <forkmunk/engine/physics.h>
#include <forkmunk/engine/snapshot.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

/// From Python's objects to ours. Everything throws Error (forkmunk.Error) for values and TypeError for types, naming
/// the argument and what is wrong with it.
namespace forkmunk::python {

/// UTF-8 of a str. Lone surrogates, which have none, become escapes: "\\udc80".
[[nodiscard]] std::string utf8_of(py::handle string);
/// "(any, 2)": -1 stands for any size.
[[nodiscard]] std::string shape_text(std::span<const std::ptrdiff_t> shape);
/// The type's name, and the value cut to a readable length: "float 1.5".
[[nodiscard]] std::string described(py::handle object);

/// "left", "stop", "right", or -1, 0, 1 (also NumPy's integers).
[[nodiscard]] engine::Command command_of(py::handle object);
/// -1, 0, 1
[[nodiscard]] constexpr int number_of(engine::Command command) noexcept { return static_cast<int>(command) - 1; }
/// 0 or 1, "first" or "second".
[[nodiscard]] engine::Player player_of(py::handle object);
/// A whole number from 0 on. \param what  it is, for errors.
[[nodiscard]] std::size_t count_of(py::handle object, const char* what);
/// A whole number from 0 to 1024.
[[nodiscard]] std::size_t thread_count_of(py::handle object, const char* what);

/// A map and a car by name or as the dicts of a new_match message; or that message alone.
[[nodiscard]] engine::MatchSetup setup_of(py::handle map, py::handle car);
/// {"proto_map": …, "proto_car": …} as in a new_match message.
[[nodiscard]] py::dict dict_of(const engine::MatchSetup& setup);
/// "strict", "referee"; "flat", "chipmunk" or None.
[[nodiscard]] engine::Physics physics_of(const std::string& arithmetic, const std::optional<std::string>& engine);

/// int8 of the shape (..., 2), C-contiguous: commands of both players. \param shape  for errors, with -1 for any
/// number: {256, 2}. What the spans point to must outlive the call only.
[[nodiscard]] std::vector<engine::Commands> commands_of(py::handle array, const char* what,
                                                        std::span<const std::ptrdiff_t> shape);
void read_commands(py::handle array, const char* what, std::span<const std::ptrdiff_t> shape,
                   std::vector<engine::Commands>& commands);
/// A mask: bool or uint8, (count,), C-contiguous.
[[nodiscard]] std::vector<std::uint8_t> mask_of(py::handle array, const char* what, std::size_t count);

/// A snapshot as bytes, and back.
[[nodiscard]] py::bytes bytes_of(const engine::Snapshot& snapshot);
[[nodiscard]] engine::Snapshot snapshot_of(py::handle bytes, const engine::World& world);

}  // namespace forkmunk::python
