#include "module.h"

#include <structmember.h>

/// What View is derived from: len(), in and iteration of a mapping's keys, without a call of Python each.
namespace forkmunk::python {
namespace {

struct ViewObject {
  PyObject_HEAD;
  PyObject* mapping;  // null until __init__
};

PyObject* mapping_of(PyObject* self) {
  PyObject* mapping = reinterpret_cast<ViewObject*>(self)->mapping;
  if (mapping == nullptr) PyErr_SetString(PyExc_TypeError, "View: found one without its mapping");
  return mapping;
}

int initialize(PyObject* self, PyObject* arguments, PyObject*) {
  PyObject* mapping = nullptr;
  if (PyArg_ParseTuple(arguments, "O:View", &mapping) == 0) return -1;
  Py_INCREF(mapping);
  Py_XSETREF(reinterpret_cast<ViewObject*>(self)->mapping, mapping);
  return 0;
}

PyObject* iterate(PyObject* self) {
  PyObject* mapping = mapping_of(self);
  return mapping == nullptr ? nullptr : PyObject_GetIter(mapping);
}

Py_ssize_t length(PyObject* self) {
  PyObject* mapping = mapping_of(self);
  return mapping == nullptr ? -1 : PyObject_Size(mapping);
}

int contains(PyObject* self, PyObject* key) {
  PyObject* mapping = mapping_of(self);
  return mapping == nullptr ? -1 : PySequence_Contains(mapping, key);
}

int traverse_view(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(reinterpret_cast<ViewObject*>(self)->mapping);
  return 0;
}

int clear_view(PyObject* self) {
  Py_CLEAR(reinterpret_cast<ViewObject*>(self)->mapping);
  return 0;
}

void deallocate_view(PyObject* self) {
  PyObject_GC_UnTrack(self);
  clear_view(self);
  PyTypeObject* type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

PyMemberDef view_members[] = {
    {"_mapping", T_OBJECT, offsetof(ViewObject, mapping), 0, "Its keys are what the view shows."},
    {nullptr, 0, 0, 0, nullptr},
};

}  // namespace

void add_view(pybind11::module_& module) {
  static PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(&PyType_GenericNew)},
                                {Py_tp_init, reinterpret_cast<void*>(&initialize)},
                                {Py_tp_iter, reinterpret_cast<void*>(&iterate)},
                                {Py_sq_length, reinterpret_cast<void*>(&length)},
                                {Py_sq_contains, reinterpret_cast<void*>(&contains)},
                                {Py_tp_traverse, reinterpret_cast<void*>(&traverse_view)},
                                {Py_tp_clear, reinterpret_cast<void*>(&clear_view)},
                                {Py_tp_dealloc, reinterpret_cast<void*>(&deallocate_view)},
                                {Py_tp_members, view_members},
                                {0, nullptr}};
  static PyType_Spec spec = {"forkmunk._forkmunk.ViewCore", sizeof(ViewObject), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
  const auto type = pybind11::reinterpret_steal<pybind11::object>(PyType_FromSpec(&spec));
  if (!type) throw pybind11::error_already_set();
  module.attr("ViewCore") = type;
}

}  // namespace forkmunk::python
