#include "space_fields.h"

#include <cmath>

#include <chipmunk/chipmunk_structs.h>

namespace forkmunk::python {

py::tuple filter_tuple(const cpShapeFilter& value) { return py::make_tuple(value.group, value.categories, value.mask); }

namespace {

double limit_of(py::handle object, const std::string& what) {
  const double value = PyFloat_AsDouble(object.ptr());
  if (value == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw py::type_error(what + ": found " + described(object) + ", expected a number");
  }
  return value;
}

py::object to_python(double value) { return py::float_(value); }
py::object to_python(cpVect value) { return tuple_of(value); }
py::object to_python(cpBool value) { return py::bool_(value != cpFalse); }
py::object to_python(std::uintptr_t value) { return py::int_(value); }
py::object to_python(cpBB value) { return py::make_tuple(value.l, value.b, value.r, value.t); }
py::object to_python(int value) { return py::int_(value); }
py::object to_python(const cpShapeFilter& value) { return filter_tuple(value); }

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
    field<cpBody, Check::not_negative, cpBodyGetMass, cpBodySetMass>("mass"),
    field<cpBody, Check::limit, cpBodyGetMoment, cpBodySetMoment>("moment"),
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
                          field<Joint, Check::number, cpRatchetJointGetRatchet, cpRatchetJointSetRatchet>("ratchet")};
const Field kGear[] = {field<Joint, Check::number, cpGearJointGetPhase, cpGearJointSetPhase>("phase"),
                       field<Joint, Check::number, cpGearJointGetRatio, cpGearJointSetRatio>("ratio")};
const Field kMotor[] = {field<Joint, Check::number, cpSimpleMotorGetRate, cpSimpleMotorSetRate>("rate")};

// In the order of Kind.
const std::span<const Field> kOwn[] = {{},      {},      kCircle,       kSegment,     kPoly,    kPin,  kSlide, kPivot,
                                       kGroove, kSpring, kRotarySpring, kRotaryLimit, kRatchet, kGear, kMotor};

std::span<const Field> common_fields(Kind kind) {
  if (kind == Kind::body) return kBody;
  return is_shape(kind) ? std::span<const Field>(kShape) : std::span<const Field>(kConstraint);
}

const Field kSpace[] = {
    field<cpSpace, Check::vector, cpSpaceGetGravity, cpSpaceSetGravity>("gravity"),
    field<cpSpace, Check::not_negative, cpSpaceGetDamping, cpSpaceSetDamping>("damping"),
    field<cpSpace, Check::not_negative, cpSpaceGetIdleSpeedThreshold, cpSpaceSetIdleSpeedThreshold>(
        "idle_speed_threshold"),
    field<cpSpace, Check::moment, cpSpaceGetSleepTimeThreshold, cpSpaceSetSleepTimeThreshold>("sleep_time_threshold"),
    field<cpSpace, Check::not_negative, cpSpaceGetCollisionSlop, cpSpaceSetCollisionSlop>("collision_slop"),
    field<cpSpace, Check::not_negative, cpSpaceGetCollisionBias, cpSpaceSetCollisionBias>("collision_bias"),
    shown<cpSpace, cpSpaceGetCurrentTimeStep>("current_time_step"),
    {"iterations", Check::whole,
     [](void* space) -> py::object { return py::int_(cpSpaceGetIterations(static_cast<cpSpace*>(space))); },
     [](void* space, const Value& value) {
       if (value.whole < 1 || value.whole > 10'000)
         throw Error("Space.iterations: found " + std::to_string(value.whole) + ", expected 1 to 10000");
       cpSpaceSetIterations(static_cast<cpSpace*>(space), static_cast<int>(value.whole));
     }},
    {"collision_persistence", Check::whole,
     [](void* space) -> py::object { return py::int_(cpSpaceGetCollisionPersistence(static_cast<cpSpace*>(space))); },
     [](void* space, const Value& value) {
       if (value.whole < 1 || value.whole > 1'000'000)  // Chipmunk uses contacts that it has freed at 0
         throw Error("Space.collision_persistence: found " + std::to_string(value.whole) + ", expected 1 to 1000000");
       cpSpaceSetCollisionPersistence(static_cast<cpSpace*>(space), static_cast<cpTimestamp>(value.whole));
     }},
};

}  // namespace

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

bool has_field(Kind kind, const Field& field) {
  const std::span<const Field> common = common_fields(kind);
  return &field >= common.data() && &field < common.data() + common.size();
}

const Field& field_of(std::string_view kind, std::string_view name) {
  const Kind one = kind_named(kind);
  std::span<const Field> fields = kOwn[static_cast<std::size_t>(one)];
  if (one == Kind::body) fields = kBody;
  if (kind == "Shape") fields = kShape;
  if (kind == "Constraint") fields = kConstraint;
  for (const Field& field : fields) {
    if (field.name == name) return field;
  }
  throw py::attribute_error(std::string(kind) + " has no " + std::string(name));
}

const Field& space_field(std::string_view name) {
  for (const Field& field : kSpace) {
    if (field.name == name) return field;
  }
  throw py::attribute_error("Space has no " + std::string(name));
}

}  // namespace forkmunk::python
