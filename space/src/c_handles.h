// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/space.h>
#include <forkmunk/space/space.h>

#include <exception>
#include <new>

struct forkmunk_space {
  forkmunk::space::Space space;
};
struct forkmunk_snapshot {
  forkmunk::space::Snapshot snapshot;
};

namespace forkmunk::space {

/// Sets the message of forkmunk_last_error(), and forkmunk_last_error_object(). \return `result`.
forkmunk_result failed(forkmunk_result result, const char* what, const void* object = nullptr) noexcept;

/// Calls run() and turns an exception into a result.
template <typename Run>
forkmunk_result guarded(Run run) noexcept {
  try {
    run();
    return FORKMUNK_OK;
  } catch (const std::bad_alloc& error) {
    return failed(FORKMUNK_NO_MEMORY, error.what());
  } catch (const NonFiniteError& error) {
    const void* const shape_or_joint = error.joint != nullptr ? static_cast<const void*>(error.joint) : error.shape;
    return failed(FORKMUNK_REFUSED, error.what(), error.body != nullptr ? error.body : shape_or_joint);
  } catch (const std::exception& error) {
    return failed(FORKMUNK_REFUSED, error.what());
  } catch (...) {
    return failed(FORKMUNK_REFUSED, "a failure without a name");
  }
}

/// Calls run() and returns its value, or `otherwise` after an exception.
template <typename Value, typename Run>
Value guarded_value(Value otherwise, Run run) noexcept {
  Value value = otherwise;
  return guarded([&] { value = run(); }) == FORKMUNK_OK ? value : otherwise;
}

}  // namespace forkmunk::space
