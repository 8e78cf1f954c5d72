// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/space.h>

#include <vector>

#include <chipmunk/chipmunk_structs.h>
#include <emscripten.h>

/// What the files of the WebAssembly module share. JavaScript checks all arguments (bindings/js/src): Chipmunk aborts
/// on wrong ones. Functions that can fail return 0 or a forkmunk_result; fm_error() then returns the message.
namespace forkmunk::js {

/// What a handle in JavaScript stands for.
enum class Kind : int { space, body, shape, constraint };

/// Keeps `message` for fm_error(). \return FORKMUNK_REFUSED
int refused(const char* message) noexcept;

/// Addresses that a call returns; the next call that does so writes them again.
extern std::vector<void*> list;
/// kHitNumbers of each query's hit, in the order of `list`.
extern std::vector<double> numbers;
inline constexpr int kHitNumbers = 13;

}  // namespace forkmunk::js
