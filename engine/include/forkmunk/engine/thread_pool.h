#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace forkmunk::engine {

/// What a pool's threads do when there is nothing to do.
enum class Idle {
  sleep,
  /// Look for work for up to 100 microseconds, and the caller of run() for its end, before they sleep: where one run
  /// follows another. It keeps cores busy meanwhile. Pools of more threads than the machine has cores sleep at once.
  look,
};

/// Threads that wait for work. The calling thread works too, so a pool of one has no threads of its own. Of runs of the
/// same size each worker begins with the same part.
class ThreadPool {
 public:
  /// \param thread_count  workers in all, 1 or more; 0: as many as the machine has cores. Where the system refuses a
  /// thread there are fewer.
  explicit ThreadPool(std::size_t thread_count, Idle idle = Idle::sleep);
  ~ThreadPool();
  ThreadPool(ThreadPool&&) noexcept;
  ThreadPool& operator=(ThreadPool&&) noexcept;

  [[nodiscard]] std::size_t size() const noexcept;

  /// Calls work(begin, end, worker) for ranges that make up [0, count), at most `grain` long, each once, on any worker,
  /// 0 to size() - 1; returns when all are done. The first exception is thrown on, after that. Takes nothing from the
  /// system. \pre not called by `work`.
  void run(std::size_t count, std::size_t grain,
           const std::function<void(std::size_t begin, std::size_t end, std::size_t worker)>& work);

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace forkmunk::engine
