#include "space_core.h"

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
  [[nodiscard]] double not_zero(const char* key) const {
    const double value = number(key);
    if (value != 0) return value;
    throw Error(name(key) + ": found 0, expected another number");
  }
  [[nodiscard]] cpVect vector(const char* key) const { return vector_of(at(key), name(key)); }
  [[nodiscard]] std::string name(const char* key) const { return what_ + "." + key; }

 private:
  py::dict dict_;
  std::string what_;
};

cpShape* make_poly(cpBody* body, const Values& values) {
  const std::vector<cpVect> vertices = vectors_of(values.at("vertices"), values.name("vertices"));
  if (vertices.size() < 3 || vertices.size() > 10'000) {
    throw Error(values.name("vertices") + ": found " + std::to_string(vertices.size()) + ", expected 3 to 10000");
  }
  std::vector<cpVect> hull(vertices.size() + 1);  // cpConvexHull reads one past its result
  const auto count = static_cast<int>(vertices.size());
  const int hull_count = cpConvexHull(count, vertices.data(), hull.data(), nullptr, 0);
  const double area = hull_count < 3 ? 0 : cpAreaForPoly(hull_count, hull.data(), 0);
  if (!(area > 0) || !std::isfinite(area)) {
    throw Error(values.name("vertices") + ": found points in a line, expected a polygon with an area");
  }
  return cpPolyShapeNewRaw(body, hull_count, hull.data(), values.not_negative("radius"));
}

cpConstraint* make_joint(cpBody* a, cpBody* b, const std::string& kind, const Values& v) {
  if (kind == "PinJoint") return cpPinJointNew(a, b, v.vector("anchor_a"), v.vector("anchor_b"));
  if (kind == "SlideJoint") {
    const double least = v.not_negative("min"), most = v.not_negative("max");
    if (least > most) throw Error("SlideJoint.min: found one above max, expected at most max");
    return cpSlideJointNew(a, b, v.vector("anchor_a"), v.vector("anchor_b"), least, most);
  }
  if (kind == "PivotJoint") return cpPivotJointNew2(a, b, v.vector("anchor_a"), v.vector("anchor_b"));
  if (kind == "GrooveJoint") {
    const cpVect from = v.vector("groove_a"), to = v.vector("groove_b");
    if (cpveql(from, to) != cpFalse) throw Error("GrooveJoint: found a groove of length 0, expected a longer one");
    return cpGrooveJointNew(a, b, from, to, v.vector("anchor_b"));
  }
  if (kind == "DampedSpring") {
    return cpDampedSpringNew(a, b, v.vector("anchor_a"), v.vector("anchor_b"), v.number("rest_length"),
                             v.number("stiffness"), v.number("damping"));
  }
  if (kind == "DampedRotarySpring") {
    return cpDampedRotarySpringNew(a, b, v.number("rest_angle"), v.number("stiffness"), v.number("damping"));
  }
  if (kind == "RotaryLimitJoint") return cpRotaryLimitJointNew(a, b, v.number("min"), v.number("max"));
  if (kind == "RatchetJoint") return cpRatchetJointNew(a, b, v.number("phase"), v.not_zero("ratchet"));
  if (kind == "GearJoint") return cpGearJointNew(a, b, v.number("phase"), v.not_zero("ratio"));
  if (kind == "SimpleMotor") return cpSimpleMotorNew(a, b, v.number("rate"));
  throw Error("a constraint: found the kind " + kind + ", expected one of the ten joints");
}

void free_object(const ObjectEntry& object) {
  switch (object.kind) {
    case ObjectKind::body: cpBodyFree(static_cast<cpBody*>(object.pointer)); break;
    case ObjectKind::shape: cpShapeFree(static_cast<cpShape*>(object.pointer)); break;
    case ObjectKind::constraint: cpConstraintFree(static_cast<cpConstraint*>(object.pointer)); break;
  }
}

bool has_dependents(cpBody* body) {
  bool found = false;
  cpBodyEachShape(
      body, [](cpBody*, cpShape*, void* data) { *static_cast<bool*>(data) = true; }, &found);
  cpBodyEachConstraint(
      body, [](cpBody*, cpConstraint*, void* data) { *static_cast<bool*>(data) = true; }, &found);
  return found;
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
  if (PySequence_Check(object.ptr()) == 0 || py::isinstance<py::str>(object) || py::len(object) != 2) {
    throw py::type_error(what + ": found " + described(object) + ", expected a pair of numbers");
  }
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

cpShape* make_shape(cpBody* body, const py::dict& shape) {
  const auto kind = py::cast<std::string>(shape["kind"]);
  const Values values(shape, kind);
  if (kind == "Circle") return cpCircleShapeNew(body, values.not_negative("radius"), values.vector("offset"));
  if (kind == "Segment") {
    return cpSegmentShapeNew(body, values.vector("a"), values.vector("b"), values.not_negative("radius"));
  }
  if (kind == "Poly") return make_poly(body, values);
  throw Error("a shape: found the kind " + kind + ", expected Circle, Segment or Poly");
}

std::uint64_t SpaceCore::add_body(int type, double mass, double moment, std::uint64_t id) {
  require_rest("Space.add()");
  const bool good = type != 0 || (mass >= 0 && std::isfinite(mass) && moment >= 0);
  if (!good || type < 0 || type > 2) throw Error("Body: found no mass or moment, expected 0 or more");
  cpBody* body = nullptr;
  {
    const auto scope = get().enter();
    body = type == 0 ? cpBodyNew(mass, moment) : type == 1 ? cpBodyNewKinematic() : cpBodyNewStatic();
  }
  cpSpaceAddBody(chipmunk(), body);
  return enter(ObjectKind::body, body, id);
}

std::uint64_t SpaceCore::add_shape(std::uint64_t body_id, const py::dict& shape, std::uint64_t id) {
  require_rest("Space.add()");
  cpBody* owner = body(body_id);
  cpShape* made = nullptr;
  {
    const auto scope = get().enter();
    made = make_shape(owner, shape);
  }
  cpSpaceAddShape(chipmunk(), made);
  return enter(ObjectKind::shape, made, id);
}

std::uint64_t SpaceCore::add_constraint(std::uint64_t a_id, std::uint64_t b_id, const py::dict& constraint,
                                        std::uint64_t id) {
  require_rest("Space.add()");
  const auto kind = py::cast<std::string>(constraint["kind"]);
  cpBody *a = body(a_id), *b = body(b_id);
  if (a == b) throw Error(kind + ": found the same body twice, expected two");
  if (cpBodyGetType(a) != CP_BODY_TYPE_DYNAMIC && cpBodyGetType(b) != CP_BODY_TYPE_DYNAMIC) {
    throw Error(kind + ": found two bodies that nothing moves, expected at least one dynamic body");
  }
  cpConstraint* made = nullptr;
  {
    const auto scope = get().enter();
    made = make_joint(a, b, kind, Values(constraint, kind));
  }
  cpSpaceAddConstraint(chipmunk(), made);
  return enter(ObjectKind::constraint, made, id);
}

void SpaceCore::remove(std::uint64_t id, const py::object& dispatch) {
  require_rest("Space.remove()");
  const ObjectEntry object = entry(id);
  if (id == static_body()) throw Error("Space.remove(): found the space's static body, expected another object");
  if (object.kind == ObjectKind::body && has_dependents(body(id))) {
    throw Error(
        "Space.remove(): found a body with shapes or constraints in the space, expected them to be removed "
        "before it or with it");
  }
  Callbacks callbacks(dispatch);
  switch (object.kind) {
    case ObjectKind::body: cpSpaceRemoveBody(chipmunk(), body(id)); break;
    case ObjectKind::shape: cpSpaceRemoveShape(chipmunk(), shape(id)); break;
    case ObjectKind::constraint: cpSpaceRemoveConstraint(chipmunk(), constraint(id)); break;
  }
  free_object(object);
  forget(id);
  callbacks.rethrow();
}

}  // namespace forkmunk::python
