// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/chipmunk/precision.h>
#include <forkmunk/space.h>
#include <forkmunk/space/space.h>

struct forkmunk_space {
  forkmunk::space::Space space;
};
struct forkmunk_snapshot {
  forkmunk::space::Snapshot snapshot;
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

}  // namespace forkmunk::FORKMUNK_SPACE
