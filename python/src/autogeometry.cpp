#include "module.h"
#include "space_core.h"

#include <cstddef>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

extern "C" {
#include <chipmunk/cpMarch.h>
#include <chipmunk/cpPolyline.h>
}

/// forkmunk.pymunk.autogeometry: Chipmunk's marching squares and polylines. Everything allocated is freed before a call
/// returns.
namespace forkmunk::python {
namespace {

using Line = std::unique_ptr<cpPolyline, void (*)(cpPolyline*)>;

/// A polyline that Chipmunk reads.
class Input {
 public:
  Input(py::handle points, const char* what, std::size_t count_min)
      : vertices_(vectors_of(points, what)),
        bytes_(std::make_unique<std::byte[]>(sizeof(cpPolyline) + vertices_.size() * sizeof(cpVect))) {
    if (vertices_.size() < count_min) {
      throw Error(std::string(what) + ": found " + std::to_string(vertices_.size()) + " points, expected " +
                  std::to_string(count_min) + " or more");
    }
    auto* line = get();
    line->count = line->capacity = static_cast<int>(vertices_.size());
    std::copy(vertices_.begin(), vertices_.end(), line->verts);
  }
  [[nodiscard]] cpPolyline* get() const { return reinterpret_cast<cpPolyline*>(bytes_.get()); }

 private:
  std::vector<cpVect> vertices_;
  std::unique_ptr<std::byte[]> bytes_;
};

py::list list_of(const cpPolyline& line) {
  py::list points;
  for (int i = 0; i < line.count; ++i) points.append(tuple_of(line.verts[i]));
  return points;
}

py::list simplified(cpPolyline* (*simplify)(cpPolyline*, cpFloat), py::handle points, py::handle tolerance) {
  const Input input(points, "polyline", 2);
  const Line line(simplify(input.get(), finite_number(tolerance, "tolerance")), &cpPolylineFree);
  return list_of(*line);
}

py::list convex_decomposition(py::handle points, py::handle tolerance) {
  const Input input(points, "polyline", 4);
  const auto free_set = [](cpPolylineSet* set) { cpPolylineSetFree(set, cpTrue); };
  const std::unique_ptr<cpPolylineSet, decltype(free_set)> set(
      cpPolylineConvexDecomposition(input.get(), finite_number(tolerance, "tolerance")), free_set);
  py::list lines;
  for (int i = 0; i < set->count; ++i) lines.append(list_of(*set->lines[i]));
  return lines;
}

/// What the callbacks of a march share. An exception must not pass through Chipmunk's frames, which hold memory.
struct March {
  py::handle sample;
  std::vector<std::pair<cpVect, cpVect>> segments;
  std::exception_ptr error;

  static cpFloat sample_at(cpVect point, void* data) {
    auto& march = *static_cast<March*>(data);
    if (march.error) return 0;
    try {
      return march.sample(py::make_tuple(point.x, point.y)).cast<double>();
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

unsigned long samples_of(py::handle count, const char* what) {
  const std::size_t value = count_of(count, what);
  if (value >= 2 && value <= 1u << 24) return value;
  throw Error(std::string(what) + ": found " + described(count) + ", expected 2 to 16777216");
}

py::list march(bool soft, const std::vector<double>& box, py::handle x_samples, py::handle y_samples,
               py::handle threshold, py::handle sample) {
  if (box.size() != 4) throw Error("bb: expected a BB");
  March state{sample, {}, {}};
  (soft ? &cpMarchSoft : &cpMarchHard)({box[0], box[1], box[2], box[3]}, samples_of(x_samples, "x_samples"),
                                       samples_of(y_samples, "y_samples"), finite_number(threshold, "threshold"),
                                       &March::add_segment, &state, &March::sample_at, &state);
  if (state.error) std::rethrow_exception(state.error);
  py::list segments;
  for (const auto& [first, second] : state.segments) segments.append(py::make_tuple(tuple_of(first), tuple_of(second)));
  return segments;
}

}  // namespace

void add_autogeometry(py::module_& module) {
  module.def("simplify_curves", [](py::handle points, py::handle tolerance) {
    return simplified(&cpPolylineSimplifyCurves, points, tolerance);
  });
  module.def("simplify_vertexes", [](py::handle points, py::handle tolerance) {
    return simplified(&cpPolylineSimplifyVertexes, points, tolerance);
  });
  module.def("to_convex_hull", [](py::handle points, py::handle tolerance) {
    return simplified(&cpPolylineToConvexHull, points, tolerance);
  });
  module.def("convex_decomposition", &convex_decomposition);
  module.def("march", &march);
}

}  // namespace forkmunk::python
