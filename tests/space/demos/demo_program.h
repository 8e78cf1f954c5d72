// SPDX-License-Identifier: MIT
#ifndef FORKMUNK_TESTS_DEMO_PROGRAM_H
#define FORKMUNK_TESTS_DEMO_PROGRAM_H

/// What tests/space/demos knows of Chipmunk's demos: C, as they are. The demos are built several times, each time with
/// another build of Chipmunk, into a program: one object that shows nothing but its table.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cpSpace;

/// One of the demos' sources, with a surrounding of its own: mouse, keyboard, random numbers, the space. All of its
/// variables lie together, so that a copy of them is a copy of the demo's part of the state.
typedef struct DemoUnit {
  const char* name;
  unsigned char *variables_begin, *variables_end;
  int (*scene_count)(void);
  const char* (*scene_name)(int scene);
  /// Sets a scene up, in the allocator at work. The variables must be as the program was loaded with them.
  void (*start)(int scene, uint32_t seed);
  /// The mouse's and keyboard's next move, then the demo's own step.
  void (*tick)(void);
  /// Frees the scene and all that is in it.
  void (*finish)(void);
  struct cpSpace* (*space)(void);
  /// The hand's joint, which is no part of the scene: 1 while something is grabbed.
  int (*grabbed_count)(void);
} DemoUnit;

/// What a scene consists of at the moment.
typedef struct DemoCensus {
  int body_count, constraint_count, sleeping_count, handler_count;
  int has_spatial_hash;
} DemoCensus;

typedef struct DemoProgram {
  const DemoUnit* const* units;
  size_t unit_count;
  /// A hash of the positions, angles and velocities of all bodies, in the space's own order. Reads only.
  uint64_t (*positions)(const struct cpSpace* space);
  DemoCensus (*census)(const struct cpSpace* space);
} DemoProgram;

#ifdef __cplusplus
}
#endif

#endif
