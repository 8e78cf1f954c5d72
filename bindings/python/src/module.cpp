// SPDX-License-Identifier: MIT
#include "module.h"

#include "documented.h"

#include <forkmunk/base/error.h>
#include <forkmunk/version.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace forkmunk::python {

namespace py = pybind11;

namespace {
PyObject* the_error_type = nullptr;  // lives as long as the process

// Names functions as Python does: Space.save(), not Space::save(). Bytes that are not UTF-8 become U+FFFD.
void set_error(const Error& error) {
  std::string text = error.what();
  const std::size_t colons = text.find("::"), end = text.find_first_of("( .");
  if (colons < end && text.find('(') == end) {
    text.replace(colons, 2, ".");
    if (text.starts_with("Batch.")) text.insert(0, "Space");
    if (text.starts_with("WorldBatch.")) text.erase(0, std::string_view("World").size());
  }
  const auto shown = py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
  if (shown) PyErr_SetObject(the_error_type, shown.ptr());
}

}  // namespace

void set_python_error() noexcept {
  try {
    throw;
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const py::builtin_exception& error) {
    error.set_error();
  } catch (const Error& error) {
    set_error(error);
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

py::object made_type(PyType_Spec& spec) { return taken(PyType_FromSpec(&spec)); }

void add_method(py::handle type, PyMethodDef& method) {
  type.attr(method.ml_name) =
      py::reinterpret_steal<py::object>(PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), &method));
}

const Documented& documented(std::string_view name) {
  static const Documented all[] = {
#include "documented.inc"
  };
  const auto* found = std::ranges::find(all, name, &Documented::name);
  if (found != std::end(all)) return *found;
  throw Error("madcars.json: found no ", name);
}

}  // namespace forkmunk::python

PYBIND11_MODULE(_forkmunk, module) {
  namespace python = forkmunk::python;
  namespace py = pybind11;
  module.doc() = "The compiled part of forkmunk. Import forkmunk instead.";
  python::the_error_type = PyErr_NewExceptionWithDoc(
      "forkmunk.Error",
      "Error(message)\n"
      "\n"
      "The error for bad input. The message names the argument, what was found, and what was\n"
      "expected.\n"
      "\n"
      "Error is a ValueError, and an AssertionError as pymunk raises. It is raised before anything\n"
      "is changed.",
      py::make_tuple(py::reinterpret_borrow<py::object>(PyExc_ValueError),
                     py::reinterpret_borrow<py::object>(PyExc_AssertionError))  // pymunk raises it
          .ptr(),
      nullptr);
  module.attr("__version__") = forkmunk::version();
  module.attr("Error") = py::reinterpret_borrow<py::object>(python::the_error_type);
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const forkmunk::Error& error) {
      python::set_error(error);
    }
  });
  python::add_world(module);
  python::add_batch(module);
  python::add_recordings(module);
  python::add_search(module);
  python::add_play(module);
  python::add_space(module);
  python::add_view(module);
  python::add_recorder(module);
  python::add_sampled_planner(module);
  python::add_space_batch(module);
  python::add_pymunk_batch(module);
  python::add_rollback(module);
  python::add_autogeometry(module);
}
