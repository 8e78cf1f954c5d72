// SPDX-License-Identifier: MIT
// What bodies, shapes and joints need beside functions of Chipmunk, and the data that JavaScript attaches to them.

#include "exports.h"

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/arena_alloc/chunk.h>
#include <forkmunk/arena_alloc/scope.h>
#include <forkmunk/chipmunk/allocation_kinds.h>
#include <forkmunk/strict_math/strict_math.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>

namespace forkmunk::js {

using arena_alloc::Chunk;

namespace {

void*& user_data_of(void* object, Kind kind) {
  switch (kind) {
    case Kind::space: return static_cast<cpSpace*>(object)->userData;
    case Kind::body: return static_cast<cpBody*>(object)->userData;
    case Kind::shape: return static_cast<cpShape*>(object)->userData;
    default: return static_cast<cpConstraint*>(object)->userData;
  }
}

// States come from anyone: nothing is returned for a block that is none.
std::span<const unsigned char> block_of(const void* data) {
  const auto* const arena = forkmunk::arena_alloc::Arena::containing(data);
  if (arena == nullptr || !arena->has_payload_at(data)) return {};
  const auto& chunk = *(static_cast<const forkmunk::arena_alloc::Chunk*>(data) - 1);
  if (chunk.kind() != FORKMUNK_KIND_PLAIN) return {};
  return {static_cast<const unsigned char*>(data), chunk.requested_bytes()};
}

// The first byte of the user data of a body with a gravity scale and damping of its own, which follow it.
constexpr unsigned char kMotion = 2;

bool has_stock_lists(const forkmunk_space* world) { return forkmunk_space_defects(world) == FORKMUNK_DEFECT_SET_STOCK; }
/// Stock Chipmunk breaks its lists in such a state.
template <typename Predicate>
bool breaks_lists(const forkmunk_space* world, cpBody* body, Predicate is_touched) {
  for (const cpArbiter* arbiter = has_stock_lists(world) ? body->arbiterList : nullptr; arbiter != nullptr;
       arbiter = arbiter->body_a == body ? arbiter->thread_a.next : arbiter->thread_b.next) {
    cpBody* const other = arbiter->body_a == body ? arbiter->body_b : arbiter->body_a;
    if (cpBodyGetType(other) != CP_BODY_TYPE_STATIC && is_touched(other)) return true;
  }
  return false;
}

}  // namespace

void update_velocity(cpBody* body, cpVect gravity, cpFloat damping, cpFloat dt) {
  double own[2];
  if (block_of(body->userData).size() <= sizeof own) return cpBodyUpdateVelocity(body, gravity, damping, dt);
  std::memcpy(own, static_cast<const unsigned char*>(body->userData) + 1, sizeof own);
  cpBodyUpdateVelocity(body, cpvmult(gravity, static_cast<cpFloat>(own[0])),
                       static_cast<cpFloat>(damping * forkmunk::strict_math::pow(own[1], dt)), dt);
}

}  // namespace forkmunk::js

using forkmunk::space::failed;
using forkmunk::space::guarded;
using forkmunk::space::guarded_pointer;
using forkmunk::space::Space;
using namespace forkmunk::js;

extern "C" {

EMSCRIPTEN_KEEPALIVE int fm_set_user_data(forkmunk_space* world, void* object, Kind kind, const void* bytes,
                                          int byte_count) {
  void* block = nullptr;
  if (byte_count > 0) {
    block = forkmunk_space_make_plain(world, static_cast<size_t>(byte_count));
    if (block == nullptr) return FORKMUNK_REFUSED;
    std::memcpy(block, bytes, static_cast<size_t>(byte_count));
  }
  void*& own = user_data_of(object, kind);
  void* const before = own;
  own = block;
  if (kind == Kind::body) {
    const bool has_motion = byte_count > 0 && *static_cast<const unsigned char*>(bytes) == kMotion;
    cpBodySetVelocityUpdateFunc(static_cast<cpBody*>(object), has_motion ? &update_velocity : &cpBodyUpdateVelocity);
  }
  return block_of(before).empty() ? FORKMUNK_OK : forkmunk_space_release(world, before);
}

/// Writes the address of an object's data, and returns their size.
EMSCRIPTEN_KEEPALIVE std::size_t fm_user_data(void* object, Kind kind, const void** data) {
  const auto block = block_of(user_data_of(object, kind));
  *data = block.data();
  return block.size();
}

/// Refuses a state of another program whose first space was freed.
EMSCRIPTEN_KEEPALIVE forkmunk_space* fm_space_read(const std::byte* bytes, std::size_t size) {
  return guarded_pointer([&] {
    Space space = Space::from_bytes(std::span(bytes, size));
    if (space.space() == nullptr) throw forkmunk::Error("the state has no space any more");
    return new forkmunk_space{std::move(space)};
  });
}

EMSCRIPTEN_KEEPALIVE unsigned int fm_number(const void* object) {
  return (static_cast<const Chunk*>(object) - 1)->stamp();
}

/// Numbers classes like allocation_kinds.h, from FORKMUNK_KIND_CIRCLE on.
EMSCRIPTEN_KEEPALIVE int fm_class(const void* object) {
  return (static_cast<const Chunk*>(object) - 1)->kind() - FORKMUNK_KIND_CIRCLE;
}

/// cpBodySleep(). \pre outside of callbacks.
EMSCRIPTEN_KEEPALIVE int fm_sleep(forkmunk_space* world, cpBody* body) {
  if (breaks_lists(world, body, [](cpBody* other) { return cpBodyIsSleeping(other) == 0; })) {
    return failed(FORKMUNK_REFUSED,
                  "with the defects of stock, only a body that touches nothing that is awake can sleep");
  }
  return guarded([&] {
    const auto scope = world->space.enter();
    cpBodySleep(body);
  });
}

/// cpBodySetType(). \pre outside of callbacks.
EMSCRIPTEN_KEEPALIVE int fm_set_body_type(forkmunk_space* world, cpBody* body, int type) {
  if (cpBodyGetType(body) == type) return FORKMUNK_OK;
  for (cpConstraint* joint = body->constraintList; joint != nullptr && type != CP_BODY_TYPE_DYNAMIC;
       joint = joint->a == body ? joint->next_a : joint->next_b) {
    if (cpBodyGetType(joint->a == body ? joint->b : joint->a) == CP_BODY_TYPE_DYNAMIC) continue;
    return failed(FORKMUNK_REFUSED, "a joint would have two bodies that nothing moves; remove it first");
  }
  const auto sleeps = [](cpBody* each) { return cpBodyIsSleeping(each) != 0; };
  if (breaks_lists(world, body, sleeps) || (has_stock_lists(world) && sleeps(body))) {
    return failed(FORKMUNK_REFUSED,
                  "with the defects of stock, neither the body nor what touches it may sleep; wake it first");
  }
  return guarded([&] {
    const auto scope = world->space.enter();
    cpBodySetType(body, static_cast<cpBodyType>(type));
  });
}

/// Writes the segment's ends if it has no neighbours.
EMSCRIPTEN_KEEPALIVE void fm_segment_neighbors(const cpSegmentShape* segment, cpVect* points) {
  points[0] = cpvadd(segment->a, segment->a_tangent);
  points[1] = cpvadd(segment->b, segment->b_tangent);
}

/// Ends calls that an exception of JavaScript left open, because it runs no destructors. \param world  or null
/// \param stack  where the stack ended before the call
EMSCRIPTEN_KEEPALIVE void fm_abandon(forkmunk_space* world, const void* stack) {
  forkmunk::arena_alloc::Scope::abandon_below(stack);
  if (world == nullptr) return;
  while (forkmunk_space_leave(world) == FORKMUNK_OK) {}
  if (auto* arena = forkmunk::arena_alloc::Arena::containing(forkmunk_space_space(world))) arena->abandon_calls();
}

/// Refuses a step with a dynamic body without mass or at no finite position, which would go to NaN.
EMSCRIPTEN_KEEPALIVE int fm_step(forkmunk_space* world, double dt, bool is_checked) {
  const cpSpace* const space = forkmunk_space_space(world);
  for (int i = 0; space != nullptr && i < space->dynamicBodies->num; ++i) {
    const auto* body = static_cast<const cpBody*>(space->dynamicBodies->arr[i]);
    if (forkmunk_space_is_overflowed(world) != 0) break;
    if (!std::isfinite(body->p.x + body->p.y + body->a + body->v.x + body->v.y + body->w)) {
      return failed(FORKMUNK_REFUSED,
                    "a body has gone to NaN or infinity, by too large forces or speeds; restore a snapshot");
    }
    if (body->m > 0 && body->i > 0) continue;
    return failed(FORKMUNK_REFUSED,
                  "a dynamic body has no mass or no moment; give it both, or shapes with mass or density");
  }
  return is_checked ? forkmunk_space_step_checked(world, dt) : forkmunk_space_step(world, dt);
}

EMSCRIPTEN_KEEPALIVE void fm_transforms(const cpBody* const* bodies, int count, double* out) {
  for (int i = 0; i < count; ++i, out += 3) {
    const cpVect position = cpBodyGetPosition(bodies[i]);
    out[0] = position.x;
    out[1] = position.y;
    out[2] = cpBodyGetAngle(bodies[i]);
  }
}

}  // extern "C"
