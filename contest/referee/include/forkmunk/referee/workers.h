// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace forkmunk::referee {

/// Does pieces of shared work until no piece is left or `stop` is set, and may set `stop`.
using Worker = std::function<void(std::atomic<bool>& stop)>;

/// Runs `work` on `thread_count` threads, or fewer if the system refuses, including the calling one, and waits for all.
/// \pre thread_count >= 1. \throws the exception of the first worker that failed, after all have returned; `stop` is
/// then set.
void run_workers(std::size_t thread_count, const Worker& work);

}  // namespace forkmunk::referee
