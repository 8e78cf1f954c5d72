// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

/// NumPy arrays by the buffer protocol, numpy.ndarray and numpy.empty, for every version of NumPy
/// (docs/decisions/0017-arrays-by-the-buffer-protocol.md).
namespace forkmunk::python {

namespace py = pybind11;

enum class Element : std::size_t { boolean, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float64 };

template <typename T>
constexpr Element element_of() {
  static_assert(std::is_same_v<T, double> || (std::is_integral_v<T> && !std::is_same_v<T, bool>));
  if constexpr (std::is_same_v<T, double>) return Element::float64;
  const Element smallest = std::is_signed_v<T> ? Element::int8 : Element::uint8;
  return static_cast<Element>(static_cast<std::size_t>(smallest) + std::bit_width(sizeof(T)) - 1);
}

[[nodiscard]] bool is_array(py::handle object);

/// An array's elements, valid while this object lives.
class ArrayBuffer {
 public:
  /// Finds no elements of a type that NumPy cannot show, such as dates.
  explicit ArrayBuffer(py::handle array);
  ArrayBuffer(const ArrayBuffer&) = delete;
  ArrayBuffer& operator=(const ArrayBuffer&) = delete;
  ~ArrayBuffer() { PyBuffer_Release(&view_); }

  [[nodiscard]] bool has_elements() const noexcept { return view_.obj != nullptr; }
  /// Returns the elements' type as Python's module struct names it: "b" is int8, "d" is the machine's float64.
  [[nodiscard]] std::string_view format() const noexcept { return view_.format; }
  [[nodiscard]] std::span<const Py_ssize_t> shape() const noexcept {
    return {view_.shape, static_cast<std::size_t>(view_.ndim)};
  }
  [[nodiscard]] bool is_contiguous() const noexcept { return PyBuffer_IsContiguous(&view_, 'C') != 0; }
  [[nodiscard]] std::size_t size_bytes() const noexcept { return static_cast<std::size_t>(view_.len); }
  [[nodiscard]] const void* data() const noexcept { return view_.buf; }

 private:
  Py_buffer view_{};
};

/// An array or a sequence as float64 in C order, copied only if stored otherwise.
class Numbers {
 public:
  /// \throws  what numpy.array(object, float) raises
  explicit Numbers(py::handle object);

  [[nodiscard]] std::span<const Py_ssize_t> shape() const noexcept { return buffer_.shape(); }
  [[nodiscard]] std::span<const double> values() const noexcept {
    return {static_cast<const double*>(buffer_.data()), buffer_.size_bytes() / sizeof(double)};
  }

 private:
  py::object array_;
  ArrayBuffer buffer_;
};

/// The sizes of one to three dimensions.
class Shape {
 public:
  Shape(std::initializer_list<std::size_t> sizes) : count_(sizes.size()) { std::ranges::copy(sizes, sizes_.begin()); }
  [[nodiscard]] std::span<const std::size_t> sizes() const noexcept { return {sizes_.data(), count_}; }

 private:
  std::array<std::size_t, 3> sizes_{};
  std::size_t count_;
};

/// Returns numpy.empty(shape) and its memory.
[[nodiscard]] std::pair<py::object, void*> empty_array(Element element, const Shape& shape);

template <typename T>
struct NewArray {
  explicit NewArray(const Shape& shape) : NewArray(empty_array(element_of<T>(), shape)) {}
  py::object array;
  T* values;

 private:
  explicit NewArray(std::pair<py::object, void*>&& made)
      : array(std::move(made.first)), values(static_cast<T*>(made.second)) {}
};

/// Returns an array that keeps `owner` alive.
[[nodiscard]] py::object array_over(const void* data, Element element, const Shape& shape, py::handle owner,
                                    bool writable);

/// Returns a read-only array that keeps `owner` alive.
template <typename T>
[[nodiscard]] py::object view_of(const T* data, const Shape& shape, py::handle owner,
                                 Element element = element_of<T>()) {
  return array_over(data, element, shape, owner, false);
}

/// Returns an array that takes over `values` without copying.
template <typename T>
[[nodiscard]] py::object owned(std::vector<T>&& values, const Shape& shape, Element element = element_of<T>()) {
  auto* kept = new std::vector<T>(std::move(values));
  const py::capsule owner(kept, [](void* memory) { delete static_cast<std::vector<T>*>(memory); });
  return array_over(kept->data(), element, shape, owner, true);
}

}  // namespace forkmunk::python
