// SPDX-License-Identifier: MIT
/* Chipmunk's own cpSpaceHash.c, unchanged except for cells that pymunk computes in another way, and cells beyond the
 * range of int. The hash has the defects (forkmunk/chipmunk/defects.h) of the space that made it.
 *
 * A cell's hash is as wide as cpHashValue, which has 32 bits here, so a negative coordinate is a large number. In
 * pymunk it is as wide as a pointer. The order of callbacks and contacts depends on it. */
#include "fast/stock_step.h"

#include <forkmunk/chipmunk/defects.h>

#include <chipmunk/chipmunk_private.h>
#include <limits.h>
#include <math.h>

struct cpSpaceHash;
static __thread unsigned defects_of_next;

/* The defects lie in the padding before the size of a cell, if there is any. */
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
static int cell_of(const struct cpSpaceHash* hash, cpBB bb, cpFloat dim, int side, cpFloat coordinate);
static cpHashValue index_of(const struct cpSpaceHash* hash, int x, int y, int count);

/* The macros see an argument's first word. The word of the definition selects Chipmunk's function. */
#define floor_int(coordinate) FLOOR_##coordinate)
#define FLOOR_cpFloat floor_int_of_stock(cpFloat
#define FLOOR_bb cell_of(hash, bb, dim, (__COUNTER__ - COUNT_BEFORE - 1) % 4, bb
#define FLOOR_a cell_at(hash, a
#define hash_func(x, y, n) HASH_##x, y, n)
#define HASH_cpHashValue hash_func_of_stock(cpHashValue
#define HASH_i index_of(hash, i
#define HASH_cell_x index_of(hash, cell_x
/* Chipmunk asks for the cells of a box in three places, always in this order of the sides. */
enum { COUNT_BEFORE = __COUNTER__ };
#include <cpSpaceHash.c>
_Static_assert(__COUNTER__ == COUNT_BEFORE + 13, "the cells of three boxes");
#undef floor_int
#undef hash_func

enum {
  ROW_OF_BINS = INT_MIN,
  ALL_BINS = 1 << 15, /* a bit beside the defects: queries visit all bins */
  DEFECTS_OFFSET = offsetof(struct cpSpaceHash, numcells) + sizeof(int),
  HAS_PADDING = offsetof(struct cpSpaceHash, celldim) - DEFECTS_OFFSET >= sizeof(uint16_t)
};

static unsigned defects_of(const struct cpSpaceHash* hash) {
  uint16_t bits = 0;
  if (HAS_PADDING) memcpy(&bits, (const char*)hash + DEFECTS_OFFSET, sizeof bits);
  return bits;
}

static void set_defects(struct cpSpaceHash* hash, unsigned defects) {
  const uint16_t bits = (uint16_t)defects;
  if (HAS_PADDING) memcpy((char*)hash + DEFECTS_OFFSET, &bits, sizeof bits);
}

static void* new_hash(void) {
  struct cpSpaceHash* hash = forkmunk_chipmunk_allocate(sizeof(struct cpSpaceHash), NULL, FORKMUNK_KIND_SPACE_HASH);
  set_defects(hash, defects_of_next);
  return hash;
}

void cpSpaceHashSetDefects(unsigned defects) { defects_of_next = defects; }

/* Coordinates beyond a thousand million cells share a cell, and NaN is in cell 0. Stock Chipmunk's cell is undefined
 * beyond the range of int: there the cell is that of x86. */
static int cell_at(const struct cpSpaceHash* hash, cpFloat coordinate) {
  const cpFloat limit = 1e9;
  if (defects_of(hash) & FORKMUNK_DEFECT_HASH_CELLS) {
    if (!(coordinate >= INT_MIN && coordinate < (cpFloat)INT_MAX)) return INT_MIN;
  } else if (!(fabs(coordinate) < limit)) {
    return isnan(coordinate) ? 0 : coordinate < 0 ? (int)-limit : (int)limit; /* NaN: of a segment query */
  }
  return floor_int_of_stock(coordinate);
}

static int has_rows_of_bins(const struct cpSpaceHash* hash) {
  return (defects_of(hash) & (FORKMUNK_DEFECT_HASH_CELLS | ALL_BINS)) != FORKMUNK_DEFECT_HASH_CELLS;
}

/* A box over more than a million cells, or with NaN, is in all bins. */
static int cell_of(const struct cpSpaceHash* hash, cpBB bb, cpFloat dim, int side, cpFloat coordinate) {
  if (has_rows_of_bins(hash)) {
    const cpFloat cells = ((bb.r - bb.l) / dim + 1) * ((bb.t - bb.b) / dim + 1);
    if (!(cells <= 1 << 20) || (defects_of(hash) & ALL_BINS)) {
      return side == 0 ? 0 : side == 1 ? hash->numcells - 1 : ROW_OF_BINS;
    }
  }
  return cell_at(hash, coordinate);
}

/* hash_func() of a machine whose long has 64 bits, so that every machine has the same order. */
static cpHashValue index_of(const struct cpSpaceHash* hash, int x, int y, int count) {
  if (y == ROW_OF_BINS && has_rows_of_bins(hash)) return (cpHashValue)x;
  const int is_wide = (defects_of(hash) & FORKMUNK_DEFECT_PYMUNK_ROUNDING) != 0;
  const uint64_t wide_x = is_wide ? (uint64_t)(int64_t)x : (uint32_t)x;
  const uint64_t wide_y = is_wide ? (uint64_t)(int64_t)y : (uint32_t)y;
  return (cpHashValue)((wide_x * 1640531513u ^ wide_y * 2654435789u) % (uint64_t)count);
}

void cpSpaceHashBeginQuery(cpSpatialIndex* index) {
  if (index->klass == Klass()) ++((cpSpaceHash*)index)->stamp;
}

cpBool cpSpaceHashVisitAllBins(cpSpatialIndex* index, cpBool all) {
  struct cpSpaceHash* const hash = (struct cpSpaceHash*)index;
  const unsigned defects = defects_of(hash);
  set_defects(hash, all ? defects | ALL_BINS : defects & ~(unsigned)ALL_BINS);
  return (defects & ALL_BINS) != 0;
}
