#include "module.h"
#include "space_fields.h"

#include <cmath>

#include <chipmunk/chipmunk_structs.h>

/// What Python reads, writes and calls of objects by their ids.
namespace forkmunk::python {

namespace {
PyTypeObject* vector_type = nullptr;  // a class derived from tuple, without members of its own
}  // namespace

py::object tuple_of(cpVect v) {
  if (vector_type == nullptr) return py::make_tuple(v.x, v.y);
  const auto vector = py::reinterpret_steal<py::object>(vector_type->tp_alloc(vector_type, 2));
  if (!vector) throw py::error_already_set();
  PyTuple_SET_ITEM(vector.ptr(), 0, PyFloat_FromDouble(v.x));
  PyTuple_SET_ITEM(vector.ptr(), 1, PyFloat_FromDouble(v.y));
  return vector;
}

namespace {

// From here on vectors are of that type: forkmunk.Vec2d.
void use_vector_type(const py::object& type) {
  const auto* given = reinterpret_cast<PyTypeObject*>(type.ptr());
  if (PyType_Check(type.ptr()) == 0 || PyType_IsSubtype(const_cast<PyTypeObject*>(given), &PyTuple_Type) == 0 ||
      given->tp_basicsize != PyTuple_Type.tp_basicsize) {
    throw py::type_error("use_vector_type(): expected a class derived from tuple, without members");
  }
  vector_type = reinterpret_cast<PyTypeObject*>(type.inc_ref().ptr());
}

// SpaceCore.get() without pybind11's dispatcher, which costs several times what it does.
PyObject* get(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
  try {
    auto* instance = reinterpret_cast<py::detail::instance*>(self);
    auto* core = static_cast<SpaceCore*>(instance->get_value_and_holder().value_ptr());
    if (core == nullptr) throw Error("Space: its __init__ did not run");
    Py_ssize_t size = 0;
    const char* name = count == 2 && PyLong_Check(arguments[0]) != 0 && PyUnicode_Check(arguments[1]) != 0
                           ? PyUnicode_AsUTF8AndSize(arguments[1], &size)
                           : nullptr;
    if (name == nullptr) throw py::type_error("SpaceCore.get(): expected an id and a name");
    const std::uint64_t id = PyLong_AsUnsignedLongLong(arguments[0]);
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    const ObjectEntry& object = core->entry(id);
    return field_of(kind_of(object), {name, static_cast<std::size_t>(size)}).get(object.pointer).release().ptr();
  } catch (...) {
    set_python_error();
  }
  return nullptr;
}

PyMethodDef get_method{"get", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&get)), METH_FASTCALL,
                       "get(id, name)"};

void refuse_to_wake(const cpBody* body) {
  if (!Callbacks::must_not_wake() || cpBodyIsSleeping(body) == cpFalse) return;
  throw Error(
      "a sleeping body cannot be changed or woken in begin or pre_solve; do it in Space.add_post_step_callback()");
}

// \throws Error in begin and pre_solve, if a change of the object would wake a body.
void refuse_to_wake(const ObjectEntry& object) {
  if (!Callbacks::must_not_wake()) return;
  switch (object.kind) {
    case ObjectKind::body: refuse_to_wake(static_cast<const cpBody*>(object.pointer)); break;
    case ObjectKind::shape: refuse_to_wake(cpShapeGetBody(static_cast<const cpShape*>(object.pointer))); break;
    case ObjectKind::constraint:
      refuse_to_wake(cpConstraintGetBodyA(static_cast<const cpConstraint*>(object.pointer)));
      refuse_to_wake(cpConstraintGetBodyB(static_cast<const cpConstraint*>(object.pointer)));
  }
}

// A conversion may run Python code, which may remove the object: it is looked up again behind it.
void set(SpaceCore& self, std::uint64_t id, const std::string& name, py::handle given) {
  const std::string kind(kind_of(self.entry(id)));
  const Field& field = field_of(kind, name);
  const Value value = value_of(field.check, given, kind + "." + name);
  const ObjectEntry& object = self.entry(id);
  refuse_to_wake(object);
  if (object.kind == ObjectKind::body && (name == "mass" || name == "moment") &&
      cpBodyGetType(self.body(id)) != CP_BODY_TYPE_DYNAMIC) {
    throw Error(kind + "." + name + ": found a body that nothing moves, expected a dynamic one");
  }
  if (kind == "GrooveJoint" && name != "anchor_b") {
    const cpVect other = name == "groove_a" ? cpGrooveJointGetGrooveB(self.constraint(id))
                                            : cpGrooveJointGetGrooveA(self.constraint(id));
    if (field.check == Check::vector && cpveql(other, value.vector) != cpFalse) {
      throw Error("GrooveJoint: found a groove of length 0, expected a longer one");
    }
  }
  field.set(object.pointer, value);
}

// What set() would take, as it would be read again: for objects that are in no space yet.
py::object check(const std::string& kind, const std::string& name, py::handle given) {
  const Field& field = field_of(kind, name);
  const Value value = value_of(field.check, given, kind + "." + name);
  switch (field.check) {
    case Check::vector: return tuple_of(value.vector);
    case Check::boolean: return py::bool_(value.whole != 0);
    case Check::whole: return py::int_(value.whole);
    case Check::filter: return filter_tuple(value.filter);
    default: return py::float_(value.number);
  }
}

void push(SpaceCore& self, std::uint64_t id, bool impulse, bool local, py::handle what, py::handle where) {
  const cpVect force = vector_of(what, impulse ? "impulse" : "force"), point = vector_of(where, "point");
  cpBody* body = self.body(id);
  if (cpBodyGetType(body) != CP_BODY_TYPE_DYNAMIC) {
    throw Error("Body: found one that nothing moves, expected a dynamic one to push");
  }
  refuse_to_wake(body);
  const auto apply = impulse ? (local ? &cpBodyApplyImpulseAtLocalPoint : &cpBodyApplyImpulseAtWorldPoint)
                             : (local ? &cpBodyApplyForceAtLocalPoint : &cpBodyApplyForceAtWorldPoint);
  apply(body, force, point);
}

template <auto each, typename Object>
std::vector<std::uint64_t> attached(SpaceCore& self, std::uint64_t id) {
  std::vector<std::uint64_t> ids;
  each(
      self.body(id),
      [](cpBody*, Object* object, void* data) {
        static_cast<std::vector<std::uint64_t>*>(data)->push_back(id_of(object));
      },
      &ids);
  return ids;
}

void sleep(SpaceCore& self, std::uint64_t id) {
  self.require_rest("Body.sleep()");
  cpBody* body = self.body(id);
  if (cpBodyGetType(body) != CP_BODY_TYPE_DYNAMIC) throw Error("Body.sleep(): found no dynamic body, expected one");
  if (!(cpSpaceGetSleepTimeThreshold(self.chipmunk()) < INFINITY)) {
    throw Error("Body.sleep(): found a space where nothing sleeps, expected one with a sleep_time_threshold");
  }
  if (cpBodyIsSleeping(body) != cpFalse) return;
  bool touches_awake = false;  // Chipmunk then frees the contact twice
  cpBodyEachArbiter(
      body,
      [](cpBody* asked, cpArbiter* arbiter, void* data) {
        CP_ARBITER_GET_BODIES(arbiter, a, b);
        cpBody* other = a == asked ? b : a;
        if (cpBodyGetType(other) != CP_BODY_TYPE_STATIC && cpBodyIsSleeping(other) == cpFalse)
          *static_cast<bool*>(data) = true;
      },
      &touches_awake);
  if (touches_awake) {
    throw Error(
        "Body.sleep(): the body touches one that is awake, which Chipmunk 7.0.3 cannot do; let sleep_time_threshold "
        "put both to sleep");
  }
  cpBodySleep(body);
}

}  // namespace

void add_space_fields(py::module_& module, py::class_<SpaceCore>& type) {
  module.def("check_field", &check);
  type.attr("get") =
      py::reinterpret_steal<py::object>(PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), &get_method));
  module.def("use_vector_type", &use_vector_type);
  type.def("set", &set)
      .def("kind", [](SpaceCore& self, std::uint64_t id) { return kind_of(self.entry(id)); })
      .def("body_of", [](SpaceCore& self, std::uint64_t id) { return id_of(cpShapeGetBody(self.shape(id))); })
      .def("bodies_of",
           [](SpaceCore& self, std::uint64_t id) {
             const cpConstraint* joint = self.constraint(id);
             return py::make_tuple(id_of(cpConstraintGetBodyA(joint)), id_of(cpConstraintGetBodyB(joint)));
           })
      .def("shapes_of", &attached<cpBodyEachShape, cpShape>)
      .def("constraints_of", &attached<cpBodyEachConstraint, cpConstraint>)
      .def("push", &push)
      .def("sleep", &sleep)
      .def("activate",
           [](SpaceCore& self, std::uint64_t id) {
             refuse_to_wake(self.body(id));
             cpBodyActivate(self.body(id));
           })
      .def("get_space", [](SpaceCore& self, const std::string& name) { return space_field(name).get(self.chipmunk()); })
      .def("set_space",
           [](SpaceCore& self, const std::string& name, py::handle given) {
             const Field& field = space_field(name);
             const Value value = value_of(field.check, given, "Space." + name);
             if (Callbacks::must_not_wake() && self.chipmunk()->sleepingComponents->num > 0)
               throw Error("Space." + name + ": cannot be set in begin or pre_solve while a body sleeps");
             field.set(self.chipmunk(), value);
           })
      .def("add_body", &SpaceCore::add_body)
      .def("add_shape", &SpaceCore::add_shape)
      .def("add_constraint", &SpaceCore::add_constraint)
      .def("remove", &SpaceCore::remove);
}

}  // namespace forkmunk::python
