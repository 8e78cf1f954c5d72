#include "module.h"

#include <forkmunk/base/error.h>

/// pybind11 answers wrong arguments with a list of its own types. Here its functions report what the package expects.
namespace forkmunk::python {

namespace py = pybind11;

namespace {

constexpr int kFlags = METH_VARARGS | METH_KEYWORDS;

PyCFunctionWithKeywords the_dispatcher = nullptr;  // pybind11's, one for all functions
PyObject* the_explanation = nullptr;               // lives as long as the process

PyMethodDef* definition_of(py::handle function) { return reinterpret_cast<PyCFunctionObject*>(function.ptr())->m_ml; }

PyObject* call(PyObject* record, PyObject* arguments, PyObject* named) {
  PyObject* const result = the_dispatcher(record, arguments, named);
  if (result != nullptr || PyErr_ExceptionMatches(PyExc_TypeError) == 0) return result;
  PyObject *type = nullptr, *error = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &error, &trace);
  PyErr_NormalizeException(&type, &error, &trace);
  PyObject* const text =
      PyObject_CallFunctionObjArgs(the_explanation, error, arguments, named != nullptr ? named : Py_None, nullptr);
  if (text == nullptr || text == Py_None) {
    PyErr_Restore(type, error, trace);
  } else {
    PyErr_SetObject(PyExc_TypeError, text);
    Py_XDECREF(type);
    Py_XDECREF(error);
    Py_XDECREF(trace);
  }
  Py_XDECREF(text);
  return nullptr;
}

// explanation(error, arguments, named): a text to raise a TypeError with instead, or None.
void explain_errors(py::object explanation, const py::iterable& functions) {
  the_explanation = explanation.release().ptr();
  const py::cpp_function any([] {});
  the_dispatcher = reinterpret_cast<PyCFunctionWithKeywords>(reinterpret_cast<void (*)()>(definition_of(any)->ml_meth));
  for (const py::handle function : functions) {
    if (PyCFunction_Check(function.ptr()) == 0) throw Error("_explain_errors(): one is no compiled function");
    PyMethodDef* const definition = definition_of(function);
    const bool is_pybind = definition->ml_meth == definition_of(any)->ml_meth && definition->ml_flags == kFlags;
    if (is_pybind) definition->ml_meth = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&call));
  }
}

}  // namespace

void add_explained_errors(py::module_& module) { module.def("_explain_errors", &explain_errors); }

}  // namespace forkmunk::python
