// SPDX-License-Identifier: MIT
#include "arrays.h"

#include "module.h"

#include <memory>

namespace forkmunk::python {
namespace {

constexpr std::array<const char*, 10> kElementNames{"bool",  "int8",   "int16",  "int32",  "int64",
                                                    "uint8", "uint16", "uint32", "uint64", "float64"};
constexpr std::array<std::size_t, 10> kElementBytes{1, 1, 2, 4, 8, 1, 2, 4, 8, 8};

/// A buffer that keeps its memory's owner alive.
struct Memory {
  PyObject_HEAD;
  void* data;
  Py_ssize_t size_bytes;
  int read_only;
  PyObject* owner;
};

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  auto* memory = reinterpret_cast<Memory*>(self);
  return PyBuffer_FillInfo(view, self, memory->data, memory->size_bytes, memory->read_only, flags);
}

void deallocate_memory(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  Py_XDECREF(reinterpret_cast<Memory*>(self)->owner);
  type->tp_free(self);
  Py_DECREF(type);
}

py::object make_memory_type() {
  static PyType_Slot slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(&get_buffer)},
                                {Py_tp_dealloc, reinterpret_cast<void*>(&deallocate_memory)},
                                {0, nullptr}};
  static PyType_Spec spec = {"forkmunk._forkmunk.Memory", sizeof(Memory), 0, Py_TPFLAGS_DEFAULT, slots};
  return made_type(spec);
}

struct NumPy {
  py::object ndarray, empty, array, float64;
  std::array<py::object, kElementNames.size()> types;
  py::object memory_type = make_memory_type();
};

// A guarded static variable could deadlock, because importing NumPy may release the GIL.
const NumPy& numpy() {
  static const NumPy* imported = nullptr;
  if (imported == nullptr) {
    const py::module_ module = py::module_::import("numpy");
    auto made = std::make_unique<NumPy>();
    made->ndarray = module.attr("ndarray");
    made->empty = module.attr("empty");
    made->array = module.attr("array");
    for (std::size_t i = 0; i < kElementNames.size(); ++i) made->types[i] = module.attr("dtype")(kElementNames[i]);
    made->float64 = made->types[static_cast<std::size_t>(Element::float64)];
    if (imported == nullptr) imported = made.release();
  }
  return *imported;
}

py::object sizes_of(const Shape& shape) {
  const std::span<const std::size_t> sizes = shape.sizes();
  py::object tuple = taken(PyTuple_New(static_cast<Py_ssize_t>(sizes.size())));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    PyTuple_SET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromSize_t(sizes[i]));
  }
  return tuple;
}

template <std::size_t count>
py::object call(const py::object& callable, const std::array<PyObject*, count>& arguments) {
  return taken(PyObject_Vectorcall(callable.ptr(), arguments.data(), arguments.size(), nullptr));
}

// Returns `object` itself if its numbers can be read in place.
py::object converted(py::handle object) {
  if (is_array(object)) {
    const ArrayBuffer buffer(object);
    const bool aligned = reinterpret_cast<std::uintptr_t>(buffer.data()) % alignof(double) == 0;
    if (buffer.has_elements() && buffer.format() == "d" && buffer.is_contiguous() && aligned) {
      return py::reinterpret_borrow<py::object>(object);
    }
  }
  return numpy().array(object, numpy().float64, py::arg("order") = "C");
}

}  // namespace

bool is_array(py::handle object) {
  return PyObject_TypeCheck(object.ptr(), reinterpret_cast<PyTypeObject*>(numpy().ndarray.ptr())) != 0;
}

ArrayBuffer::ArrayBuffer(py::handle array) {
  if (PyObject_GetBuffer(array.ptr(), &view_, PyBUF_FULL_RO) == 0) return;
  view_.obj = nullptr;
  PyErr_Clear();
}

Numbers::Numbers(py::handle object) : array_(converted(object)), buffer_(array_) {}

std::pair<py::object, void*> empty_array(Element element, const Shape& shape) {
  const py::object sizes = sizes_of(shape);
  const py::object& type = numpy().types[static_cast<std::size_t>(element)];
  py::object array = call(numpy().empty, std::array{sizes.ptr(), type.ptr()});
  Py_buffer view;
  if (PyObject_GetBuffer(array.ptr(), &view, PyBUF_CONTIG) != 0) throw py::error_already_set();
  void* data = view.buf;
  PyBuffer_Release(&view);
  return {std::move(array), data};
}

py::object array_over(const void* data, Element element, const Shape& shape, py::handle owner, bool writable) {
  static double nothing;  // NumPy would allocate memory for a null pointer
  const auto index = static_cast<std::size_t>(element);
  std::size_t size_bytes = kElementBytes[index];
  for (const std::size_t size : shape.sizes()) size_bytes *= size;
  auto* memory = PyObject_New(Memory, reinterpret_cast<PyTypeObject*>(numpy().memory_type.ptr()));
  const py::object base = taken(reinterpret_cast<PyObject*>(memory));
  memory->data = size_bytes == 0 ? &nothing : const_cast<void*>(data);
  memory->size_bytes = static_cast<Py_ssize_t>(size_bytes);
  memory->read_only = writable ? 0 : 1;
  memory->owner = owner.inc_ref().ptr();
  const py::object sizes = sizes_of(shape);
  return call(numpy().ndarray, std::array{sizes.ptr(), numpy().types[index].ptr(), base.ptr()});
}

}  // namespace forkmunk::python
