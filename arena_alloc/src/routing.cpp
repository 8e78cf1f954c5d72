// SPDX-License-Identifier: MIT
#include <forkmunk/arena_alloc/chunk.h>
#include <forkmunk/arena_alloc/emergency_memory.h>
#include <forkmunk/arena_alloc/routing.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>

namespace forkmunk::arena_alloc {
namespace {

constinit thread_local Scope* innermost = nullptr;

void* or_abort(void* block, std::size_t size_bytes) noexcept {
  if (block != nullptr) return block;
  std::fprintf(stderr, "forkmunk: the system has no memory: requested %zu bytes\n", size_bytes);
  std::abort();
}

// Returns null for malloc.
Arena* arena_for(const void* owner) noexcept {
  if (owner == nullptr) return Arena::current();
  if (Arena* arena = Arena::containing(owner)) return arena;
  return emergency_owner(owner);
}

}  // namespace

Scope::Scope(Arena* arena) noexcept : arena_(arena), outer_(std::exchange(innermost, this)) {}

Scope::~Scope() {
  Scope** link = &innermost;
  while (*link != nullptr && *link != this) link = &(*link)->outer_;
  if (*link == this) *link = outer_;
}

void Scope::abandon_below(const void* stack) noexcept {
  while (innermost != nullptr && std::less<>()(innermost, stack)) innermost = innermost->outer_;
}

Arena* Arena::current() noexcept { return innermost == nullptr ? nullptr : innermost->arena_; }

bool Arena::is_entered() const noexcept {
  const Scope* scope = innermost;
  while (scope != nullptr && scope->arena_ != this) scope = scope->outer_;
  return scope != nullptr;
}

}  // namespace forkmunk::arena_alloc

using namespace forkmunk::arena_alloc;

void* forkmunk_arena_allocate(size_t size_bytes, const void* owner, int kind) {
  if (Arena* arena = arena_for(owner)) return arena->allocate(size_bytes, kind);
  return or_abort(std::calloc(1, std::max<size_t>(size_bytes, 1)), size_bytes);
}

void* forkmunk_arena_realloc(void* block, size_t size_bytes, const void* owner, int kind) {
  if (block == nullptr) return forkmunk_arena_allocate(size_bytes, owner, kind);
  if (Arena* arena = Arena::containing(block)) return arena->reallocate(block, size_bytes);
  if (const size_t old_bytes = emergency_bytes(block); old_bytes > 0) {
    void* moved = allocate_emergency(*emergency_owner(block), size_bytes);
    std::memcpy(moved, block, std::min(old_bytes, size_bytes));
    release_emergency(block);
    return moved;
  }
  return or_abort(std::realloc(block, std::max<size_t>(size_bytes, 1)), size_bytes);
}

void forkmunk_arena_free(void* block) {
  if (block == nullptr) return;
  if (Arena* arena = Arena::containing(block)) return arena->deallocate(block);
  if (emergency_bytes(block) > 0) return release_emergency(block);
  std::free(block);
}

int forkmunk_arena_extend(void* block, size_t size_bytes) {
  Arena* arena = Arena::containing(block);
  return arena != nullptr && arena->try_extend(block, size_bytes);
}

size_t forkmunk_arena_reusable_bytes(const void* owner, size_t size_bytes) {
  const Arena* arena = Arena::containing(owner);
  return arena == nullptr ? 0 : arena->reusable_bytes(size_bytes);
}

size_t forkmunk_arena_bytes(const void* block, int kind) {
  const Arena* arena = Arena::containing(block);
  if (arena == nullptr || !arena->has_payload_at(block)) return 0;
  const Chunk& chunk = *(static_cast<const Chunk*>(block) - 1);
  return chunk.kind() == kind ? chunk.requested_bytes() : 0;
}
