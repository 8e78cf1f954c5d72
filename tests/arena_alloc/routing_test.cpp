// SPDX-License-Identifier: MIT
#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/arena_alloc/emergency_memory.h>
#include <forkmunk/arena_alloc/routing.h>

#include <cstdint>
#include <cstring>
#include <list>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <sys/mman.h>
#endif

namespace forkmunk::arena_alloc {
namespace {

#ifdef _WIN32
void* map_at(void* address, std::size_t bytes) { return ::VirtualAlloc(address, bytes, MEM_RESERVE, PAGE_READWRITE); }
void unmap(void* begin, std::size_t) { ::VirtualFree(begin, 0, MEM_RELEASE); }
#else
void* map_at(void* address, std::size_t bytes) {
  void* found = ::mmap(address, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return found == MAP_FAILED ? nullptr : found;
}
void unmap(void* begin, std::size_t bytes) { ::munmap(begin, bytes); }
#endif

TEST(Routing, WhatLiesAroundAnArenaIsNotItsOwn) {
  if (sizeof(void*) != 8) GTEST_SKIP() << "the region may fill its slots";
  Arena arena(1 << 20);
  constexpr std::ptrdiff_t kPageBytes = 1 << 16;
  for (const std::ptrdiff_t distance : {-kPageBytes, std::ptrdiff_t{1} << 30}) {
    void* other = map_at(arena.base() + distance, kPageBytes);
    ASSERT_EQ(other, arena.base() + distance);
    EXPECT_EQ(Arena::containing(other), nullptr) << distance;
    unmap(other, kPageBytes);
  }
  EXPECT_EQ(Arena::containing(arena.base()), &arena);
  EXPECT_EQ(Arena::containing(arena.base() + arena.capacity_bytes() - 1), &arena);
}

// Numbers of two small halves must not look like addresses.
TEST(Routing, AnArenaDoesNotBeginWithSmallLowerHalves) {
  if (sizeof(void*) != 8) GTEST_SKIP() << "addresses have 32 bits";
  for (int i = 0; i < 4; ++i) {
    const Arena arena(1 << 20);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arena.base()) & 0xffffffffu, std::uintptr_t{1} << 31);
  }
}

TEST(Routing, SpreadArenasBeginAtOtherLowerHalves) {
  if (sizeof(void*) != 8) GTEST_SKIP() << "addresses have 32 bits";
  std::list<Arena> arenas;
  std::set<std::uint32_t> begins, lines;
  for (int i = 0; i < 8; ++i) {
    const Arena& arena = arenas.emplace_back(std::size_t{1} << 20, std::size_t{1} << 20, Overflow::abort, Reuse::whole,
                                             Distance::spread);
    begins.insert(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(arena.base())));
    lines.insert(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(arena.base()) % 4096));
    EXPECT_EQ(Arena::containing(arena.base() + arena.capacity_bytes() - 1), &arena);
  }
  EXPECT_GT(begins.size(), 4u);
  EXPECT_GT(lines.size(), 4u);
  EXPECT_GE(*begins.begin(), std::uint32_t{1} << 31);
  EXPECT_LT(*begins.rbegin(), (std::uint32_t{1} << 31) + (std::uint32_t{1} << 22));
}

TEST(Routing, ScopesNest) {
  Arena one(1 << 16);
  Arena other(1 << 16);
  const auto owner = [] {
    void* block = forkmunk_arena_allocate(40, nullptr, 0);
    Arena* arena = Arena::containing(block);
    forkmunk_arena_free(block);
    return arena;
  };
  EXPECT_EQ(owner(), nullptr);
  {
    const auto outer = one.enter();
    EXPECT_EQ(owner(), &one);
    {
      const auto inner = other.enter();
      EXPECT_EQ(owner(), &other);
      const auto again = one.enter();
      EXPECT_EQ(owner(), &one);
    }
    {
      const Arena::Scope none(nullptr);
      EXPECT_EQ(owner(), nullptr);
    }
    EXPECT_EQ(owner(), &one);
  }
  EXPECT_EQ(owner(), nullptr);
}

TEST(Routing, EmergencyMemoryGrowsAndGoes) {
  Arena arena(4096, 0, Overflow::emergency);
  void* owner = arena.allocate(16);
  std::vector<void*> blocks;
  while (!arena.is_overflowed()) blocks.push_back(forkmunk_arena_allocate(100, owner, 0));
  auto* block = static_cast<unsigned char*>(blocks.back());
  EXPECT_EQ(Arena::containing(block), nullptr);
  EXPECT_EQ(emergency_owner(block), &arena);
  EXPECT_EQ(emergency_bytes(block), 100u);
  std::memset(block, 7, 100);
  block = static_cast<unsigned char*>(forkmunk_arena_realloc(block, 5000, nullptr, 0));
  EXPECT_EQ(block[99], 7);
  EXPECT_EQ(emergency_bytes(block), 5000u);
  // An owner in emergency memory belongs to the same arena.
  void* more = forkmunk_arena_allocate(100, block, 0);
  EXPECT_EQ(emergency_owner(more), &arena);
  forkmunk_arena_free(block);
  EXPECT_EQ(emergency_bytes(block), 0u);
  arena.reset();
  EXPECT_EQ(emergency_owner(more), nullptr);
  EXPECT_FALSE(arena.is_overflowed());
}

TEST(Routing, EmergencyMemoryOfNoBytesIsFreedToo) {
  Arena arena(4096, 0, Overflow::emergency);
  while (!arena.is_overflowed()) static_cast<void>(arena.allocate(100));
  const auto scope = arena.enter();
  void* none = nullptr;
  while (Arena::containing(none = forkmunk_arena_allocate(0, nullptr, 0)) != nullptr) {}
  forkmunk_arena_free(none);
  none = forkmunk_arena_realloc(forkmunk_arena_allocate(200, nullptr, 0), 0, nullptr, 0);
  forkmunk_arena_free(none);
}

}  // namespace
}  // namespace forkmunk::arena_alloc
