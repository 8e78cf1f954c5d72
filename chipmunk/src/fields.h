// SPDX-License-Identifier: MIT
#pragma once

#include "visitors.h"

#include <forkmunk/chipmunk/allocation_kinds.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/chipmunk_layout.h>
#include <forkmunk/chipmunk/defects.h>
#include <forkmunk/chipmunk/precision.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <chipmunk/cpPolyline.h>

/// The fields of everything that Chipmunk allocates. Relocation, hashing, comparison, checks and the portable form are
/// visitors, which have
///   pointer(name, p)  into the arena, to a constant of Chipmunk's, or null
///   code(name, p)     to a function or a table of functions
///   user(name, p)     the user's pointer to anything, or number
///   data(name, x)     numbers, and Chipmunk's structures of doubles
///   word(w)           an aligned word that may be a pointer
///   bytes_at(p, n)    without pointers
///   at(name, index)   called before the fields of an element of an array
/// and kWantsData, false if all data can be left out. Pooled objects are visited, too: their stale fields are
/// as deterministic as the others.
namespace forkmunk::FORKMUNK_CHIPMUNK {

/// Returns the raw value: reading an enum out of its range, as in a damaged state, is undefined.
inline unsigned int number_of(const cpArbiterState& state) {
  static_assert(sizeof(unsigned int) == sizeof state);
  unsigned int number = 0;
  std::memcpy(&number, &state, sizeof number);
  return number;
}

/// Visits a number that is no lvalue. Visitors that set fields (V::kSetsFields) call set(number).
template <typename V, typename T, typename Set>
void visit_number(V& v, const char* name, T number, Set set) {
  v.data(name, number);
  if constexpr (requires { V::kSetsFields; }) set(number);
}

// clang-format off
template <typename V> void visit(V& v, cpBody& body) {
  v.code("velocity_func", body.velocity_func); v.code("position_func", body.position_func);
  v.data("m", body.m); v.data("m_inv", body.m_inv); v.data("i", body.i); v.data("i_inv", body.i_inv);
  v.data("cog", body.cog); v.data("p", body.p); v.data("v", body.v); v.data("f", body.f);
  v.data("a", body.a); v.data("w", body.w); v.data("t", body.t); v.data("transform", body.transform);
  v.user("userData", body.userData);
  v.data("v_bias", body.v_bias); v.data("w_bias", body.w_bias);
  v.pointer("space", body.space); v.pointer("shapeList", body.shapeList);
  v.pointer("arbiterList", body.arbiterList); v.pointer("constraintList", body.constraintList);
  v.pointer("sleeping.root", body.sleeping.root); v.pointer("sleeping.next", body.sleeping.next);
  v.data("sleeping.idleTime", body.sleeping.idleTime);
}

template <typename V> void visit(V& v, cpCollisionHandler& handler) {
  v.user("typeA", const_cast<cpCollisionType&>(handler.typeA)); v.user("typeB", const_cast<cpCollisionType&>(handler.typeB));
  v.code("beginFunc", handler.beginFunc); v.code("preSolveFunc", handler.preSolveFunc);
  v.code("postSolveFunc", handler.postSolveFunc); v.code("separateFunc", handler.separateFunc);
  v.user("userData", handler.userData);
}

template <typename V> void visit(V& v, cpSpace& space) {
  v.data("iterations", space.iterations); v.data("gravity", space.gravity); v.data("damping", space.damping);
  v.data("idleSpeedThreshold", space.idleSpeedThreshold); v.data("sleepTimeThreshold", space.sleepTimeThreshold);
  v.data("collisionSlop", space.collisionSlop); v.data("collisionBias", space.collisionBias);
  v.data("collisionPersistence", space.collisionPersistence);
  v.user("userData", space.userData);
  v.data("stamp", space.stamp); v.data("curr_dt", space.curr_dt);
  v.pointer("dynamicBodies", space.dynamicBodies); v.pointer("staticBodies", space.staticBodies);
  v.pointer("rousedBodies", space.rousedBodies); v.pointer("sleepingComponents", space.sleepingComponents);
  v.data("shapeIDCounter", space.shapeIDCounter);
  v.pointer("staticShapes", space.staticShapes); v.pointer("dynamicShapes", space.dynamicShapes);
  v.pointer("constraints", space.constraints); v.pointer("arbiters", space.arbiters);
  v.pointer("contactBuffersHead", space.contactBuffersHead); v.pointer("cachedArbiters", space.cachedArbiters);
  v.pointer("pooledArbiters", space.pooledArbiters); v.pointer("allocatedBuffers", space.allocatedBuffers);
  v.data("locked", space.locked); v.data("usesWildcards", space.usesWildcards);
  visit_number(v, "defects", Defects{forkmunk_defects(&space)}, [&](Defects x) { forkmunk_set_defects(&space, x.bits); });
  v.pointer("collisionHandlers", space.collisionHandlers);
  v.data("skipPostStep", space.skipPostStep); v.pointer("postStepCallbacks", space.postStepCallbacks);
  v.pointer("staticBody", space.staticBody);
  v.at("default handler", 0);
  visit(v, space.defaultHandler);
  v.at("static body", 0);
  visit(v, space._staticBody);
}

template <typename V> void visit(V& v, cpShape& shape) {
  v.code("klass", shape.klass); v.pointer("space", shape.space); v.pointer("body", shape.body);
  v.data("massInfo.m", shape.massInfo.m); v.data("massInfo.i", shape.massInfo.i);
  v.data("massInfo.cog", shape.massInfo.cog); v.data("massInfo.area", shape.massInfo.area);
  v.data("bb", shape.bb); v.data("sensor", shape.sensor); v.data("e", shape.e); v.data("u", shape.u);
  v.data("surfaceV", shape.surfaceV);
  v.user("userData", shape.userData); v.user("type", shape.type); v.user("filter.group", shape.filter.group);
  v.data("filter.categories", shape.filter.categories); v.data("filter.mask", shape.filter.mask);
  v.pointer("next", shape.next); v.pointer("prev", shape.prev); v.data("hashid", shape.hashid);
}

template <typename V> void visit(V& v, cpSplittingPlane& plane) { v.data("v0", plane.v0); v.data("n", plane.n); }

template <typename V> void visit(V& v, cpCircleShape& circle) {
  visit(v, circle.shape);
  v.data("c", circle.c); v.data("tc", circle.tc); v.data("r", circle.r);
}

template <typename V> void visit(V& v, cpSegmentShape& s) {
  visit(v, s.shape);
  v.data("a", s.a); v.data("b", s.b); v.data("n", s.n); v.data("ta", s.ta); v.data("tb", s.tb); v.data("tn", s.tn);
  v.data("r", s.r); v.data("a_tangent", s.a_tangent); v.data("b_tangent", s.b_tangent);
}

/// Planes that have no room are visited as zeros, so values do not depend on the room.
template <typename V> void visit_polygon(V& v, cpPolyShape& poly, std::size_t bytes) {
  visit(v, poly.shape);
  v.data("r", poly.r); v.data("count", poly.count); v.pointer("planes", poly.planes);
  if constexpr (V::kWantsData) {
    cpSplittingPlane none{};
    const int inside = 2 * layout::polygon_room(bytes);
    for (int i = 0; i < 2 * CP_POLY_SHAPE_INLINE_ALLOC; ++i) visit(v, i < inside ? poly._planes[i] : none);
  }
}

template <typename V> void visit(V& v, cpConstraint& c) {
  v.code("klass", c.klass); v.pointer("space", c.space); v.pointer("a", c.a); v.pointer("b", c.b);
  v.pointer("next_a", c.next_a); v.pointer("next_b", c.next_b);
  v.data("maxForce", c.maxForce); v.data("errorBias", c.errorBias); v.data("maxBias", c.maxBias);
  v.data("collideBodies", c.collideBodies);
  v.code("preSolve", c.preSolve); v.code("postSolve", c.postSolve); v.user("userData", c.userData);
}

template <typename V> void visit(V& v, cpPinJoint& j) {
  visit(v, j.constraint);
  v.data("anchorA", j.anchorA); v.data("anchorB", j.anchorB); v.data("dist", j.dist);
  v.data("r1", j.r1); v.data("r2", j.r2); v.data("n", j.n); v.data("nMass", j.nMass);
  v.data("jnAcc", j.jnAcc); v.data("bias", j.bias);
}

template <typename V> void visit(V& v, cpSlideJoint& j) {
  visit(v, j.constraint);
  v.data("anchorA", j.anchorA); v.data("anchorB", j.anchorB); v.data("min", j.min); v.data("max", j.max);
  v.data("r1", j.r1); v.data("r2", j.r2); v.data("n", j.n); v.data("nMass", j.nMass);
  v.data("jnAcc", j.jnAcc); v.data("bias", j.bias);
}

template <typename V> void visit(V& v, cpPivotJoint& j) {
  visit(v, j.constraint);
  v.data("anchorA", j.anchorA); v.data("anchorB", j.anchorB); v.data("r1", j.r1); v.data("r2", j.r2);
  v.data("k", j.k); v.data("jAcc", j.jAcc); v.data("bias", j.bias);
}

template <typename V> void visit(V& v, cpGrooveJoint& j) {
  visit(v, j.constraint);
  v.data("grv_n", j.grv_n); v.data("grv_a", j.grv_a); v.data("grv_b", j.grv_b); v.data("anchorB", j.anchorB);
  v.data("grv_tn", j.grv_tn); v.data("clamp", j.clamp); v.data("r1", j.r1); v.data("r2", j.r2);
  v.data("k", j.k); v.data("jAcc", j.jAcc); v.data("bias", j.bias);
}

template <typename V> void visit(V& v, cpDampedSpring& j) {
  visit(v, j.constraint);
  v.data("anchorA", j.anchorA); v.data("anchorB", j.anchorB); v.data("restLength", j.restLength);
  v.data("stiffness", j.stiffness); v.data("damping", j.damping); v.code("springForceFunc", j.springForceFunc);
  v.data("target_vrn", j.target_vrn); v.data("v_coef", j.v_coef); v.data("r1", j.r1); v.data("r2", j.r2);
  v.data("nMass", j.nMass); v.data("n", j.n); v.data("jAcc", j.jAcc);
}

template <typename V> void visit(V& v, cpDampedRotarySpring& j) {
  visit(v, j.constraint);
  v.data("restAngle", j.restAngle); v.data("stiffness", j.stiffness); v.data("damping", j.damping);
  v.code("springTorqueFunc", j.springTorqueFunc);
  v.data("target_wrn", j.target_wrn); v.data("w_coef", j.w_coef); v.data("iSum", j.iSum); v.data("jAcc", j.jAcc);
}

template <typename V> void visit(V& v, cpRotaryLimitJoint& j) {
  visit(v, j.constraint);
  v.data("min", j.min); v.data("max", j.max); v.data("iSum", j.iSum); v.data("bias", j.bias); v.data("jAcc", j.jAcc);
}

template <typename V> void visit(V& v, cpRatchetJoint& j) {
  visit(v, j.constraint);
  v.data("angle", j.angle); v.data("phase", j.phase); v.data("ratchet", j.ratchet);
  v.data("iSum", j.iSum); v.data("bias", j.bias); v.data("jAcc", j.jAcc);
}

template <typename V> void visit(V& v, cpGearJoint& j) {
  visit(v, j.constraint);
  v.data("phase", j.phase); v.data("ratio", j.ratio); v.data("ratio_inv", j.ratio_inv);
  v.data("iSum", j.iSum); v.data("bias", j.bias); v.data("jAcc", j.jAcc);
}

template <typename V> void visit(V& v, cpSimpleMotor& j) {
  visit(v, j.constraint);
  v.data("rate", j.rate); v.data("iSum", j.iSum); v.data("jAcc", j.jAcc);
}

template <typename V> void visit(V& v, cpArray& array) {
  v.data("num", array.num); v.data("max", array.max); v.pointer("arr", array.arr);
}

template <typename V> void visit(V& v, layout::HashSet& set) {
  v.data("entry_count", set.entry_count); v.data("bucket_count", set.bucket_count); v.code("equal", set.equal);
  v.pointer("default_value", set.default_value); v.pointer("buckets", set.buckets);
  v.pointer("pooled_bins", set.pooled_bins); v.pointer("buffers", set.buffers);
}

template <typename V> void visit(V& v, layout::HashSetBin& bin) {
  v.pointer("element", bin.element); v.data("hash", bin.hash); v.pointer("next", bin.next);
}

template <typename V> void visit(V& v, layout::Tree& tree) {
  v.code("klass", tree.klass); v.code("bb_function", tree.bb_function);
  v.pointer("static_tree", tree.static_tree); v.pointer("dynamic_tree", tree.dynamic_tree);
  v.code("velocity_function", tree.velocity_function);
  v.pointer("leaves", tree.leaves); v.pointer("root", tree.root); v.pointer("pooled_nodes", tree.pooled_nodes);
  v.pointer("pooled_pairs", tree.pooled_pairs); v.pointer("buffers", tree.buffers); v.data("stamp", tree.stamp);
}

template <typename V> void visit(V& v, layout::Node& node) {
  v.pointer("shape", node.shape); v.data("bb", node.bb); v.pointer("parent", node.parent);
  if (node.is_leaf()) {
    v.data("stamp", node.leaf.stamp); v.pointer("pairs", node.leaf.pairs);
  } else {
    v.pointer("a", node.children.a); v.pointer("b", node.children.b);
  }
}

template <typename V> void visit(V& v, layout::Pair& pair) {
  v.pointer("a.previous", pair.a.previous); v.pointer("a.leaf", pair.a.leaf); v.pointer("a.next", pair.a.next);
  v.pointer("b.previous", pair.b.previous); v.pointer("b.leaf", pair.b.leaf); v.pointer("b.next", pair.b.next);
  v.data("id", pair.id);
}

template <typename V> void visit(V& v, cpArbiter& a) {
  v.data("e", a.e); v.data("u", a.u); v.data("surface_vr", a.surface_vr); v.user("data", a.data);
  v.pointer("a", a.a); v.pointer("b", a.b); v.pointer("body_a", a.body_a); v.pointer("body_b", a.body_b);
  v.pointer("thread_a.next", a.thread_a.next); v.pointer("thread_a.prev", a.thread_a.prev);
  v.pointer("thread_b.next", a.thread_b.next); v.pointer("thread_b.prev", a.thread_b.prev);
  v.data("count", a.count); v.pointer("contacts", a.contacts); v.data("n", a.n);
  v.pointer("handler", a.handler); v.pointer("handlerA", a.handlerA); v.pointer("handlerB", a.handlerB);
  v.data("swapped", a.swapped); v.data("stamp", a.stamp);
  visit_number(v, "state", number_of(a.state), [&](unsigned int x) { std::memcpy(&a.state, &x, sizeof x); });
}

template <typename V> void visit(V& v, cpContact& c) {
  v.data("r1", c.r1); v.data("r2", c.r2); v.data("nMass", c.nMass); v.data("tMass", c.tMass);
  v.data("bounce", c.bounce); v.data("jnAcc", c.jnAcc); v.data("jtAcc", c.jtAcc); v.data("jBias", c.jBias);
  v.data("bias", c.bias); v.data("hash", c.hash);
}

template <typename V> void visit(V& v, layout::ContactArbiter& a) {
  visit(v, a.arbiter);
  visit_number(v, "buffer", a.buffer(), [&](std::uint32_t x) { a.set_slot(x, a.slot()); });
  visit_number(v, "slot", a.slot(), [&](std::uint32_t x) { a.set_slot(a.buffer(), x); });
  if constexpr (V::kWantsData) { for (cpContact& contact : a.contacts) visit(v, contact); }
}

template <typename V> void visit(V& v, layout::ContactBuffer& buffer) {
  v.data("stamp", buffer.stamp); v.pointer("next", buffer.next); v.data("contact_count", buffer.contact_count);
}

template <typename V> void visit(V& v, layout::ContactSlots& slots) {
  v.data("stamp", slots.stamp); v.pointer("next", slots.next); v.data("contact_count", slots.contact_count);
  visit_number(v, "number", std::uint32_t{slots.number}, [&](std::uint32_t x) { slots.number = x & 0x7fffffffu; });
  visit_number(v, "has_stale", std::uint32_t{slots.has_stale}, [&](std::uint32_t x) { slots.has_stale = x & 1u; });
}

template <typename V> void visit(V& v, cpPostStepCallback& callback) {
  v.code("func", callback.func); v.user("key", callback.key); v.user("data", callback.data);
}

template <typename V> void visit(V& v, layout::SpaceHash& hash) {
  v.code("klass", hash.klass); v.code("bb_function", hash.bb_function);
  v.pointer("static_index", hash.static_index); v.pointer("dynamic_index", hash.dynamic_index);
  v.data("cell_count", hash.cell_count); v.data("cell_size", hash.cell_size);
  v.pointer("cells", hash.cells); v.pointer("handles", hash.handles); v.pointer("pooled_bins", hash.pooled_bins);
  v.pointer("pooled_handles", hash.pooled_handles); v.pointer("buffers", hash.buffers); v.data("stamp", hash.stamp);
}

template <typename V> void visit(V& v, layout::SpaceHashBin& bin) { v.pointer("handle", bin.handle); v.pointer("next", bin.next); }

template <typename V> void visit(V& v, layout::SpaceHashHandle& handle) {
  v.pointer("object", handle.object); v.data("use_count", handle.use_count); v.data("stamp", handle.stamp);
}

template <typename V> void visit(V& v, cpPolylineSet& set) {
  v.data("count", set.count); v.data("capacity", set.capacity); v.pointer("lines", set.lines);
}

template <typename V> void visit(V& v, ArenaRoot& root) {
  v.code("resource", root.resource); v.pointer("first_space", root.first_space); v.pointer("last_space", root.last_space);
  v.pointer("main_space", root.main_space);
}

template <typename V> void visit(V& v, ListedSpace& listed) { v.pointer("next_listed", listed.next); visit(v, listed.space); }
// clang-format on

template <typename T, typename V>
void visit_one(V& v, std::byte* payload) {
  visit(v, *reinterpret_cast<T*>(payload));
}

template <typename T, typename V>
void visit_all(V& v, const char* name, std::byte* payload, std::size_t bytes, std::size_t head = 0) {
  for (std::size_t i = 0; i < (bytes - head) / sizeof(T); ++i) {
    v.at(name, i);
    visit(v, reinterpret_cast<T*>(payload + head)[i]);
  }
}

template <typename T, typename V>
void visit_pool(V& v, const char* name, std::byte* payload, std::size_t bytes) {
  v.pointer("buffer before", reinterpret_cast<layout::PoolBuffer*>(payload)->before);
  visit_all<T>(v, name, payload, bytes, sizeof(layout::PoolBuffer));
}

template <typename Visit>
void for_each_word(std::byte* payload, std::size_t bytes, Visit visit) {
  for (std::size_t i = 0; i < bytes / sizeof(void*); ++i) visit(i, reinterpret_cast<void**>(payload)[i]);
}

template <typename V>
void visit_allocation(V& v, std::byte* payload, std::size_t bytes, int kind) {
  switch (kind) {
    case FORKMUNK_KIND_PLAIN:
      if constexpr (V::kWantsData) v.bytes_at(payload, bytes);
      break;
    case FORKMUNK_KIND_TYPED: visit_typed(v, payload, bytes); break;
    case FORKMUNK_KIND_ROOT: visit_one<ArenaRoot>(v, payload); break;
    case FORKMUNK_KIND_POINTERS:
      for_each_word(payload, bytes, [&](std::size_t i, void*& pointer) {
        v.at("element", i);
        v.pointer("pointer", pointer);
      });
      break;
    case FORKMUNK_KIND_SPACE: visit_one<ListedSpace>(v, payload); break;
    case FORKMUNK_KIND_BODY: visit_one<cpBody>(v, payload); break;
    case FORKMUNK_KIND_CIRCLE: visit_one<cpCircleShape>(v, payload); break;
    case FORKMUNK_KIND_SEGMENT: visit_one<cpSegmentShape>(v, payload); break;
    case FORKMUNK_KIND_POLY: visit_polygon(v, *reinterpret_cast<cpPolyShape*>(payload), bytes); break;
    case FORKMUNK_KIND_PLANES:
      if constexpr (V::kWantsData) visit_all<cpSplittingPlane>(v, "plane", payload, bytes);
      break;
#define FORKMUNK_VISIT(kind, type, text, table) \
  case FORKMUNK_KIND_##kind: visit_one<cp##type>(v, payload); break;
      FORKMUNK_EACH_JOINT(FORKMUNK_VISIT)
#undef FORKMUNK_VISIT
    case FORKMUNK_KIND_ARRAY:
      visit_one<cpArray>(v, payload);  // and an element inside (fast/stock_memory.c)
      if (bytes > sizeof(cpArray)) v.pointer("pointer", *reinterpret_cast<void**>(payload + sizeof(cpArray)));
      break;
    case FORKMUNK_KIND_HASH_SET: visit_one<layout::HashSet>(v, payload); break;
    case FORKMUNK_KIND_HASH_SET_BINS: visit_all<layout::HashSetBin>(v, "bin", payload, bytes); break;
    case FORKMUNK_KIND_TREE: visit_one<layout::Tree>(v, payload); break;
    case FORKMUNK_KIND_TREE_NODES: visit_all<layout::Node>(v, "node", payload, bytes); break;
    case FORKMUNK_KIND_TREE_PAIRS: visit_all<layout::Pair>(v, "pair", payload, bytes); break;
    case FORKMUNK_KIND_ARBITERS: visit_all<cpArbiter>(v, "arbiter", payload, bytes); break;
    case FORKMUNK_KIND_CONTACT_ARBITERS: visit_pool<layout::ContactArbiter>(v, "arbiter", payload, bytes); break;
    case FORKMUNK_KIND_CONTACT_SLOTS: visit_pool<layout::ContactSlots>(v, "slots", payload, bytes); break;
    case FORKMUNK_KIND_POOLED_BINS: visit_pool<layout::HashSetBin>(v, "bin", payload, bytes); break;
    case FORKMUNK_KIND_POOLED_NODES: visit_pool<layout::Node>(v, "node", payload, bytes); break;
    case FORKMUNK_KIND_POOLED_PAIRS: visit_pool<layout::Pair>(v, "pair", payload, bytes); break;
    case FORKMUNK_KIND_CONTACT_BUFFER:
      visit_one<layout::ContactBuffer>(v, payload);
      if constexpr (V::kWantsData) visit_all<cpContact>(v, "contact", payload, bytes, sizeof(layout::ContactBuffer));
      break;
    case FORKMUNK_KIND_CONTACTS:
      if constexpr (V::kWantsData) visit_all<cpContact>(v, "contact", payload, bytes);
      break;
    case FORKMUNK_KIND_COLLISION_HANDLER: visit_one<cpCollisionHandler>(v, payload); break;
    case FORKMUNK_KIND_POST_STEP_CALLBACK: visit_one<cpPostStepCallback>(v, payload); break;
    case FORKMUNK_KIND_SPACE_HASH: visit_one<layout::SpaceHash>(v, payload); break;
    case FORKMUNK_KIND_SPACE_HASH_BINS: visit_all<layout::SpaceHashBin>(v, "bin", payload, bytes); break;
    case FORKMUNK_KIND_SPACE_HASH_HANDLES: visit_all<layout::SpaceHashHandle>(v, "handle", payload, bytes); break;
    case FORKMUNK_KIND_POLYLINE_SET: visit_one<cpPolylineSet>(v, payload); break;
    default:
      for_each_word(payload, bytes, [&](std::size_t i, void*& word) {
        v.at("word", i);
        v.word(word);
      });
      if constexpr (V::kWantsData) v.bytes_at(payload + bytes / sizeof(void*) * sizeof(void*), bytes % sizeof(void*));
      break;
  }
}

}  // namespace forkmunk::FORKMUNK_CHIPMUNK
