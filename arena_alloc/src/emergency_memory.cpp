// SPDX-License-Identifier: MIT
#include <forkmunk/arena_alloc/emergency_memory.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace forkmunk::arena_alloc {
namespace {

/// All blocks are in one ring.
struct alignas(16) Block {
  Block* previous;
  Block* next;
  Arena* owner;
  std::size_t size_bytes;
};

std::mutex mutex;
Block ring{&ring, &ring, nullptr, 0};
std::atomic<std::size_t> block_count{0};

void unlink(Block* block) noexcept {
  block->previous->next = block->next;
  block->next->previous = block->previous;
  block_count.fetch_sub(1, std::memory_order_relaxed);
  std::free(block);
}

// \pre the caller holds the mutex.
Block* find(const void* payload) noexcept {
  for (Block* block = ring.next; block != &ring; block = block->next) {
    if (block + 1 == payload) return block;
  }
  return nullptr;
}

}  // namespace

void* allocate_emergency(Arena& owner, std::size_t size_bytes) noexcept {
  size_bytes = std::max<std::size_t>(size_bytes, 1);  // emergency_bytes() returns 0 for other addresses
  auto* block = static_cast<Block*>(std::calloc(1, sizeof(Block) + size_bytes));
  if (block == nullptr) {
    std::fprintf(stderr, "forkmunk: an arena is full and the system has no memory: requested %zu bytes\n", size_bytes);
    std::abort();
  }
  const std::lock_guard lock(mutex);
  *block = {ring.previous, &ring, &owner, size_bytes};
  ring.previous->next = block;
  ring.previous = block;
  block_count.fetch_add(1, std::memory_order_relaxed);
  return block + 1;
}

std::size_t emergency_bytes(const void* block) noexcept {
  if (block_count.load(std::memory_order_relaxed) == 0) return 0;
  const std::lock_guard lock(mutex);
  const Block* found = find(block);
  return found == nullptr ? 0 : found->size_bytes;
}

Arena* emergency_owner(const void* block) noexcept {
  if (block_count.load(std::memory_order_relaxed) == 0) return nullptr;
  const std::lock_guard lock(mutex);
  const Block* found = find(block);
  return found == nullptr ? nullptr : found->owner;
}

void release_emergency(void* block) noexcept {
  const std::lock_guard lock(mutex);
  if (Block* found = find(block)) unlink(found);
}

void release_emergency_of(const Arena& owner) noexcept {
  if (block_count.load(std::memory_order_relaxed) == 0) return;
  const std::lock_guard lock(mutex);
  for (Block* block = ring.next; block != &ring;) {
    Block* next = block->next;
    if (block->owner == &owner) unlink(block);
    block = next;
  }
}

}  // namespace forkmunk::arena_alloc
