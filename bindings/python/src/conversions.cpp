// SPDX-License-Identifier: MIT
#include "conversions.h"

#include "arguments.h"
#include "module.h"

#include <cmath>

namespace forkmunk::python {

double any_number(py::handle object, std::string_view what) {
  const double value = PyFloat_AsDouble(object.ptr());
  if (value == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    refuse_type(what, object, "a number");
  }
  return value;
}

double finite_number(py::handle object, std::string_view what) {
  const double value = any_number(object, what);
  if (!std::isfinite(value)) refuse_value(what, object, "a finite number");
  return value;
}

std::size_t count_or_bool(py::handle object, std::string_view what, std::size_t least, std::size_t most) {
  if (PyBool_Check(object.ptr()) == 0) return count_of(object, what, least, most);
  return count_of(py::int_(object.ptr() == Py_True ? 1 : 0), what, least, most);
}

double not_negative(py::handle object, std::string_view what) {
  const double value = finite_number(object, what);
  if (value >= 0) return value;
  refuse_value(what, object, "0 or more");
}

bool read_usual(py::handle object, double& number) noexcept {
  if (PyFloat_CheckExact(object.ptr()) != 0) {
    number = PyFloat_AS_DOUBLE(object.ptr());
  } else if (PyLong_CheckExact(object.ptr()) != 0) {
    number = PyLong_AsDouble(object.ptr());
    if (number == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      return false;
    }
  } else {
    return false;
  }
  return std::isfinite(number);
}

bool read_usual(py::handle object, cpVect& vector) noexcept {
  return PyTuple_Check(object.ptr()) != 0 && PyTuple_GET_SIZE(object.ptr()) == 2 &&
         read_usual(PyTuple_GET_ITEM(object.ptr(), 0), vector.x) &&
         read_usual(PyTuple_GET_ITEM(object.ptr(), 1), vector.y);
}

cpVect vector_of(py::handle object, std::string_view what) {
  cpVect usual;
  if (read_usual(object, usual)) return usual;
  const Py_ssize_t length = py::isinstance<py::str>(object) ? -1 : length_of(object);
  if (length < 0) refuse_type(what, object, "a pair of numbers");
  if (length != 2) refuse_value(what, object, "a pair of numbers");
  const auto pair = py::reinterpret_borrow<py::sequence>(object);
  return cpv(finite_number(pair[0], std::string(what) + "[0]"), finite_number(pair[1], std::string(what) + "[1]"));
}

std::vector<cpVect> vectors_of(py::handle object, std::string_view what) {
  if (!py::isinstance<py::iterable>(object) || py::isinstance<py::str>(object))
    refuse_type(what, object, "a list of pairs of numbers");
  std::vector<cpVect> vectors;
  for (const py::handle point : object) {
    cpVect vector;
    if (!read_usual(point, vector))
      vector = vector_of(point, std::string(what) + "[" + std::to_string(vectors.size()) + "]");
    vectors.push_back(vector);
  }
  return vectors;
}

std::vector<cpVect> vertices_of(py::handle object, py::handle transform, std::string_view what) {
  std::vector<cpVect> vertices = vectors_of(object, what);
  if (vertices.empty() || vertices.size() > kVerticesMax)
    refuse_value(what, std::to_string(vertices.size()), "1 to " + std::to_string(kVerticesMax));
  if (transform.is_none()) return vertices;
  const cpTransform by = transform_of(transform, "transform");
  for (cpVect& vertex : vertices) vertex = cpTransformPoint(by, vertex);
  return vertices;
}

std::vector<cpVect> hull_of(std::vector<cpVect> vertices, int* first) {
  const auto count = static_cast<int>(vertices.size());
  vertices.resize(vertices.size() + 1);  // cpConvexHull() reads one past its result
  vertices.resize(static_cast<std::size_t>(cpConvexHull(count, vertices.data(), vertices.data(), first, 0)));
  return vertices;
}

// \throws TypeError for what is no sequence of `count` parts
static py::sequence parts_of(py::handle object, Py_ssize_t count, std::string_view what, const char* expected) {
  if (length_of(object) != count) refuse_type(what, object, expected);
  return py::reinterpret_borrow<py::sequence>(object);
}

cpTransform transform_of(py::handle object, std::string_view what) {
  const py::sequence parts = parts_of(object, 6, what, "a Transform: six numbers");
  double values[6];
  for (std::size_t i = 0; i < 6; ++i) values[i] = finite_number(parts[i], what);
  return cpTransformNew(values[0], values[1], values[2], values[3], values[4], values[5]);
}

cpShapeFilter filter_of(py::handle object, std::string_view what) {
  const py::sequence parts = parts_of(object, 3, what, "ShapeFilter(group, categories, mask)");
  const auto bits = [&](std::size_t i) { return count_or_bool(parts[i], what, 0, 0xffffffff); };
  const std::size_t group = count_or_bool(parts[0], what), categories = bits(1), mask = bits(2);
  return cpShapeFilterNew(group, static_cast<cpBitmask>(categories), static_cast<cpBitmask>(mask));
}

cpBB box_of(py::handle object, std::string_view what) {
  const py::sequence parts = parts_of(object, 4, what, "a BB: four numbers");
  double sides[4];
  for (std::size_t i = 0; i < 4; ++i) {
    sides[i] = any_number(parts[i], std::string(what) + "[" + std::to_string(i) + "]");
    if (std::isnan(sides[i])) throw Error(what, ": found a side that is NaN, expected numbers");
  }
  return cpBBNew(sides[0], sides[1], sides[2], sides[3]);
}

py::tuple tuple_of(const cpBB& box) { return py::make_tuple(box.l, box.b, box.r, box.t); }

py::tuple tuple_of(const cpShapeFilter& filter) { return py::make_tuple(filter.group, filter.categories, filter.mask); }

namespace {
PyTypeObject* vector_type = nullptr;  // forkmunk.Vec2d: derived from tuple, without new members
}  // namespace

py::object tuple_of(cpVect v) {
  if (vector_type == nullptr) return py::make_tuple(v.x, v.y);
  py::object vector = taken(vector_type->tp_alloc(vector_type, 2));
  PyTuple_SET_ITEM(vector.ptr(), 0, PyFloat_FromDouble(v.x));
  PyTuple_SET_ITEM(vector.ptr(), 1, PyFloat_FromDouble(v.y));
  return vector;
}

py::list tuples_of(std::span<const cpVect> vectors) {
  py::list list;
  for (const cpVect vector : vectors) list.append(tuple_of(vector));
  return list;
}

py::tuple tuple_of(const cpContactPointSet& set) {
  py::list points;
  for (int i = 0; i < set.count; ++i) {
    points.append(
        py::make_tuple(tuple_of(set.points[i].pointA), tuple_of(set.points[i].pointB), set.points[i].distance));
  }
  return py::make_tuple(tuple_of(set.normal), points);
}

void add_conversions(py::module_& module) {
  module.def("use_vector_type",
             [](py::type type) { vector_type = reinterpret_cast<PyTypeObject*>(type.release().ptr()); });
}

}  // namespace forkmunk::python
