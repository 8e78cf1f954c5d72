// SPDX-License-Identifier: MIT

#include "sleepers.h"

#include <forkmunk/chipmunk/defects.h>

#include <vector>

#include <chipmunk/chipmunk_structs.h>

extern "C" {  // from chipmunk_private.h, which C++ cannot compile with hashes of 32 bits
void cpArbiterUnthread(cpArbiter* arbiter);
void cpArrayDeleteObj(cpArray* array, void* object);
}

namespace forkmunk::FORKMUNK_SPACE {
namespace {

bool has_sleepers(const cpSpace* space) noexcept {
  return space != nullptr && space->sleepingComponents->num != 0 &&
         (forkmunk_defects(space) & FORKMUNK_DEFECT_SLEEPERS) == 0;
}

bool is_static(cpBody* body) noexcept { return cpBodyGetType(body) == CP_BODY_TYPE_STATIC; }

cpArbiter* next_of(const cpArbiter* arbiter, const cpBody* body) noexcept {
  return arbiter->body_a == body ? arbiter->thread_a.next : arbiter->thread_b.next;
}

void wake(cpBody* body) {
  if (body != nullptr && cpBodyIsSleeping(body) != 0) cpBodyActivate(body);
}

// Wakes the bodies that touch a body. \param shape  a shape of the body; null for all its shapes.
void wake_touching(cpBody* body, const cpShape* shape) {
  std::vector<cpBody*> others;  // collected first, because waking changes the lists
  for (cpArbiter* arbiter = body->arbiterList; arbiter != nullptr; arbiter = next_of(arbiter, body)) {
    if (shape != nullptr && arbiter->a != shape && arbiter->b != shape) continue;
    others.push_back(arbiter->body_a == body ? arbiter->body_b : arbiter->body_a);
  }
  for (cpBody* const other : others) wake(other);
}

// Wakes the bodies whose shapes overlap a shape. The shapes of sleeping bodies are in the index of static shapes.
void wake_overlapping(cpSpace* space, const cpShape* shape) {
  struct Overlaps {
    const cpShape* shape;
    std::vector<cpBody*> bodies;
  } overlaps{shape, {}};
  const auto collect = [](void*, void* object, cpCollisionID id, void* data) -> cpCollisionID {
    auto& found = *static_cast<Overlaps*>(data);
    const auto* other = static_cast<const cpShape*>(object);
    if (other != found.shape && cpBBIntersects(found.shape->bb, other->bb)) found.bodies.push_back(other->body);
    return id;
  };
  cpSpatialIndexQuery(space->staticShapes, nullptr, shape->bb, collect, &overlaps);
  for (cpBody* const body : overlaps.bodies) wake(body);
}

}  // namespace

void wake_around(cpShape* shape) {
  cpSpace* const space = shape->space;
  if (!has_sleepers(space)) return;
  if (!is_static(shape->body)) return wake(shape->body);
  wake_touching(shape->body, shape);
  wake_overlapping(space, shape);
}

void wake_joined(cpBody* body) {
  if (!has_sleepers(body->space) || !is_static(body)) return;
  std::vector<cpBody*> others;
  for (cpConstraint* joint = body->constraintList; joint != nullptr;
       joint = joint->a == body ? joint->next_a : joint->next_b) {
    others.push_back(joint->a == body ? joint->b : joint->a);
  }
  for (cpBody* const other : others) wake(other);
}

void wake_on(cpBody* body) {
  wake_touching(body, nullptr);
  wake_joined(body);
}

void reindex_static(cpSpace* space, void (*reindex)(cpSpace*)) {
  std::vector<cpShape*> moved;
  if (has_sleepers(space)) {
    const auto collect = [](void* object, void* data) {
      auto* const shape = static_cast<cpShape*>(object);
      const cpBB before = shape->bb, after = cpShapeCacheBB(shape);
      const bool stays = before.l == after.l && before.b == after.b && before.r == after.r && before.t == after.t;
      if (!stays) static_cast<std::vector<cpShape*>*>(data)->push_back(shape);
    };
    cpSpatialIndexEach(space->staticShapes, collect, &moved);
  }
  reindex(space);
  for (cpShape* const shape : moved) wake_around(shape);
}

void forget_awake_contacts(cpBody* body, const cpBody* group) {
  cpSpace* const space = body->space;
  for (cpArbiter *arbiter = body->arbiterList, *next; arbiter != nullptr; arbiter = next) {
    next = next_of(arbiter, body);
    cpBody* const other = arbiter->body_a == body ? arbiter->body_b : arbiter->body_a;
    const bool sleeps_too = group != nullptr && other->sleeping.root == group->sleeping.root;
    if (is_static(other) || sleeps_too) continue;
    cpArbiterUnthread(arbiter);
    cpArrayDeleteObj(space->arbiters, arbiter);
  }
}

}  // namespace forkmunk::FORKMUNK_SPACE
