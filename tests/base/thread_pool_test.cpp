#include <forkmunk/base/error.h>
#include <forkmunk/base/thread_pool.h>

#include <utility>
#include <vector>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace forkmunk
