#include "space_core.h"

#include <cmath>

namespace forkmunk::python {
namespace {

double distance_of(py::handle object, const char* what) {
  const double value = finite_number(object, what);
  if (value >= 0) return value;
  throw Error(std::string(what) + ": found " + described(object) + ", expected 0 or more");
}

py::list point_query(SpaceCore& self, py::handle point, py::handle distance, py::handle filter) {
  py::list found;
  cpSpacePointQuery(
      self.chipmunk(), vector_of(point, "point_query(point)"), distance_of(distance, "point_query(max_distance)"),
      filter_of(filter, "point_query(shape_filter)"),
      [](cpShape* shape, cpVect at, cpFloat away, cpVect gradient, void* data) {
        static_cast<py::list*>(data)->append(py::make_tuple(id_of(shape), tuple_of(at), away, tuple_of(gradient)));
      },
      &found);
  return found;
}

py::object point_query_nearest(SpaceCore& self, py::handle point, py::handle distance, py::handle filter) {
  cpPointQueryInfo info;
  const cpShape* shape = cpSpacePointQueryNearest(self.chipmunk(), vector_of(point, "point_query_nearest(point)"),
                                                  distance_of(distance, "point_query_nearest(max_distance)"),
                                                  filter_of(filter, "point_query_nearest(shape_filter)"), &info);
  if (shape == nullptr) return py::none();
  return py::make_tuple(id_of(shape), tuple_of(info.point), info.distance, tuple_of(info.gradient));
}

py::list segment_query(SpaceCore& self, py::handle start, py::handle end, py::handle radius, py::handle filter) {
  py::list found;
  cpSpaceSegmentQuery(
      self.chipmunk(), vector_of(start, "segment_query(start)"), vector_of(end, "segment_query(end)"),
      distance_of(radius, "segment_query(radius)"), filter_of(filter, "segment_query(shape_filter)"),
      [](cpShape* shape, cpVect point, cpVect normal, cpFloat alpha, void* data) {
        static_cast<py::list*>(data)->append(py::make_tuple(id_of(shape), tuple_of(point), tuple_of(normal), alpha));
      },
      &found);
  return found;
}

py::object segment_query_first(SpaceCore& self, py::handle start, py::handle end, py::handle radius,
                               py::handle filter) {
  cpSegmentQueryInfo info;
  const cpShape* shape = cpSpaceSegmentQueryFirst(self.chipmunk(), vector_of(start, "segment_query_first(start)"),
                                                  vector_of(end, "segment_query_first(end)"),
                                                  distance_of(radius, "segment_query_first(radius)"),
                                                  filter_of(filter, "segment_query_first(shape_filter)"), &info);
  if (shape == nullptr) return py::none();
  return py::make_tuple(id_of(shape), tuple_of(info.point), tuple_of(info.normal), info.alpha);
}

py::list bb_query(SpaceCore& self, double left, double bottom, double right, double top, py::handle filter) {
  for (const double side : {left, bottom, right, top}) {
    if (!std::isfinite(side)) throw Error("bb_query(bb): found a side that is not finite, expected finite numbers");
  }
  py::list found;
  cpSpaceBBQuery(
      self.chipmunk(), cpBBNew(left, bottom, right, top), filter_of(filter, "bb_query(shape_filter)"),
      [](cpShape* shape, void* data) { static_cast<py::list*>(data)->append(id_of(shape)); }, &found);
  return found;
}

void append_contacts(cpShape* shape, cpContactPointSet* set, void* data) {
  py::list points;
  for (int i = 0; i < set->count; ++i) {
    points.append(
        py::make_tuple(tuple_of(set->points[i].pointA), tuple_of(set->points[i].pointB), set->points[i].distance));
  }
  static_cast<py::list*>(data)->append(py::make_tuple(id_of(shape), tuple_of(set->normal), points));
}

py::list shape_query(SpaceCore& self, std::uint64_t shape) {
  py::list found;
  cpSpaceShapeQuery(self.chipmunk(), self.shape(shape), &append_contacts, &found);
  return found;
}

// With a shape that is in no space: it and a body for it are made for the query.
py::list shape_query_with(SpaceCore& self, py::handle position, py::handle angle, const py::dict& shape,
                          py::handle filter) {
  cpSpace* space = self.chipmunk();
  const std::unique_ptr<cpBody, void (*)(cpBody*)> body(cpBodyNewKinematic(), &cpBodyFree);
  cpBodySetAngle(body.get(), finite_number(angle, "shape_query(shape).body.angle"));
  cpBodySetPosition(body.get(), vector_of(position, "shape_query(shape).body.position"));
  const std::unique_ptr<cpShape, void (*)(cpShape*)> made(make_shape(body.get(), shape), &cpShapeFree);
  cpShapeSetFilter(made.get(), filter_of(filter, "shape_query(shape).filter"));
  py::list found;
  cpSpaceShapeQuery(space, made.get(), &append_contacts, &found);
  return found;
}

void reindex(SpaceCore& self, std::optional<std::uint64_t> id) {
  self.require_rest("Space.reindex_…()");
  cpSpace* space = self.chipmunk();
  if (!id) {
    cpSpaceReindexStatic(space);
  } else if (self.entry(*id).kind == ObjectKind::body) {
    cpSpaceReindexShapesForBody(space, self.body(*id));
  } else {
    cpSpaceReindexShape(space, self.shape(*id));
  }
}

double moment_for(const std::string& kind, double mass, const std::vector<cpVect>& points, double inner, double outer) {
  if (kind == "circle") return cpMomentForCircle(mass, inner, outer, points[0]);
  if (kind == "segment") return cpMomentForSegment(mass, points[0], points[1], outer);
  return cpMomentForBox(mass, points[0].x, points[0].y);
}

}  // namespace

void add_space_queries(py::module_& module, py::class_<SpaceCore>& type) {
  type.def("point_query", &point_query)
      .def("point_query_nearest", &point_query_nearest)
      .def("segment_query", &segment_query)
      .def("segment_query_first", &segment_query_first)
      .def("bb_query", &bb_query)
      .def("shape_query", &shape_query)
      .def("shape_query_with", &shape_query_with)
      .def("reindex", &reindex, py::arg("id") = py::none());
  const auto number = [](py::handle object, const char* what) { return distance_of(object, what); };
  module.def("moment_for_circle", [number](py::handle mass, py::handle inner, py::handle outer, py::handle offset) {
    return moment_for("circle", number(mass, "mass"), {vector_of(offset, "offset")}, number(inner, "inner_radius"),
                      number(outer, "outer_radius"));
  });
  module.def("moment_for_segment", [number](py::handle mass, py::handle a, py::handle b, py::handle radius) {
    return moment_for("segment", number(mass, "mass"), {vector_of(a, "a"), vector_of(b, "b")}, 0,
                      number(radius, "radius"));
  });
  module.def("moment_for_box", [number](py::handle mass, py::handle size) {
    return moment_for("box", number(mass, "mass"), {vector_of(size, "size")}, 0, 0);
  });
  module.def("moment_for_poly", [number](py::handle mass, py::handle vertices, py::handle offset, py::handle radius) {
    const std::vector<cpVect> points = vectors_of(vertices, "vertices");
    if (points.size() < 2) throw Error("moment_for_poly(vertices): found fewer than 2, expected 2 or more");
    return cpMomentForPoly(number(mass, "mass"), static_cast<int>(points.size()), points.data(),
                           vector_of(offset, "offset"), number(radius, "radius"));
  });
  module.def("area_for_poly", [number](py::handle vertices, py::handle radius) {
    const std::vector<cpVect> points = vectors_of(vertices, "vertices");
    return cpAreaForPoly(static_cast<int>(points.size()), points.data(), number(radius, "radius"));
  });
  module.def("convex_hull", [](py::handle vertices) {
    const std::vector<cpVect> points = vectors_of(vertices, "vertices");
    py::list hull;
    if (points.empty()) return hull;
    std::vector<cpVect> found(points.size() + 1);  // cpConvexHull reads one past its result
    const int count = cpConvexHull(static_cast<int>(points.size()), points.data(), found.data(), nullptr, 0);
    for (int i = 0; i < count; ++i) hull.append(tuple_of(found[static_cast<std::size_t>(i)]));
    return hull;
  });
}

}  // namespace forkmunk::python
