#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace forkmunk::referee {

/// What each of several threads does: it takes pieces of common work until none is left, or `stop` is set, by it too.
using Worker = std::function<void(std::atomic<bool>& stop)>;

/// Runs `work` on `thread_count` threads at once, the calling one among them, and waits for all. Where the system gives
/// no more threads, those that it gave do the work: at least the calling one. \pre thread_count >= 1.
/// \throws what the first worker threw to have failed, when all have returned; `stop` is set then.
void run_workers(std::size_t thread_count, const Worker& work);

}  // namespace forkmunk::referee
