#include "space_core.h"

#include <cmath>
#include <string_view>

#include <chipmunk/chipmunk_structs.h>

/// Properties of bodies, shapes and constraints by name: how each is read, checked and written.
namespace forkmunk::python {
namespace {

enum class Check : std::uint8_t {
  none,          // read-only
  number,        // finite
  not_negative,  // finite, 0 or more
  positive,      // finite, above 0
  limit,         // 0 or more, infinity too
  moment,        // above 0, infinity too
  not_zero,
  vector,
  boolean,
  whole,  // 0 or more, 64 bits
  filter,
};

struct Value {
  double number = 0;
  cpVect vector{};
  std::uintptr_t whole = 0;
  cpShapeFilter filter{};
};

struct Field {
  std::string_view name;
  Check check;
  py::object (*get)(void*);
  void (*set)(void*, const Value&);
};

double limit_of(py::handle object, const std::string& what) {
  const double value = PyFloat_AsDouble(object.ptr());
  if (value == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw py::type_error(what + ": found " + described(object) + ", expected a number");
  }
  return value;
}

Value value_of(Check check, py::handle object, const std::string& what) {
  Value value;
  const auto require = [&](bool good, const char* expected) {
    if (!good) throw Error(what + ": found " + described(object) + ", expected " + expected);
  };
  switch (check) {
    case Check::none: throw py::attribute_error(what + ": can be read only");
    case Check::number: value.number = finite_number(object, what); break;
    case Check::not_negative:
      value.number = finite_number(object, what);
      require(value.number >= 0, "0 or more");
      break;
    case Check::positive:
      value.number = finite_number(object, what);
      require(value.number > 0, "a number above 0");
      break;
    case Check::not_zero:
      value.number = finite_number(object, what);
      require(value.number != 0, "a number other than 0");
      break;
    case Check::limit:
      value.number = limit_of(object, what);
      require(value.number >= 0, "0 or more; infinity is allowed");
      break;
    case Check::moment:
      value.number = limit_of(object, what);
      require(value.number > 0, "a number above 0; infinity is allowed");
      break;
    case Check::vector: value.vector = vector_of(object, what); break;
    case Check::boolean: {
      const int yes = PyObject_IsTrue(object.ptr());
      if (yes < 0) throw py::error_already_set();
      value.whole = static_cast<std::uintptr_t>(yes);
      break;
    }
    case Check::whole: value.whole = count_of(object, what.c_str()); break;
    case Check::filter: value.filter = filter_of(object, what); break;
  }
  return value;
}

py::object to_python(double value) { return py::float_(value); }
py::object to_python(cpVect value) { return tuple_of(value); }
py::object to_python(cpBool value) { return py::bool_(value != cpFalse); }
py::object to_python(std::uintptr_t value) { return py::int_(value); }
py::object to_python(cpBB value) { return py::make_tuple(value.l, value.b, value.r, value.t); }
py::object to_python(int value) { return py::int_(value); }
py::object to_python(const cpShapeFilter& value) { return py::make_tuple(value.group, value.categories, value.mask); }

template <Check check>
auto part_of(const Value& value) {
  if constexpr (check == Check::vector) {
    return value.vector;
  } else if constexpr (check == Check::boolean) {
    return static_cast<cpBool>(value.whole);
  } else if constexpr (check == Check::whole) {
    return value.whole;
  } else if constexpr (check == Check::filter) {
    return value.filter;
  } else {
    return value.number;
  }
}

// A field that Chipmunk has functions for.
template <typename Object, Check check, auto get, auto set>
constexpr Field field(std::string_view name) {
  return {name, check, [](void* object) -> py::object { return to_python(get(static_cast<Object*>(object))); },
          [](void* object, const Value& value) { set(static_cast<Object*>(object), part_of<check>(value)); }};
}
template <typename Object, auto get>
constexpr Field shown(std::string_view name) {
  return {name, Check::none, [](void* object) -> py::object { return to_python(get(static_cast<Object*>(object))); },
          nullptr};
}

const Field kBody[] = {
    field<cpBody, Check::positive, cpBodyGetMass, cpBodySetMass>("mass"),
    field<cpBody, Check::moment, cpBodyGetMoment, cpBodySetMoment>("moment"),
    field<cpBody, Check::vector, cpBodyGetCenterOfGravity, cpBodySetCenterOfGravity>("center_of_gravity"),
    field<cpBody, Check::number, cpBodyGetAngle, cpBodySetAngle>("angle"),
    field<cpBody, Check::vector, cpBodyGetPosition, cpBodySetPosition>("position"),
    field<cpBody, Check::vector, cpBodyGetVelocity, cpBodySetVelocity>("velocity"),
    field<cpBody, Check::number, cpBodyGetAngularVelocity, cpBodySetAngularVelocity>("angular_velocity"),
    field<cpBody, Check::vector, cpBodyGetForce, cpBodySetForce>("force"),
    field<cpBody, Check::number, cpBodyGetTorque, cpBodySetTorque>("torque"),
    shown<cpBody, cpBodyGetRotation>("rotation_vector"),
    shown<cpBody, cpBodyIsSleeping>("is_sleeping"),
    shown<cpBody, cpBodyKineticEnergy>("kinetic_energy"),
    shown<cpBody, [](cpBody* body) { return static_cast<int>(cpBodyGetType(body)); }>("body_type"),
};

const Field kShape[] = {
    field<cpShape, Check::not_negative, cpShapeGetFriction, cpShapeSetFriction>("friction"),
    field<cpShape, Check::not_negative, cpShapeGetElasticity, cpShapeSetElasticity>("elasticity"),
    field<cpShape, Check::boolean, cpShapeGetSensor, cpShapeSetSensor>("sensor"),
    field<cpShape, Check::whole, cpShapeGetCollisionType, cpShapeSetCollisionType>("collision_type"),
    field<cpShape, Check::vector, cpShapeGetSurfaceVelocity, cpShapeSetSurfaceVelocity>("surface_velocity"),
    field<cpShape, Check::filter, cpShapeGetFilter, cpShapeSetFilter>("filter"),
    field<cpShape, Check::not_negative, cpShapeGetMass, cpShapeSetMass>("mass"),
    field<cpShape, Check::not_negative, cpShapeGetDensity, cpShapeSetDensity>("density"),
    shown<cpShape, cpShapeGetArea>("area"),
    shown<cpShape, cpShapeGetMoment>("moment"),
    shown<cpShape, cpShapeGetCenterOfGravity>("center_of_gravity"),
    shown<cpShape, cpShapeGetBB>("bb"),
};
const Field kCircle[] = {shown<cpShape, cpCircleShapeGetRadius>("radius"),
                         shown<cpShape, cpCircleShapeGetOffset>("offset")};
const Field kSegment[] = {shown<cpShape, cpSegmentShapeGetA>("a"), shown<cpShape, cpSegmentShapeGetB>("b"),
                          shown<cpShape, cpSegmentShapeGetNormal>("normal"),
                          shown<cpShape, cpSegmentShapeGetRadius>("radius")};
const Field kPoly[] = {{"vertices", Check::none,
                        [](void* object) -> py::object {
                          auto* shape = static_cast<cpShape*>(object);
                          py::list vertices;
                          for (int i = 0; i < cpPolyShapeGetCount(shape); ++i)
                            vertices.append(tuple_of(cpPolyShapeGetVert(shape, i)));
                          return vertices;
                        },
                        nullptr},
                       shown<cpShape, cpPolyShapeGetRadius>("radius")};

using Joint = cpConstraint;
const Field kConstraint[] = {
    field<Joint, Check::limit, cpConstraintGetMaxForce, cpConstraintSetMaxForce>("max_force"),
    field<Joint, Check::not_negative, cpConstraintGetErrorBias, cpConstraintSetErrorBias>("error_bias"),
    field<Joint, Check::limit, cpConstraintGetMaxBias, cpConstraintSetMaxBias>("max_bias"),
    field<Joint, Check::boolean, cpConstraintGetCollideBodies, cpConstraintSetCollideBodies>("collide_bodies"),
    shown<Joint, cpConstraintGetImpulse>("impulse"),
};
const Field kPin[] = {field<Joint, Check::vector, cpPinJointGetAnchorA, cpPinJointSetAnchorA>("anchor_a"),
                      field<Joint, Check::vector, cpPinJointGetAnchorB, cpPinJointSetAnchorB>("anchor_b"),
                      field<Joint, Check::not_negative, cpPinJointGetDist, cpPinJointSetDist>("distance")};
const Field kSlide[] = {field<Joint, Check::vector, cpSlideJointGetAnchorA, cpSlideJointSetAnchorA>("anchor_a"),
                        field<Joint, Check::vector, cpSlideJointGetAnchorB, cpSlideJointSetAnchorB>("anchor_b"),
                        field<Joint, Check::not_negative, cpSlideJointGetMin, cpSlideJointSetMin>("min"),
                        field<Joint, Check::not_negative, cpSlideJointGetMax, cpSlideJointSetMax>("max")};
const Field kPivot[] = {field<Joint, Check::vector, cpPivotJointGetAnchorA, cpPivotJointSetAnchorA>("anchor_a"),
                        field<Joint, Check::vector, cpPivotJointGetAnchorB, cpPivotJointSetAnchorB>("anchor_b")};
const Field kGroove[] = {field<Joint, Check::vector, cpGrooveJointGetGrooveA, cpGrooveJointSetGrooveA>("groove_a"),
                         field<Joint, Check::vector, cpGrooveJointGetGrooveB, cpGrooveJointSetGrooveB>("groove_b"),
                         field<Joint, Check::vector, cpGrooveJointGetAnchorB, cpGrooveJointSetAnchorB>("anchor_b")};
const Field kSpring[] = {
    field<Joint, Check::vector, cpDampedSpringGetAnchorA, cpDampedSpringSetAnchorA>("anchor_a"),
    field<Joint, Check::vector, cpDampedSpringGetAnchorB, cpDampedSpringSetAnchorB>("anchor_b"),
    field<Joint, Check::number, cpDampedSpringGetRestLength, cpDampedSpringSetRestLength>("rest_length"),
    field<Joint, Check::number, cpDampedSpringGetStiffness, cpDampedSpringSetStiffness>("stiffness"),
    field<Joint, Check::number, cpDampedSpringGetDamping, cpDampedSpringSetDamping>("damping")};
const Field kRotarySpring[] = {
    field<Joint, Check::number, cpDampedRotarySpringGetRestAngle, cpDampedRotarySpringSetRestAngle>("rest_angle"),
    field<Joint, Check::number, cpDampedRotarySpringGetStiffness, cpDampedRotarySpringSetStiffness>("stiffness"),
    field<Joint, Check::number, cpDampedRotarySpringGetDamping, cpDampedRotarySpringSetDamping>("damping")};
const Field kRotaryLimit[] = {field<Joint, Check::number, cpRotaryLimitJointGetMin, cpRotaryLimitJointSetMin>("min"),
                              field<Joint, Check::number, cpRotaryLimitJointGetMax, cpRotaryLimitJointSetMax>("max")};
const Field kRatchet[] = {field<Joint, Check::number, cpRatchetJointGetAngle, cpRatchetJointSetAngle>("angle"),
                          field<Joint, Check::number, cpRatchetJointGetPhase, cpRatchetJointSetPhase>("phase"),
                          field<Joint, Check::not_zero, cpRatchetJointGetRatchet, cpRatchetJointSetRatchet>("ratchet")};
const Field kGear[] = {field<Joint, Check::number, cpGearJointGetPhase, cpGearJointSetPhase>("phase"),
                       field<Joint, Check::not_zero, cpGearJointGetRatio, cpGearJointSetRatio>("ratio")};
const Field kMotor[] = {field<Joint, Check::number, cpSimpleMotorGetRate, cpSimpleMotorSetRate>("rate")};

struct Kind {
  std::string_view name;
  std::span<const Field> own;
  cpBool (*is)(const cpConstraint*);  // null: no constraint
};
const Kind kKinds[] = {{"Circle", kCircle, nullptr},
                       {"Segment", kSegment, nullptr},
                       {"Poly", kPoly, nullptr},
                       {"PinJoint", kPin, cpConstraintIsPinJoint},
                       {"SlideJoint", kSlide, cpConstraintIsSlideJoint},
                       {"PivotJoint", kPivot, cpConstraintIsPivotJoint},
                       {"GrooveJoint", kGroove, cpConstraintIsGrooveJoint},
                       {"DampedSpring", kSpring, cpConstraintIsDampedSpring},
                       {"DampedRotarySpring", kRotarySpring, cpConstraintIsDampedRotarySpring},
                       {"RotaryLimitJoint", kRotaryLimit, cpConstraintIsRotaryLimitJoint},
                       {"RatchetJoint", kRatchet, cpConstraintIsRatchetJoint},
                       {"GearJoint", kGear, cpConstraintIsGearJoint},
                       {"SimpleMotor", kMotor, cpConstraintIsSimpleMotor}};

const Kind* kind_named(std::string_view name) {
  for (const Kind& kind : kKinds) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

std::string kind_of(const ObjectEntry& object) {
  if (object.kind == ObjectKind::body) return "Body";
  if (object.kind == ObjectKind::shape) {
    return std::string(kKinds[static_cast<const cpShape*>(object.pointer)->klass->type].name);
  }
  for (const Kind& kind : kKinds) {
    if (kind.is != nullptr && kind.is(static_cast<const cpConstraint*>(object.pointer)) != cpFalse) {
      return std::string(kind.name);
    }
  }
  return "";
}

// \throws AttributeError
const Field& field_of(const std::string& kind, const std::string& name) {
  std::span<const Field> common = kConstraint;
  if (kind == "Body") common = kBody;
  if (kind == "Circle" || kind == "Segment" || kind == "Poly") common = kShape;
  for (const Field& field : common) {
    if (field.name == name) return field;
  }
  if (const Kind* known = kind_named(kind)) {
    for (const Field& field : known->own) {
      if (field.name == name) return field;
    }
  }
  throw py::attribute_error(kind + " has no " + name);
}

py::object get(SpaceCore& self, std::uint64_t id, const std::string& name) {
  const ObjectEntry& object = self.entry(id);
  return field_of(kind_of(object), name).get(object.pointer);
}

// A conversion may run Python code, which may remove the object: it is looked up again behind it.
void set(SpaceCore& self, std::uint64_t id, const std::string& name, py::handle given) {
  const std::string kind = kind_of(self.entry(id));
  const Field& field = field_of(kind, name);
  const Value value = value_of(field.check, given, kind + "." + name);
  const ObjectEntry& object = self.entry(id);
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
    case Check::filter: return to_python(value.filter);
    default: return py::float_(value.number);
  }
}

void push(SpaceCore& self, std::uint64_t id, bool impulse, bool local, py::handle what, py::handle where) {
  const cpVect force = vector_of(what, impulse ? "impulse" : "force"), point = vector_of(where, "point");
  cpBody* body = self.body(id);
  if (cpBodyGetType(body) != CP_BODY_TYPE_DYNAMIC) {
    throw Error("Body: found one that nothing moves, expected a dynamic one to push");
  }
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
  if (cpBodyIsSleeping(body) == cpFalse) cpBodySleep(body);
}

const Field kSpace[] = {
    field<cpSpace, Check::vector, cpSpaceGetGravity, cpSpaceSetGravity>("gravity"),
    field<cpSpace, Check::not_negative, cpSpaceGetDamping, cpSpaceSetDamping>("damping"),
    field<cpSpace, Check::not_negative, cpSpaceGetIdleSpeedThreshold, cpSpaceSetIdleSpeedThreshold>(
        "idle_speed_threshold"),
    field<cpSpace, Check::limit, cpSpaceGetSleepTimeThreshold, cpSpaceSetSleepTimeThreshold>("sleep_time_threshold"),
    field<cpSpace, Check::not_negative, cpSpaceGetCollisionSlop, cpSpaceSetCollisionSlop>("collision_slop"),
    field<cpSpace, Check::not_negative, cpSpaceGetCollisionBias, cpSpaceSetCollisionBias>("collision_bias"),
    shown<cpSpace, cpSpaceGetCurrentTimeStep>("current_time_step"),
    {"iterations", Check::whole,
     [](void* space) -> py::object { return py::int_(cpSpaceGetIterations(static_cast<cpSpace*>(space))); },
     [](void* space, const Value& value) {
       if (value.whole < 1 || value.whole > 100'000)
         throw Error("Space.iterations: found " + std::to_string(value.whole) + ", expected 1 to 100000");
       cpSpaceSetIterations(static_cast<cpSpace*>(space), static_cast<int>(value.whole));
     }},
    {"collision_persistence", Check::whole,
     [](void* space) -> py::object { return py::int_(cpSpaceGetCollisionPersistence(static_cast<cpSpace*>(space))); },
     [](void* space, const Value& value) {
       if (value.whole > 1'000'000)
         throw Error("Space.collision_persistence: found " + std::to_string(value.whole) + ", expected 0 to 1000000");
       cpSpaceSetCollisionPersistence(static_cast<cpSpace*>(space), static_cast<cpTimestamp>(value.whole));
     }},
};

const Field& space_field(const std::string& name) {
  for (const Field& field : kSpace) {
    if (field.name == name) return field;
  }
  throw py::attribute_error("Space has no " + name);
}

}  // namespace

void add_space_fields(py::module_& module, py::class_<SpaceCore>& type) {
  module.def("check_field", &check);
  type.def("get", &get)
      .def("set", &set)
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
      .def("activate", [](SpaceCore& self, std::uint64_t id) { cpBodyActivate(self.body(id)); })
      .def("get_space", [](SpaceCore& self, const std::string& name) { return space_field(name).get(self.chipmunk()); })
      .def("set_space",
           [](SpaceCore& self, const std::string& name, py::handle given) {
             const Field& field = space_field(name);
             const Value value = value_of(field.check, given, "Space." + name);
             field.set(self.chipmunk(), value);
           })
      .def("add_body", &SpaceCore::add_body)
      .def("add_shape", &SpaceCore::add_shape)
      .def("add_constraint", &SpaceCore::add_constraint)
      .def("remove", &SpaceCore::remove);
}

}  // namespace forkmunk::python
