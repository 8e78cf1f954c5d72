// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/error.h>
#include <forkmunk/chipmunk/precision.h>
#include <forkmunk/space.h>
#include <forkmunk/space/batch.h>
#include <forkmunk/space/space.h>

#include <cstddef>
#include <span>

struct forkmunk_space {
  forkmunk::space::Space space;
};
struct forkmunk_snapshot {
  forkmunk::space::Snapshot snapshot;
};
struct forkmunk_batch {
  forkmunk::space::Batch batch;
};

namespace forkmunk::FORKMUNK_SPACE {

/// Sets what forkmunk_last_error() and forkmunk_last_error_object() return. \return `result`.
forkmunk_result failed(forkmunk_result result, const char* what, const void* object = nullptr) noexcept;

forkmunk_result guarded_call(void (*run)(void*), void* context) noexcept;
/// Calls run() and turns an exception into a result.
template <typename Run>
forkmunk_result guarded(Run run) noexcept {
  return guarded_call([](void* context) { (*static_cast<Run*>(context))(); }, &run);
}

/// Calls run() and returns its value, or `otherwise` after an exception.
template <typename Value, typename Run>
Value guarded_value(Value otherwise, Run run) noexcept {
  Value value = otherwise;
  return guarded([&] { value = run(); }) == FORKMUNK_OK ? value : otherwise;
}

/// Calls run() and returns its pointer, or null after an exception.
template <typename Run>
auto guarded_pointer(Run run) noexcept {
  return guarded_value<decltype(run())>(nullptr, run);
}

/// Returns the elements of a caller's array. \throws Error for null, unless there are none.
template <typename T>
std::span<T> span_of(T* first, std::size_t count) {
  if (first == nullptr && count > 0) throw Error("found null, expected an array of ", count, " elements");
  return {first, count};
}

}  // namespace forkmunk::FORKMUNK_SPACE
