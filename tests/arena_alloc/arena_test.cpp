// SPDX-License-Identifier: MIT
#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/arena_alloc/routing.h>
#include <forkmunk/base/random.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::arena_alloc {
namespace {

constexpr std::size_t kCapacity = 1 << 20;

bool is_zero(const void* memory, std::size_t bytes) {
  const auto* first = static_cast<const unsigned char*>(memory);
  return std::all_of(first, first + bytes, [](unsigned char byte) { return byte == 0; });
}

TEST(Arena, MemoryIsZeroedAndAligned) {
  Arena arena(kCapacity);
  for (const std::size_t bytes : {1u, 8u, 24u, 25u, 600u, 1016u, 1017u, 5000u}) {
    void* first = arena.allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 16, 0u);
    EXPECT_TRUE(is_zero(first, bytes));
    std::memset(first, 0xff, bytes);
    arena.deallocate(first);
    void* again = arena.allocate(bytes);
    EXPECT_EQ(again, first) << "the free list returns the newest chunk of the size";
    EXPECT_TRUE(is_zero(again, bytes)) << bytes;
  }
}

TEST(Arena, LayoutIsAFunctionOfTheCalls) {
  const auto offsets = [] {
    Arena arena(kCapacity);
    Random random(7);
    std::vector<void*> held;
    std::vector<std::ptrdiff_t> result;
    for (int i = 0; i < 2000; ++i) {
      if (!held.empty() && random.below(3) == 0) {
        const std::size_t victim = random.below(held.size());
        arena.deallocate(held[victim]);
        held.erase(held.begin() + static_cast<std::ptrdiff_t>(victim));
      } else {
        held.push_back(arena.allocate(random.below(900)));
        result.push_back(static_cast<std::byte*>(held.back()) - arena.base());
      }
    }
    return result;
  };
  EXPECT_EQ(offsets(), offsets());
}

TEST(Arena, ReallocateKeepsContentsAndGrowsInPlaceAtTheEnd) {
  Arena arena(kCapacity);
  auto* first = static_cast<std::uint8_t*>(arena.allocate(32));
  std::memset(first, 7, 32);
  auto* grown = static_cast<std::uint8_t*>(arena.reallocate(first, 4000));
  EXPECT_EQ(grown, first) << "the zone's last chunk grows where it is";
  EXPECT_EQ(grown[31], 7);
  EXPECT_TRUE(is_zero(grown + 32, 4000 - 32));

  void* behind = arena.allocate(16);
  auto* moved = static_cast<std::uint8_t*>(arena.reallocate(grown, 9000));
  EXPECT_NE(moved, grown);
  EXPECT_EQ(moved[31], 7);
  EXPECT_EQ(arena.reallocate(moved, 100), moved) << "shrinking stays";
  arena.deallocate(behind);
  EXPECT_EQ(arena.find_corruption(), std::nullopt);
}

TEST(Arena, TheNewestChunkGoesBackToTheMiddle) {
  Arena arena(kCapacity);
  const std::size_t empty = arena.live_bytes();
  for (int round = 0; round < 1000; ++round) {
    void* block = arena.allocate(64);
    for (std::size_t bytes = 64; bytes <= 4096; bytes += 64) block = arena.reallocate(block, bytes);
    arena.deallocate(block);
    ASSERT_EQ(arena.live_bytes(), empty);
  }
  EXPECT_EQ(arena.find_corruption(), std::nullopt);
}

TEST(Arena, RestoringUndoesAllocationsReleasesAndWrites) {
  Arena arena(kCapacity);
  std::vector<void*> held;
  for (int i = 0; i < 20; ++i) held.push_back(arena.allocate(40));
  arena.deallocate(held[3]);
  std::vector<std::byte> state(arena.live_bytes());
  arena.save_live(state.data());
  const std::uint64_t hash = arena.live_hash();

  arena.deallocate(held[5]);
  std::memset(held[7], 1, 40);
  void* in_hole = arena.allocate(40);
  for (int i = 0; i < 50; ++i) (void)arena.allocate(200);
  EXPECT_NE(arena.live_hash(), hash);

  arena.restore_live(state);
  EXPECT_EQ(arena.live_bytes(), state.size());
  EXPECT_EQ(arena.live_hash(), hash);
  EXPECT_EQ(arena.find_corruption(), std::nullopt);
  EXPECT_EQ(arena.allocate(40), held[3]) << "the free list is back";
  EXPECT_EQ(in_hole, held[5]);
}

TEST(Arena, AHeapInABlockOutlivesItsArena) {
  alignas(64) std::array<std::byte, 8192> block{};
  std::size_t live_bytes = 0;
  std::byte* payload = nullptr;
  {
    Arena arena(block);
    payload = static_cast<std::byte*>(arena.try_allocate(100));
    ASSERT_NE(payload, nullptr);
    std::memset(payload, 7, 100);
    EXPECT_EQ(arena.base(), block.data());
    EXPECT_EQ(Arena::containing(payload), nullptr);
    EXPECT_EQ(arena.try_allocate(block.size()), nullptr);
    EXPECT_FALSE(arena.find_corruption());
    live_bytes = arena.live_bytes();
  }
  Arena other(kCapacity);
  ASSERT_TRUE(other.adopt({block.data(), live_bytes}));
  EXPECT_EQ(other.live_bytes(), live_bytes);
  EXPECT_EQ(std::memcmp(other.base() + (payload - block.data()), payload, 100), 0);
  EXPECT_FALSE(other.find_corruption());
}

TEST(Arena, TheConstantZoneIsNotPartOfTheState) {
  Arena arena(kCapacity);
  arena.set_zone(Zone::constant);
  void* constant = arena.allocate(1000);
  arena.set_zone(Zone::live);
  (void)arena.allocate(100);
  EXPECT_GE(arena.constant_bytes(), 1000u);
  EXPECT_LT(arena.live_bytes(), 1000u);
  const std::uint64_t live = arena.live_hash();
  std::memset(constant, 1, 1);
  EXPECT_EQ(arena.live_hash(), live);
}

TEST(Arena, TheZonesShareNoChunks) {
  Arena arena(kCapacity);
  void* live_hole = arena.allocate(40);
  (void)arena.allocate(40);
  arena.deallocate(live_hole);
  arena.set_zone(Zone::constant);
  auto* constant = static_cast<std::byte*>(arena.allocate(40));
  EXPECT_GE(constant, arena.base() + arena.live_bytes());
  EXPECT_EQ(arena.high_water_bytes(), arena.live_bytes() + arena.constant_bytes());
  const std::size_t bytes = arena.constant_bytes();
  arena.deallocate(arena.allocate(40));
  EXPECT_EQ(arena.constant_bytes(), bytes) << "the newest constant chunk goes back to the middle too";
  (void)arena.allocate(40);
  arena.deallocate(constant);
  arena.set_zone(Zone::live);
  EXPECT_EQ(arena.allocate(40), live_hole);
  const auto* live = static_cast<const std::byte*>(arena.allocate(40));
  EXPECT_LT(live, arena.base() + arena.live_bytes()) << "a dead constant chunk is not reused";
  EXPECT_EQ(arena.find_corruption(), std::nullopt);
}

// All chunks from 4 MiB on share a class.
TEST(Arena, LargeChunksAreUsedAgainWhereTheyFit) {
  constexpr std::size_t kMebibyte = std::size_t{1} << 20;
  Arena arena(48 * kMebibyte);
  void* large = arena.allocate(20 * kMebibyte);
  (void)arena.allocate(40);
  void* small = arena.allocate(5 * kMebibyte);
  (void)arena.allocate(40);
  arena.deallocate(large);
  EXPECT_EQ(arena.allocate(9 * kMebibyte), large);
  arena.deallocate(large);
  arena.deallocate(small);
  const void* fresh = arena.allocate(6 * kMebibyte);
  EXPECT_TRUE(fresh != small && fresh != large) << "the newest has 5 MiB";
  EXPECT_EQ(arena.allocate(5 * kMebibyte), small);
  EXPECT_EQ(arena.allocate(6 * kMebibyte), large);
  EXPECT_EQ(arena.find_corruption(), std::nullopt);
}

TEST(Arena, ALargerChunkIsSplitWhereThatIsChosen) {
  Arena arena(kCapacity, 0, Overflow::abort, Reuse::split);
  auto* large = static_cast<std::byte*>(arena.allocate(600));  // 608
  (void)arena.allocate(8);
  const std::size_t bytes = arena.live_bytes();
  arena.deallocate(large);
  EXPECT_EQ(arena.allocate(200), large);
  EXPECT_EQ(arena.allocate(300), large + 208);
  EXPECT_EQ(arena.allocate(72), large + 208 + 320) << "all of it";
  EXPECT_EQ(arena.live_bytes(), bytes);
  EXPECT_EQ(arena.find_corruption(), std::nullopt);
  (void)arena.allocate(8);
  EXPECT_GT(arena.live_bytes(), bytes);
}

TEST(Arena, GrowingTakesTheFreeChunkBehindWhereThatIsChosen) {
  Arena arena(kCapacity, 0, Overflow::abort, Reuse::split);
  auto* grown = static_cast<std::uint8_t*>(arena.allocate(24));  // 32
  void* behind = arena.allocate(1000);                           // 1008
  (void)arena.allocate(8);
  const std::size_t bytes = arena.live_bytes();
  std::memset(grown, 7, 24);
  std::memset(behind, 1, 1000);
  arena.deallocate(behind);
  EXPECT_EQ(arena.reallocate(grown, 500), grown);
  EXPECT_EQ(grown[23], 7);
  EXPECT_TRUE(is_zero(grown + 24, 500 - 24));
  EXPECT_EQ(arena.find_corruption(), std::nullopt);
  EXPECT_EQ(arena.reallocate(grown, 1032), grown) << "to the end";
  EXPECT_EQ(arena.find_corruption(), std::nullopt);
  EXPECT_EQ(arena.live_bytes(), bytes);
  EXPECT_NE(arena.reallocate(grown, 1033), grown);
  EXPECT_EQ(arena.find_corruption(), std::nullopt);
}

TEST(Arena, RandomCallsKeepAHeapSoundThatSplits) {
  Arena arena(8 * kCapacity, 0, Overflow::abort, Reuse::split);
  Random random(11);
  struct Block {
    unsigned char* payload;
    std::size_t bytes;
    unsigned char mark;
  };
  std::vector<Block> held;
  const auto bytes_of_any = [&] { return random.below(1 + random.below(random.below(4) == 0 ? 20000 : 900)); };
  for (int i = 0; i < 20000; ++i) {
    const std::size_t action = held.empty() ? 0 : random.below(4);
    if (action <= 1 && held.size() < 200) {
      const std::size_t bytes = bytes_of_any();
      held.push_back({static_cast<unsigned char*>(arena.allocate(bytes)), bytes, static_cast<unsigned char>(i)});
      ASSERT_TRUE(is_zero(held.back().payload, bytes));
      std::memset(held.back().payload, held.back().mark, bytes);
      continue;
    }
    const std::size_t chosen = random.below(held.size());
    Block& block = held[chosen];
    const auto is_marked = [&](std::size_t bytes) {
      return std::all_of(block.payload, block.payload + bytes, [&](unsigned char b) { return b == block.mark; });
    };
    ASSERT_TRUE(is_marked(block.bytes)) << i;
    if (action == 2) {
      const std::size_t bytes = bytes_of_any();
      block.payload = static_cast<unsigned char*>(arena.reallocate(block.payload, bytes));
      ASSERT_TRUE(is_marked(std::min(bytes, block.bytes))) << i;
      ASSERT_TRUE(bytes <= block.bytes || is_zero(block.payload + block.bytes, bytes - block.bytes)) << i;
      std::memset(block.payload, block.mark, bytes);
      block.bytes = bytes;
    } else {
      arena.deallocate(block.payload);
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(chosen));
    }
    ASSERT_EQ(arena.find_corruption(), std::nullopt) << i;
  }
}

TEST(Arena, TheWalkerFindsBrokenHeaps) {
  const auto problem_after = [](auto&& breakage) {
    Arena arena(kCapacity);
    auto* first = static_cast<std::uint32_t*>(arena.allocate(24));
    auto* second = static_cast<std::uint32_t*>(arena.allocate(24));
    (void)arena.allocate(24);
    arena.deallocate(second);
    breakage(first, second);
    return arena.find_corruption().value_or("nothing");
  };
  EXPECT_EQ(problem_after([](auto*, auto*) {}), "nothing");
  EXPECT_NE(problem_after([](auto* first, auto*) { first[-2] = 1 << 25; }).find("impossible size"), std::string::npos);
  EXPECT_NE(problem_after([](auto* first, auto*) { first[-1] = 999; }).find("a request of 999"), std::string::npos);
  EXPECT_NE(problem_after([](auto*, auto* second) { second[-1] = 8; }).find("free list"), std::string::npos);

  Arena arena(kCapacity);
  std::array<std::uint32_t*, 4> blocks{};
  for (std::uint32_t*& block : blocks) block = static_cast<std::uint32_t*>(arena.allocate(24));
  arena.deallocate(blocks[0]);
  arena.deallocate(blocks[2]);
  blocks[2][-1] = 0;
  EXPECT_NE(arena.find_corruption().value_or("nothing").find("holds 1 of 2 free chunks"), std::string::npos);
}

TEST(Arena, CFunctionsWorkOnTheCurrentArena) {
  Arena one(kCapacity);
  Arena other(kCapacity);
  void* block = nullptr;
  void* outside = forkmunk_arena_allocate(24, nullptr, 0);
  EXPECT_EQ(Arena::containing(outside), nullptr) << "without a scope it is malloc's";
  {
    const auto scope = one.enter();
    block = forkmunk_arena_allocate(24, nullptr, 0);
    EXPECT_TRUE(one.contains(block));
    {
      const auto inner = other.enter();
      EXPECT_TRUE(other.contains(forkmunk_arena_allocate(8, nullptr, 0)));
      EXPECT_TRUE(one.contains(forkmunk_arena_allocate(8, block, 0))) << "its owner's";
      outside = forkmunk_arena_realloc(outside, 64, nullptr, 0);
      EXPECT_EQ(Arena::containing(outside), nullptr);
      void* with_it = forkmunk_arena_allocate(8, outside, 0);
      EXPECT_EQ(Arena::containing(with_it), nullptr) << "its owner's is malloc's";
      forkmunk_arena_free(with_it);
    }
    EXPECT_EQ(Arena::current(), &one);
  }
  EXPECT_EQ(Arena::current(), nullptr);
  block = forkmunk_arena_realloc(block, 64, nullptr, 0);
  EXPECT_TRUE(one.contains(block));
  forkmunk_arena_free(block);
  forkmunk_arena_free(outside);
  forkmunk_arena_free(nullptr);
}

TEST(ArenaDeathTest, AFullArenaAbortsWithAMessage) {
  Arena arena(8192);
  EXPECT_DEATH((void)arena.allocate(9000),
               "arena full: capacity 8192 bytes, in use .+ live and 0 constant, requested 9000 more");
  const auto fill = [&arena] {
    while (arena.allocate(500) != nullptr) {}
  };
  EXPECT_DEATH(fill(), "arena full");
  EXPECT_DEATH(
      {
        arena.set_zone(Zone::constant);
        (void)arena.allocate(3000);
        arena.set_zone(Zone::live);
        (void)arena.reallocate(arena.allocate(100), 6000);
      },
      "arena full")
      << "growing in place stops at the constant zone";
  EXPECT_THROW(Arena(kCapacityBytesMax + 1), std::length_error);
  EXPECT_THROW(Arena(~std::size_t{0}), std::length_error);
}

TEST(ArenaDeathTest, AForeignPointerIsABug) {
  if (FORKMUNK_CHECK_LEVEL == 0) GTEST_SKIP() << "checks are off in this build";
  Arena arena(kCapacity);
  void* block = arena.allocate(24);
  (void)arena.allocate(24);
  arena.deallocate(block);
  EXPECT_DEATH(arena.deallocate(block), "not a used payload");
}

#ifdef FORKMUNK_POISONS
TEST(ArenaDeathTest, FreeMemoryIsPoisoned) {
  Arena arena(kCapacity);
  auto* block = static_cast<volatile char*>(arena.allocate(24));
  block[23] = 1;
  EXPECT_DEATH(block[24] = 1, "AddressSanitizer");
  std::vector<std::byte> state(arena.live_bytes());
  arena.save_live(state.data());
  arena.restore_live(state);
  EXPECT_DEATH(block[24] = 1, "AddressSanitizer") << "also after a restore";
  arena.deallocate(const_cast<char*>(block));
  EXPECT_DEATH(block[0] = 1, "AddressSanitizer");
}
#endif

}  // namespace
}  // namespace forkmunk::arena_alloc
