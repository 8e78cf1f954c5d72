// SPDX-License-Identifier: MIT
#include "object.h"

#include "module.h"
#include "space_core.h"

#include <structmember.h>

namespace forkmunk::python {
namespace {

PyTypeObject* object_type = nullptr;  // never destroyed

PyMemberDef members[] = {
    {"_first", T_OBJECT, offsetof(Object, bodies), 0, "A shape's body, a joint's a."},
    {"_second", T_OBJECT, offsetof(Object, bodies) + sizeof(PyObject*), 0, "A joint's b."},
    {"_shapes", T_OBJECT, offsetof(Object, shapes), 0, "A body's shapes."},
    {"_joints", T_OBJECT, offsetof(Object, joints), 0, "A body's joints."},
    {"_home", T_OBJECT, offsetof(Object, home), 0, "The Space that it keeps alive."},
    {"_core", T_OBJECT, offsetof(Object, core), READONLY, "The memory that it is in."},
    {"_id", T_ULONGLONG, offsetof(Object, id), READONLY, "In spaces and their copies."},
    {nullptr, 0, 0, 0, nullptr},
};

// For __init__, pickles and copies.
void give(Object& object, Kind kind, void* chipmunk) {
  object.leave();
  object.own = chipmunk;
  object.kind = kind;
  if (object.id == 0) object.id = new_id();
  set_id(chipmunk, kind, object.id);
}

void require_outside(const Object& object) {
  const SpaceCore* core = core_of(object);
  if (core == nullptr || !core->contains(object.id)) return;  // a restore may have removed it
  throw Error("found an object that a space has or had, expected a new one: remove it from its space first");
}

void make(py::handle self, const py::dict& description) {
  Object& object = object_of(self);
  require_outside(object);
  const auto name = py::cast<std::string>(description["kind"]);
  const Kind kind = kind_named(name);
  const space::Scope outside(nullptr);
  void* made = make_object(kind, description, object);
  try {
    require_outside(object);  // reading values may have added it
  } catch (...) {
    free_object(made, kind);
    throw;
  }
  give(object, kind, made);
}

// The caller handles the bodies.
void copy(py::handle self, py::handle other) {
  Object& object = object_of(self);
  require_outside(object);
  const Object& origin = object_of(other);
  const space::Scope outside(nullptr);
  give(object, origin.kind, copy_of(chipmunk_object(origin), origin.kind));
}

}  // namespace

void Object::leave() noexcept {
  if (own != nullptr) free_object(std::exchange(own, nullptr), kind);
  if (core == nullptr) return;
  core_of(*this)->forget(*this);
  Py_CLEAR(core);
}

Object* object_in(py::handle object) noexcept {
  return PyObject_TypeCheck(object.ptr(), object_type) != 0 ? reinterpret_cast<Object*>(object.ptr()) : nullptr;
}
Object& object_of(py::handle object) {
  if (Object* found = object_in(object)) return *found;
  throw py::type_error("found " + described(object) + ", expected a body, shape or constraint");
}

template <auto fits>
static Object& object_that(py::handle object, const char* what, const char* expected) {
  if (Object* found = object_in(object); found != nullptr && fits(found->kind)) return *found;
  refuse_type(what, object, expected);
}
Object& body_of(py::handle object, const char* what) {
  return object_that<[](Kind kind) { return kind == Kind::body; }>(object, what, "a Body");
}
Object* body_at(const Object& object, int index) {
  PyObject* body = object.bodies[index];
  return body == nullptr || body == Py_None ? nullptr : &body_of(body, "body");
}
Object& shape_of(py::handle object, const char* what) { return object_that<&is_shape>(object, what, "a Shape"); }

void add_object(py::module_& module) {
  const py::object type = made_collected_type<Object>(
      "forkmunk._forkmunk.ObjectCore",
      {{Py_tp_members, members}, {Py_tp_new, reinterpret_cast<void*>(&PyType_GenericNew)}}, Py_TPFLAGS_BASETYPE);
  object_type = reinterpret_cast<PyTypeObject*>(type.inc_ref().ptr());
  module.attr("ObjectCore") = type;
  module.def("make", &make);
  module.def("copy_object", &copy);
  module.def("object_bytes", [](py::handle self) {
    const Object& object = object_of(self);
    const space::Scope outside(nullptr);
    return py::make_tuple(std::string(name_of(object.kind)), py::bytes(bytes_of(chipmunk_object(object), object.kind)));
  });
  module.def("object_from", [](py::handle self, const std::string& kind, const py::bytes& bytes) {
    Object& object = object_of(self);
    require_outside(object);
    const space::Scope outside(nullptr);
    give(object, kind_named(kind), object_from(std::string(bytes), kind_named(kind)));
  });
  // A body's shapes are in the order of ids.
  module.def("renew_id", [](py::handle self) {
    Object& object = object_of(self);
    if (object.own == nullptr) return;
    object.id = new_id();
    set_id(object.own, object.kind, object.id);
  });
}

}  // namespace forkmunk::python
