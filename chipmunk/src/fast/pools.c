#include "fast/pools.h"

char* cpPoolAdd(cpArray** buffers, const void* owner, int kind, size_t bytes) {
  cpPoolBuffer* const added = (cpPoolBuffer*)forkmunk_chipmunk_allocate(sizeof(cpPoolBuffer) + bytes, owner, kind);
  added->before = (cpPoolBuffer*)*buffers;
  *buffers = (cpArray*)added;
  return (char*)(added + 1);
}

cpPoolElements cpPoolGrow(cpArray** buffers, const void* owner, int kind, size_t element_bytes, size_t count) {
  int tries = 4;
  for (cpPoolBuffer* buffer = (cpPoolBuffer*)*buffers; buffer && tries > 0; buffer = buffer->before, --tries) {
    const size_t bytes = forkmunk_arena_bytes(buffer, kind);
    if (bytes != 0 && forkmunk_arena_extend(buffer, bytes + element_bytes)) {
      const cpPoolElements added = {(char*)buffer + bytes, 1};
      return added;
    }
  }
  const size_t reusable = forkmunk_arena_reusable_bytes(owner, sizeof(cpPoolBuffer) + element_bytes);
  if (reusable != 0) {
    const size_t reusable_count = (reusable - sizeof(cpPoolBuffer)) / element_bytes;
    if (reusable_count < count) count = reusable_count;
  }
  const cpPoolElements added = {cpPoolAdd(buffers, owner, kind, count * element_bytes), count};
  return added;
}

void cpPoolFree(cpArray* buffers) {
  for (cpPoolBuffer *buffer = (cpPoolBuffer*)buffers, *before; buffer; buffer = before) {
    before = buffer->before;
    forkmunk_chipmunk_free(buffer);
  }
}
