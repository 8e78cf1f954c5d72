// SPDX-License-Identifier: MIT

#include "demo_program.h"

#include <chipmunk/chipmunk_private.h>
#include <string.h>

#define DEMO(name) extern const DemoUnit demo_unit_##name;
#include "demo_names.def"
#undef DEMO
static const DemoUnit* const units[] = {
#define DEMO(name) &demo_unit_##name,
#include "demo_names.def"
#undef DEMO
};

static uint64_t add(uint64_t hash, cpFloat number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof(bits));
  hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

static uint64_t add_body(uint64_t hash, const cpBody* body) {
  hash = add(add(hash, body->p.x), body->p.y);
  hash = add(add(hash, body->v.x), body->v.y);
  return add(add(hash, body->a), body->w);
}

static uint64_t positions(const cpSpace* space) {
  uint64_t hash = 1;
  for (int i = 0; i < space->dynamicBodies->num; ++i) hash = add_body(hash, space->dynamicBodies->arr[i]);
  for (int i = 0; i < space->staticBodies->num; ++i) hash = add_body(hash, space->staticBodies->arr[i]);
  for (int i = 0; i < space->sleepingComponents->num; ++i) {
    for (const cpBody* body = space->sleepingComponents->arr[i]; body; body = body->sleeping.next) {
      hash = add_body(hash, body);
    }
  }
  return hash;
}

static DemoCensus census(const cpSpace* space) {
  DemoCensus census = {0};
  census.body_count = space->dynamicBodies->num;
  census.constraint_count = space->constraints->num;
  for (int i = 0; i < space->sleepingComponents->num; ++i) {
    for (cpBody* body = space->sleepingComponents->arr[i]; body; body = body->sleeping.next) {
      ++census.body_count;
      ++census.sleeping_count;
      CP_BODY_FOREACH_CONSTRAINT(body, c) {  // the space does not list joints of sleepers
        if (c->a == body || cpBodyGetType(c->a) == CP_BODY_TYPE_STATIC) ++census.constraint_count;
      }
    }
  }
  census.handler_count = cpHashSetCount(space->collisionHandlers);
  // A new space has a tree.
  cpSpatialIndex* tree = cpBBTreeNew(0, 0);
  census.has_spatial_hash = tree->klass != space->dynamicShapes->klass;
  cpSpatialIndexFree(tree);
  return census;
}

const DemoProgram DEMO_PROGRAM = {
    units,
    sizeof(units) / sizeof(units[0]),
    positions,
    census,
};
