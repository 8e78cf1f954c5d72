// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

/// The parts of the module, one file each.
namespace forkmunk::python {

/// In a handler: sets Python's error from the exception at work, as pybind11's dispatcher does. For functions that
/// Python calls without that dispatcher; Error becomes forkmunk.Error, a ValueError.
void set_python_error() noexcept;
/// Returns what `work` returns, or `failed` with Python's error set.
template <typename Work>
auto translated(const Work& work, decltype(work()) failed) noexcept -> decltype(work()) {
  try {
    return work();
  } catch (...) {
    set_python_error();
  }
  return failed;
}

/// Returns a new type, for which pybind11's classes are too slow. \throws error_already_set
[[nodiscard]] pybind11::object made_type(PyType_Spec& spec);
/// The tp_dealloc of types whose objects have nothing but what their tp_clear drops.
template <auto clear>
void deallocate_cleared(PyObject* self) {
  PyObject_GC_UnTrack(self);
  clear(self);
  PyTypeObject* type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

void add_world(pybind11::module_& module);
void add_batch(pybind11::module_& module);
void add_recordings(pybind11::module_& module);
void add_search(pybind11::module_& module);
void add_play(pybind11::module_& module);
void add_bot(pybind11::module_& module);
void add_space(pybind11::module_& module);
void add_view(pybind11::module_& module);
void add_recorder(pybind11::module_& module);
void add_sampled_planner(pybind11::module_& module);
void add_space_batch(pybind11::module_& module);
void add_pymunk_batch(pybind11::module_& module);
void add_space_drawing(pybind11::module_& module);
void add_rollback(pybind11::module_& module);
void add_autogeometry(pybind11::module_& module);

}  // namespace forkmunk::python
