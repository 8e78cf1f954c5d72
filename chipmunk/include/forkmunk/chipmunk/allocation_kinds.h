// SPDX-License-Identifier: MIT
#ifndef FORKMUNK_CHIPMUNK_ALLOCATION_KINDS_H
#define FORKMUNK_CHIPMUNK_ALLOCATION_KINDS_H

/// Lists the joints, as X(kind, type without cp, text, table in portable states).
#define FORKMUNK_EACH_JOINT(X)                                                         \
  X(PIN_JOINT, PinJoint, "pin joint", "pin joint")                                     \
  X(SLIDE_JOINT, SlideJoint, "slide joint", "slide joint")                             \
  X(PIVOT_JOINT, PivotJoint, "pivot joint", "pivot joint")                             \
  X(GROOVE_JOINT, GrooveJoint, "groove joint", "groove joint")                         \
  X(DAMPED_SPRING, DampedSpring, "damped spring", "damped spring")                     \
  X(DAMPED_ROTARY_SPRING, DampedRotarySpring, "damped rotary spring", "rotary spring") \
  X(ROTARY_LIMIT_JOINT, RotaryLimitJoint, "rotary limit joint", "rotary limit")        \
  X(RATCHET_JOINT, RatchetJoint, "ratchet joint", "ratchet joint")                     \
  X(GEAR_JOINT, GearJoint, "gear joint", "gear joint")                                 \
  X(SIMPLE_MOTOR, SimpleMotor, "simple motor", "simple motor")

/// The type of an allocation, which determines its fields (src/fields.h).
enum ForkmunkKind {
  FORKMUNK_KIND_CONSERVATIVE, /* type unknown: each aligned word that points into the arena is a pointer */
  FORKMUNK_KIND_PLAIN,        /* no pointers */
  FORKMUNK_KIND_TYPED,        /* a user's object, behind a TypedHeader (arena_state.h) */
  FORKMUNK_KIND_ROOT,         /* ArenaRoot (arena_state.h) */
  FORKMUNK_KIND_POINTERS,
  FORKMUNK_KIND_SPACE,
  FORKMUNK_KIND_BODY,
  FORKMUNK_KIND_CIRCLE,
  FORKMUNK_KIND_SEGMENT,
  FORKMUNK_KIND_POLY,
  FORKMUNK_KIND_PLANES,
/* clang-format off */
#define FORKMUNK_KIND_OF(kind, type, text, table) FORKMUNK_KIND_##kind,
  FORKMUNK_EACH_JOINT(FORKMUNK_KIND_OF)
#undef FORKMUNK_KIND_OF
  /* clang-format on */
  FORKMUNK_KIND_ARRAY,
  FORKMUNK_KIND_HASH_SET,
  FORKMUNK_KIND_HASH_SET_BINS,
  FORKMUNK_KIND_TREE,
  FORKMUNK_KIND_TREE_NODES,
  FORKMUNK_KIND_TREE_PAIRS,
  FORKMUNK_KIND_ARBITERS,
  FORKMUNK_KIND_CONTACT_BUFFER,
  FORKMUNK_KIND_CONTACTS, /* the contacts of a sleeping body's arbiter */
  FORKMUNK_KIND_COLLISION_HANDLER,
  FORKMUNK_KIND_POST_STEP_CALLBACK,
  FORKMUNK_KIND_SPACE_HASH,
  FORKMUNK_KIND_SPACE_HASH_BINS,
  FORKMUNK_KIND_SPACE_HASH_HANDLES,
  FORKMUNK_KIND_UNUSED_1, /* hashes have the numbers of kinds */
  FORKMUNK_KIND_UNUSED_2,
  FORKMUNK_KIND_POLYLINE_SET,
  /* Buffers of pools in builds with the fast step, each with a pointer to the previous one */
  FORKMUNK_KIND_CONTACT_ARBITERS,
  FORKMUNK_KIND_CONTACT_SLOTS,
  FORKMUNK_KIND_POOLED_BINS,
  FORKMUNK_KIND_POOLED_NODES,
  FORKMUNK_KIND_POOLED_PAIRS,
  FORKMUNK_KIND_COUNT
};

#endif
