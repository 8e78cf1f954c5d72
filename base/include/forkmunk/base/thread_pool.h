// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace forkmunk {

enum class Idle {
  block,
  /// Workers, and run() at its end, spin for up to 100 microseconds before they block, which suits runs that follow
  /// each other closely. A pool with more threads than cores does not spin.
  spin,
};

/// A thread pool with work stealing. The caller works too. In runs of the same size, each worker begins with the same
/// range. In a process made by fork(), only the calling thread works.
class ThreadPool {
 public:
  /// \param thread_count  includes the caller; 0 for one per core. The pool has fewer workers if the system refuses a
  /// thread.
  explicit ThreadPool(std::size_t thread_count, Idle idle = Idle::block);
  ~ThreadPool();

  [[nodiscard]] std::size_t size() const noexcept;

  /// Calls work(begin, end, worker) for ranges of at most `grain` that make up [0, count), each by any worker from 0 to
  /// size() - 1. Returns when all are done, and then rethrows the first exception. Does not allocate. \pre `work` does
  /// not call run() of this pool.
  void run(std::size_t count, std::size_t grain,
           const std::function<void(std::size_t begin, std::size_t end, std::size_t worker)>& work);

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace forkmunk
