// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <initializer_list>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

/// Errors, the GIL and types for all parts of the module; and the parts, one file each.
namespace forkmunk::python {

/// Sets Python's error from the exception that is handled, as pybind11's dispatcher does. Error becomes forkmunk.Error.
void set_python_error() noexcept;
/// Returns what `work` returns, or `failed` with Python's error set.
template <typename Work>
auto translated(const Work& work, decltype(work()) failed) noexcept -> decltype(work()) {
  try {
    return work();
  } catch (...) {
    set_python_error();
  }
  return failed;
}

/// Calls `work`, which may request the GIL. A thread that Python ends then, because the interpreter exits, blocks here
/// until the process is gone: unwinding by pthread_exit() through C++ would call std::terminate().
template <typename Work>
std::invoke_result_t<Work> or_block_at_exit(Work work) {
#ifdef __GLIBCXX__
  try {
    return work();
  } catch (abi::__forced_unwind&) {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
#else
  return work();
#endif
}

class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;
  ~WithoutGil() {
    or_block_at_exit([this] { PyEval_RestoreThread(state_); });
  }

 private:
  PyThreadState* state_;
};

/// Returns what `work` returns. `work` uses nothing that another thread can change.
template <typename Work>
auto without_gil(const Work& work) {
  const WithoutGil release;
  return work();
}

class WithGil {
 public:
  WithGil() {
    or_block_at_exit([this] { acquired_.emplace(); });
  }

 private:
  std::optional<pybind11::gil_scoped_acquire> acquired_;
};

/// Detects that a signal's handler raised (Ctrl-C). Long calls ask often, on any thread. The calling thread makes the
/// object and calls rethrow().
class Interruption {
 public:
  // Returns whether a handler raised: every 20 ms the calling thread lets Python run its handlers. The exception stays
  // with the thread.
  [[nodiscard]] bool operator()() noexcept {
    if (raised_.load(std::memory_order_relaxed) || std::this_thread::get_id() != caller_) return raised_;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return false;
    next_ = now + std::chrono::milliseconds(20);
    const WithGil acquire;
    raised_ = or_block_at_exit([] { return PyErr_CheckSignals() != 0; });
    return raised_;
  }
  /// Throws what the handler raised. \pre  the GIL is held.
  void rethrow() const {
    if (raised_) throw pybind11::error_already_set();
  }

 private:
  std::thread::id caller_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now();
  std::atomic<bool> raised_ = false;
};

/// Takes over a new reference. \throws error_already_set for null.
inline pybind11::object taken(PyObject* reference) {
  if (reference == nullptr) throw pybind11::error_already_set();
  return pybind11::reinterpret_steal<pybind11::object>(reference);
}

/// Returns a name for attributes, which is never destroyed.
inline PyObject* interned(const char* name) { return taken(PyUnicode_InternFromString(name)).release().ptr(); }

/// Calls a callable of Python. Between Python and or_block_at_exit(), where the GIL is not held, nothing is destroyed.
inline pybind11::object called(pybind11::handle callable, const pybind11::tuple& arguments) {
  return taken(or_block_at_exit([&] { return PyObject_CallObject(callable.ptr(), arguments.ptr()); }));
}

/// Calls a class or function of a Python module. \param callable  null before the first use.
inline pybind11::object made_by(PyObject*& callable, const char* module, const char* name,
                                const pybind11::tuple& values) {
  if (callable == nullptr) callable = pybind11::getattr(pybind11::module_::import(module), name).release().ptr();
  return called(callable, values);
}

/// Returns a new type, without pybind11's overhead. \throws error_already_set
[[nodiscard]] pybind11::object made_type(PyType_Spec& spec);

/// The tp_traverse, tp_clear and tp_dealloc of a T, whose references() are pointers to its references.
template <typename T>
int traverse_references(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  for (PyObject** reference : reinterpret_cast<T*>(self)->references()) Py_VISIT(*reference);
  return 0;
}
template <typename T>
int clear_references(PyObject* self) {
  for (PyObject** reference : reinterpret_cast<T*>(self)->references()) Py_CLEAR(*reference);
  return 0;
}
template <typename T>
void deallocate_with_references(PyObject* self) {
  PyObject_GC_UnTrack(self);
  if constexpr (requires(T & object) { object.leave(); }) reinterpret_cast<T*>(self)->leave();
  clear_references<T>(self);
  PyTypeObject* type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}
/// Returns a type that Python's garbage collector knows, with `own` slots.
template <typename T>
[[nodiscard]] pybind11::object made_collected_type(const char* name, std::initializer_list<PyType_Slot> own,
                                                   unsigned flags = 0) {
  std::vector<PyType_Slot> slots{{Py_tp_traverse, reinterpret_cast<void*>(&traverse_references<T>)},
                                 {Py_tp_clear, reinterpret_cast<void*>(&clear_references<T>)},
                                 {Py_tp_dealloc, reinterpret_cast<void*>(&deallocate_with_references<T>)}};
  slots.insert(slots.end(), own);
  slots.push_back({0, nullptr});
  flags |= static_cast<unsigned>(Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC);
  PyType_Spec spec{name, sizeof(T), 0, flags, slots.data()};
  return made_type(spec);
}
/// Adds a method without pybind11's dispatcher. \param method  lives as long as the process.
void add_method(pybind11::handle type, PyMethodDef& method);

template <auto function>
struct PlainFunction;
template <typename... Handle, pybind11::object (*function)(Handle...)>
struct PlainFunction<function> {
  static PyObject* call(PyObject*, PyObject* const* given, Py_ssize_t count) {
    return translated(
        [&]() -> PyObject* {
          if (count != sizeof...(Handle)) throw pybind11::type_error("found another number of arguments than expected");
          const auto called = [&]<std::size_t... index>(std::index_sequence<index...>) {
            return function(pybind11::handle(given[index])...);
          };
          return called(std::index_sequence_for<Handle...>()).release().ptr();
        },
        nullptr);
  }
};
/// Adds a function of handles that returns an object, without pybind11's dispatcher, which would take most of the time
/// of reading a property.
template <auto function>
void add_function(pybind11::module_& module, const char* name) {
  static PyMethodDef method{name,
                            reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&PlainFunction<function>::call)),
                            METH_FASTCALL, nullptr};
  module.attr(name) = pybind11::reinterpret_steal<pybind11::object>(PyCFunction_New(&method, nullptr));
}

void add_world(pybind11::module_& module);
void add_batch(pybind11::module_& module);
void add_recordings(pybind11::module_& module);
void add_search(pybind11::module_& module);
void add_play(pybind11::module_& module);
void add_bot(pybind11::module_& module);
void add_space(pybind11::module_& module);
void add_view(pybind11::module_& module);
void add_recorder(pybind11::module_& module);
void add_sampled_planner(pybind11::module_& module);
void add_space_batch(pybind11::module_& module);
void add_pymunk_batch(pybind11::module_& module);
void add_rollback(pybind11::module_& module);
void add_autogeometry(pybind11::module_& module);

}  // namespace forkmunk::python
