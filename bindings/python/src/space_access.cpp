#include "module.h"
#include "space_fields.h"

#include <cmath>

#include <chipmunk/chipmunk_structs.h>

/// How values are read and written: vectors, fields of objects and of the space.
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

py::tuple tuple_of(const cpContactPointSet& set) {
  py::list points;
  for (int i = 0; i < set.count; ++i) {
    points.append(
        py::make_tuple(tuple_of(set.points[i].pointA), tuple_of(set.points[i].pointB), set.points[i].distance));
  }
  return py::make_tuple(tuple_of(set.normal), points);
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

void refuse_to_wake(const cpBody* body) {
  if (body == nullptr || !Callbacks::must_not_wake() || cpBodyIsSleeping(body) == cpFalse) return;
  throw Error(
      "a sleeping body cannot be changed or woken in begin or pre_solve; do it in Space.add_post_step_callback()");
}

void check_body(cpBody* body, const Field& field, const Value& value) {
  const bool is_mass = field.name == "mass";
  if (!is_mass && field.name != "moment") return;
  const std::string what = "Body." + std::string(field.name);
  if (cpBodyGetType(body) != CP_BODY_TYPE_DYNAMIC) {
    throw Error(what + ": found a body that nothing moves, expected a dynamic one");
  }
  if (body->space != nullptr && value.number == 0) throw Error(what + ": found 0 in a space, expected more");
}

void check_groove(cpConstraint* joint, const Field& field, const Value& value) {
  if (field.name != "groove_a" && field.name != "groove_b") return;
  const cpVect other = field.name == "groove_a" ? cpGrooveJointGetGrooveB(joint) : cpGrooveJointGetGrooveA(joint);
  if (joint->space != nullptr && cpveql(other, value.vector) != cpFalse)
    throw Error("GrooveJoint: found a groove of length 0, expected a longer one");
}

}  // namespace

void refuse_to_wake(const Object& object, const void* inside) {
  if (!Callbacks::must_not_wake()) return;
  if (object.kind == Kind::body) {
    refuse_to_wake(static_cast<const cpBody*>(inside));
  } else if (is_shape(object.kind)) {
    refuse_to_wake(static_cast<const cpShape*>(inside)->body);
  } else {
    refuse_to_wake(static_cast<const cpConstraint*>(inside)->a);
    refuse_to_wake(static_cast<const cpConstraint*>(inside)->b);
  }
}

// A conversion may run Python code, which may remove the object: it is looked up behind it.
void write_field(Object& object, const Field& field, py::handle given) {
  if (field.set == nullptr) throw py::attribute_error(std::string(field.name) + ": can be read only");
  const Value value = value_of(field.check, given, std::string(name_of(object.kind)) + "." + std::string(field.name));
  void* inside = chipmunk_object(object);
  refuse_to_wake(object, inside);
  if (object.kind == Kind::body) check_body(static_cast<cpBody*>(inside), field, value);
  if (object.kind == Kind::groove_joint) check_groove(static_cast<cpConstraint*>(inside), field, value);
  field.set(inside, value);
}

namespace {

py::object owner_of(py::handle thing) {
  const Object& object = object_of(thing);
  const SpaceCore* core = core_of(object);
  if (core == nullptr || object.own != nullptr || !core->contains(object.id)) return py::none();
  const void* inside = core->entry(object.id).pointer;
  const cpSpace* space = object.kind == Kind::body ? static_cast<const cpBody*>(inside)->space
                         : is_shape(object.kind)   ? static_cast<const cpShape*>(inside)->space
                                                   : static_cast<const cpConstraint*>(inside)->space;
  return space == nullptr ? py::none() : core->owner();
}

// Those of an object that is in a space's memory: ids.
py::tuple bodies_of(py::handle thing) {
  const Object& object = object_of(thing);
  if (is_shape(object.kind)) return py::make_tuple(id_of(chipmunk_shape(object)->body));
  const cpConstraint* joint = chipmunk_joint(joint_of(thing, "bodies_of()"));
  return py::make_tuple(id_of(joint->a), id_of(joint->b));
}

template <auto each, typename Item>
std::vector<std::uint64_t> attached(SpaceCore& self, std::uint64_t id) {
  std::vector<std::uint64_t> ids;
  const ObjectEntry& found = self.entry(id);
  if (found.kind != Kind::body) throw py::type_error("found no body");
  each(
      static_cast<cpBody*>(found.pointer),
      [](cpBody*, Item* item, void* data) { static_cast<std::vector<std::uint64_t>*>(data)->push_back(id_of(item)); },
      &ids);
  return ids;
}

// Those with attributes, or of a larger class than `plain_bytes`: one with __slots__.
py::list attributed(const py::iterable& objects, Py_ssize_t plain_bytes) {
  py::list found;
  for (const py::handle object : objects) {
    if (Py_TYPE(object.ptr())->tp_basicsize > plain_bytes) {
      found.append(object);
      continue;
    }
    PyObject* own = PyObject_GenericGetDict(object.ptr(), nullptr);
    if (own == nullptr) throw py::error_already_set();
    if (PyDict_GET_SIZE(own) > 0) found.append(object);
    Py_DECREF(own);
  }
  return found;
}

}  // namespace

void add_space_access(py::module_& module, py::class_<SpaceCore>& type) {
  module.def("use_vector_type", &use_vector_type);
  module.def("owner_of", &owner_of);
  module.def("bodies_of", &bodies_of);
  module.def("attributed", &attributed);
  module.def("release", [](py::handle object) {  // to be bound or made again
    Object& found = object_of(object);
    if (found.own == nullptr) Py_CLEAR(found.core);
  });
  module.def("is_in", [](py::handle object, const SpaceCore& core) {
    const Object& found = object_of(object);
    return found.own == nullptr && core_of(found) == &core && core.contains(found.id);
  });
  module.def("check_number", [](py::handle value, const std::string& what) { return finite_number(value, what); });
  module.def("check_type", [](py::handle value) { return count_of(value, "collision_type"); });
  type.def("shapes_of", &attached<cpBodyEachShape, cpShape>)
      .def("constraints_of", &attached<cpBodyEachConstraint, cpConstraint>)
      .def("kind", [](SpaceCore& self, std::uint64_t id) { return name_of(self.entry(id).kind); })
      .def("get_space", [](SpaceCore& self, const std::string& name) { return space_field(name).get(self.chipmunk()); })
      .def("set_space",
           [](SpaceCore& self, const std::string& name, py::handle given) {
             const Field& field = space_field(name);
             const Value value = value_of(field.check, given, "Space." + name);
             if (Callbacks::must_not_wake() && self.chipmunk()->sleepingComponents->num > 0)
               throw Error("Space." + name + ": cannot be set in begin or pre_solve while a body sleeps");
             field.set(self.chipmunk(), value);
           })
      .def("use_spatial_hash", [](SpaceCore& self, py::handle size, int count) {
        self.require_rest("Space.use_spatial_hash()");
        const double cell = finite_number(size, "Space.use_spatial_hash(dim)");
        if (!(cell > 0) || count < 1 || count > 10'000'000)
          throw Error("Space.use_spatial_hash(): found a size or count below 1, expected more");
        const auto scope = self.get().enter();
        cpSpaceUseSpatialHash(self.chipmunk(), cell, count);
      });
}

}  // namespace forkmunk::python
