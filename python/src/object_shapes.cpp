#include "space_core.h"
#include "space_fields.h"

#include <cmath>

#include <chipmunk/chipmunk_structs.h>
#include <chipmunk/chipmunk_unsafe.h>

/// What Python calls of shapes.
namespace forkmunk::python {
namespace {

cpShape* shape(py::handle self) { return chipmunk_shape(shape_of(self, "shape")); }

cpShape* shape_of_kind(py::handle self, Kind kind) {
  const Object& object = shape_of(self, "shape");
  if (object.kind != kind)
    throw py::type_error("found " + described(self) + ", expected a " + std::string(name_of(kind)));
  cpShape* found = chipmunk_shape(object);
  refuse_to_wake(object, found);
  return found;
}

py::tuple tuple_of_box(const cpBB& box) { return py::make_tuple(box.l, box.b, box.r, box.t); }

py::tuple cache_box(py::handle self) {
  cpShape* found = shape(self);
  if (found->body == nullptr) throw Error("Shape.cache_bb(): found a shape without a body; use update(transform)");
  return tuple_of_box(cpShapeCacheBB(found));
}

py::tuple shape_point_query(py::handle self, py::handle point) {
  const cpVect at = vector_of(point, "Shape.point_query(p)");
  cpPointQueryInfo info{};
  cpShapePointQuery(shape(self), at, &info);
  return py::make_tuple(tuple_of(info.point), info.distance, tuple_of(info.gradient));
}

py::object shape_segment_query(py::handle self, py::handle start, py::handle end, py::handle radius) {
  const cpVect from = vector_of(start, "Shape.segment_query(start)"), to = vector_of(end, "Shape.segment_query(end)");
  const double thickness = finite_number(radius, "Shape.segment_query(radius)");
  cpSegmentQueryInfo info{};
  const bool met = cpShapeSegmentQuery(shape(self), from, to, thickness, &info) != cpFalse;
  return py::make_tuple(met, tuple_of(info.point), tuple_of(info.normal), info.alpha);
}

double length_of(py::handle value, const char* what) {
  const double length = finite_number(value, what);
  if (length >= 0) return length;
  throw Error(std::string(what) + ": found " + described(value) + ", expected 0 or more");
}

void set_radius(py::handle self, py::handle radius) {
  const double given = length_of(radius, "radius");
  const Kind kind = shape_of(self, "shape").kind;
  cpShape* found = shape_of_kind(self, kind);
  const auto set = kind == Kind::circle    ? &cpCircleShapeSetRadius
                   : kind == Kind::segment ? &cpSegmentShapeSetRadius
                                           : &cpPolyShapeSetRadius;
  set(found, given);
}

void set_vertices(py::handle self, py::handle vertices, py::handle transform) {
  std::vector<cpVect> points = vertices_of(vertices, transform, "vertices");
  if (!transform.is_none()) points = hull_of(points);
  Object& object = shape_of(self, "shape");
  cpShape* found = shape_of_kind(self, Kind::poly);
  SpaceCore* core = object.own == nullptr ? core_of(object) : nullptr;
  const double area = cpAreaForPoly(static_cast<int>(points.size()), points.data(), 0);
  if (core != nullptr && (points.size() < 3 || !(area > 0)))
    throw Error("Poly.unsafe_set_vertices(): found points in a line or clockwise, expected a polygon with an area");
  if (core != nullptr) {
    const auto scope = core->get().enter();
    cpPolyShapeSetVertsRaw(found, static_cast<int>(points.size()), points.data());
  } else {
    cpPolyShapeSetVertsRaw(found, static_cast<int>(points.size()), points.data());
  }
}

}  // namespace

cpShape* collidable(py::handle given, const char* what) { return chipmunk_shape(shape_of(given, what)); }

void add_shapes(py::module_& module) {
  module.def("cache_bb", &cache_box);
  module.def("update_bb", [](py::handle self, py::handle transform) {
    const cpTransform by = transform_of(transform, "Shape.update(transform)");
    return tuple_of_box(cpShapeUpdate(shape(self), by));
  });
  module.def("shape_point_query", &shape_point_query);
  module.def("shape_segment_query", &shape_segment_query);
  module.def("shapes_collide", [](py::handle a, py::handle b) {
    return tuple_of(cpShapesCollide(collidable(a, "Shape.shapes_collide()"), collidable(b, "Shape.shapes_collide()")));
  });
  module.def("set_radius", &set_radius);
  module.def("set_offset", [](py::handle self, py::handle offset) {
    const cpVect given = vector_of(offset, "offset");
    cpCircleShapeSetOffset(shape_of_kind(self, Kind::circle), given);
  });
  module.def("set_endpoints", [](py::handle self, py::handle a, py::handle b) {
    const cpVect from = vector_of(a, "a"), to = vector_of(b, "b");
    cpSegmentShapeSetEndpoints(shape_of_kind(self, Kind::segment), from, to);
  });
  module.def("set_neighbors", [](py::handle self, py::handle a, py::handle b) {
    const cpVect from = vector_of(a, "prev"), to = vector_of(b, "next");
    cpSegmentShapeSetNeighbors(shape_of_kind(self, Kind::segment), from, to);
  });
  module.def("set_vertices", &set_vertices);
}

}  // namespace forkmunk::python
