// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace forkmunk::referee {

/// A worker does pieces of shared work until no piece is left or `stop` is set, and may set `stop`.
using Worker = std::function<void(std::atomic<bool>& stop)>;

/// Runs `work` on `thread_count` threads including the calling one, or on fewer if the system refuses threads, and
/// waits for all. \pre thread_count >= 1. \throws the exception of the first worker that failed; `stop` is then set.
void run_workers(std::size_t thread_count, const Worker& work);

}  // namespace forkmunk::referee
