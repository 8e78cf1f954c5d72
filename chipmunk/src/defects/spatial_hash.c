// SPDX-License-Identifier: MIT
/* Chipmunk's own cpSpaceHash.c, unchanged, but for cells that pymunk computes in another way, and for cells beyond the
 * range of int. The defects (forkmunk/chipmunk/defects.h) are those of the space that made the hash.
 *
 * Chipmunk's hash of a cell is as wide as cpHashValue, 32 bits here: a negative coordinate is a large number. In pymunk
 * it is as wide as a pointer. The order of callbacks and contacts depends on it. */
#include <forkmunk/chipmunk/defects.h>

#include <chipmunk/chipmunk_private.h>
#include <math.h>

struct cpSpaceHash;
static __thread unsigned defects_of_next;

/* The defects lie in the padding before the size of a cell, where there is some. */
static unsigned defects_of(const struct cpSpaceHash* hash);
static void* new_hash(void);

static void* allocate(size_t count, size_t bytes, const void* owner, int kind) {
  return forkmunk_chipmunk_allocate(count * bytes, owner, kind);
}
#undef cpcalloc
#define cpcalloc(count, size)                          \
  (__builtin_strcmp(#size, "sizeof(cpSpaceHash)") == 0 \
       ? new_hash()                                    \
       : allocate((count), (size), FORKMUNK_OWNER_OF(#size), forkmunk_kind(#size, __func__)))

static int cell_at(const struct cpSpaceHash* hash, cpFloat coordinate);
static cpHashValue index_of(const struct cpSpaceHash* hash, int x, int y, int count);

/* The macros take the first word of an argument: that of the definition keeps Chipmunk's function. */
#define floor_int(coordinate) FLOOR_##coordinate)
#define FLOOR_cpFloat floor_int_of_stock(cpFloat
#define FLOOR_bb cell_at(hash, bb
#define FLOOR_a cell_at(hash, a
#define hash_func(x, y, n) HASH_##x, y, n)
#define HASH_cpHashValue hash_func_of_stock(cpHashValue
#define HASH_i index_of(hash, i
#define HASH_cell_x index_of(hash, cell_x
#include <cpSpaceHash.c>
#undef floor_int
#undef hash_func

enum {
  DEFECTS_OFFSET = offsetof(struct cpSpaceHash, numcells) + sizeof(int),
  HAS_PADDING = offsetof(struct cpSpaceHash, celldim) - DEFECTS_OFFSET >= sizeof(uint16_t)
};

static unsigned defects_of(const struct cpSpaceHash* hash) {
  uint16_t bits = 0;
  if (HAS_PADDING) memcpy(&bits, (const char*)hash + DEFECTS_OFFSET, sizeof bits);
  return bits;
}

static void* new_hash(void) {
  struct cpSpaceHash* hash = forkmunk_chipmunk_allocate(sizeof(struct cpSpaceHash), NULL, FORKMUNK_KIND_SPACE_HASH);
  const uint16_t bits = (uint16_t)defects_of_next;
  if (HAS_PADDING) memcpy((char*)hash + DEFECTS_OFFSET, &bits, sizeof bits);
  return hash;
}

void cpSpaceHashSetDefects(unsigned defects) { defects_of_next = defects; }

/* Coordinates beyond a thousand million cells share a cell, and NaN is in cell 0. */
static int cell_at(const struct cpSpaceHash* hash, cpFloat coordinate) {
  const cpFloat limit = 1e9;
  if (!(fabs(coordinate) < limit) && !(defects_of(hash) & FORKMUNK_DEFECT_HASH_CELLS)) {
    return isnan(coordinate) ? 0 : coordinate < 0 ? (int)-limit : (int)limit;
  }
  return floor_int_of_stock(coordinate);
}

static cpHashValue index_of(const struct cpSpaceHash* hash, int x, int y, int count) {
  if (defects_of(hash) & FORKMUNK_DEFECT_PYMUNK_ROUNDING) {
    const uint64_t wide_x = (uint64_t)(int64_t)x, wide_y = (uint64_t)(int64_t)y;
    return (cpHashValue)((wide_x * 1640531513u ^ wide_y * 2654435789u) % (uint64_t)count);
  }
  return hash_func_of_stock(x, y, count);
}

void cpSpaceHashBeginQuery(cpSpatialIndex* index) {
  if (index->klass == Klass()) ++((cpSpaceHash*)index)->stamp;
}
