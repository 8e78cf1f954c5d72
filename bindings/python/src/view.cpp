// SPDX-License-Identifier: MIT
#include "module.h"
#include "object.h"

/// Space.bodies, Body.shapes and their like.
namespace forkmunk::python {
namespace {

/// View(owner, rank): a live view of a Space's or body's bodies (0), shapes (1) or joints (2), for Python the keys of
/// the owner's dict at the time of a call. Its copy is the view of its owner's copy.
struct View {
  PyObject_HEAD;
  PyObject* owner;
  int rank;

  [[nodiscard]] auto references() noexcept { return std::array{&owner}; }
};

PyTypeObject* view_type = nullptr;  // never destroyed

// Returns what the owner knows already, so that loops over views do not ask again.
py::object known_members(PyObject* owner, int rank) {
  if (owner == nullptr) return py::dict();  // the garbage collector cleared the view
  if (const Object* body = object_in(owner))
    return py::reinterpret_borrow<py::object>(rank == 1 ? body->shapes : body->joints);
  static PyObject* const name = interned("_lists");
  const py::object lists = taken(PyObject_GetAttr(owner, name));
  if (PyList_CheckExact(lists.ptr()) == 0 || rank < 0 || rank >= PyList_GET_SIZE(lists.ptr())) return {};
  return py::reinterpret_borrow<py::object>(PyList_GET_ITEM(lists.ptr(), rank));
}

// Returns the owner's dict, or a new one for a body's joints, which it keeps by weak references.
py::dict members_of(PyObject* owner, int rank) {
  py::object known = known_members(owner, rank);
  if (!known || known.is_none()) known = py::handle(owner).attr("_members")(rank);
  if (PyDict_CheckExact(known.ptr()) != 0) return py::reinterpret_steal<py::dict>(known.release());
  static PyObject* const data = interned("data");
  py::dict joints;
  for (const py::handle reference : py::list(taken(PyObject_GetAttr(known.ptr(), data)))) {
    const py::object joint = taken(PyObject_CallNoArgs(reference.ptr()));
    if (!joint.is_none()) joints[joint] = py::none();
  }
  return joints;
}
py::dict members_of(PyObject* self) {
  const View& view = *reinterpret_cast<View*>(self);
  return members_of(view.owner, view.rank);
}

// Returns what Python's set operators take for a view.
py::object keys_of(PyObject* thing) {
  if (Py_TYPE(thing) == view_type) return members_of(thing).attr("keys")();
  return py::reinterpret_borrow<py::object>(thing);
}

Py_ssize_t count_keys(PyObject* self) {
  return translated([&] { return PyDict_Size(members_of(self).ptr()); }, -1);
}
int contains_key(PyObject* self, PyObject* thing) {
  return translated([&] { return PyDict_Contains(members_of(self).ptr(), thing); }, -1);
}
PyObject* iterate_keys(PyObject* self) {
  return translated([&] { return PyObject_GetIter(members_of(self).ptr()); }, nullptr);
}
PyObject* iterate_keys_backwards(PyObject* self, PyObject*) {
  return translated([&] { return members_of(self).attr("__reversed__")().release().ptr(); }, nullptr);
}
PyObject* compare_keys(PyObject* self, PyObject* other, int operation) {
  return translated([&] { return PyObject_RichCompare(keys_of(self).ptr(), keys_of(other).ptr(), operation); },
                    nullptr);
}
template <auto combine>
PyObject* combined(PyObject* a, PyObject* b) {
  return translated([&] { return combine(keys_of(a).ptr(), keys_of(b).ptr()); }, nullptr);
}
PyObject* is_disjoint_from(PyObject* self, PyObject* other) {
  return translated([&] { return keys_of(self).attr("isdisjoint")(keys_of(other)).release().ptr(); }, nullptr);
}
PyObject* show_view(PyObject* self) {
  return translated([&] { return PyUnicode_FromFormat("View(%R)", py::list(members_of(self)).ptr()); }, nullptr);
}
PyObject* reduce_view(PyObject* self, PyObject*) {
  const View& view = *reinterpret_cast<View*>(self);
  return Py_BuildValue("O(Oi)", Py_TYPE(self), view.owner, view.rank);
}

PyObject* made_view(PyTypeObject* type, PyObject* owner, int rank) {
  PyObject* made = type->tp_alloc(type, 0);
  if (made == nullptr) return nullptr;
  Py_INCREF(owner);
  reinterpret_cast<View*>(made)->owner = owner;
  reinterpret_cast<View*>(made)->rank = rank;
  return made;
}
PyObject* make_view(PyTypeObject* type, PyObject* arguments, PyObject*) {
  PyObject* owner = nullptr;
  int rank = 0;
  return PyArg_ParseTuple(arguments, "Oi:View", &owner, &rank) != 0 ? made_view(type, owner, rank) : nullptr;
}
PyObject* view_of(PyObject* rank, PyObject* owner) {
  return made_view(view_type, owner, static_cast<int>(PyLong_AsLong(rank)));
}
PyObject* list_of(PyObject* rank, PyObject* owner) {
  return translated([&] { return PySequence_List(members_of(owner, static_cast<int>(PyLong_AsLong(rank))).ptr()); },
                    nullptr);
}

}  // namespace

void add_view(py::module_& module) {
  static PyMethodDef methods[] = {
      {"isdisjoint", &is_disjoint_from, METH_O, "Returns whether the view and an iterable have no object in common."},
      {"__reversed__", &iterate_keys_backwards, METH_NOARGS, nullptr},
      {"__reduce__", &reduce_view, METH_NOARGS, nullptr},
      {nullptr, nullptr, 0, nullptr}};
  const py::object type = made_collected_type<View>(
      "forkmunk._forkmunk.View", {{Py_tp_new, reinterpret_cast<void*>(&make_view)},
                                  {Py_sq_length, reinterpret_cast<void*>(&count_keys)},
                                  {Py_sq_contains, reinterpret_cast<void*>(&contains_key)},
                                  {Py_tp_iter, reinterpret_cast<void*>(&iterate_keys)},
                                  {Py_tp_richcompare, reinterpret_cast<void*>(&compare_keys)},
                                  {Py_nb_and, reinterpret_cast<void*>(&combined<PyNumber_And>)},
                                  {Py_nb_or, reinterpret_cast<void*>(&combined<PyNumber_Or>)},
                                  {Py_nb_xor, reinterpret_cast<void*>(&combined<PyNumber_Xor>)},
                                  {Py_nb_subtract, reinterpret_cast<void*>(&combined<PyNumber_Subtract>)},
                                  {Py_tp_repr, reinterpret_cast<void*>(&show_view)},
                                  {Py_tp_methods, methods}});
  view_type = reinterpret_cast<PyTypeObject*>(type.ptr());
  py::module_::import("collections.abc").attr("KeysView").attr("register")(type);
  module.attr("View") = type;
  // Return a property's function that makes a rank's view or list, twice as fast as one in Python.
  static PyMethodDef view_method = {"view_of", &view_of, METH_O, nullptr};
  static PyMethodDef list_method = {"list_of", &list_of, METH_O, nullptr};
  for (PyMethodDef* method : {&view_method, &list_method}) {
    const char* name = method == &view_method ? "view_getter" : "list_getter";
    module.def(name, [method](const py::int_& rank) {
      return py::reinterpret_steal<py::object>(PyCFunction_New(method, rank.ptr()));
    });
  }
}

}  // namespace forkmunk::python
