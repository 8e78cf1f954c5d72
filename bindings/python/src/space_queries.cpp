// SPDX-License-Identifier: MIT
#include "module.h"
#include "space_core.h"

#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace forkmunk::python {
namespace {

// Negative: the point must be that far inside. Infinite: all shapes are in reach.
double reach_of(py::handle object, const char* what) {
  if (PyFloat_Check(object.ptr()) != 0 && PyFloat_AS_DOUBLE(object.ptr()) == INFINITY) return INFINITY;
  return finite_number(object, what);
}

std::vector<cpPointQueryInfo> near(cpSpace* space, cpVect at, double reach, cpShapeFilter only) {
  std::vector<cpPointQueryInfo> found;
  cpSpacePointQuery(
      space, at, reach, only,
      [](cpShape* shape, cpVect where, cpFloat away, cpVect gradient, void* data) {
        static_cast<std::vector<cpPointQueryInfo>*>(data)->push_back({shape, where, away, gradient});
      },
      &found);
  return found;
}

template <typename Info>
py::object listed(py::handle space, const std::vector<Info>& infos) {
  const SpaceCore& core = core_of(space);
  py::list found;
  for (const Info& info : infos) found.append(info_of(thing_of(space, core, id_of(info.shape)), info));
  return found;
}
template <typename Info>
py::object info_or_none(py::handle space, const Info& info) {
  return info.shape == nullptr ? py::none() : info_of(thing_of(space, core_of(space), id_of(info.shape)), info);
}

py::object point_query(py::handle space, py::handle point, py::handle distance, py::handle filter) {
  const cpVect at = vector_of(point, "point_query(point)");
  const double reach = reach_of(distance, "point_query(max_distance)");
  const cpShapeFilter only = filter_of(filter, "point_query(shape_filter)");
  return listed(space, near(core_of(space).chipmunk(), at, reach, only));
}

// Version 6 leaves sensors out.
py::object point_query_nearest(py::handle space, py::handle point, py::handle distance, py::handle filter) {
  const cpVect at = vector_of(point, "point_query_nearest(point)");
  const double reach = reach_of(distance, "point_query_nearest(max_distance)");
  const cpShapeFilter only = filter_of(filter, "point_query_nearest(shape_filter)");
  const bool sensors = is_version_7();
  cpPointQueryInfo best{nullptr, cpvzero, reach, cpvzero};
  for (const cpPointQueryInfo& info : near(core_of(space).chipmunk(), at, reach, only)) {
    if (!sensors && cpShapeGetSensor(info.shape) != cpFalse) continue;
    if (best.shape == nullptr || info.distance < best.distance) best = info;
  }
  return info_or_none(space, best);
}

py::object segment_query(py::handle space, py::handle start, py::handle end, py::handle radius, py::handle filter) {
  const cpVect from = vector_of(start, "segment_query(start)"), to = vector_of(end, "segment_query(end)");
  const double thickness = not_negative(radius, "segment_query(radius)");
  const cpShapeFilter only = filter_of(filter, "segment_query(shape_filter)");
  std::vector<cpSegmentQueryInfo> found;
  cpSpaceSegmentQuery(
      core_of(space).chipmunk(), from, to, thickness, only,
      [](cpShape* shape, cpVect point, cpVect normal, cpFloat alpha, void* data) {
        static_cast<std::vector<cpSegmentQueryInfo>*>(data)->push_back({shape, point, normal, alpha});
      },
      &found);
  return listed(space, found);
}

// Version 6 leaves sensors out.
py::object segment_query_first(py::handle space, py::handle start, py::handle end, py::handle radius,
                               py::handle filter) {
  const cpVect from = vector_of(start, "segment_query_first(start)"), to = vector_of(end, "segment_query_first(end)");
  const double thickness = not_negative(radius, "segment_query_first(radius)");
  const cpShapeFilter only = filter_of(filter, "segment_query_first(shape_filter)");
  const auto query = is_version_7() ? &space::segment_query_first_of_pymunk_7 : &cpSpaceSegmentQueryFirst;
  cpSegmentQueryInfo best;
  query(core_of(space).chipmunk(), from, to, thickness, only, &best);
  return info_or_none(space, best);
}

py::object bb_query(py::handle space, py::handle bb, py::handle filter) {
  const cpBB box = box_of(bb, "bb_query(bb)");
  const cpShapeFilter only = filter_of(filter, "bb_query(shape_filter)");
  std::vector<std::uint64_t> met;
  cpSpaceBBQuery(
      core_of(space).chipmunk(), box, only,
      [](cpShape* shape, void* data) { static_cast<std::vector<std::uint64_t>*>(data)->push_back(id_of(shape)); },
      &met);
  py::list found;
  for (const std::uint64_t id : met) found.append(thing_of(space, core_of(space), id));
  return found;
}

py::object shape_query(py::handle space, py::handle given) {
  cpShape* shape = chipmunk_shape(shape_of(given, "Space.shape_query(shape)"));
  std::vector<std::pair<std::uint64_t, cpContactPointSet>> met;
  cpSpaceShapeQuery(
      core_of(space).chipmunk(), shape,
      [](cpShape* other, cpContactPointSet* set, void* data) {
        static_cast<decltype(met)*>(data)->emplace_back(id_of(other), *set);
      },
      &met);
  static PyObject* type = nullptr;
  py::list found;
  for (const auto& [id, set] : met) {
    found.append(made_by(type, "forkmunk.geometry", "ShapeQueryInfo",
                         py::make_tuple(thing_of(space, core_of(space), id), points_of(set))));
  }
  return found;
}

}  // namespace

py::object info_of(const py::object& shape, const cpPointQueryInfo& info) {
  static PyObject* type = nullptr;
  return made_by(type, "forkmunk.geometry", "PointQueryInfo",
                 py::make_tuple(shape, tuple_of(info.point), info.distance, tuple_of(info.gradient)));
}
py::object info_of(const py::object& shape, const cpSegmentQueryInfo& info) {
  static PyObject* type = nullptr;
  return made_by(type, "forkmunk.geometry", "SegmentQueryInfo",
                 py::make_tuple(shape, tuple_of(info.point), tuple_of(info.normal), info.alpha));
}
py::object points_of(const cpContactPointSet& set) {
  static PyObject* make = nullptr;
  return made_by(make, "forkmunk.geometry", "_contacts", tuple_of(set));
}

// Space.debug_draw() gets a list of things to draw, so that Python's errors do not pass through Chipmunk.

namespace {

struct Drawing {
  cpTransform transform;
  double scale, turn;  // of the transform
  py::list calls{};

  [[nodiscard]] py::object at(cpVect point) const { return tuple_of(cpTransformPoint(transform, point)); }
  template <typename... Values>
  void add(const char* name, Values&&... values) {
    calls.append(py::make_tuple(name, std::forward<Values>(values)...));
  }
};
Drawing& drawing(void* data) { return *static_cast<Drawing*>(data); }

// Chipmunk asks for a shape's colour before it draws the shape.
cpSpaceDebugColor color_for_shape(cpShape* shape, void* data) {
  drawing(data).add("shape", id_of(shape));
  return {};
}

void draw_circle(cpVect position, cpFloat angle, cpFloat radius, cpSpaceDebugColor, cpSpaceDebugColor, void* data) {
  Drawing& all = drawing(data);
  all.add("draw_circle", all.at(position), angle + all.turn, radius * all.scale);
}

void draw_segment(cpVect a, cpVect b, cpSpaceDebugColor color, void* data) {
  if (std::isnan(a.x) || std::isnan(a.y) || std::isnan(b.x) || std::isnan(b.y)) return;  // a spring of no length
  Drawing& all = drawing(data);
  all.add(color.r > 0 ? "contact" : "draw_segment", all.at(a), all.at(b));
}

void draw_fat_segment(cpVect a, cpVect b, cpFloat radius, cpSpaceDebugColor, cpSpaceDebugColor, void* data) {
  Drawing& all = drawing(data);
  all.add("draw_fat_segment", all.at(a), all.at(b), radius * all.scale);
}

void draw_polygon(int count, const cpVect* vertices, cpFloat radius, cpSpaceDebugColor, cpSpaceDebugColor, void* data) {
  Drawing& all = drawing(data);
  py::list points;
  for (const cpVect& vertex : std::span(vertices, static_cast<std::size_t>(count))) points.append(all.at(vertex));
  all.add("draw_polygon", std::move(points), radius * all.scale);
}

void draw_dot(cpFloat size, cpVect position, cpSpaceDebugColor, void* data) {
  drawing(data).add("draw_dot", size, drawing(data).at(position));
}

/// Returns tuples in the order of drawing: ("shape", id) before the name and first arguments of a drawing function, and
/// ("contact", a, b).
py::list drawn(py::handle space, unsigned flags, py::handle transform, double scale, double turn) {
  Drawing all{transform_of(transform, "SpaceDebugDrawOptions.transform"), scale, turn};
  cpSpaceDebugDrawOptions options{};
  options.drawCircle = &draw_circle;
  options.drawSegment = &draw_segment;
  options.drawFatSegment = &draw_fat_segment;
  options.drawPolygon = &draw_polygon;
  options.drawDot = &draw_dot;
  options.colorForShape = &color_for_shape;
  options.flags = static_cast<cpSpaceDebugDrawFlags>(flags & 7u);
  options.collisionPointColor.r = 1;
  options.data = &all;
  cpSpaceDebugDraw(core_of(space).chipmunk(), &options);
  return all.calls;
}

}  // namespace

void add_space_queries(py::module_& module) {
  add_function<&point_query>(module, "point_query");
  add_function<&point_query_nearest>(module, "point_query_nearest");
  add_function<&segment_query>(module, "segment_query");
  add_function<&segment_query_first>(module, "segment_query_first");
  add_function<&bb_query>(module, "bb_query");
  add_function<&shape_query>(module, "shape_query");
  const auto mass_of = [](py::handle mass) { return not_negative(mass, "moment_for_...(mass)"); };
  module.def("moment_for_circle", [=](py::handle mass, py::handle inner, py::handle outer, py::handle offset) {
    return cpMomentForCircle(mass_of(mass), not_negative(inner, "moment_for_circle(inner_radius)"),
                             not_negative(outer, "moment_for_circle(outer_radius)"),
                             vector_of(offset, "moment_for_circle(offset)"));
  });
  module.def("moment_for_segment", [=](py::handle mass, py::handle a, py::handle b, py::handle radius) {
    return cpMomentForSegment(mass_of(mass), vector_of(a, "moment_for_segment(a)"),
                              vector_of(b, "moment_for_segment(b)"),
                              not_negative(radius, "moment_for_segment(radius)"));
  });
  module.def("moment_for_box", [=](py::handle mass, py::handle size) {
    const cpVect sides = vector_of(size, "moment_for_box(size)");
    return cpMomentForBox(mass_of(mass), sides.x, sides.y);
  });
  module.def("moment_for_poly", [=](py::handle mass, py::handle vertices, py::handle offset, py::handle radius) {
    const std::vector<cpVect> points = vectors_of(vertices, "moment_for_poly(vertices)");
    if (points.size() < 2) throw Error("moment_for_poly(vertices): found fewer than 2, expected 2 or more");
    return cpMomentForPoly(mass_of(mass), static_cast<int>(points.size()), points.data(),
                           vector_of(offset, "moment_for_poly(offset)"),
                           not_negative(radius, "moment_for_poly(radius)"));
  });
  module.def("area_for_poly", [](py::handle vertices, py::handle radius) {
    const std::vector<cpVect> points = vectors_of(vertices, "area_for_poly(vertices)");
    return cpAreaForPoly(static_cast<int>(points.size()), points.data(), not_negative(radius, "area_for_poly(radius)"));
  });
  module.def("drawn", &drawn);
}

}  // namespace forkmunk::python
