#pragma once

#include <pybind11/pybind11.h>

/// The parts of the module, one file each.
namespace forkmunk::python {

/// forkmunk.Error, a ValueError: what Error becomes in Python.
[[nodiscard]] pybind11::object error_type();

void add_world(pybind11::module_& module);
void add_batch(pybind11::module_& module);
void add_recordings(pybind11::module_& module);
void add_search(pybind11::module_& module);
void add_play(pybind11::module_& module);
void add_space(pybind11::module_& module);

}  // namespace forkmunk::python
