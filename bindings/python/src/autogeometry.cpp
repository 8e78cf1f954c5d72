// SPDX-License-Identifier: MIT
#include "module.h"
#include "space_core.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

extern "C" {
#include <chipmunk/cpMarch.h>
#include <chipmunk/cpPolyline.h>
}

/// Chipmunk's marching squares and polylines, and convex parts.
namespace forkmunk::python {
namespace {

using Line = std::unique_ptr<cpPolyline, void (*)(cpPolyline*)>;

class Input {
 public:
  Input(py::handle points, const char* what, std::size_t count_min)
      : vertices_(vectors_of(points, what)),
        bytes_(std::make_unique<std::byte[]>(sizeof(cpPolyline) + vertices_.size() * sizeof(cpVect))) {
    if (vertices_.size() < count_min)
      refuse_value(what, std::to_string(vertices_.size()) + " points", std::to_string(count_min) + " or more");
    auto* line = get();
    line->count = line->capacity = static_cast<int>(vertices_.size());
    std::copy(vertices_.begin(), vertices_.end(), line->verts);
  }
  [[nodiscard]] cpPolyline* get() const { return reinterpret_cast<cpPolyline*>(bytes_.get()); }

 private:
  std::vector<cpVect> vertices_;
  std::unique_ptr<std::byte[]> bytes_;
};

/// Below 0, Chipmunk's recursion does not end. \throws Error
cpFloat tolerance_of(py::handle object) { return not_negative(object, "tolerance"); }

template <auto simplify>
py::list simplified(py::handle points, py::handle tolerance) {
  const Input input(points, "polyline", 2);
  const Line line(simplify(input.get(), tolerance_of(tolerance)), &cpPolylineFree);
  return tuples_of(std::span(line->verts, static_cast<std::size_t>(line->count)));
}

/// A polygon's vertex that is deepest below a side of its hull, and the side's normal.
struct Notch {
  std::size_t index = 0;
  cpFloat depth = 0;
  cpVect normal{};
};

Notch deepest_notch(const std::vector<cpVect>& polygon, const std::vector<cpVect>& hull, std::size_t first) {
  Notch notch;
  std::size_t at = (first + 1) % polygon.size();
  for (std::size_t side = 0; side < hull.size(); ++side) {
    const cpVect a = hull[side], b = hull[(side + 1) % hull.size()];
    const cpVect normal = cpvnormalize(cpvrperp(cpvsub(a, b)));
    const cpFloat offset = cpvdot(normal, a);
    for (std::size_t steps = 0; steps < polygon.size() && !cpveql(polygon[at], b); ++steps) {
      const cpFloat depth = cpvdot(normal, polygon[at]) - offset;
      if (depth > notch.depth) notch = {at, depth, normal};
      at = (at + 1) % polygon.size();
    }
    at = (at + 1) % polygon.size();
  }
  return notch;
}

/// Returns where the ray from a notch along its normal first meets the polygon, as the side's index plus a fraction of
/// the side, or a negative number.
cpFloat opposite(const std::vector<cpVect>& polygon, const Notch& notch) {
  const cpVect origin = polygon[notch.index];
  cpFloat nearest = INFINITY, found = -1;
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
    const std::size_t side = (notch.index + i) % polygon.size();
    const cpVect a = polygon[side], b = polygon[(side + 1) % polygon.size()];
    const cpFloat left = cpvcross(notch.normal, cpvsub(a, origin)), right = cpvcross(notch.normal, cpvsub(b, origin));
    if (!(left * right <= 0)) continue;
    const cpFloat part = left / (left - right);
    const cpFloat distance = cpvdot(notch.normal, cpvsub(cpvlerp(a, b, part), origin));
    if (!(distance >= 0 && distance <= nearest)) continue;
    nearest = distance;
    found = static_cast<cpFloat>(side) + part;
  }
  return found;
}

/// Unlike cpPolylineConvexDecomposition(), ends on each polygon that crosses itself: after more cuts than others need,
/// the rest becomes hulls.
py::list convex_decomposition(py::handle points, py::handle tolerance) {
  std::vector<cpVect> polygon = vectors_of(points, "polyline");
  if (polygon.size() < 4) throw Error("polyline: found ", polygon.size(), " points, expected 4 or more");
  polygon.pop_back();
  const cpFloat limit = tolerance_of(tolerance);
  std::size_t cuts_left = 4 * polygon.size();
  std::vector<std::vector<cpVect>> todo{std::move(polygon)};
  py::list parts;
  while (!todo.empty()) {
    const std::vector<cpVect> part = std::move(todo.back());
    todo.pop_back();
    int first = 0;
    std::vector<cpVect> hull = hull_of(part, &first);
    if (hull.size() != part.size() && cuts_left > 0) {
      const Notch notch = deepest_notch(part, hull, static_cast<std::size_t>(first));
      const cpFloat cut = notch.depth > limit ? opposite(part, notch) : -1;
      if (cut >= 0) {
        --cuts_left;
        const std::size_t count = part.size();
        const std::size_t side = static_cast<std::size_t>(cut) % count;  // the last side ends in the first vertex
        const std::size_t next = (side + 1) % count;
        const cpVect point = cpvlerp(part[side], part[next], cut - std::floor(cut));
        const std::size_t span = (side + count - notch.index) % count;
        std::vector<cpVect> one, other;
        for (std::size_t i = 0; i <= span; ++i) one.push_back(part[(notch.index + i) % count]);
        for (std::size_t i = 0; i < count - span; ++i) other.push_back(part[(next + i) % count]);
        one.push_back(point);
        other.push_back(point);
        todo.push_back(std::move(other));
        todo.push_back(std::move(one));
        continue;
      }
    }
    hull.push_back(hull.front());
    parts.append(tuples_of(hull));
  }
  return parts;
}

/// An exception must not pass through Chipmunk's frames, which hold memory.
struct March {
  py::handle sample;
  std::vector<std::pair<cpVect, cpVect>> segments;
  std::exception_ptr error;

  static cpFloat sample_at(cpVect point, void* data) {
    auto& march = *static_cast<March*>(data);
    if (march.error) return 0;
    try {
      const py::object found = march.sample(py::make_tuple(point.x, point.y));
      if (PyBool_Check(found.ptr()) != 0) return found.is(py::bool_(true)) ? 1 : 0;
      return finite_number(found, "the result of sample_func");
    } catch (...) {
      march.error = std::current_exception();
      return 0;
    }
  }
  static void add_segment(cpVect first, cpVect second, void* data) {
    auto& march = *static_cast<March*>(data);
    if (!march.error) march.segments.emplace_back(first, second);
  }
};

unsigned long samples_of(py::handle count, const char* what) { return count_of(count, what, 2, 1u << 24); }

py::list march(bool soft, py::handle box, py::handle x_samples, py::handle y_samples, py::handle threshold,
               py::handle sample) {
  if (PyCallable_Check(sample.ptr()) == 0) refuse_type("sample_func", sample, "a function");
  March state{sample, {}, {}};
  (soft ? &cpMarchSoft : &cpMarchHard)(box_of(box, "bb"), samples_of(x_samples, "x_samples"),
                                       samples_of(y_samples, "y_samples"), finite_number(threshold, "threshold"),
                                       &March::add_segment, &state, &March::sample_at, &state);
  if (state.error) std::rethrow_exception(state.error);
  py::list segments;
  for (const auto& [first, second] : state.segments) segments.append(py::make_tuple(tuple_of(first), tuple_of(second)));
  return segments;
}

}  // namespace

void add_autogeometry(py::module_& module) {
  module.def("simplify_curves", &simplified<&cpPolylineSimplifyCurves>);
  module.def("simplify_vertexes", &simplified<&cpPolylineSimplifyVertexes>);
  module.def("to_convex_hull", &simplified<&cpPolylineToConvexHull>);
  module.def("convex_decomposition", &convex_decomposition);
  module.def("march", &march);
}

}  // namespace forkmunk::python
