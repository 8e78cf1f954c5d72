// SPDX-License-Identifier: MIT
#include "space_core.h"

#include <forkmunk/base/hasher.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>

#include <chipmunk/chipmunk_structs.h>
#include <chipmunk/chipmunk_unsafe.h>

namespace forkmunk::python {
namespace {

constexpr std::size_t kParametersMax = 5;

struct Layout {
  std::string_view name;
  std::size_t bytes = 0;
  // Only joints have the following members.
  cpBool (*is)(const cpConstraint*) = nullptr;
  cpConstraint* (*make)(cpBody* a, cpBody* b, const Value* parameters) = nullptr;
  void (*forget_impulse)(cpConstraint*) = nullptr;
  std::array<Check, kParametersMax> checks{};  // of its parameters, whose names follow
  std::array<const char*, kParametersMax> parameters{};
};

template <typename Joint, auto make, auto is, auto impulse, Check... checks>
constexpr Layout joint(std::string_view name, std::array<const char*, kParametersMax> parameters) {
  const auto made = [](cpBody* a, cpBody* b, const Value* values) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) { return make(a, b, part_of<checks>(values[i])...); }
    (std::make_index_sequence<sizeof...(checks)>());
  };
  const auto forget = [](cpConstraint* joint) { reinterpret_cast<Joint*>(joint)->*impulse = {}; };
  return {name, sizeof(Joint), is, made, forget, {checks...}, parameters};
}

// In the order of Kind.
const Layout kLayouts[] = {
    {""},
    {"Body", sizeof(cpBody)},
    {"Circle", sizeof(cpCircleShape)},
    {"Segment", sizeof(cpSegmentShape)},
    {"Poly", sizeof(cpPolyShape)},
#include "joints.inc"
};

const Layout& layout_of(Kind kind) { return kLayouts[static_cast<std::size_t>(kind)]; }

// In a space's memory, a polygon ends after its own planes.
constexpr std::size_t kPolygonHeadBytes = offsetof(cpPolyShape, _planes);

// Without a polygon's planes.
std::size_t head_bytes(Kind kind) { return kind == Kind::poly ? kPolygonHeadBytes : layout_of(kind).bytes; }
std::size_t planes_bytes(const cpPolyShape& poly) {
  return 2 * static_cast<std::size_t>(poly.count) * sizeof(cpSplittingPlane);
}

// Bodies stay.
void unlink(void* object, Kind kind) {
  if (kind == Kind::body) {
    auto* body = static_cast<cpBody*>(object);
    body->space = nullptr;
    body->shapeList = nullptr;
    body->arbiterList = nullptr;
    body->constraintList = nullptr;
    body->sleeping.root = body->sleeping.next = nullptr;
    if (body->sleeping.idleTime != INFINITY) body->sleeping.idleTime = 0;
  } else if (is_shape(kind)) {
    auto* shape = static_cast<cpShape*>(object);
    shape->space = nullptr;
    shape->next = shape->prev = nullptr;
  } else {
    auto* joint = static_cast<cpConstraint*>(object);
    joint->space = nullptr;
    joint->next_a = joint->next_b = nullptr;
  }
}

// Visits pointers that are valid in this process only.
template <typename Visit>
void visit_pointers(void* object, Kind kind, const Visit& visit) {
  if (kind == Kind::body) {
    auto* body = static_cast<cpBody*>(object);
    visit(body->velocity_func), visit(body->position_func), visit(body->userData), visit(body->space);
    visit(body->shapeList), visit(body->arbiterList), visit(body->constraintList);
    visit(body->sleeping.root), visit(body->sleeping.next);
  } else if (is_shape(kind)) {
    auto* shape = static_cast<cpShape*>(object);
    visit(shape->klass), visit(shape->space), visit(shape->body), visit(shape->userData);
    visit(shape->next), visit(shape->prev);
    if (kind == Kind::poly) visit(static_cast<cpPolyShape*>(object)->planes);
  } else {
    auto* joint = static_cast<cpConstraint*>(object);
    visit(joint->klass), visit(joint->space), visit(joint->a), visit(joint->b), visit(joint->next_a);
    visit(joint->next_b), visit(joint->preSolve), visit(joint->postSolve), visit(joint->userData);
    if (kind == Kind::damped_spring) visit(static_cast<cpDampedSpring*>(object)->springForceFunc);
    if (kind == Kind::damped_rotary_spring) visit(static_cast<cpDampedRotarySpring*>(object)->springTorqueFunc);
  }
}

// Allocates in the innermost scope.
void* blank(Kind kind, int vertex_count) {
  const cpVect zero = cpvzero;
  cpBody* const none = nullptr;
  switch (kind) {
    case Kind::body: return cpBodyNew(1, 1);
    case Kind::circle: return cpCircleShapeNew(none, 1, zero);
    case Kind::segment: return cpSegmentShapeNew(none, zero, cpv(1, 0), 0);
    case Kind::poly: {
      const std::vector<cpVect> vertices(static_cast<std::size_t>(vertex_count));
      return cpPolyShapeNewRaw(none, vertex_count, vertices.data(), 0);
    }
    default: break;
  }
  const Value values[kParametersMax] = {};
  if (is_joint(kind)) return layout_of(kind).make(none, none, values);
  throw Error("found an object that was never made: its __init__ did not run");
}

[[noreturn]] void throw_damaged() { throw Error("a body, shape or constraint: its pickle is damaged"); }

}  // namespace

std::string_view name_of(Kind kind) noexcept { return layout_of(kind).name; }

Kind kind_named(std::string_view name) noexcept {
  for (std::size_t i = 1; i < std::size(kLayouts); ++i) {
    if (kLayouts[i].name == name) return static_cast<Kind>(i);
  }
  return Kind::none;
}

Kind kind_of(const cpShape* shape) noexcept {
  return static_cast<Kind>(static_cast<int>(Kind::circle) + static_cast<int>(shape->klass->type));
}

Kind kind_of(const cpConstraint* joint) noexcept {
  for (std::size_t i = static_cast<std::size_t>(Kind::poly) + 1; i < std::size(kLayouts); ++i) {
    if (kLayouts[i].is(joint) != cpFalse) return static_cast<Kind>(i);
  }
  return Kind::none;
}

void forget_impulse(cpConstraint* joint) { layout_of(kind_of(joint)).forget_impulse(joint); }

cpDampedSpringForceFunc default_spring_force(Kind kind) {
  if (kind == Kind::damped_spring) {
    cpDampedSpring spring;
    return cpDampedSpringInit(&spring, nullptr, nullptr, cpvzero, cpvzero, 0, 0, 0)->springForceFunc;
  }
  cpDampedRotarySpring spring;
  return cpDampedRotarySpringInit(&spring, nullptr, nullptr, 0, 0, 0)->springTorqueFunc;
}

void* copy_of(const void* object, Kind kind) {
  const auto* from = kind == Kind::poly ? static_cast<const cpPolyShape*>(object) : nullptr;
  void* copy = blank(kind, from == nullptr ? 0 : from->count);
  auto* to = static_cast<cpPolyShape*>(copy);
  cpSplittingPlane* planes = from == nullptr ? nullptr : to->planes;  // many are in a block of their own
  std::memcpy(copy, object, head_bytes(kind));
  if (from != nullptr) std::memcpy(to->planes = planes, from->planes, planes_bytes(*from));
  unlink(copy, kind);
  return copy;
}

void free_object(void* object, Kind kind) noexcept {
  if (kind == Kind::body) return cpBodyFree(static_cast<cpBody*>(object));
  if (is_shape(kind)) return cpShapeFree(static_cast<cpShape*>(object));
  cpConstraintFree(static_cast<cpConstraint*>(object));
}

std::string bytes_of(const void* object, Kind kind) {
  void* copy = copy_of(object, kind);
  std::string planes;
  if (kind == Kind::poly) {
    const auto& poly = *static_cast<const cpPolyShape*>(copy);
    planes.assign(reinterpret_cast<const char*>(poly.planes), planes_bytes(poly));
  }
  std::string bytes(layout_of(kind).bytes, '\0');
  std::memcpy(bytes.data(), copy, head_bytes(kind));
  free_object(copy, kind);
  visit_pointers(bytes.data(), kind, [](auto& pointer) { pointer = nullptr; });
  bytes += planes;
  const std::uint64_t sum = checksum_of(std::as_bytes(std::span(bytes)));
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return bytes;
}

void* object_from(std::string_view bytes, Kind kind) {
  std::uint64_t sum = 0;
  const std::size_t struct_bytes = layout_of(kind).bytes;
  if (kind == Kind::none || bytes.size() < struct_bytes + sizeof sum) throw_damaged();
  std::memcpy(&sum, bytes.end() - sizeof sum, sizeof sum);
  bytes.remove_suffix(sizeof sum);
  if (sum != checksum_of(std::as_bytes(std::span(bytes)))) throw_damaged();
  std::vector<std::byte> image(struct_bytes);
  std::memcpy(image.data(), bytes.data(), struct_bytes);
  int vertex_count = 0;
  if (kind == Kind::poly) {
    const auto* poly = reinterpret_cast<const cpPolyShape*>(image.data());
    vertex_count = poly->count;
    if (vertex_count < 1 || vertex_count > kVerticesMax || bytes.size() != struct_bytes + planes_bytes(*poly))
      throw_damaged();
  } else if (bytes.size() != struct_bytes) {
    throw_damaged();
  }
  void* made = blank(kind, vertex_count);
  std::vector<void*> pointers;  // this process's class and functions
  visit_pointers(made, kind, [&](auto& pointer) {
    void* word = nullptr;
    std::memcpy(&word, &pointer, sizeof word);
    pointers.push_back(word);
  });
  std::memcpy(made, image.data(), head_bytes(kind));
  std::size_t next = 0;
  visit_pointers(made, kind, [&](auto& pointer) { std::memcpy(&pointer, &pointers[next++], sizeof pointer); });
  if (kind == Kind::poly) {
    auto* poly = static_cast<cpPolyShape*>(made);
    std::memcpy(poly->planes, bytes.data() + struct_bytes, planes_bytes(*poly));
  }
  return made;
}

namespace {

/// An object's bodies, and a dict of values, each checked as it is read.
struct Description {
  const Object& object;
  const py::dict& values;
  std::string name;

  [[nodiscard]] cpBody* body(int index) const {  // may be null for a shape
    const Object* body = body_at(object, index);
    return body == nullptr ? nullptr : chipmunk_body(*body);
  }
  [[nodiscard]] Value value(const char* key, Check check) const {
    return value_of(check, values[key], name + "." + key);
  }
  [[nodiscard]] double number(const char* key) const { return value(key, Check::number).number; }
  [[nodiscard]] cpVect vector(const char* key) const { return value(key, Check::vector).vector; }
};

// Reads "vertices" and "transform", or a box, "size" or "bb", whose first corner is Chipmunk's.
cpShape* make_poly(const Description& of) {
  std::vector<cpVect> vertices;
  if (of.values.contains("vertices")) {
    vertices = hull_of(vertices_of(of.values["vertices"], of.values["transform"], "Poly.vertices"));
  } else {
    const bool has_size = of.values.contains("size");
    const cpVect half = has_size ? cpvmult(of.vector("size"), 0.5) : cpvzero;
    const cpBB box = has_size ? cpBB{-half.x, -half.y, half.x, half.y} : box_of(of.values["bb"], "Poly.bb");
    vertices = {cpv(box.r, box.b), cpv(box.r, box.t), cpv(box.l, box.t), cpv(box.l, box.b)};
  }
  const double radius = of.number("radius");
  return cpPolyShapeNewRaw(of.body(0), static_cast<int>(vertices.size()), vertices.data(), radius);
}

cpBody* make_body(const Description& of) {
  const cpBodyType type = body_type_of(of.values["body_type"]);
  if (type == CP_BODY_TYPE_KINEMATIC) return cpBodyNewKinematic();
  if (type == CP_BODY_TYPE_STATIC) return cpBodyNewStatic();
  return cpBodyNew(of.value("mass", Check::not_negative).number, of.value("moment", Check::limit).number);
}

cpConstraint* make_joint(const Description& of, Kind kind) {
  const Layout& layout = layout_of(kind);
  Value values[kParametersMax];
  for (std::size_t i = 0; i < kParametersMax && layout.parameters[i] != nullptr; ++i)
    values[i] = of.value(layout.parameters[i], layout.checks[i]);
  cpBody *const a = of.body(0), *const b = of.body(1);
  if (a == nullptr || b == nullptr) throw Error(of.name, ": found none, expected two bodies");  // a value took them
  if (a == b) throw Error(of.name, ".b: found the same body twice, expected two");
  return layout.make(a, b, values);
}

}  // namespace

cpBodyType body_type_of(py::handle object) {
  const Py_ssize_t type = PyIndex_Check(object.ptr()) != 0 ? PyNumber_AsSsize_t(object.ptr(), nullptr) : -1;
  if (type >= CP_BODY_TYPE_DYNAMIC && type <= CP_BODY_TYPE_STATIC) return static_cast<cpBodyType>(type);
  PyErr_Clear();
  refuse_value("Body.body_type", object, "Body.DYNAMIC, Body.KINEMATIC or Body.STATIC");
}

void* make_object(Kind kind, const py::dict& values, const Object& object) {
  if (kind == Kind::none) throw Error("a body, shape or constraint: found an unknown kind");
  const Description of{object, values, std::string(name_of(kind))};
  if (kind == Kind::body) return make_body(of);
  if (kind == Kind::circle) {
    const double radius = of.number("radius");
    const cpVect offset = of.vector("offset");
    return cpCircleShapeNew(of.body(0), radius, offset);
  }
  if (kind == Kind::segment) {
    const cpVect from = of.vector("a"), to = of.vector("b");
    const double radius = of.number("radius");
    return cpSegmentShapeNew(of.body(0), from, to, radius);
  }
  return kind == Kind::poly ? static_cast<void*>(make_poly(of)) : make_joint(of, kind);
}

}  // namespace forkmunk::python
