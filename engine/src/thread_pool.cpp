#include <forkmunk/engine/thread_pool.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace forkmunk::engine {

struct ThreadPool::Shared {
  using Work = std::function<void(std::size_t, std::size_t, std::size_t)>;

  std::vector<std::thread> threads;
  std::mutex mutex;
  std::condition_variable started, ended;
  std::size_t job = 0;      // which one; a worker that sees a new number takes part
  std::size_t working = 0;  // workers that take part in it still
  bool stopping = false;

  const Work* work = nullptr;
  std::size_t count = 0, grain = 1;
  std::atomic<std::size_t> next{0};
  std::exception_ptr problem;

  void take_part(std::size_t worker) noexcept {
    try {
      for (;;) {
        const std::size_t begin = next.fetch_add(grain, std::memory_order_relaxed);
        if (begin >= count) return;
        (*work)(begin, std::min(begin + grain, count), worker);
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!problem) problem = std::current_exception();
      next.store(count, std::memory_order_relaxed);
    }
  }

  void wait_for_work(std::size_t worker) {
    std::size_t seen = 0;
    std::unique_lock lock(mutex);
    for (;;) {
      started.wait(lock, [&] { return stopping || job != seen; });
      if (stopping) return;
      seen = job;
      lock.unlock();
      take_part(worker);
      lock.lock();
      if (--working == 0) ended.notify_one();
    }
  }
};

ThreadPool::ThreadPool(std::size_t thread_count) : shared_(std::make_unique<Shared>()) {
  if (thread_count == 0) thread_count = std::max(1u, std::thread::hardware_concurrency());
  shared_->threads.reserve(thread_count - 1);
  for (std::size_t worker = 1; worker < thread_count; ++worker) {
    try {
      shared_->threads.emplace_back([shared = shared_.get(), worker] { shared->wait_for_work(worker); });
    } catch (const std::system_error&) {
      break;
    }
  }
}

ThreadPool::~ThreadPool() {
  if (shared_ == nullptr) return;
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->stopping = true;
  }
  shared_->started.notify_all();
  for (std::thread& thread : shared_->threads) thread.join();
}

ThreadPool::ThreadPool(ThreadPool&&) noexcept = default;
ThreadPool& ThreadPool::operator=(ThreadPool&& other) noexcept {
  ThreadPool old(std::move(*this));
  shared_ = std::move(other.shared_);
  return *this;
}

std::size_t ThreadPool::size() const noexcept { return shared_->threads.size() + 1; }

void ThreadPool::run(std::size_t count, std::size_t grain, const Shared::Work& work) {
  if (count == 0) return;
  Shared& shared = *shared_;
  shared.work = &work;
  shared.count = count;
  shared.grain = std::max<std::size_t>(grain, 1);
  shared.problem = nullptr;
  shared.next.store(0, std::memory_order_relaxed);
  const bool alone = shared.threads.empty() || count <= shared.grain;
  if (!alone) {
    {
      const std::lock_guard lock(shared.mutex);
      ++shared.job;
      shared.working = shared.threads.size();
    }
    shared.started.notify_all();
  }
  shared.take_part(0);
  if (!alone) {
    std::unique_lock lock(shared.mutex);
    shared.ended.wait(lock, [&] { return shared.working == 0; });
  }
  if (shared.problem) std::rethrow_exception(shared.problem);
}

}  // namespace forkmunk::engine
