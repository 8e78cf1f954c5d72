// SPDX-License-Identifier: MIT
#include <forkmunk/arena_alloc/system_memory.h>
#include <forkmunk/base/per_thread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#ifdef _WIN32
#include <malloc.h>
#endif

namespace {
#ifdef _WIN32
void* take(std::size_t size, std::size_t alignment) { return ::_aligned_malloc(size, alignment); }
void give_back(void* memory) { ::_aligned_free(memory); }
#else
void* take(std::size_t size, std::size_t alignment) {
  void* memory = nullptr;
  return ::posix_memalign(&memory, alignment, size) == 0 ? memory : nullptr;
}
void give_back(void* memory) { std::free(memory); }
#endif

std::atomic<long> blocks_outside{0};                      // not given back to the system
thread_local std::size_t refused_from = ~std::size_t{0};  // requests of at least so many bytes fail ...
thread_local int refusals = 0;                            // ... so many times
}  // namespace

// The library calls the program's operator new.
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  if (size >= refused_from && refusals-- > 0) return nullptr;
  void* memory = take(size, static_cast<std::size_t>(alignment));
  if (memory != nullptr) ++blocks_outside;
  return memory;
}
void operator delete(void* memory, std::align_val_t) noexcept {
  if (memory != nullptr) --blocks_outside;
  give_back(memory);
}

namespace forkmunk::arena_alloc {
namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

class SystemMemory : public testing::Test {
 protected:
  void SetUp() override {
    release_system_cache();
    outside_before_ = blocks_outside;
  }
  void TearDown() override {
    release_system_cache();
    EXPECT_EQ(blocks_outside, outside_before_) << "blocks are leaked";
  }
  [[nodiscard]] long blocks_taken() const { return blocks_outside - outside_before_; }

 private:
  long outside_before_ = 0;
};

#if defined(FORKMUNK_POISONS) || defined(FORKMUNK_OWN_THREAD_LOCALS)
constexpr bool kKeeps = false;
#else
constexpr bool kKeeps = true;
#endif
#define NEEDS_THE_CACHE() \
  if (!kKeeps) GTEST_SKIP() << "nothing is kept under AddressSanitizer and by gcc on Windows"

TEST_F(SystemMemory, BlocksAreAlignedAndAsLargeAsAskedFor) {
  for (int round = 0; round < 2; ++round) {
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{63}, std::size_t{256}, std::size_t{257},
                                    std::size_t{5000}, 11 * kMebibyte + 7, kCachedBytesMax, kCachedBytesMax + 1}) {
      const SystemBlock block = allocate_system(bytes);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.get()) % kSystemAlignmentBytes, 0u) << bytes;
      EXPECT_GE(block.get_deleter().size_bytes, bytes);
      EXPECT_LE(block.get_deleter().size_bytes, std::max<std::size_t>(256, bytes + bytes / 4));
      block[0] = block[bytes - 1] = std::byte{1};
    }
  }
}

TEST_F(SystemMemory, AReleasedBlockComesBackNewestFirst) {
  NEEDS_THE_CACHE();
  SystemBlock first = allocate_system(5000), second = allocate_system(5000);
  const std::byte* const first_address = first.get();
  const std::byte* const second_address = second.get();
  first.reset();
  second.reset();
  EXPECT_EQ(system_cache_statistics().cached_count, 2u);
  const std::uint64_t reused_before = system_cache_statistics().reused_count;
  first = allocate_system(5000);
  second = allocate_system(5100);
  EXPECT_EQ(first.get(), second_address);
  EXPECT_EQ(second.get(), first_address);
  EXPECT_EQ(system_cache_statistics().reused_count - reused_before, 2u);
  EXPECT_EQ(system_cache_statistics().cached_bytes, 0u);

  first.reset();
  const SystemBlock larger = allocate_system(6000), smaller = allocate_system(4000);
  EXPECT_NE(larger.get(), second_address);
  EXPECT_NE(smaller.get(), second_address);
}

TEST_F(SystemMemory, WhatAThreadKeepsIsBounded) {
  NEEDS_THE_CACHE();
  std::vector<SystemBlock> blocks;
  for (int i = 0; i < 10; ++i) blocks.push_back(allocate_system(16 * kMebibyte));
  EXPECT_EQ(blocks_taken(), 10);
  while (!blocks.empty()) {
    blocks.pop_back();
    ASSERT_LE(system_cache_statistics().cached_bytes, kCachedBytesMax);
  }
  EXPECT_EQ(system_cache_statistics().cached_bytes, kCachedBytesMax);
  EXPECT_EQ(blocks_taken(), 4) << "the rest went back to the system";

  // The cache keeps the newest block, which is most likely requested again.
  SystemBlock small = allocate_system(5000);
  const std::byte* const address = small.get();
  small.reset();
  EXPECT_EQ(blocks_taken(), 4) << "three large ones and the small one";
  EXPECT_LE(system_cache_statistics().cached_bytes, kCachedBytesMax);
  EXPECT_EQ(allocate_system(5000).get(), address);

  const long before = blocks_outside;
  allocate_system(kCachedBytesMax + 1).reset();
  EXPECT_EQ(blocks_outside, before) << "larger than all that may be kept";
}

TEST_F(SystemMemory, EachThreadKeepsItsOwnUntilItEnds) {
  NEEDS_THE_CACHE();
  SystemBlock block = allocate_system(5000);
  std::thread([&] {
    block.reset();
    EXPECT_EQ(system_cache_statistics().cached_count, 1u);
    EXPECT_EQ(blocks_taken(), 1);
  }).join();
  EXPECT_EQ(system_cache_statistics().cached_count, 0u);
  EXPECT_EQ(blocks_taken(), 0) << "the thread's end gives back what it kept";
}

TEST_F(SystemMemory, ABlockMayOutliveItsThreadsCache) {
  NEEDS_THE_CACHE();
  std::thread([] {
    thread_local SystemBlock held;  // outlives the cache
    held = allocate_system(5000);
    allocate_system(5000).reset();
  }).join();
  EXPECT_EQ(blocks_taken(), 0);
}

TEST_F(SystemMemory, ThreadsHandBlocksToEachOther) {
  std::mutex mutex;
  std::array<SystemBlock, 16> shelf;
  const auto work = [&](unsigned seed) {
    for (unsigned i = 0; i < 20'000; ++i) {
      const std::size_t bytes = 300 + (i * 7919 + seed) % 3000;
      SystemBlock block = allocate_system(bytes);
      block[0] = block[bytes - 1] = std::byte(i);
      EXPECT_EQ(block[0], std::byte(i)) << "two threads hold one block";
      const std::lock_guard lock(mutex);
      std::swap(block, shelf[i % shelf.size()]);
    }
  };
  std::thread one(work, 1), other(work, 2);
  one.join();
  other.join();
}

TEST_F(SystemMemory, WithoutMemoryItThrowsAndGivesUpTheCacheFirst) {
  allocate_system(5000).reset();
  refused_from = kMebibyte;
  refusals = 1;
  EXPECT_NE(allocate_system(kMebibyte), nullptr) << "the second attempt";
  EXPECT_EQ(blocks_taken(), kKeeps ? 1 : 0) << "what was kept is gone; the block itself is kept now";
  refusals = 2;
  EXPECT_THROW((void)allocate_system(3 * kMebibyte), std::bad_alloc);
  EXPECT_EQ(system_cache_statistics().cached_count, 0u);
  refused_from = ~std::size_t{0};
}

#ifdef FORKMUNK_POISONS
using SystemMemoryDeathTest = SystemMemory;
TEST_F(SystemMemoryDeathTest, UseAfterReleaseIsFound) {
  SystemBlock block = allocate_system(5000);
  volatile std::byte* const dangling = block.get();
  EXPECT_DEATH(dangling[5000] = std::byte{1}, "heap-buffer-overflow");
  block.reset();
  EXPECT_DEATH(dangling[0] = std::byte{1}, "heap-use-after-free");
}
#endif

}  // namespace
}  // namespace forkmunk::arena_alloc
