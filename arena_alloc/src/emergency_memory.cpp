// SPDX-License-Identifier: MIT
#include <forkmunk/arena_alloc/emergency_memory.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace forkmunk::arena_alloc {
namespace {

struct alignas(16) Block {
  Block* next;
  Arena* owner;
  std::size_t size_bytes;
};

std::mutex mutex;
std::atomic<Block*> first{nullptr};  // changes under the mutex

// Returns a copy of the block's header; zeros for any other address.
Block header_of(const void* payload) noexcept {
  if (first.load(std::memory_order_relaxed) == nullptr) return {};
  const std::lock_guard lock(mutex);
  const Block* block = first;
  while (block != nullptr && block + 1 != payload) block = block->next;
  return block == nullptr ? Block{} : *block;
}

void release_if(auto condition) noexcept {
  if (first.load(std::memory_order_relaxed) == nullptr) return;
  const std::lock_guard lock(mutex);
  for (Block *before = nullptr, *block = first; block != nullptr;) {
    Block* const next = block->next;
    if (!condition(*block)) {
      before = block;
    } else {
      if (before == nullptr) first = next;
      if (before != nullptr) before->next = next;
      std::free(block);
    }
    block = next;
  }
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
  *block = {first, &owner, size_bytes};
  first = block;
  return block + 1;
}

std::size_t emergency_bytes(const void* block) noexcept { return header_of(block).size_bytes; }

Arena* emergency_owner(const void* block) noexcept { return header_of(block).owner; }

void release_emergency(void* block) noexcept {
  release_if([&](const Block& each) { return &each + 1 == block; });
}

void release_emergency_of(const Arena& owner) noexcept {
  release_if([&](const Block& each) { return each.owner == &owner; });
}

}  // namespace forkmunk::arena_alloc
