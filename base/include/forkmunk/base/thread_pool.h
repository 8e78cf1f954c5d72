#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace forkmunk {

/// How the threads of a pool wait for work.
enum class Idle {
  block,
  /// Spin for up to 100 microseconds before blocking: workers for work, the caller of run() for its end. For runs that
  /// follow each other closely; uses a core while it spins. A pool of more threads than the machine has cores blocks.
  spin,
};

/// A thread pool with work stealing. The calling thread works too, so a pool of one has no threads of its own. In runs
/// of the same size each worker begins with the same range. In a process made by fork() only the calling thread works.
class ThreadPool {
 public:
  /// \param thread_count  workers including the caller, 1 or more; 0: one for each core. Fewer if the system refuses to
  /// start a thread.
  explicit ThreadPool(std::size_t thread_count, Idle idle = Idle::block);
  ~ThreadPool();

  [[nodiscard]] std::size_t size() const noexcept;

  /// Calls work(begin, end, worker) for ranges that make up [0, count), at most `grain` long, each once, on any worker,
  /// 0 to size() - 1; returns when all are done. The first exception is rethrown then. Does not allocate.
  /// \pre not called by `work`.
  void run(std::size_t count, std::size_t grain,
           const std::function<void(std::size_t begin, std::size_t end, std::size_t worker)>& work);

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace forkmunk
