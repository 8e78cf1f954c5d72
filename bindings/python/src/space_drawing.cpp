#include "module.h"
#include "space_core.h"

/// Space.debug_draw(): Chipmunk's drawing as a list of what is to be drawn, so that Python's errors do not pass through
/// it.
namespace forkmunk::python {
namespace {

py::list& list_at(void* data) { return *static_cast<py::list*>(data); }

// A shape's id, then what it looks like: Chipmunk asks for the colour first.
cpSpaceDebugColor color_for_shape(cpShape* shape, void* data) {
  list_at(data).append(py::make_tuple("shape", id_of(shape)));
  return {};
}

void draw_circle(cpVect position, cpFloat angle, cpFloat radius, cpSpaceDebugColor, cpSpaceDebugColor, void* data) {
  list_at(data).append(py::make_tuple("circle", tuple_of(position), angle, radius));
}

void draw_segment(cpVect a, cpVect b, cpSpaceDebugColor color, void* data) {
  list_at(data).append(py::make_tuple(color.r > 0 ? "contact" : "segment", tuple_of(a), tuple_of(b)));
}

void draw_fat_segment(cpVect a, cpVect b, cpFloat radius, cpSpaceDebugColor, cpSpaceDebugColor, void* data) {
  list_at(data).append(py::make_tuple("fat_segment", tuple_of(a), tuple_of(b), radius));
}

void draw_polygon(int count, const cpVect* vertices, cpFloat radius, cpSpaceDebugColor, cpSpaceDebugColor, void* data) {
  py::list points;
  for (int i = 0; i < count; ++i) points.append(tuple_of(vertices[i]));
  list_at(data).append(py::make_tuple("polygon", points, radius));
}

void draw_dot(cpFloat size, cpVect position, cpSpaceDebugColor, void* data) {
  list_at(data).append(py::make_tuple("dot", size, tuple_of(position)));
}

/// Tuples, in the order of drawing: ("shape", id) and then ("circle", position, angle, radius), ("fat_segment", a, b,
/// radius) or ("polygon", points, radius); joints' ("dot", size, position) and ("segment", a, b); ("contact", a, b).
py::list drawn(py::handle space, unsigned flags) {
  py::list list;
  cpSpaceDebugDrawOptions options{};
  options.drawCircle = &draw_circle;
  options.drawSegment = &draw_segment;
  options.drawFatSegment = &draw_fat_segment;
  options.drawPolygon = &draw_polygon;
  options.drawDot = &draw_dot;
  options.colorForShape = &color_for_shape;
  options.flags = static_cast<cpSpaceDebugDrawFlags>(flags & 7u);
  options.collisionPointColor.r = 1;
  options.data = &list;
  cpSpaceDebugDraw(space.attr("_core").cast<SpaceCore&>().chipmunk(), &options);
  return list;
}

}  // namespace

void add_space_drawing(py::module_& module) { module.def("drawn", &drawn); }

}  // namespace forkmunk::python
