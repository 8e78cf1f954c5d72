#include "object.h"
#include "space_core.h"
#include "space_fields.h"

#include <cmath>

namespace forkmunk::python {
namespace {

/// The values of a dict that describes an object, each checked as it is read.
class Values {
 public:
  Values(const py::dict& dict, std::string what) : dict_(dict), what_(std::move(what)) {}

  [[nodiscard]] py::object at(const char* key) const {
    if (!dict_.contains(key)) throw Error(what_ + ": found no " + key + ", expected one");
    return dict_[key];
  }
  [[nodiscard]] double number(const char* key) const { return finite_number(at(key), name(key)); }
  [[nodiscard]] double not_negative(const char* key) const {
    const double value = number(key);
    if (value >= 0) return value;
    throw Error(name(key) + ": found " + std::to_string(value) + ", expected 0 or more");
  }
  [[nodiscard]] cpVect vector(const char* key) const { return vector_of(at(key), name(key)); }
  [[nodiscard]] std::string name(const char* key) const { return what_ + "." + key; }

 private:
  py::dict dict_;
  std::string what_;
};

cpShape* make_poly(cpBody* body, const Values& values) {
  std::vector<cpVect> vertices = vertices_of(values.at("vertices"), values.at("transform"), values.name("vertices"));
  if (values.at("hull").is(py::bool_(true))) vertices = hull_of(vertices);
  return cpPolyShapeNewRaw(body, static_cast<int>(vertices.size()), vertices.data(), values.not_negative("radius"));
}

cpBody* make_body(const Values& values) {
  const auto type = py::cast<int>(values.at("body_type"));
  if (type == CP_BODY_TYPE_KINEMATIC) return cpBodyNewKinematic();
  if (type == CP_BODY_TYPE_STATIC) return cpBodyNewStatic();
  if (type != CP_BODY_TYPE_DYNAMIC) {
    throw Error("Body(body_type=): found " + std::to_string(type) + ", expected Body.DYNAMIC, KINEMATIC or STATIC");
  }
  return cpBodyNew(values.not_negative("mass"), value_of(Check::limit, values.at("moment"), "Body.moment").number);
}

cpConstraint* make_joint(cpBody* a, cpBody* b, Kind kind, const Values& v) {
  if (kind == Kind::pin_joint) return cpPinJointNew(a, b, v.vector("anchor_a"), v.vector("anchor_b"));
  if (kind == Kind::slide_joint) {
    return cpSlideJointNew(a, b, v.vector("anchor_a"), v.vector("anchor_b"), v.not_negative("min"),
                           v.not_negative("max"));
  }
  if (kind == Kind::pivot_joint) return cpPivotJointNew2(a, b, v.vector("anchor_a"), v.vector("anchor_b"));
  if (kind == Kind::groove_joint) {
    return cpGrooveJointNew(a, b, v.vector("groove_a"), v.vector("groove_b"), v.vector("anchor_b"));
  }
  if (kind == Kind::damped_spring) {
    return cpDampedSpringNew(a, b, v.vector("anchor_a"), v.vector("anchor_b"), v.number("rest_length"),
                             v.number("stiffness"), v.number("damping"));
  }
  if (kind == Kind::damped_rotary_spring) {
    return cpDampedRotarySpringNew(a, b, v.number("rest_angle"), v.number("stiffness"), v.number("damping"));
  }
  if (kind == Kind::rotary_limit_joint) return cpRotaryLimitJointNew(a, b, v.number("min"), v.number("max"));
  if (kind == Kind::ratchet_joint) return cpRatchetJointNew(a, b, v.number("phase"), v.number("ratchet"));
  if (kind == Kind::gear_joint) return cpGearJointNew(a, b, v.number("phase"), v.number("ratio"));
  return cpSimpleMotorNew(a, b, v.number("rate"));
}

}  // namespace

double finite_number(py::handle object, const std::string& what) {
  if (PyFloat_Check(object.ptr()) == 0 && PyBool_Check(object.ptr()) != 0) {
    throw py::type_error(what + ": found " + described(object) + ", expected a number");
  }
  const double value = PyFloat_AsDouble(object.ptr());
  if (value == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw py::type_error(what + ": found " + described(object) + ", expected a number");
  }
  if (!std::isfinite(value)) throw Error(what + ": found " + described(object) + ", expected a finite number");
  return value;
}

cpVect vector_of(py::handle object, const std::string& what) {
  if (PyTuple_Check(object.ptr()) != 0 && PyTuple_GET_SIZE(object.ptr()) == 2) {  // the usual case
    PyObject *x = PyTuple_GET_ITEM(object.ptr(), 0), *y = PyTuple_GET_ITEM(object.ptr(), 1);
    if (PyFloat_CheckExact(x) != 0 && PyFloat_CheckExact(y) != 0) {
      const cpVect vector = cpv(PyFloat_AS_DOUBLE(x), PyFloat_AS_DOUBLE(y));
      if (std::isfinite(vector.x) && std::isfinite(vector.y)) return vector;
    }
  }
  if (PySequence_Check(object.ptr()) == 0 || py::isinstance<py::str>(object)) {
    throw py::type_error(what + ": found " + described(object) + ", expected a pair of numbers");
  }
  if (py::len(object) != 2) throw Error(what + ": found " + described(object) + ", expected a pair of numbers");
  const auto pair = py::reinterpret_borrow<py::sequence>(object);
  return cpv(finite_number(pair[0], what + "[0]"), finite_number(pair[1], what + "[1]"));
}

std::vector<cpVect> vectors_of(py::handle object, const std::string& what) {
  if (PySequence_Check(object.ptr()) == 0 || py::isinstance<py::str>(object)) {
    throw py::type_error(what + ": found " + described(object) + ", expected a list of pairs of numbers");
  }
  std::vector<cpVect> vectors;
  for (const py::handle point : py::reinterpret_borrow<py::sequence>(object)) {
    vectors.push_back(vector_of(point, what + "[" + std::to_string(vectors.size()) + "]"));
  }
  return vectors;
}

std::vector<cpVect> vertices_of(py::handle object, py::handle transform, const std::string& what) {
  std::vector<cpVect> vertices = vectors_of(object, what);
  if (vertices.empty() || vertices.size() > kVerticesMax) {
    throw Error(what + ": found " + std::to_string(vertices.size()) + ", expected 1 to " +
                std::to_string(kVerticesMax));
  }
  if (transform.is_none()) return vertices;
  const cpTransform by = transform_of(transform, "transform");
  for (cpVect& vertex : vertices) vertex = cpTransformPoint(by, vertex);
  return vertices;
}

std::vector<cpVect> hull_of(std::vector<cpVect> vertices) {
  const auto count = static_cast<int>(vertices.size());
  vertices.resize(vertices.size() + 1);  // cpConvexHull reads one past its result
  vertices.resize(static_cast<std::size_t>(cpConvexHull(count, vertices.data(), vertices.data(), nullptr, 0)));
  return vertices;
}

cpTransform transform_of(py::handle object, const std::string& what) {
  const auto parts = py::reinterpret_borrow<py::sequence>(object);
  if (PySequence_Check(object.ptr()) == 0 || py::len(object) != 6) {
    throw py::type_error(what + ": found " + described(object) + ", expected a Transform: six numbers");
  }
  double values[6];
  for (std::size_t i = 0; i < 6; ++i) values[i] = finite_number(parts[i], what);
  return cpTransformNew(values[0], values[1], values[2], values[3], values[4], values[5]);
}

cpShapeFilter filter_of(py::handle object, const std::string& what) {
  const auto parts = py::reinterpret_borrow<py::sequence>(object);
  if (PySequence_Check(object.ptr()) == 0 || py::len(object) != 3) {
    throw py::type_error(what + ": found " + described(object) + ", expected ShapeFilter(group, categories, mask)");
  }
  const std::size_t group = count_of(parts[0], what.c_str()), categories = count_of(parts[1], what.c_str()),
                    mask = count_of(parts[2], what.c_str());
  if (categories > 0xffffffff || mask > 0xffffffff) {
    throw Error(what + ": found categories or a mask of more than 32 bits, expected at most 0xffffffff");
  }
  return cpShapeFilterNew(group, static_cast<cpBitmask>(categories), static_cast<cpBitmask>(mask));
}

void* make_object(Kind kind, const py::dict& description, cpBody* a, cpBody* b) {
  const Values values(description, std::string(name_of(kind)));
  if (kind == Kind::body) return make_body(values);
  if (kind == Kind::circle) return cpCircleShapeNew(a, values.not_negative("radius"), values.vector("offset"));
  if (kind == Kind::segment) {
    return cpSegmentShapeNew(a, values.vector("a"), values.vector("b"), values.not_negative("radius"));
  }
  if (kind == Kind::poly) return make_poly(a, values);
  if (kind == Kind::none) throw Error("a body, shape or constraint: found an unknown kind");
  if (a == nullptr || b == nullptr) throw py::type_error(values.name("a") + ": found none, expected two bodies");
  if (a == b) throw Error(values.name("b") + ": found the same body twice, expected two");
  return make_joint(a, b, kind, values);
}

}  // namespace forkmunk::python
