// SPDX-License-Identifier: MIT
#include "arguments.h"

#include "module.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/excerpt.h>
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/io/message_lines.h>
#include <forkmunk/maps/catalogue.h>

#include <algorithm>
#include <sstream>

namespace forkmunk::python {
namespace {

using engine::Command;

py::object json() { return py::module_::import("json"); }

std::string found_text(py::handle array) {
  const auto shape = array.attr("shape").cast<std::vector<std::ptrdiff_t>>();
  const bool contiguous = array.attr("flags").attr("c_contiguous").cast<bool>();
  return py::str(array.attr("dtype")).cast<std::string>() + " " + shape_text(shape) +
         (contiguous ? "" : ", not C-contiguous");
}

// \param formats  the accepted types of elements, as in ArrayBuffer::format().
class CheckedArray : public ArrayBuffer {
 public:
  CheckedArray(py::handle object, const char* what, std::span<const std::ptrdiff_t> shape, std::string_view formats,
               const char* type)
      : ArrayBuffer(require_array(object, what, shape, type)) {
    const auto fits = [](std::ptrdiff_t expected, Py_ssize_t found) { return expected < 0 || expected == found; };
    const bool good = has_elements() && format().size() == 1 && formats.find(format()) != std::string_view::npos &&
                      is_contiguous() && std::ranges::equal(shape, this->shape(), fits);
    if (!good) refuse_value(what, found_text(object), expected_text(shape, type));
  }

 private:
  static std::string expected_text(std::span<const std::ptrdiff_t> shape, const char* type) {
    return std::string("a C-contiguous NumPy array of ") + type + " " + shape_text(shape);
  }
  static py::handle require_array(py::handle object, const char* what, std::span<const std::ptrdiff_t> shape,
                                  const char* type) {
    if (is_array(object)) return object;
    refuse_type(what, object, expected_text(shape, type));
  }
};

template <typename Setup>
const Setup& named(const Setup* found, const std::string& name, const char* what, const std::string& all) {
  if (found == nullptr) throw Error("found no ", what, " \"", name, "\", expected one of ", all);
  return *found;
}

}  // namespace

std::string utf8_of(py::handle string) {
  return py::bytes(taken(PyUnicode_AsEncodedString(string.ptr(), "utf-8", "backslashreplace")));
}

std::string shape_text(std::span<const std::ptrdiff_t> shape) {
  std::string text = "(";
  for (const std::ptrdiff_t length : shape) text += (length < 0 ? std::string("any") : std::to_string(length)) + ", ";
  if (shape.size() > 1) text.resize(text.size() - 2);
  if (shape.size() == 1) text.resize(text.size() - 1);
  return text + ")";
}

std::string described(py::handle object) {
  if (is_array(object) && py::len(object.attr("shape")) > 0) return "an array of " + found_text(object);
  const std::string type = utf8_of(py::type::handle_of(object).attr("__name__"));
  const py::str value = py::repr(object);
  if (py::len(value) <= 60) return type + " " + utf8_of(value);
  return type + " " + utf8_of(value[py::slice(0, 57, 1)]) + "...";
}

void refuse_type(std::string_view what, py::handle found, std::string_view expected) {
  throw py::type_error(std::string(what) + ": found " + described(found) + ", expected " + std::string(expected));
}
void refuse_value(std::string_view what, py::handle found, std::string_view expected) {
  refuse_value(what, described(found), expected);
}
void refuse_value(std::string_view what, const std::string& found, std::string_view expected) {
  throw Error(what, ": found ", found, ", expected ", expected);
}

py::object whole_in(py::handle object) {
  const bool can_be = PyIndex_Check(object.ptr()) != 0 && PyBool_Check(object.ptr()) == 0;
  const auto whole = py::reinterpret_steal<py::object>(can_be ? PyNumber_Index(object.ptr()) : nullptr);
  PyErr_Clear();
  return whole;
}

Py_ssize_t length_of(py::handle object) {
  const Py_ssize_t length = PySequence_Check(object.ptr()) != 0 ? PySequence_Size(object.ptr()) : -1;
  PyErr_Clear();
  return length;
}

engine::Command command_of(py::handle object) {
  if (PyUnicode_Check(object.ptr()) != 0) {
    if (const auto parsed = engine::parse_command(utf8_of(object))) return *parsed;
    refuse_value("a command", object, R"("left", "stop" or "right")");
  }
  const py::object whole = whole_in(object);
  if (!whole) refuse_type("a command", object, R"("left", "stop", "right" or the integers -1, 0, 1)");
  const Py_ssize_t value = PyNumber_AsSsize_t(whole.ptr(), nullptr);
  if (value < -1 || value > 1) refuse_value("a command", object, "-1, 0 or 1");
  return static_cast<Command>(value + 1);
}

engine::Player player_of(py::handle object) {
  if (PyUnicode_Check(object.ptr()) != 0) {
    const std::string text = utf8_of(object);
    if (text == "first") return engine::Player::first;
    if (text == "second") return engine::Player::second;
  } else if (const py::object whole = whole_in(object)) {
    const Py_ssize_t value = PyNumber_AsSsize_t(whole.ptr(), nullptr);
    if (value == 0) return engine::Player::first;
    if (value == 1) return engine::Player::second;
  } else {
    refuse_type("a player", object, R"(0, 1, "first" or "second")");
  }
  refuse_value("a player", object, R"(0, 1, "first" or "second")");
}

std::size_t count_of(py::handle object, std::string_view what, std::size_t least, std::size_t most) {
  const py::object whole = whole_in(object);
  if (!whole) refuse_type(what, object, "a whole number");
  const std::size_t value = PyLong_AsSize_t(whole.ptr());
  if (value == static_cast<std::size_t>(-1) && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    refuse_value(what, object, "0 or more, in 64 bits");
  }
  if (value >= least && value <= most) return value;
  refuse_value(what, object, (least == 0 ? "at most " : std::to_string(least) + " to ") + std::to_string(most));
}

engine::MatchSetup setup_of(py::handle given) {
  if (!py::isinstance<py::tuple>(given) || py::len(given) != 2) return setup_of(given, py::none());
  const auto pair = py::reinterpret_borrow<py::tuple>(given);
  return setup_of(pair[0], pair[1]);
}

engine::MatchSetup setup_of(py::handle map, py::handle car) {
  const auto the_map = [&] {
    const std::string name = utf8_of(map);
    return named(maps::find(name), name, "map", list_of_names(maps::catalogue()));
  };
  const auto the_car = [&] {
    const std::string name = utf8_of(car);
    return named(cars::find(name), name, "car", list_of_names(cars::catalogue()));
  };
  const bool map_named = py::isinstance<py::str>(map), car_named = py::isinstance<py::str>(car);
  if (map_named && car_named) return {the_map(), the_car()};
  if (!(map_named || py::isinstance<py::dict>(map)) ||
      !(car_named || py::isinstance<py::dict>(car) || (car.is_none() && !map_named))) {
    throw py::type_error("a map and a car: found " + described(map) + " and " + described(car) +
                         ", expected names, or the dicts proto_map and proto_car of a message");
  }
  // The reader of messages checks every field. Until then a name is a placeholder.
  py::object given_map = py::reinterpret_borrow<py::object>(map), given_car = py::reinterpret_borrow<py::object>(car);
  if (car.is_none()) {
    auto params = py::reinterpret_borrow<py::dict>(map);
    if (params.contains("params")) params = params["params"];
    if (!params.contains("proto_map") || !params.contains("proto_car")) {
      throw Error("a message: found no proto_map or no proto_car, expected both; or give a map and a car");
    }
    given_map = params["proto_map"];
    given_car = params["proto_car"];
  }
  const py::dict shipped = dict_of({maps::catalogue()[0].setup, cars::catalogue()[0].setup});
  py::dict params, message;
  params["my_lives"] = 1;
  params["enemy_lives"] = 1;
  params["proto_map"] = map_named ? py::object(shipped["proto_map"]) : given_map;
  params["proto_car"] = car_named ? py::object(shipped["proto_car"]) : given_car;
  message["type"] = "new_match";
  message["params"] = params;
  const py::cpp_function list_of([](const py::object& value) {
    if (py::hasattr(value, "tolist")) return py::object(value.attr("tolist")());  // an array or a number of NumPy
    throw py::type_error("a map or a car: found " + described(value) + ", expected numbers, texts, lists and dicts");
  });
  const auto line = json().attr("dumps")(message, py::arg("default") = list_of).cast<std::string>();
  engine::MatchSetup setup = std::get<formats::NewMatchMessage>(io::parse_message(line)).setup;
  if (map_named) setup.map = the_map();
  if (car_named) setup.car = the_car();
  return setup;
}

py::dict dict_of(const engine::MatchSetup& setup) {
  const py::dict message = json().attr("loads")(io::to_line(formats::NewMatchMessage{1, 1, setup}));
  const py::dict params = message["params"];
  py::dict result;
  result["proto_map"] = params["proto_map"];
  result["proto_car"] = params["proto_car"];
  return result;
}

engine::Physics physics_of(const std::string& arithmetic, const std::optional<std::string>& engine) {
  const auto parsed = parse_arithmetic(arithmetic);
  if (!parsed) throw Error("arithmetic: found \"", arithmetic, "\", expected \"strict\" or \"referee\"");
  return engine::parse_physics(*parsed, engine.value_or("auto"));
}

void read_commands(py::handle object, const char* what, std::span<const std::ptrdiff_t> shape,
                   std::vector<engine::Commands>& commands) {
  const CheckedArray array(object, what, shape, "b", "int8");
  const std::size_t count = array.size_bytes() / 2;
  commands.resize(count);
  const auto* values = static_cast<const std::int8_t*>(array.data());
  unsigned wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = static_cast<std::uint8_t>(values[2 * i] + 1),
               second = static_cast<std::uint8_t>(values[2 * i + 1] + 1);
    wrong |= static_cast<unsigned>(first > 2) | static_cast<unsigned>(second > 2);
    commands[i] = {static_cast<Command>(first), static_cast<Command>(second)};
  }
  if (wrong == 0) return;
  std::size_t at = 0;
  while (values[at] >= -1 && values[at] <= 1) ++at;
  throw Error(what, ": found ", values[at], " as command ", at % 2, " of row ", at / 2, ", expected -1, 0 or 1");
}

std::vector<std::uint8_t> mask_of(py::handle object, const char* what, std::size_t count) {
  if (object.is_none()) return std::vector<std::uint8_t>(count, 1);
  const std::ptrdiff_t shape[] = {static_cast<std::ptrdiff_t>(count)};
  const CheckedArray array(object, what, shape, "?B", "bool");
  const auto* values = static_cast<const std::uint8_t*>(array.data());
  return {values, values + count};
}

std::span<const std::byte> span_of(const py::bytes& bytes) { return std::as_bytes(std::span(std::string_view(bytes))); }
py::bytes bytes_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

py::bytes bytes_of(const engine::Snapshot& snapshot) {
  std::ostringstream out;
  snapshot.write(out);
  return bytes_of(std::as_bytes(std::span(out.view())));
}

engine::Snapshot snapshot_of(py::handle object, const engine::World& world) {
  if (!py::isinstance<py::bytes>(object)) refuse_type("a snapshot", object, "bytes that save() gave");
  std::istringstream in{std::string(py::reinterpret_borrow<py::bytes>(object))};
  engine::Snapshot snapshot = engine::Snapshot::read(in, world);
  if (in.peek() != std::istream::traits_type::eof()) {
    throw Error("a snapshot: found bytes behind its end, expected the bytes that save() gave");
  }
  return snapshot;
}

}  // namespace forkmunk::python
