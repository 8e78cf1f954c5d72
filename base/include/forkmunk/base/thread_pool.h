// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace forkmunk {

/// The way in which the threads of a pool wait for work.
enum class Idle {
  block,
  /// Workers spin for up to 100 microseconds before they block, and so does run() while it waits for its end. This
  /// suits runs that follow each other closely. A spinning thread uses a core. A pool with more threads than the
  /// machine has cores does not spin.
  spin,
};

/// A thread pool with work stealing. The calling thread works too, so a pool of one has no threads of its own. In runs
/// of the same size, each worker begins with the same range. In a process made by fork(), only the calling thread
/// works.
class ThreadPool {
 public:
  /// \param thread_count  the number of workers including the caller, 1 or more; 0 for one worker per core. The pool
  /// has fewer workers if the system refuses to start a thread.
  explicit ThreadPool(std::size_t thread_count, Idle idle = Idle::block);
  ~ThreadPool();

  [[nodiscard]] std::size_t size() const noexcept;

  /// Calls work(begin, end, worker) once for each of the ranges that make up [0, count), which are at most `grain`
  /// long. Any worker, 0 to size() - 1, may get a range. Returns when all ranges are done, and then rethrows the first
  /// exception. Does not allocate. \pre `work` does not call run() of this pool.
  void run(std::size_t count, std::size_t grain,
           const std::function<void(std::size_t begin, std::size_t end, std::size_t worker)>& work);

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace forkmunk
