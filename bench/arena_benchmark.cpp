// SPDX-License-Identifier: MIT
#include "bench/support/timing.h"

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/base/random.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <benchmark/benchmark.h>

/// The cost of the arena's calls, compared with the C library's. All memory is zeroed, as Chipmunk needs.
namespace forkmunk::bench {
namespace {

using benchmark::State;

constexpr std::size_t kArenaBytes = std::size_t{4} << 20;
constexpr std::size_t kBlockCount = 256;  // blocks that live at a time

struct ArenaHeap {
  void* allocate(std::size_t bytes) noexcept { return arena.allocate(bytes); }
  void* reallocate(void* block, std::size_t bytes) noexcept { return arena.reallocate(block, bytes); }
  void free(void* block) noexcept { arena.deallocate(block); }

  arena_alloc::Arena arena{kArenaBytes};
};

struct SystemHeap {
  void* allocate(std::size_t bytes) noexcept { return std::calloc(1, bytes); }
  void* reallocate(void* block, std::size_t bytes) noexcept { return std::realloc(block, bytes); }
  void free(void* block) noexcept { std::free(block); }
};

/// Each allocation returns the same block.
template <typename Heap>
void BM_AllocateFree(State& state) {
  Heap heap;
  const auto bytes = static_cast<std::size_t>(state.range(0));
  for (auto _ : state) {
    void* block = heap.allocate(bytes);
    keep(block);
    heap.free(block);
  }
  state.SetItemsProcessed(state.iterations());
}

/// Free lists are long and mixed: a random one of many blocks is replaced by one of another size.
template <typename Heap>
void BM_Churn(State& state) {
  Heap heap;
  Random random(1);
  const auto bytes_max = static_cast<std::uint64_t>(state.range(0));
  std::array<void*, kBlockCount> blocks{};
  for (void*& block : blocks) block = heap.allocate(1 + random.below(bytes_max));
  for (auto _ : state) {
    void*& block = blocks[random.below(kBlockCount)];
    heap.free(block);
    block = heap.allocate(1 + random.below(bytes_max));
    keep(block);
  }
  for (void* block : blocks) heap.free(block);
  state.SetItemsProcessed(state.iterations());
}

/// Doubles an array from 64 bytes on, which moves each time: a chunk of every size is free, and the heap's last chunk
/// is another.
template <typename Heap>
void BM_Reallocate(State& state) {
  Heap heap;
  const auto bytes_max = static_cast<std::size_t>(state.range(0));
  std::vector<void*> chunks;
  for (std::size_t bytes = 64; bytes <= bytes_max; bytes *= 2) chunks.push_back(heap.allocate(bytes));
  void* last = heap.allocate(64);
  for (void* chunk : chunks) heap.free(chunk);
  for (auto _ : state) {
    void* array = nullptr;
    for (std::size_t bytes = 64; bytes <= bytes_max; bytes *= 2) {
      array = heap.reallocate(array, bytes);
      keep(array);
    }
    heap.free(array);
  }
  heap.free(last);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(chunks.size()));
}

BENCHMARK(BM_AllocateFree<ArenaHeap>)->RangeMultiplier(4)->Range(16, 4096);
BENCHMARK(BM_AllocateFree<SystemHeap>)->RangeMultiplier(4)->Range(16, 4096);
BENCHMARK(BM_Churn<ArenaHeap>)->Arg(256)->Arg(1024);
BENCHMARK(BM_Churn<SystemHeap>)->Arg(256)->Arg(1024);
BENCHMARK(BM_Reallocate<ArenaHeap>)->Arg(4096);
BENCHMARK(BM_Reallocate<SystemHeap>)->Arg(4096);

}  // namespace
}  // namespace forkmunk::bench

BENCHMARK_MAIN();
