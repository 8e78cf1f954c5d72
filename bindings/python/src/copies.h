// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/error.h>

#include <memory>
#include <string>
#include <utility>

#include <pybind11/pybind11.h>

namespace forkmunk::python {

/// Makes an object without its __init__. `type` is T's or a class derived from it.
template <typename T>
[[nodiscard]] pybind11::object made_as(const pybind11::handle& type, std::unique_ptr<T> value) {
  namespace py = pybind11;
  py::object made = type.attr("__new__")(type);
  auto* instance = reinterpret_cast<py::detail::instance*>(made.ptr());
  py::detail::value_and_holder holder = instance->get_value_and_holder(py::detail::get_type_info(typeid(T)));
  holder.value_ptr() = value.release();
  holder.type->init_instance(instance, nullptr);
  return made;
}

/// Returns a copy of an object's C++ part, by its fork() or else by its pickle's state, with its Python attributes.
/// \param memo  copy.deepcopy()'s, or None to share the attributes.
template <typename T>
[[nodiscard]] pybind11::object copied(const pybind11::object& self, const pybind11::object& memo) {
  namespace py = pybind11;
  auto& value = self.cast<T&>();
  py::object twin;
  if constexpr (requires { value.fork(); }) {
    twin = made_as<T>(py::type::of(self), value.fork());
  } else {
    twin = made_as<T>(py::type::of(self), T::of_state(value.state()));
  }
  if (!py::hasattr(self, "__dict__")) return twin;
  py::object attributes = self.attr("__dict__");
  if (!memo.is_none()) {
    memo[py::module_::import("builtins").attr("id")(self)] = twin;
    attributes = py::module_::import("copy").attr("deepcopy")(attributes, memo);
  }
  twin.attr("__dict__").attr("update")(attributes);
  return twin;
}

/// Adds pickling by T::state(), a tuple, and T::of_state(), which throws Error for other tuples.
template <typename T, typename... Options>
void add_pickle(pybind11::class_<T, Options...>& type) {
  namespace py = pybind11;
  type.def("__reduce__",
           [](const py::object& self) {
             const py::tuple arguments = py::make_tuple(py::type::of(self), self.cast<T&>().state());
             return py::make_tuple(py::module_::import("forkmunk.madcars").attr("_restored"), arguments,
                                   py::getattr(self, "__dict__", py::none()));
           })
      .def_static(
          "_from_state",
          [](const py::object& its_type, const py::tuple& its_state) {
            try {
              return made_as<T>(its_type, T::of_state(its_state));
            } catch (const py::cast_error&) {
            } catch (const py::type_error&) {
            } catch (py::error_already_set& error) {
              if (!error.matches(PyExc_IndexError) && !error.matches(PyExc_ValueError)) throw;
            }
            throw Error(py::str(its_type.attr("__name__")), ": its pickle is damaged");
          },
          py::arg("type"), py::arg("state"));
}

/// Adds _become(other), by which a Checkpoint puts an object back.
template <typename T, typename... Options>
void add_become(pybind11::class_<T, Options...>& type, const char* name) {
  type.def("_become", [name](T& self, const T& other) {
    self.check_usable(name);
    self = std::move(*T::of_state(other.state()));
  });
}

/// Adds copying and pickling.
template <typename T, typename... Options>
void add_twins(pybind11::class_<T, Options...>& type) {
  namespace py = pybind11;
  type.def(
          "__copy__", [](const py::object& self) { return copied<T>(self, py::none()); }, "An independent twin.")
      .def("__deepcopy__", &copied<T>, py::arg("memo"), "An independent twin.");
  add_pickle(type);
}

}  // namespace forkmunk::python
