#include "support/scenes.h"

#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>
#include <mimalloc.h>

#ifndef FORKMUNK_SANITIZED
#define FORKMUNK_COUNTS_ALLOCATIONS 1

// Counts what the whole program asks the system for: this program's definitions stand before the libraries'.
namespace {
std::atomic<long> allocation_count{0};

void* counted(void* memory) {
  allocation_count.fetch_add(1, std::memory_order_relaxed);
  return memory;
}
}  // namespace

extern "C" {
void* malloc(std::size_t size) { return counted(mi_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) { return counted(mi_calloc(count, size)); }
void* realloc(void* memory, std::size_t size) { return counted(mi_realloc(memory, size)); }
void free(void* memory) { mi_free(memory); }
// Arenas' blocks and snapshots' buffers.
void* mi_malloc_aligned(std::size_t size, std::size_t alignment) noexcept {
  return counted(mi_heap_malloc_aligned(mi_heap_get_default(), size, alignment));
}
}
void* operator new(std::size_t size) { return counted(mi_new(size)); }
void operator delete(void* memory) noexcept { mi_free(memory); }
void operator delete(void* memory, std::size_t) noexcept { mi_free(memory); }
#endif

namespace forkmunk::engine {
namespace {

TEST(Allocation, NothingIsTakenFromTheSystemAfterBeginMatch) {
#ifndef FORKMUNK_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "the sanitizer owns the allocator";
#else
  { EXPECT_NE(std::make_unique<int>(1), nullptr); }
  ASSERT_GT(allocation_count, 0) << "the counter counts nothing";
  const std::vector<Commands> commands = tests::script(1, 900);
  for (const tests::Scene& scene : tests::all_scenes()) {
    World world;
    world.begin_match(scene.setup);
    Snapshot snapshot = world.save();
    std::uint64_t hash = 0;
    const long before = allocation_count;
    for (std::size_t i = 0; i < commands.size(); ++i) {
      world.step(commands[i]);
      if (i % 50 == 0 && world.live_bytes() <= snapshot.size_bytes()) {
        world.save(snapshot);
        hash += world.restore(snapshot) ? world.hash() : 0;
      }
    }
    EXPECT_EQ(allocation_count - before, 0) << scene.map << ' ' << scene.car << ' ' << hash;
  }
#endif
}

TEST(Allocation, ASnapshotsBufferIsReplacedOnlyWhenItIsTooSmall) {
#ifndef FORKMUNK_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "the sanitizer owns the allocator";
#else
  MatchSetup small = tests::all_scenes()[0].setup;
  small.map.segments.clear();
  MatchSetup large = small;
  large.map.segments.assign(500, Segment{{0, 700}, {50, 700}, 5});
  World world;
  world.begin_match(small);
  Snapshot snapshot = world.save();
  const auto allocations_of_a_save = [&] {
    const long before = allocation_count;
    world.save(snapshot);
    return allocation_count - before;
  };
  EXPECT_EQ(allocations_of_a_save(), 0);
  world.begin_match(large);
  ASSERT_GT(world.live_bytes(), 2 * snapshot.size_bytes());
  EXPECT_EQ(allocations_of_a_save(), 1);
  EXPECT_EQ(snapshot.size_bytes(), world.live_bytes());
  EXPECT_EQ(allocations_of_a_save(), 0);
  world.begin_match(small);
  EXPECT_EQ(allocations_of_a_save(), 0);
#endif
}

}  // namespace
}  // namespace forkmunk::engine
