// SPDX-License-Identifier: MIT
#include <forkmunk/referee/workers.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace forkmunk::referee {
namespace {

TEST(Workers, ShareTheWork) {
  std::atomic<int> next{0};
  std::atomic<int> sum{0};
  run_workers(4, [&](const std::atomic<bool>&) {
    for (int k; (k = next++) < 1000;) sum += k;
  });
  EXPECT_EQ(sum, 499500);
}

TEST(Workers, OnesFailureStopsTheOthersAndReachesTheCaller) {
  std::atomic<int> workers{0};
  const auto work = [&](const std::atomic<bool>& stop) {
    if (workers++ == 1) throw std::runtime_error("the second fails");
    while (!stop) std::this_thread::yield();
  };
  EXPECT_THROW(run_workers(3, work), std::runtime_error);
}

// The process has no room for another thread's stack.
[[noreturn]] void work_without_threads() {
  rlimit limit{};
  std::size_t pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%zu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  limit.rlim_cur = limit.rlim_max = pages * 4096 + (std::size_t{20} << 20);
  setrlimit(RLIMIT_AS, &limit);
  std::atomic<int> workers{0};
  run_workers(1000, [&](const std::atomic<bool>&) {
    ++workers;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  });
  std::_Exit(workers >= 1 && workers < 1000 ? 0 : 1);
}

TEST(Workers, FewerThreadsThanWantedAreEnough) {
#ifdef FORKMUNK_SANITIZED
  GTEST_SKIP() << "sanitizers need more addresses than this test leaves";
#endif
  EXPECT_EXIT(work_without_threads(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace forkmunk::referee
