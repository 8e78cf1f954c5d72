// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/error.h>

#include <memory>
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

/// Adds pickling and copying by T::state(), a tuple, and T::of_state(), which throws Error for other tuples.
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

}  // namespace forkmunk::python
