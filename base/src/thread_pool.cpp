// SPDX-License-Identifier: MIT
#include <forkmunk/base/thread_pool.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

namespace forkmunk {

#ifdef __EMSCRIPTEN__  // there are no threads

struct ThreadPool::Shared {};
ThreadPool::ThreadPool(std::size_t, Idle) {}
ThreadPool::~ThreadPool() = default;
std::size_t ThreadPool::size() const noexcept { return 1; }
void ThreadPool::run(std::size_t count, std::size_t grain,
                     const std::function<void(std::size_t, std::size_t, std::size_t)>& work) {
  grain = std::max<std::size_t>(grain, 1);
  for (std::size_t begin = 0; begin < count; begin += grain) work(begin, std::min(begin + grain, count), 0);
}

#else

namespace {

#if __has_include(<unistd.h>)
long process_id() noexcept { return getpid(); }
#else
long process_id() noexcept { return 0; }
#endif

// Waking a blocked thread takes longer than the step of a small batch.
constexpr std::chrono::microseconds kSpinTime{100};

void pause_a_little() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

}  // namespace

struct ThreadPool::Shared {
  using Work = std::function<void(std::size_t, std::size_t, std::size_t)>;

  // The part of a worker's range that no worker has started, in a cache line of its own.
  struct alignas(64) Share {
    std::atomic<std::size_t> next{0};
    std::size_t end = 0;
  };

  const long process = process_id();  // whose threads exist; a forked process has none
  std::vector<std::thread> threads;
  std::vector<Share> shares;  // by worker
  std::atomic<bool> spin{false};
  std::mutex mutex;
  std::condition_variable started, ended;
  std::atomic<std::size_t> job{0};      // a worker that reads a new number takes part
  std::atomic<std::size_t> working{0};  // workers in the run
  std::atomic<bool> stopping{false};

  const Work* work = nullptr;
  std::size_t grain = 1;
  std::exception_ptr problem;

  explicit Shared(std::size_t thread_count) : shares(thread_count) { threads.reserve(thread_count - 1); }
  // Counts the caller; fixed before the first run.
  [[nodiscard]] std::size_t worker_count() const noexcept { return threads.size() + 1; }

  // A worker's own range comes first, because its data may be in caches.
  void take_part(std::size_t worker) noexcept {
    try {
      for (std::size_t i = 0; i < worker_count(); ++i) {
        Share& share = shares[(worker + i) % worker_count()];
        for (;;) {
          const std::size_t begin = share.next.fetch_add(grain, std::memory_order_relaxed);
          if (begin >= share.end) break;
          (*work)(begin, std::min(begin + grain, share.end), worker);
        }
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!problem) problem = std::current_exception();
      for (Share& share : shares) share.next.store(share.end, std::memory_order_relaxed);
    }
  }

  template <typename Condition>
  void spin_until(const Condition& condition) const noexcept {
    if (!spin) return;
    const auto until = std::chrono::steady_clock::now() + kSpinTime;
    while (!condition() && std::chrono::steady_clock::now() < until) pause_a_little();
  }

  void wait_for_work(std::size_t worker) {
    std::size_t seen = 0;
    const auto is_called = [&] { return stopping || job != seen; };
    for (;;) {
      spin_until(is_called);
      {
        std::unique_lock lock(mutex);
        started.wait(lock, is_called);
      }
      if (stopping) return;
      seen = job;
      take_part(worker);
      if (--working == 0) {
        const std::lock_guard lock(mutex);  // excludes the caller between its check and wait
        ended.notify_one();
      }
    }
  }
};

ThreadPool::ThreadPool(std::size_t thread_count, Idle idle) {
  if (thread_count == 0) thread_count = std::max(1u, std::thread::hardware_concurrency());
  shared_ = std::make_unique<Shared>(thread_count);
  for (std::size_t worker = 1; worker < thread_count; ++worker) {
    try {
      shared_->threads.emplace_back([shared = shared_.get(), worker] { shared->wait_for_work(worker); });
    } catch (const std::system_error&) {
      break;
    }
  }
  shared_->spin = idle == Idle::spin && size() <= std::thread::hardware_concurrency();
}

ThreadPool::~ThreadPool() {
  if (!shared_->threads.empty() && shared_->process != process_id()) {
    // A forked process has no threads, and their mutex may be locked, so both are leaked.
    static_cast<void>(shared_.release());
    return;
  }
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->stopping = true;
  }
  shared_->started.notify_all();
  for (std::thread& thread : shared_->threads) thread.join();
}

std::size_t ThreadPool::size() const noexcept {
  const bool forked = !shared_->threads.empty() && shared_->process != process_id();
  return forked ? 1 : shared_->worker_count();
}

void ThreadPool::run(std::size_t count, std::size_t grain, const Shared::Work& work) {
  if (count == 0) return;
  if (size() < shared_->worker_count()) {
    static_cast<void>(shared_.release());  // see the destructor
    shared_ = std::make_unique<Shared>(1);
  }
  Shared& shared = *shared_;
  grain = std::max<std::size_t>(grain, 1);
  shared.work = &work;
  shared.grain = grain;
  shared.problem = nullptr;
  const bool alone = shared.threads.empty() || count <= grain;
  // Shares are whole grains, the first ones perhaps one larger.
  const std::size_t grains = (count - 1) / grain + 1, workers = alone ? 1 : size();
  for (std::size_t worker = 0, begin = 0; worker < size(); ++worker) {
    const std::size_t of_it = worker < workers ? grains / workers + (worker < grains % workers ? 1 : 0) : 0;
    const std::size_t end = std::min(count, begin + of_it * grain);
    shared.shares[worker].next.store(begin, std::memory_order_relaxed);
    shared.shares[worker].end = end;
    begin = end;
  }
  if (!alone) {
    {
      const std::lock_guard lock(shared.mutex);
      shared.working = shared.threads.size();
      ++shared.job;
    }
    shared.started.notify_all();
  }
  shared.take_part(0);
  if (!alone) {
    const auto is_done = [&] { return shared.working == 0; };
    shared.spin_until(is_done);
    std::unique_lock lock(shared.mutex);
    shared.ended.wait(lock, is_done);
  }
  if (shared.problem) std::rethrow_exception(shared.problem);
}

#endif

}  // namespace forkmunk
