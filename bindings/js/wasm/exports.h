// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/space.h>

#include <vector>

#include <chipmunk/chipmunk_structs.h>
#include <emscripten.h>

/// The declarations that the files of the WebAssembly module share. JavaScript checks all arguments (bindings/js/src),
/// because Chipmunk aborts on wrong ones. Functions that can fail return 0 or a forkmunk_result; fm_error() then
/// returns the message.
namespace forkmunk::js {

/// The kind of object that a handle in JavaScript represents.
enum class Kind : int { space, body, shape, constraint };

/// Keeps `message` for fm_error(). \return FORKMUNK_REFUSED
int refused(const char* message) noexcept;

/// The addresses that a call returns. The next such call overwrites them.
extern std::vector<void*> list;
/// The kHitNumbers numbers of each query's hit, in the order of `list`.
extern std::vector<cpFloat> numbers;
inline constexpr int kHitNumbers = 13;

}  // namespace forkmunk::js
