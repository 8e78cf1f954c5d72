// SPDX-License-Identifier: MIT

#include "module.h"
#include "space_core.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <chipmunk/chipmunk_structs.h>

namespace forkmunk::python {

namespace {

py::object to_python(double value) { return py::float_(value); }
py::object to_python(cpVect value) { return tuple_of(value); }
py::object to_python(cpBool value) { return py::bool_(value != cpFalse); }
py::object to_python(std::uintptr_t value) { return py::int_(value); }
py::object to_python(cpBB value) { return tuple_of(value); }
py::object to_python(int value) { return py::int_(value); }
py::object to_python(unsigned value) { return py::int_(value); }
py::object to_python(const std::vector<cpVect>& value) { return tuples_of(value); }
py::object to_python(const cpShapeFilter& value) { return tuple_of(value); }
py::object to_python(const cpContactPointSet& value) { return tuple_of(value); }
py::object to_python(const py::tuple& value) { return value; }

template <typename Object, Check check, auto get, auto set>
constexpr Field field(std::string_view name) {
  return {name, check, [](void* object) -> py::object { return to_python(get(static_cast<Object*>(object))); },
          [](void* object, const Value& value) {
            set(static_cast<Object*>(object), static_cast<decltype(get(nullptr))>(part_of<check>(value)));
          }};
}
template <typename Object, auto get>
constexpr Field shown(std::string_view name) {
  return {name, Check::none, [](void* object) -> py::object { return to_python(get(static_cast<Object*>(object))); },
          nullptr};
}

template <typename Object, auto get, auto set, std::uintptr_t min, std::uintptr_t max>
constexpr Field counted(std::string_view name) {
  Field made = field<Object, Check::whole, get, set>(name);
  made.min = min, made.max = max;
  return made;
}

std::vector<cpVect> vertices_of_poly(cpShape* shape) {
  std::vector<cpVect> vertices;
  for (int i = 0; i < cpPolyShapeGetCount(shape); ++i) vertices.push_back(cpPolyShapeGetVert(shape, i));
  return vertices;
}

py::tuple shape_ids(const cpArbiter* arbiter) {
  CP_ARBITER_GET_SHAPES(arbiter, a, b);
  return py::make_tuple(id_of(a), id_of(b));
}
cpBool collides(const cpArbiter* arbiter) { return static_cast<cpBool>(arbiter->data != kRejected); }
void set_collides(cpArbiter* arbiter, cpBool yes) { arbiter->data = yes != cpFalse ? nullptr : kRejected; }

#include "fields.inc"

std::span<const Field> common_fields(Kind kind) {
  if (kind == Kind::body) return kBody;
  return is_shape(kind) ? std::span<const Field>(kShape) : std::span<const Field>(kConstraint);
}

}  // namespace

std::span<const Field> arbiter_fields() { return kArbiter; }

Value value_of(Check check, py::handle object, const std::string& what, std::uintptr_t min, std::uintptr_t max) {
  Value value;
  const auto require = [&](bool good, const char* expected) {
    if (!good) refuse_value(what, object, expected);
  };
  switch (check) {
    case Check::none: throw py::attribute_error(what + ": can be read only");
    case Check::number: value.number = finite_number(object, what); break;
    case Check::not_negative: value.number = not_negative(object, what); break;
    case Check::limit:
      value.number = any_number(object, what);
      require(value.number >= 0, "0 or more; infinity is allowed");
      break;
    case Check::any:
      value.number = any_number(object, what);
      require(!std::isnan(value.number), "a number; infinity is allowed");
      break;
    case Check::vector: value.vector = vector_of(object, what); break;
    case Check::boolean: {
      if (PyNumber_Check(object.ptr()) == 0) refuse_type(what, object, "True or False");
      const int yes = PyObject_IsTrue(object.ptr());
      if (yes < 0) throw py::error_already_set();
      value.whole = static_cast<std::uintptr_t>(yes);
      break;
    }
    case Check::whole: value.whole = count_or_bool(object, what, min, max); break;
    case Check::filter: value.filter = filter_of(object, what); break;
  }
  return value;
}

namespace {

void check_body(cpBody* body, const Field& field, const Value& value) {
  const bool is_mass = field.name == "mass";
  if (!is_mass && field.name != "moment") return;
  const std::string what = "Body." + std::string(field.name);
  if (cpBodyGetType(body) != CP_BODY_TYPE_DYNAMIC) {
    if (!is_mass && std::isinf(value.number)) return;  // as it is
    throw Error(what, ": found a body that nothing moves, expected a dynamic one");
  }
  if (body->space != nullptr && value.number == 0) throw Error(what, ": found 0 in a space, expected more");
}

// A polygon without an area has no centre of gravity.
void check_shape(const Object& object, cpShape* shape, const Field& field, const Value& value) {
  if (object.kind != Kind::poly || (field.name != "mass" && field.name != "density") || shape->space == nullptr) return;
  const std::vector<cpVect> points = vertices_of_poly(shape);
  if (value.number == 0 || cpAreaForPoly(static_cast<int>(points.size()), points.data(), 0) > 0) return;
  throw Error("Poly.", field.name, ": found points in a line, expected an area; give the body a mass");
}

void check_groove(cpConstraint* joint, const Field& field, const Value& value) {
  if (field.name != "groove_a" && field.name != "groove_b") return;
  const cpVect other = field.name == "groove_a" ? cpGrooveJointGetGrooveB(joint) : cpGrooveJointGetGrooveA(joint);
  if (joint->space != nullptr && cpveql(other, value.vector) != cpFalse)
    throw Error("GrooveJoint: found a groove of length 0, expected a longer one");
}

bool has_field(Kind kind, const Field& field) {
  const std::span<const Field> common = common_fields(kind);
  return &field >= common.data() && &field < common.data() + common.size();
}

// Finds a field of "Space", "Arbiter", "Body", "Shape", "Constraint", or one kind such as "Circle". \throws
// AttributeError
const Field& field_of(std::string_view kind, std::string_view name) {
  for (const auto& [its_kind, fields] : kFieldsByKind) {
    const auto found = std::ranges::find(fields, name, &Field::name);
    if (its_kind == kind && found != fields.end()) return *found;
  }
  throw py::attribute_error(std::string(kind) + " has no " + std::string(name));
}

// \return whether the value is a usual one, so that no name for errors is needed.
bool read_usual_value(Check check, py::handle given, Value& value) noexcept {
  if (check == Check::vector) return read_usual(given, value.vector);
  return check != Check::none && check <= Check::limit && read_usual(given, value.number) &&
         (check == Check::number || value.number >= 0);
}

void read_value(const Field& field, std::string_view owner, py::handle given, Value& value) {
  if (read_usual_value(field.check, given, value)) [[likely]]
    return;
  value = value_of(field.check, given, std::string(owner) + "." + std::string(field.name), field.min, field.max);
}

// Converting comes first: it may run Python code that removes the object.
void write_field(Object& object, const Field& field, py::handle given) {
  Value value;
  read_value(field, name_of(object.kind), given, value);
  void* inside = chipmunk_object(object);
  if (object.kind == Kind::body) check_body(static_cast<cpBody*>(inside), field, value);
  if (is_shape(object.kind)) check_shape(object, static_cast<cpShape*>(inside), field, value);
  if (object.kind == Kind::groove_joint) check_groove(static_cast<cpConstraint*>(inside), field, value);
  field.set(inside, value);
  if (field.name == "collision_type") {
    const auto* shape = static_cast<const cpShape*>(inside);
    if (shape->space != nullptr) keep_rejected_contacts(shape->space, shape);
  }
}

void write_space_field(PyObject* space, const Field& field, py::handle given) {
  Value value;
  read_value(field, "Space", given, value);
  field.set(core_of(space).chipmunk(), value);
}

void write_arbiter_field(PyObject* arbiter, const Field& field, py::handle given) {
  Value value;
  read_value(field, "Arbiter", given, value);
  field.set(arbiter_in(arbiter), value);
}

enum class Owner : std::uint8_t { object, space, arbiter };

/// What a property reads and writes.
struct Accessor {
  const Field* field;
  Owner owner;
  Kind kind;        // of objects; none: any that has the field
  PyObject* shown;  // converts a value for Python; null: the value itself
};

// Bytes take less time than a capsule.
const Accessor& accessor_in(PyObject* bytes) { return *reinterpret_cast<const Accessor*>(PyBytes_AS_STRING(bytes)); }

Object& object_with(const Accessor& accessor, PyObject* owner) {
  Object& object = object_of(owner);
  if (object.kind == Kind::none) throw Error("found an object that was never made: its __init__ did not run");
  if (accessor.kind != Kind::none ? object.kind != accessor.kind : !has_field(object.kind, *accessor.field)) {
    throw py::attribute_error(std::string(name_of(object.kind)) + " has no " + std::string(accessor.field->name));
  }
  return object;
}

PyObject* get_field(PyObject* self, PyObject* owner) {
  return translated(
      [&]() -> PyObject* {
        const Accessor& accessor = accessor_in(self);
        const Field& field = *accessor.field;
        py::object value = accessor.owner == Owner::object  ? field.get(chipmunk_object(object_with(accessor, owner)))
                           : accessor.owner == Owner::space ? field.get(core_of(py::handle(owner)).chipmunk())
                                                            : arbiter_value(owner, field);
        if (accessor.shown == nullptr) return value.release().ptr();
        return PyObject_CallOneArg(accessor.shown, value.ptr());
      },
      nullptr);
}

PyObject* set_field(PyObject* self, PyObject* const* given, Py_ssize_t count) {
  return translated(
      [&]() -> PyObject* {
        const Accessor& accessor = accessor_in(self);
        const Field& field = *accessor.field;
        if (count != 2) throw py::type_error(std::string(field.name) + ": expected an object and a value");
        switch (accessor.owner) {
          case Owner::object: write_field(object_with(accessor, given[0]), field, given[1]); break;
          case Owner::space: write_space_field(given[0], field, given[1]); break;
          case Owner::arbiter: write_arbiter_field(given[0], field, given[1]); break;
        }
        Py_RETURN_NONE;
      },
      nullptr);
}

// Returns a property whose functions do not pass pybind11's dispatcher.
py::object property_of(const std::string& kind, const std::string& name, const py::str& doc, const py::object& shown) {
  static PyMethodDef getter{"get", &get_field, METH_O, nullptr};
  static PyMethodDef setter{"set", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&set_field)), METH_FASTCALL,
                            nullptr};
  const Owner owner = kind == "Space" ? Owner::space : kind == "Arbiter" ? Owner::arbiter : Owner::object;
  const Field& field = field_of(kind, name);
  const Accessor accessor{&field, owner, kind_named(kind), shown.is_none() ? nullptr : shown.inc_ref().ptr()};
  const py::bytes self(reinterpret_cast<const char*>(&accessor), sizeof accessor);
  const auto function = [&](PyMethodDef& method) { return taken(PyCFunction_New(&method, self.ptr())); };
  return py::module_::import("builtins")
      .attr("property")(function(getter), field.set != nullptr ? function(setter) : py::none(), py::none(), doc);
}

}  // namespace

void add_fields(py::module_& module) {
  module.def("Field", &property_of, py::arg("kind"), py::arg("name"), py::arg("doc"), py::arg("shown") = py::none());
}

}  // namespace forkmunk::python
