// SPDX-License-Identifier: MIT
#ifndef FORKMUNK_TESTS_DEMO_PROGRAM_H
#define FORKMUNK_TESTS_DEMO_PROGRAM_H

/// The table of Chipmunk's demos, which each program of demos exports as its only symbol.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cpSpace;

/// A demo's source with its own mouse, keyboard, random numbers and space. All variables lie together, so that they
/// can be copied at once.
typedef struct DemoUnit {
  const char* name;
  unsigned char *variables_begin, *variables_end;
  int (*scene_count)(void);
  const char* (*scene_name)(int scene);
  /// Builds a scene in the present allocator. \pre the variables have their first values.
  void (*start)(int scene, uint32_t seed);
  /// Makes the input's next move, then the demo's step.
  void (*tick)(void);
  void (*finish)(void);
  struct cpSpace* (*space)(void);
  /// Returns 1 while the hand has a joint, which is no part of the scene.
  int (*grabbed_count)(void);
} DemoUnit;

typedef struct DemoCensus {
  int body_count, constraint_count, sleeping_count, handler_count;
  int has_spatial_hash;
} DemoCensus;

typedef struct DemoProgram {
  const DemoUnit* const* units;
  size_t unit_count;
  /// Hashes positions, angles and velocities of all bodies in the space's order.
  uint64_t (*positions)(const struct cpSpace* space);
  DemoCensus (*census)(const struct cpSpace* space);
} DemoProgram;

#ifdef __cplusplus
}
#endif

#endif
