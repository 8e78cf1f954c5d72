// SPDX-License-Identifier: MIT
#include <forkmunk/base/thread_pool.h>
#include <forkmunk/referee/workers.h>

namespace forkmunk::referee {

void run_workers(std::size_t thread_count, const Worker& work) {
  std::atomic<bool> stop{false};
  ThreadPool pool(thread_count);
  pool.run(pool.size(), 1, [&](std::size_t, std::size_t, std::size_t) {
    try {
      work(stop);
    } catch (...) {
      stop = true;
      throw;
    }
  });
}

}  // namespace forkmunk::referee
