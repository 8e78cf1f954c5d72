// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <chipmunk/chipmunk.h>
#include <pybind11/pybind11.h>

/// Conversions between Python's objects and Chipmunk's values. They throw Error for values and TypeError for types; the
/// text names the value by `what`.
namespace forkmunk::python {

namespace py = pybind11;

[[nodiscard]] double finite_number(py::handle object, std::string_view what);
/// Returns a whole number from `least` to `most`, or a bool as 0 or 1, like pymunk.
[[nodiscard]] std::size_t count_or_bool(py::handle object, std::string_view what, std::size_t least = 0,
                                        std::size_t most = static_cast<std::size_t>(-1));
/// Returns a finite number, 0 or more.
[[nodiscard]] double not_negative(py::handle object, std::string_view what);
/// Returns a number, infinities and NaN included.
[[nodiscard]] double any_number(py::handle object, std::string_view what);
/// Reads a finite float or int, or a tuple of two, as values usually are. \return whether the object is one.
[[nodiscard]] bool read_usual(py::handle object, double& number) noexcept;
[[nodiscard]] bool read_usual(py::handle object, cpVect& vector) noexcept;
/// Returns a pair of finite numbers.
[[nodiscard]] cpVect vector_of(py::handle object, std::string_view what);
[[nodiscard]] std::vector<cpVect> vectors_of(py::handle object, std::string_view what);
inline constexpr int kVerticesMax = 10'000;
/// Returns 1 to kVerticesMax pairs, transformed unless `transform` is None.
[[nodiscard]] std::vector<cpVect> vertices_of(py::handle object, py::handle transform, std::string_view what);
[[nodiscard]] std::vector<cpVect> hull_of(std::vector<cpVect> vertices, int* first = nullptr);
[[nodiscard]] cpTransform transform_of(py::handle object, std::string_view what);
/// Reads (left, bottom, right, top), which may be infinite. \throws Error for NaN.
[[nodiscard]] cpBB box_of(py::handle object, std::string_view what);
/// Reads (group, categories, mask).
[[nodiscard]] cpShapeFilter filter_of(py::handle object, std::string_view what);

/// Returns a forkmunk.Vec2d.
[[nodiscard]] py::object tuple_of(cpVect v);
/// Returns a list of forkmunk.Vec2d.
[[nodiscard]] py::list tuples_of(std::span<const cpVect> vectors);
/// Returns (left, bottom, right, top).
[[nodiscard]] py::tuple tuple_of(const cpBB& box);
/// Returns (group, categories, mask).
[[nodiscard]] py::tuple tuple_of(const cpShapeFilter& filter);
/// Returns (normal, [(point_a, point_b, distance), ...]).
[[nodiscard]] py::tuple tuple_of(const cpContactPointSet& set);

void add_conversions(py::module_& module);

}  // namespace forkmunk::python
