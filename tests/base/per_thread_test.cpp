// SPDX-License-Identifier: MIT
#include <forkmunk/base/per_thread.h>

#include <memory>
#include <thread>

#include <gtest/gtest.h>

namespace forkmunk {
namespace {

TEST(PerThread, EachThreadHasItsOwnUntilItEnds) {
  using Shared = std::shared_ptr<int>;
  const Shared counted = std::make_shared<int>(7);
  per_thread<Shared>() = counted;
  for (int i = 0; i < 20; ++i) {
    std::thread([&] {
      EXPECT_EQ(per_thread<Shared>(), nullptr);
      per_thread<Shared>() = counted;
      EXPECT_EQ(counted.use_count(), 3);
    }).join();
    ASSERT_EQ(counted.use_count(), 2) << "the thread's end destroys its own";
  }
  EXPECT_EQ(per_thread<Shared>(), counted);
  per_thread<Shared>().reset();
}

}  // namespace
}  // namespace forkmunk
