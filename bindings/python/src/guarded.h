// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/error.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

#include <pybind11/pybind11.h>

namespace forkmunk::python {

/// Gives a variable another value for a scope.
template <typename T>
class ScopedValue {
 public:
  ScopedValue(T& variable, T value) noexcept : variable_(variable), before_(std::exchange(variable, value)) {}
  ScopedValue(const ScopedValue&) = delete;
  ScopedValue& operator=(const ScopedValue&) = delete;
  ~ScopedValue() { variable_ = before_; }

 private:
  T& variable_;
  T before_;
};

/// The base of every object that Python holds. Detects an object whose __init__ never ran, and one that another thread
/// uses while the GIL is released.
class Guarded {
 public:
  Guarded() = default;
  Guarded(Guarded&&) noexcept {}
  Guarded& operator=(Guarded&&) noexcept { return *this; }

  // Zeros make `made_` wrong in an object for which pybind11 only allocated memory. Neither operator is inlined,
  // because gcc 12 warns if only one is (-Wmismatched-new-delete).
  [[gnu::noinline]] static void* operator new(std::size_t bytes) {
    if (void* memory = std::calloc(1, bytes)) return memory;
    throw std::bad_alloc();
  }
  static void* operator new(std::size_t, void* memory) noexcept { return memory; }
  [[gnu::noinline]] static void operator delete(void* memory) noexcept { std::free(memory); }
  static void operator delete(void*, void*) noexcept {}

  void check_made(const char* type) const {
    if (made_ == kMade) [[likely]]
      return;
    throw Error(type, ": found an object that was never made: its __init__ did not run");
  }
  /// \throws Error unless the object can be used now.
  void check_usable(const char* type) const {
    check_made(type);
    if (busy_) [[unlikely]]
      refuse_second_thread(type);
  }
  [[noreturn]] static void refuse_second_thread(const char* type) {
    throw Error(type,
                ": found one that another thread is using, expected one thread at a time; give each thread its own");
  }

  /// Marks the object as in use, while the GIL is released, until the returned value is destroyed with the GIL held.
  [[nodiscard]] ScopedValue<bool> use() noexcept { return {busy_, true}; }

 private:
  static constexpr std::uint64_t kMade = 0x6d6b4e6f46726b31u;
  std::uint64_t made_ = kMade;
  bool busy_ = false;
};

/// Returns the C++ part of an object of pybind11's without its checks, or null if __init__ did not run.
template <typename T>
[[nodiscard]] T* value_in(PyObject* object) {
  return static_cast<T*>(reinterpret_cast<pybind11::detail::instance*>(object)->get_value_and_holder().value_ptr());
}

}  // namespace forkmunk::python
