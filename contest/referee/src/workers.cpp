// SPDX-License-Identifier: MIT
#include <forkmunk/referee/workers.h>

#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace forkmunk::referee {

void run_workers(std::size_t thread_count, const Worker& work) {
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto guarded = [&] {
    try {
      work(stop);
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!failure) failure = std::current_exception();
      stop = true;
    }
  };
  {
    std::vector<std::jthread> threads;
    threads.reserve(thread_count - 1);
    try {
      while (threads.size() + 1 < thread_count) threads.emplace_back(guarded);
    } catch (const std::system_error&) {
      // The created threads continue: the result does not depend on their number.
    }
    guarded();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace forkmunk::referee
