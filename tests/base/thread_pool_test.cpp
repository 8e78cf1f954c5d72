// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>
#include <forkmunk/base/thread_pool.h>

#include <atomic>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#if __has_include(<unistd.h>) && __has_include(<sys/wait.h>)
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace forkmunk {
namespace {

TEST(ThreadPool, TakesEachRangeOnceAndThrowsOn) {
  for (const auto& [threads, idle] : {std::pair(1u, Idle::block), std::pair(2u, Idle::block), std::pair(2u, Idle::spin),
                                      std::pair(4u, Idle::block), std::pair(4u, Idle::spin)}) {
    ThreadPool pool(threads, idle);
    for (std::size_t round = 0; round < 200; ++round) {
      std::vector<int> seen(round);
      pool.run(round, 3, [&](std::size_t begin, std::size_t end, std::size_t worker) {
        ASSERT_LT(worker, pool.size());
        for (std::size_t i = begin; i < end; ++i) ++seen[i];
      });
      for (const int count : seen) ASSERT_EQ(count, 1);
    }
    EXPECT_THROW(pool.run(50, 1,
                          [](std::size_t begin, std::size_t, std::size_t) {
                            if (begin == 20) throw Error("found it");
                          }),
                 Error);
    int after = 0;
    pool.run(1, 1, [&](std::size_t, std::size_t, std::size_t) { ++after; });
    EXPECT_EQ(after, 1);
  }
}

#if __has_include(<unistd.h>) && __has_include(<sys/wait.h>)
TEST(ThreadPool, WorksAloneInAProcessThatForkMade) {
  for (const bool runs : {false, true}) {
    std::optional<ThreadPool> pool(std::in_place, 3, Idle::spin);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(300);  // the child may wait forever
      std::size_t done = 0;
      if (runs) pool->run(50, 1, [&](std::size_t begin, std::size_t end, std::size_t) { done += end - begin; });
      const bool good = pool->size() == 1 && done == (runs ? 50u : 0u);
      pool.reset();
      _exit(good ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    std::atomic<std::size_t> done = 0;
    pool->run(50, 1, [&](std::size_t begin, std::size_t end, std::size_t) { done += end - begin; });
    EXPECT_EQ(done, 50u);
    EXPECT_EQ(pool->size(), 3u);
  }
}
#endif

}  // namespace
}  // namespace forkmunk
