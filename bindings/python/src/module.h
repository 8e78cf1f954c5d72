// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

/// The parts of the module, one file each.
namespace forkmunk::python {

/// In a handler: sets Python's error from the exception at work, as pybind11's dispatcher does. For functions that
/// Python calls without that dispatcher; Error becomes forkmunk.Error, a ValueError.
void set_python_error() noexcept;

void add_world(pybind11::module_& module);
void add_batch(pybind11::module_& module);
void add_recordings(pybind11::module_& module);
void add_search(pybind11::module_& module);
void add_play(pybind11::module_& module);
void add_bot(pybind11::module_& module);
void add_space(pybind11::module_& module);
void add_recorder(pybind11::module_& module);
void add_sampled_planner(pybind11::module_& module);
void add_space_batch(pybind11::module_& module);
void add_pymunk_batch(pybind11::module_& module);
void add_space_drawing(pybind11::module_& module);
void add_rollback(pybind11::module_& module);
void add_autogeometry(pybind11::module_& module);

/// copy.copy() and copy.deepcopy() of what never changes: itself.
template <typename Type>
void copy_as_itself(Type& type) {
  type.def(
          "__copy__", [](const pybind11::object& self) { return self; }, "Itself: it never changes.")
      .def(
          "__deepcopy__", [](const pybind11::object& self, const pybind11::object&) { return self; },
          pybind11::arg("memo"), "Itself: it never changes.");
}

}  // namespace forkmunk::python
