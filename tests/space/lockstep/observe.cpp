// SPDX-License-Identifier: MIT
#include "observe.h"

#include <cmath>
#include <cstddef>
#include <cstring>

#include <chipmunk/chipmunk_structs.h>

extern "C" void cpHashSetEach(cpHashSet* set, void (*function)(void* element, void* data), void* data);

namespace lockstep_scene {
namespace {

using lockstep::Words;

void add(Words& words, double x) { words.push_back(bits_of(x)); }
void add(Words& words, cpVect v) {
  add(words, v.x);
  add(words, v.y);
}

void add_body(Words& words, const cpBody& body) {
  for (const cpVect v : {body.p, body.v, body.f, body.v_bias}) add(words, v);
  for (const double x : {body.a, body.w, body.t, body.w_bias, body.m, body.i, body.sleeping.idleTime}) add(words, x);
  for (const double x :
       {body.transform.a, body.transform.b, body.transform.c, body.transform.d, body.transform.tx, body.transform.ty}) {
    add(words, x);
  }
  words.push_back(body.sleeping.root != nullptr);
  words.push_back(body.sleeping.next != nullptr);
  for (const cpShape* shape = body.shapeList; shape != nullptr; shape = shape->next) {
    words.push_back(shape->hashid);
    for (const double x : {shape->bb.l, shape->bb.b, shape->bb.r, shape->bb.t}) add(words, x);
  }
}

void add_kept(Words& words, const cpContact& contact) {
  words.push_back(contact.hash);
  add(words, contact.jnAcc);
  add(words, contact.jtAcc);
}

// Without `is_solved`, the solver's numbers may be left from another contact, and nothing reads them.
void add_arbiter(Words& words, const cpArbiter& arbiter, bool is_solved) {
  words.push_back(arbiter.a->hashid);
  words.push_back(arbiter.b->hashid);
  words.push_back(static_cast<std::uint64_t>(arbiter.count));
  words.push_back(arbiter.state);
  words.push_back(arbiter.swapped);
  words.push_back(arbiter.stamp);
  add(words, arbiter.e);
  add(words, arbiter.u);
  add(words, arbiter.surface_vr);
  add(words, arbiter.n);
  for (const cpArbiterThread& thread : {arbiter.thread_a, arbiter.thread_b}) {
    words.push_back(thread.next == nullptr ? 0 : thread.next->a->hashid);
    words.push_back(thread.prev == nullptr ? 0 : thread.prev->a->hashid);
  }
  for (int i = 0; i < arbiter.count; ++i) {
    const cpContact& contact = arbiter.contacts[i];
    add(words, contact.r1);
    add(words, contact.r2);
    add_kept(words, contact);
    if (!is_solved) continue;
    for (const double x : {contact.nMass, contact.tMass, contact.bounce, contact.jBias, contact.bias}) add(words, x);
  }
}

// Old contacts count where shapes touch again.
void add_cached(void* cached, void* words) {
  const auto& arbiter = *static_cast<const cpArbiter*>(cached);
  auto& all = *static_cast<Words*>(words);
  all.push_back(arbiter.a->hashid);
  all.push_back(arbiter.b->hashid);
  all.push_back(arbiter.state);
  all.push_back(arbiter.stamp);
  for (int i = 0; i < arbiter.count; ++i) add_kept(all, arbiter.contacts[i]);
}

template <typename Joint>
void add_fields(Words& words, const cpConstraint* constraint, std::size_t first) {
  const auto* bytes = reinterpret_cast<const std::byte*>(constraint);
  for (std::size_t at = first; at < sizeof(Joint); at += sizeof(cpFloat)) {
    cpFloat number;
    std::memcpy(&number, bytes + at, sizeof number);
    add(words, number);
  }
}

void add_joint(Words& words, const cpConstraint* joint) {
  constexpr std::size_t kBase = sizeof(cpConstraint);
  if (cpConstraintIsPinJoint(joint)) return add_fields<cpPinJoint>(words, joint, kBase);
  if (cpConstraintIsSlideJoint(joint)) return add_fields<cpSlideJoint>(words, joint, kBase);
  if (cpConstraintIsPivotJoint(joint)) return add_fields<cpPivotJoint>(words, joint, kBase);
  if (cpConstraintIsGrooveJoint(joint)) return add_fields<cpGrooveJoint>(words, joint, kBase);
  if (cpConstraintIsDampedSpring(joint)) {
    return add_fields<cpDampedSpring>(words, joint, offsetof(cpDampedSpring, target_vrn));
  }
  if (cpConstraintIsDampedRotarySpring(joint)) {
    return add_fields<cpDampedRotarySpring>(words, joint, offsetof(cpDampedRotarySpring, target_wrn));
  }
  if (cpConstraintIsRotaryLimitJoint(joint)) return add_fields<cpRotaryLimitJoint>(words, joint, kBase);
  if (cpConstraintIsRatchetJoint(joint)) return add_fields<cpRatchetJoint>(words, joint, kBase);
  if (cpConstraintIsGearJoint(joint)) return add_fields<cpGearJoint>(words, joint, kBase);
  add_fields<cpSimpleMotor>(words, joint, kBase);
}

template <typename T, typename Visit>
void for_each(const cpArray* array, Visit&& visit) {
  for (int i = 0; i < array->num; ++i) visit(*static_cast<const T*>(array->arr[i]));
}

}  // namespace

void observe(const cpSpace* space, Words& words, bool may_sleep) {
  words.push_back(space->stamp);
  for (const cpArray* bodies : {space->dynamicBodies, space->staticBodies, space->sleepingComponents}) {
    words.push_back(static_cast<std::uint64_t>(bodies->num));
    for_each<cpBody>(bodies, [&](const cpBody& body) { add_body(words, body); });
  }
  add_body(words, *space->staticBody);
  words.push_back(static_cast<std::uint64_t>(space->arbiters->num));
  // The solver has not seen contacts of bodies that woke later.
  const bool is_solved = !may_sleep && space->sleepTimeThreshold == INFINITY && space->sleepingComponents->num == 0;
  for_each<cpArbiter>(space->arbiters, [&](const cpArbiter& arbiter) { add_arbiter(words, arbiter, is_solved); });
  cpHashSetEach(space->cachedArbiters, &add_cached, &words);
  for_each<cpConstraint>(space->constraints, [&](const cpConstraint& joint) { add_joint(words, &joint); });
}

}  // namespace lockstep_scene
