// SPDX-License-Identifier: MIT
#include "space_core.h"

#include <forkmunk/chipmunk/defects.h>

#include <algorithm>
#include <cmath>

#include <chipmunk/chipmunk_structs.h>
#include <chipmunk/chipmunk_unsafe.h>

namespace forkmunk::python {

namespace {

cpBody* body(py::handle self) { return chipmunk_body(body_of(self, "self")); }

template <bool impulse, bool local>
void push(py::handle self, py::handle what, py::handle where) {
  const cpVect force = vector_of(what, impulse ? "Body.apply_impulse_...(impulse)" : "Body.apply_force_...(force)");
  const cpVect point = vector_of(where, "Body.apply_...(point)");
  cpBody* pushed = body(self);
  if (impulse && cpBodyGetType(pushed) == CP_BODY_TYPE_DYNAMIC && !(pushed->m > 0 && pushed->i > 0)) {
    throw Error("Body: found no mass or no moment, expected both before an impulse");
  }
  const auto apply = impulse ? (local ? &cpBodyApplyImpulseAtLocalPoint : &cpBodyApplyImpulseAtWorldPoint)
                             : (local ? &cpBodyApplyForceAtLocalPoint : &cpBodyApplyForceAtWorldPoint);
  apply(pushed, force, point);
}

bool touches_awake(cpBody* body) {
  return std::ranges::any_of(collected(&cpBodyEachArbiter, body), [body](cpArbiter* arbiter) {
    cpBody* other = arbiter->body_a == body ? arbiter->body_b : arbiter->body_a;
    return cpBodyGetType(other) != CP_BODY_TYPE_STATIC && cpBodyIsSleeping(other) == cpFalse;
  });
}

void sleep(py::handle self, const py::object& group) {
  cpBody* sleeper = body(self);
  if (cpBodyGetType(sleeper) != CP_BODY_TYPE_DYNAMIC)
    throw Error("Body.sleep(): found a body that nothing moves, expected a dynamic one");
  if (sleeper->space == nullptr) throw Error("Body.sleep(): found a body in no space, expected one in a space");
  core_of(object_of(self))->require_rest("Body.sleep()");
  if (!(cpSpaceGetSleepTimeThreshold(sleeper->space) < INFINITY)) {
    throw Error("Body.sleep(): found a space where nothing sleeps, expected one with a sleep_time_threshold");
  }
  cpBody* with = group.is_none() ? nullptr : body(group);
  if (with != nullptr && (with->space != sleeper->space || cpBodyIsSleeping(with) == cpFalse)) {
    throw Error("Body.sleep_with_group(): found a body that is awake or elsewhere, expected one that sleeps");
  }
  if (cpBodyIsSleeping(sleeper) != cpFalse) {
    if (with != nullptr && with->sleeping.root != sleeper->sleeping.root)
      throw Error("Body.sleep_with_group(): found a body that sleeps with others, expected it to be woken before");
    return;
  }
  if (touches_awake(sleeper)) {  // Chipmunk would then free the contact twice
    throw Error(
        "Body.sleep(): the body touches one that is awake, which Chipmunk 7.0.3 cannot do; let sleep_time_threshold "
        "put both to sleep");
  }
  cpBodySleepWithGroup(sleeper, with);
}

// `stops_partners`: bodies joined to one that becomes dynamic stop, as in pymunk 6.
void set_type(py::handle self, py::handle given, bool stops_partners) {
  Object& object = body_of(self, "self");
  const cpBodyType type = body_type_of(given);
  cpBody* changed = chipmunk_body(object);
  if (SpaceCore* core = object.own == nullptr ? core_of(object) : nullptr) {
    core->require_rest("Body.body_type");
    if (core->static_body() == object.id)
      throw Error("Body.body_type: found the space's static body, which stays static");
  }
  const auto is_in_space = [](const cpShape* shape) { return shape->space != nullptr; };
  if (changed->space == nullptr && std::ranges::any_of(collected(&cpBodyEachShape, changed), is_in_space)) {
    throw Error(  // the shape would stay in the index of the old type
        "Body.body_type: the body is in no space, but a shape of it is; add the body or remove the shape first");
  }
  const bool changes = type != cpBodyGetType(changed);
  if (cpSpace* const space = changed->space) {  // sleepers wake first, also with the defects of stock
    const unsigned defects = forkmunk_defects(space);
    forkmunk_set_defects(space, defects & ~static_cast<unsigned>(FORKMUNK_DEFECT_BROKEN_LISTS));
    cpBodySetType(changed, type);
    forkmunk_set_defects(space, defects);
  } else {
    cpBodySetType(changed, type);
  }
  for (cpConstraint* joint : collected(&cpBodyEachConstraint, changed)) {
    if (SpaceCore* core = object.own == nullptr ? core_of(object) : nullptr) core->note_joint(joint);
    if (!changes || !stops_partners || type != CP_BODY_TYPE_DYNAMIC) continue;
    forget_impulse(joint);
    for (cpBody* joined : {joint->a, joint->b}) joined->v = cpvzero, joined->w = 0;
  }
}

template <auto convert>
py::object converted(py::handle self, py::handle point) {
  const cpVect given = vector_of(point, "Body: a point");
  return tuple_of(convert(body(self), given));
}

void update_velocity(py::handle self, py::handle gravity, py::handle damping, py::handle dt) {
  const cpVect g = vector_of(gravity, "Body.update_velocity(gravity)");
  const double d = finite_number(damping, "Body.update_velocity(damping)");
  const double time = finite_number(dt, "Body.update_velocity(dt)");
  cpBodyUpdateVelocity(body(self), g, d, time);
}

double default_force(py::handle self, py::handle value) {
  const Object& object = object_of(self);
  const double given = finite_number(value, "spring");
  auto* joint = static_cast<cpConstraint*>(chipmunk_object(object));
  if (object.kind == Kind::damped_spring || object.kind == Kind::damped_rotary_spring)
    return default_spring_force(object.kind)(joint, given);
  throw py::type_error("found " + described(self) + ", expected a spring");
}

cpShape* shape(py::handle self) { return chipmunk_shape(shape_of(self, "shape")); }

cpShape* shape_of_kind(py::handle self, Kind kind) {
  const Object& object = shape_of(self, "shape");
  if (object.kind != kind)
    throw py::type_error("found " + described(self) + ", expected a " + std::string(name_of(kind)));
  return chipmunk_shape(object);
}

py::tuple cache_box(py::handle self) {
  cpShape* found = shape(self);
  if (found->body == nullptr) throw Error("Shape.cache_bb(): found a shape without a body; use update(transform)");
  return tuple_of(cpShapeCacheBB(found));
}

py::object shape_point_query(py::handle self, py::handle point) {
  const cpVect at = vector_of(point, "Shape.point_query(p)");
  cpPointQueryInfo info{};
  cpShapePointQuery(shape(self), at, &info);
  return info_of(py::reinterpret_borrow<py::object>(self), info);
}

// A miss is None, or in version 6 an object without a shape.
py::object shape_segment_query(py::handle self, py::handle start, py::handle end, py::handle radius) {
  const cpVect from = vector_of(start, "Shape.segment_query(start)"), to = vector_of(end, "Shape.segment_query(end)");
  const double thickness = finite_number(radius, "Shape.segment_query(radius)");
  cpSegmentQueryInfo info{};
  if (cpShapeSegmentQuery(shape(self), from, to, thickness, &info) != cpFalse)
    return info_of(py::reinterpret_borrow<py::object>(self), info);
  return is_version_7() ? py::none() : info_of(py::none(), info);
}

void set_radius(py::handle self, py::handle radius) {
  const double given = finite_number(radius, "Shape.unsafe_set_radius(radius)");
  const Kind kind = shape_of(self, "shape").kind;
  cpShape* found = shape_of_kind(self, kind);
  const auto set = kind == Kind::circle    ? &cpCircleShapeSetRadius
                   : kind == Kind::segment ? &cpSegmentShapeSetRadius
                                           : &cpPolyShapeSetRadius;
  set(found, given);
}

void set_vertices(py::handle self, py::handle vertices, py::handle transform) {
  std::vector<cpVect> points = vertices_of(vertices, transform, "Poly.unsafe_set_vertices(vertices)");
  if (!transform.is_none()) points = hull_of(points);
  Object& object = shape_of(self, "shape");
  cpShape* found = shape_of_kind(self, Kind::poly);
  SpaceCore* core = object.own == nullptr ? core_of(object) : nullptr;
  const double area = cpAreaForPoly(static_cast<int>(points.size()), points.data(), 0);
  if (core != nullptr && (points.size() < 2 || !(area >= 0) || (area == 0 && found->massInfo.m > 0))) {
    throw Error(
        "Poly.unsafe_set_vertices(): found points that are clockwise, or in a line with a mass, expected a polygon "
        "with an area");
  }
  const space::Scope scope = core != nullptr ? core->get().enter() : space::Scope(nullptr);
  cpPolyShapeSetVertsRaw(found, static_cast<int>(points.size()), points.data());
}

}  // namespace

void add_object_functions(py::module_& module) {
  module.def("apply_force_at_world_point", &push<false, false>);
  module.def("apply_force_at_local_point", &push<false, true>);
  module.def("apply_impulse_at_world_point", &push<true, false>);
  module.def("apply_impulse_at_local_point", &push<true, true>);
  module.def("sleep", [](py::handle self) { sleep(self, py::none()); });
  module.def("sleep_with_group", &sleep);
  module.def("set_type", &set_type);
  module.def("activate", [](py::handle self) { cpBodyActivate(body(self)); });
  module.def("local_to_world", &converted<cpBodyLocalToWorld>);
  module.def("world_to_local", &converted<cpBodyWorldToLocal>);
  module.def("velocity_at_world_point", &converted<cpBodyGetVelocityAtWorldPoint>);
  module.def("velocity_at_local_point", &converted<cpBodyGetVelocityAtLocalPoint>);
  module.def("update_velocity", &update_velocity);
  module.def("update_position", [](py::handle self, py::handle dt) {
    const double time = finite_number(dt, "Body.update_position(dt)");
    cpBodyUpdatePosition(body(self), time);
  });
  module.def("default_force", &default_force);
  module.def("set_function", [](py::handle self, int function, bool on) {
    const Object& object = object_of(self);
    void* inside = object.own != nullptr ? object.own : chipmunk_object(object);  // a pickle's bodies may come later
    set_function(inside, object.kind, static_cast<Function>(function), on);
  });
  module.def("change_function", [](py::handle self, int function, bool on) {  // wakes the bodies, as Chipmunk does
    const Object& object = object_of(self);
    void* changed = chipmunk_object(object);
    if (static_cast<Function>(function) == Function::force) {
      auto* joint = static_cast<cpConstraint*>(changed);
      for (cpBody* of : {joint->a, joint->b}) {
        if (of != nullptr) cpBodyActivate(of);
      }
    }
    set_function(changed, object.kind, static_cast<Function>(function), on);
  });
  module.def("cache_bb", &cache_box);
  module.def("update", [](py::handle self, py::handle transform) {
    const cpTransform by = transform_of(transform, "Shape.update(transform)");
    return tuple_of(cpShapeUpdate(shape(self), by));
  });
  module.def("shape_point_query", &shape_point_query);
  module.def("shape_segment_query", &shape_segment_query);
  module.def("shapes_collide", [](py::handle a, py::handle b) {
    return points_of(cpShapesCollide(shape(a), chipmunk_shape(shape_of(b, "Shape.shapes_collide()"))));
  });
  module.def("unsafe_set_radius", &set_radius);
  module.def("unsafe_set_offset", [](py::handle self, py::handle offset) {
    const cpVect given = vector_of(offset, "offset");
    cpCircleShapeSetOffset(shape_of_kind(self, Kind::circle), given);
  });
  module.def("unsafe_set_endpoints", [](py::handle self, py::handle a, py::handle b) {
    const cpVect from = vector_of(a, "a"), to = vector_of(b, "b");
    cpSegmentShapeSetEndpoints(shape_of_kind(self, Kind::segment), from, to);
  });
  module.def("set_neighbors", [](py::handle self, py::handle a, py::handle b) {
    const cpVect from = vector_of(a, "prev"), to = vector_of(b, "next");
    cpSegmentShapeSetNeighbors(shape_of_kind(self, Kind::segment), from, to);
  });
  module.def("unsafe_set_vertices", &set_vertices);
}

}  // namespace forkmunk::python
