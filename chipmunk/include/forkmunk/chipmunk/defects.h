// SPDX-License-Identifier: MIT
#ifndef FORKMUNK_CHIPMUNK_DEFECTS_H
#define FORKMUNK_CHIPMUNK_DEFECTS_H

/// The defects of Chipmunk 7.0.3 that a space has, one bit each (docs/reference/defects.md). The bits are in the
/// padding after cpSpace::usesWildcards, so that a cpSpace keeps its layout.

#include <chipmunk/chipmunk.h>
#include <chipmunk/chipmunk_structs.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
  /// Circles touch rounded polygons on the far side.
  FORKMUNK_DEFECT_ROUNDED_POLYGONS = 1 << 0,
  /// Springs ignore maxForce.
  FORKMUNK_DEFECT_SPRING_LIMITS = 1 << 1,
  /// The impulse of a rotary spring adds the torque's impulse and subtracts the damping's.
  FORKMUNK_DEFECT_SPRING_IMPULSES = 1 << 2,
  /// Segment queries miss shapes that the query's radius reaches, and shapes at the end of the segment.
  FORKMUNK_DEFECT_SEGMENT_QUERIES = 1 << 3,
  /// A segment query that starts in a shape reports a normal, and the segment's end as the point.
  FORKMUNK_DEFECT_QUERIES_FROM_INSIDE = 1 << 4,
  /// Some contacts of segments and polygons do not lie on their surfaces, and some normals have length 0.
  FORKMUNK_DEFECT_CONTACT_POINTS = 1 << 5,
  /// A shape query returns whether the last of its shapes is solid.
  FORKMUNK_DEFECT_SHAPE_QUERIES = 1 << 6,
  /// Trees become lists, whose length is the depth of recursions.
  FORKMUNK_DEFECT_DEEP_TREES = 1 << 7,
  /// The ratio of the time steps scales the impulses of the last step, but not their sums.
  FORKMUNK_DEFECT_TIME_STEP_RATIO = 1 << 8,
  /// Bodies stay asleep when the bodies that they rest on change.
  FORKMUNK_DEFECT_SLEEPERS = 1 << 9,
  /// Some calls break the lists of contacts and bodies.
  FORKMUNK_DEFECT_BROKEN_LISTS = 1 << 10,
  /// A spatial hash reports a pair twice after a query in a callback, and miscomputes cells beyond the range of int.
  FORKMUNK_DEFECT_HASH_CELLS = 1 << 11,
  /// The arithmetic is pymunk's, where pymunk rounds differently.
  FORKMUNK_DEFECT_PYMUNK_ROUNDING = 1 << 12,

  /// Distances have the wrong sign if the first shape's type is the higher one.
  FORKMUNK_DEFECT_DISTANCE_SIGNS = 1 << 13,

  FORKMUNK_DEFECTS_NONE = 0,
  /// The defects of pymunk 6.9 to 7.3.
  FORKMUNK_DEFECTS_PYMUNK = FORKMUNK_DEFECT_SEGMENT_QUERIES | FORKMUNK_DEFECT_QUERIES_FROM_INSIDE |
                            FORKMUNK_DEFECT_CONTACT_POINTS | FORKMUNK_DEFECT_TIME_STEP_RATIO |
                            FORKMUNK_DEFECT_SLEEPERS | FORKMUNK_DEFECT_PYMUNK_ROUNDING | FORKMUNK_DEFECT_DISTANCE_SIGNS,
  /// The defects of Chipmunk 7.0.3.
  FORKMUNK_DEFECTS_STOCK = ((1 << 12) - 1) | FORKMUNK_DEFECT_DISTANCE_SIGNS
};

enum { FORKMUNK_DEFECTS_OFFSET = offsetof(cpSpace, usesWildcards) + 2 };
typedef char forkmunk_defects_lie_in_padding
    [FORKMUNK_DEFECTS_OFFSET + sizeof(uint16_t) <= offsetof(cpSpace, collisionHandlers) ? 1 : -1];

/// Null has no defects.
static inline unsigned forkmunk_defects(const cpSpace* space) {
  uint16_t bits = 0;
  if (space != NULL) memcpy(&bits, (const char*)space + FORKMUNK_DEFECTS_OFFSET, sizeof bits);
  return bits;
}

static inline void forkmunk_set_defects(cpSpace* space, unsigned defects) {
  const uint16_t bits = (uint16_t)defects;
  memcpy((char*)space + FORKMUNK_DEFECTS_OFFSET, &bits, sizeof bits);
}

/// One of the shapes may be in no space.
static inline unsigned forkmunk_defects_of_pair(const cpShape* a, const cpShape* b) {
  return forkmunk_defects(a->space != NULL ? a->space : b->space);
}

/// Returns whether a spring's sum of impulses is clamped to maxForce. pymunk also clamps springs without a limit, which
/// rounds the impulse.
static inline cpBool spring_is_limited(const cpConstraint* spring) {
  const unsigned defects = forkmunk_defects(spring->space);
  if (defects & FORKMUNK_DEFECT_SPRING_LIMITS) return cpFalse;
  return spring->maxForce != INFINITY || (defects & FORKMUNK_DEFECT_PYMUNK_ROUNDING) != 0;
}

#endif
