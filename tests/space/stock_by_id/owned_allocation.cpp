// SPDX-License-Identifier: MIT
#include "stock_by_id/owned_allocation.h"

#include <cstdlib>

namespace forkmunk::space {

thread_local OwnedMemory* owned_memory = nullptr;

OwnedMemory::~OwnedMemory() {
  for (void* block : blocks) std::free(block);
  if (owned_memory == this) owned_memory = nullptr;
}

}  // namespace forkmunk::space

using forkmunk::space::owned_memory;

namespace {

void* noted(void* block) {
  if (owned_memory != nullptr) owned_memory->blocks.insert(block);
  return block;
}
void forget(void* block) {
  if (owned_memory != nullptr) owned_memory->blocks.erase(block);
}

}  // namespace

void* owned_calloc(size_t count, size_t size_bytes) { return noted(std::calloc(count, size_bytes)); }

void* owned_realloc(void* block, size_t size_bytes) {
  forget(block);
  return noted(std::realloc(block, size_bytes));
}

void owned_free(void* block) {
  forget(block);
  std::free(block);
}
