// SPDX-License-Identifier: MIT

#include "fast/collision_kernel.h"
#include "fast/step.h"
#include "fast/stock_step.h"

#include <forkmunk/base/per_thread.h>
#include <forkmunk/base/simd/kernel.h>
#include <forkmunk/chipmunk/chipmunk_layout.h>
#include <forkmunk/chipmunk/defects.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/// Finds the collisions of a step (docs/internals/fast_step.md).
namespace forkmunk::FORKMUNK_CHIPMUNK::fast {
namespace {

/// The handlers of pairs of collision types, for one step. Callbacks may add handlers, and cannot remove any.
class HandlerCache {
 public:
  void clear() noexcept { ++version_; }
  const cpPairHandlers& find(cpSpace* space, cpCollisionType a, cpCollisionType b) noexcept {
    const std::uint32_t count = layout::set_of(space->collisionHandlers).entry_count;
    if (count != handler_count_) clear();
    handler_count_ = count;
    const std::uint64_t hash = (std::uint64_t{a} * 31 + b) * 0x9e3779b97f4a7c15u;
    Entry& entry = entries_[hash >> 58];
    if (entry.version != version_ || entry.a != a || entry.b != b) {
      entry = {version_, a, b, cpSpaceFindHandlers(space, a, b)};
    }
    return entry.handlers;
  }

 private:
  struct Entry {
    std::uint64_t version;
    cpCollisionType a, b;
    cpPairHandlers handlers;
  };
  std::uint64_t version_ = 1;
  std::uint32_t handler_count_ = 0;
  std::array<Entry, 64> entries_{};
};

// Makes a contact relative to its bodies, with the impulses of the old contact that has the same hash.
void update_contact(cpContact& contact, const cpArbiter& arbiter, cpVect a, cpVect b) noexcept {
  contact.r1 = cpvsub(contact.r1, a);
  contact.r2 = cpvsub(contact.r2, b);
  contact.jnAcc = contact.jtAcc = 0;
  for (int i = 0; i < arbiter.count; ++i) {
    const cpContact& old = arbiter.contacts[i];
    if (contact.hash != old.hash) continue;
    contact.jnAcc = old.jnAcc;
    contact.jtAcc = old.jtAcc;
  }
}

void set_handlers(cpArbiter& arbiter, cpSpace* space, HandlerCache& cache) noexcept {
  cpCollisionHandler* const handler = &space->defaultHandler;
  const cpCollisionType a = arbiter.a->type, b = arbiter.b->type;
  if (layout::set_of(space->collisionHandlers).entry_count == 0 && !space->usesWildcards) {
    arbiter.handler = handler;
    arbiter.swapped = a != handler->typeA && handler->typeA != CP_WILDCARD_COLLISION_TYPE;
    return;
  }
  const cpPairHandlers& found = cache.find(space, a, b);
  arbiter.handler = found.handler;
  arbiter.swapped = found.swapped;
  if (found.handler == handler && !space->usesWildcards) return;
  arbiter.handlerA = found.a;
  arbiter.handlerB = found.b;
}

// Works like cpArbiterUpdate(), without contacts: e = e_a e_b, u = u_a u_b, and the surface velocity without its part
// along n.
void update(cpArbiter& arbiter, const cpShape* a, const cpShape* b, cpVect n, cpSpace* space,
            HandlerCache& cache) noexcept {
  arbiter.a = a;
  arbiter.b = b;
  arbiter.body_a = a->body;
  arbiter.body_b = b->body;
  arbiter.n = n;
  arbiter.e = a->e * b->e;
  arbiter.u = a->u * b->u;
  const cpVect surface_vr = cpvsub(b->surfaceV, a->surfaceV);
  arbiter.surface_vr = cpvsub(surface_vr, cpvmult(n, cpvdot(surface_vr, n)));
  set_handlers(arbiter, space, cache);
  if (arbiter.state == CP_ARBITER_STATE_CACHED) arbiter.state = CP_ARBITER_STATE_FIRST_COLLISION;
}

// Copies all but the fields that the solver sets before they are read.
void store_contacts(layout::ContactArbiter& kept, const cpContactSlots& slots) noexcept {
  cpArbiter& arbiter = kept.arbiter;
  for (int i = 0; i < arbiter.count; ++i) {
    const cpContact& found = arbiter.contacts[i];
    cpContact& own = kept.contacts[i];
    own.r1 = found.r1;
    own.r2 = found.r2;
    own.jnAcc = found.jnAcc;
    own.jtAcc = found.jtAcc;
    own.hash = found.hash;
  }
  arbiter.contacts = kept.contacts;
  kept.set_slot(slots.number, slots.contact_count);
}

// \pre no arbiter is stale: the old contacts are in the arbiter.
FORKMUNK_INLINE void set_contacts(layout::ContactArbiter& kept, const Collision& found,
                                  const cpContactSlots& slots) noexcept {
  cpArbiter& arbiter = kept.arbiter;
  cpContact* const own = kept.contacts;
  struct Impulses {
    cpFloat normal, tangent;
  };
  const Impulses old[]{{0, 0}, {own[0].jnAcc, own[0].jtAcc}, {own[1].jnAcc, own[1].jtAcc}};
  const cpHashValue hashes[]{own[0].hash, own[1].hash};
  const int old_count = arbiter.count;
  const cpVect a = arbiter.body_a->p, b = arbiter.body_b->p;
  for (int i = 0; i < found.count; ++i) {
    // A branch would be mispredicted.
    const unsigned is_first =
        static_cast<unsigned>(old_count > 0) & static_cast<unsigned>(found.hashes[i] == hashes[0]);
    const unsigned is_second =
        static_cast<unsigned>(old_count > 1) & static_cast<unsigned>(found.hashes[i] == hashes[1]);
    const Impulses& impulses = old[is_second != 0 ? 2 : is_first];
    own[i].r1 = cpvsub(found.points[2 * i], a);
    own[i].r2 = cpvsub(found.points[2 * i + 1], b);
    own[i].jnAcc = impulses.normal;
    own[i].jtAcc = impulses.tangent;
    own[i].hash = found.hashes[i];
  }
  arbiter.contacts = own;
  arbiter.count = found.count;
  kept.set_slot(slots.number, slots.contact_count);
}

bool calls_back(const cpArbiter& arbiter) noexcept {
  const auto calls = [&](auto which) {
    const auto none = cpCollisionHandlerDoNothing.*which, function = arbiter.handler->*which;
    if (function == none) return false;
    return function != cpSpaceWildcardCaller()->*which || arbiter.handlerA->*which != none ||
           arbiter.handlerB->*which != none;
  };
  const bool is_first = arbiter.state == CP_ARBITER_STATE_FIRST_COLLISION;
  return (is_first && calls(&cpCollisionHandler::beginFunc)) || calls(&cpCollisionHandler::preSolveFunc);
}

bool is_accepted(cpSpace* space, cpArbiter* arbiter) {
  const cpCollisionHandler* const handler = arbiter->handler;
  if (arbiter->state == CP_ARBITER_STATE_FIRST_COLLISION && !handler->beginFunc(arbiter, space, handler->userData)) {
    cpArbiterIgnore(arbiter);
  }
  return arbiter->state != CP_ARBITER_STATE_IGNORE && handler->preSolveFunc(arbiter, space, handler->userData) &&
         arbiter->state != CP_ARBITER_STATE_IGNORE;
}

bool may_call_back(const cpSpace& space) noexcept {
  const cpCollisionHandler &handler = space.defaultHandler, &none = cpCollisionHandlerDoNothing;
  return layout::set_of(space.collisionHandlers).entry_count != 0 || space.usesWildcards ||
         handler.beginFunc != none.beginFunc || handler.preSolveFunc != none.preSolveFunc;
}

// `bin` is the bucket's first bin.
cpArbiter* find_arbiter(const layout::HashSetBin* bin, const cpShape* a, const cpShape* b) noexcept {
  for (; bin != nullptr; bin = bin->next) {
    auto* const arbiter = static_cast<cpArbiter*>(bin->element);
    if ((arbiter->a == a && arbiter->b == b) || (arbiter->a == b && arbiter->b == a)) return arbiter;
  }
  return nullptr;
}

// Adds a collision to space->arbiters, as the end of cpSpaceCollideShapes() does.
void finish_collision(cpSpace* space, cpArbiter* arbiter, cpContactSlots& slots, bool is_accepted) {
  const cpShape &a = *arbiter->a, &b = *arbiter->b;
  // Collisions of sensors and of pairs of infinite masses call back, but are not solved.
  if (is_accepted && !(a.sensor || b.sensor) && !(a.body->m == INFINITY && b.body->m == INFINITY)) {
    cpArrayPush(space->arbiters, arbiter);
  } else {
    slots.contact_count -= static_cast<unsigned int>(arbiter->count);
    arbiter->contacts = nullptr;
    arbiter->count = 0;
    if (arbiter->state != CP_ARBITER_STATE_IGNORE) arbiter->state = CP_ARBITER_STATE_NORMAL;
  }
  arbiter->stamp = space->stamp;
}

bool call_handlers_and_finish(cpSpace* space, cpArbiter* arbiter, cpContactSlots& slots) {
  const bool calls = calls_back(*arbiter);
  finish_collision(space, arbiter, slots,
                   calls ? is_accepted(space, arbiter) : arbiter->state != CP_ARBITER_STATE_IGNORE);
  return calls;
}

// Makes an arbiter if `arbiter` is null.
FORKMUNK_INLINE cpArbiter* update_arbiter(cpSpace* space, cpArbiter* arbiter, const cpShape* a, const cpShape* b,
                                          const Collision& found, cpContactSlots& slots, HandlerCache& handlers) {
  if (arbiter == nullptr) arbiter = cpSpaceArbiterOf(space, a, b);
  update(*arbiter, a, b, found.normal, space, handlers);
  set_contacts(*reinterpret_cast<layout::ContactArbiter*>(arbiter), found, slots);
  slots.contact_count += found.count;
  return arbiter;
}

// Works like cpSpaceCollideShapes(). \pre cpSpaceContactSlots(); info.count > 0 contacts are in contacts.data().
// \return whether a user's function was called, because its changes may decide later collisions.
bool add_collision(cpSpace* space, cpArbiter* arbiter, cpCollisionInfo& info, NewContacts& contacts,
                   StaleContacts& stale, HandlerCache& handlers) {
  cpContactSlots& slots = *reinterpret_cast<cpContactSlots*>(space->contactBuffersHead);
  if (arbiter == nullptr) arbiter = cpSpaceArbiterOf(space, info.a, info.b);
  auto& kept = *reinterpret_cast<layout::ContactArbiter*>(arbiter);
  stale.follow(*space);
  if (stale.any()) contacts.overlay(kept, slots, info.count);
  for (int i = 0; i < info.count; ++i) update_contact(info.arr[i], *arbiter, info.a->body->p, info.b->body->p);
  arbiter->contacts = info.arr;
  arbiter->count = info.count;
  update(*arbiter, info.a, info.b, info.n, space, handlers);
  store_contacts(kept, slots);
  if (stale.any()) stale.write(kept);
  slots.contact_count += static_cast<unsigned int>(info.count);
  return call_handlers_and_finish(space, arbiter, slots);
}

bool add_collision(cpSpace* space, cpArbiter* arbiter, const cpShape* a, const cpShape* b, const Collision& found,
                   HandlerCache& handlers) {
  cpContactSlots& slots = *reinterpret_cast<cpContactSlots*>(space->contactBuffersHead);
  return call_handlers_and_finish(space, update_arbiter(space, arbiter, a, b, found, slots, handlers), slots);
}

// \pre no handler calls a user's function, and no arbiter is stale.
void add_collision_without_callbacks(cpSpace* space, cpArbiter* arbiter, const cpShape* a, const cpShape* b,
                                     const Collision& found, HandlerCache& handlers) {
  cpContactSlots& slots = *reinterpret_cast<cpContactSlots*>(space->contactBuffersHead);
  arbiter = update_arbiter(space, arbiter, a, b, found, slots, handlers);
  finish_collision(space, arbiter, slots, arbiter->state != CP_ARBITER_STATE_IGNORE);
}

/// Tests a batch of candidates in SIMD lanes, before the first of their collisions calls back.
class CollisionBatch {
 public:
  static constexpr std::size_t kCandidatesMax = 512;

  /// \pre remove_rejected(). \return the count of tested candidates. \param calls_back  whether callbacks may turn
  /// bodies before the results are used. Segments with neighbours, whose tests read the rotation, are then left to
  /// cpCollide().
  std::size_t test(cpSpace* space, const cpBBTreeCandidate* candidates, std::size_t count,
                   const CollisionKernels* kernels, bool calls_back);

  /// The indices, in order, of the candidates that collide or that no kernel has tested.
  [[nodiscard]] const std::uint16_t* touching() const noexcept { return touching_.data(); }
  [[nodiscard]] std::size_t touching_count() const noexcept { return touching_count_; }

  [[nodiscard]] const Collision* collision(std::size_t index) const noexcept {
    return collisions_[index].is_known ? &collisions_[index] : nullptr;
  }
  /// Returns null for no arbiter yet, and for a candidate that no kernel has tested.
  [[nodiscard]] cpArbiter* arbiter(std::size_t index) const noexcept { return arbiters_[index]; }

 private:
  static constexpr std::size_t kLanesMax = 8;
  /// Pairs of one kernel with one type of first shape, so that the lanes take the same branches. New pairs need more
  /// steps, so they have queues of their own.
  struct Queue {
    std::array<PairTest, kLanesMax> tests;
    std::size_t count = 0;
  };

  static constexpr std::size_t kQueuesOfKernel = 2 * CP_NUM_SHAPES;

  // A full queue is tested at once.
  void add(cpSpace* space, const cpBBTreeCandidate& candidate, std::size_t index, const CollisionKernels& kernels);
  void test_queued(const CollisionKernels& kernels);
  void find_arbiters(cpSpace* space, const cpBBTreeCandidate* candidates, std::size_t count);

  std::array<std::array<Queue, kQueuesOfKernel>, kPairKindCount> queues_;
  std::array<Collision, kCandidatesMax> collisions_;
  std::array<cpArbiter*, kCandidatesMax> arbiters_;
  std::array<std::uint32_t, kCandidatesMax> buckets_;  // in space->cachedArbiters
  std::array<std::uint16_t, kCandidatesMax> touching_;
  std::size_t touching_count_ = 0;
};

// Tests boxes and filters without branches, which would be mispredicted.
FORKMUNK_INLINE bool are_apart(const cpShape& a, const cpShape& b) noexcept {
  const cpBB &box = a.bb, &other_box = b.bb;
  const auto overlap = static_cast<unsigned>(box.l <= other_box.r) & static_cast<unsigned>(other_box.l <= box.r) &
                       static_cast<unsigned>(box.b <= other_box.t) & static_cast<unsigned>(other_box.b <= box.t);
  const cpShapeFilter &filter = a.filter, &other = b.filter;
  const auto rejects = static_cast<unsigned>(a.body == b.body) |
                       (static_cast<unsigned>(filter.group != 0) & static_cast<unsigned>(filter.group == other.group)) |
                       static_cast<unsigned>((filter.categories & other.mask) == 0) |
                       static_cast<unsigned>((other.categories & filter.mask) == 0);
  return ((overlap ^ 1U) | rejects) != 0;
}

bool joint_rejects(const cpBody* a, const cpBody* b) noexcept {
  if (b->constraintList == nullptr) return false;
  const cpConstraint* joint = a->constraintList;
  while (joint != nullptr) {
    if (!joint->collideBodies && ((joint->a == a && joint->b == b) || (joint->a == b && joint->b == a))) return true;
    joint = joint->a == a ? joint->next_a : joint->next_b;
  }
  return false;
}

// Works like QueryReject() in cpSpaceStep.c.
bool is_rejected(const cpShape* a, const cpShape* b) noexcept {
  return are_apart(*a, *b) || joint_rejects(a->body, b->body);
}

// Returns whether a test reads a body's rotation besides the transformed points.
bool reads_rotation(const cpBBTreeCandidate& candidate) noexcept {
  const auto has_neighbours = [](const cpShape& shape) {
    if (shape.klass->type != CP_SEGMENT_SHAPE) return false;
    const auto& segment = reinterpret_cast<const cpSegmentShape&>(shape);
    return segment.a_tangent.x != 0 || segment.a_tangent.y != 0 || segment.b_tangent.x != 0 || segment.b_tangent.y != 0;
  };
  return has_neighbours(*candidate.a) || has_neighbours(*candidate.b);
}

void prefetch(const void* first, std::size_t bytes) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(first);
  for (std::size_t i = 0; i < bytes; i += 64) __builtin_prefetch(reinterpret_cast<const void*>(begin + i));
}

// Reads ahead what is_rejected() does not.
void prefetch_points(const cpShape* shape, cpShapeType type) noexcept {
  if (type == CP_POLY_SHAPE) prefetch(reinterpret_cast<const cpPolyShape*>(shape)->planes, 192);
}

void prefetch_ahead(const cpBBTreeCandidate* candidates, std::size_t i, std::size_t count) noexcept {
  constexpr std::size_t kAhead = 8;
  if (i + kAhead >= count) return;
  prefetch(candidates[i + kAhead].a, 256);
  prefetch(candidates[i + kAhead].b, 256);
}

// Works like CircleToCircle().
void collide_circles(const cpCircleShape& a, const cpCircleShape& b, cpCollisionID id, Collision& found) noexcept {
  found.id = id;
  found.count = 0;
  found.is_known = true;
  const cpVect delta = cpvsub(b.tc, a.tc);
  const cpFloat sum = a.r + b.r, square = cpvlengthsq(delta);
  if (!(square < sum * sum)) return;
  const cpFloat distance = std::sqrt(square);
  const cpVect n = distance != 0 ? cpvmult(delta, 1 / distance) : cpv(1, 0);
  found.normal = n;
  found.points[0] = cpvadd(a.tc, cpvmult(n, a.r));
  found.points[1] = cpvadd(b.tc, cpvmult(n, -b.r));
  found.hashes[0] = 0;
  found.count = 1;
}

void CollisionBatch::add(cpSpace* space, const cpBBTreeCandidate& candidate, std::size_t index,
                         const CollisionKernels& kernels) {
  const cpShape *a = candidate.a, *b = candidate.b;
  cpShapeType a_type = a->klass->type, b_type = b->klass->type;
  if (a_type > b_type) {
    std::swap(a, b);
    std::swap(a_type, b_type);
  }
  const cpCollisionID id = candidate.id;
  const PairKind kind = kind_of(*a, *b, a_type, b_type, id);
  const bool are_circles = b_type == CP_CIRCLE_SHAPE;
  if (kind == PairKind::none && !are_circles) return;
  const layout::HashSet& met = layout::set_of(space->cachedArbiters);
  buckets_[index] = layout::pair_id_hash(a, b) % met.bucket_count;
  __builtin_prefetch(&met.buckets[buckets_[index]]);
  if (are_circles) {
    return collide_circles(reinterpret_cast<const cpCircleShape&>(*a), reinterpret_cast<const cpCircleShape&>(*b), id,
                           collisions_[index]);
  }
  prefetch_points(a, a_type);
  prefetch_points(b, b_type);
  const std::size_t of_kernel = static_cast<std::size_t>(a_type) + (id != 0 ? CP_NUM_SHAPES : 0);
  Queue& queue = queues_[static_cast<std::size_t>(kind)][of_kernel];
  queue.tests[queue.count++] = {a, b, a_type, id, &collisions_[index]};
  if (queue.count == kernels.lane_count) {
    kernels.test[static_cast<std::size_t>(kind)](queue.tests.data(), queue.count);
    queue.count = 0;
  }
}

// cpCollide() is faster for a single pair.
void CollisionBatch::test_queued(const CollisionKernels& kernels) {
  for (std::size_t kind = 0; kind < kPairKindCount; ++kind) {
    std::array<PairTest, kQueuesOfKernel * kLanesMax> left;
    std::size_t count = 0;
    for (Queue& queue : queues_[kind]) {
      for (std::size_t i = 0; i < queue.count; ++i) left[count++] = queue.tests[i];
      queue.count = 0;
    }
    const bool is_alone = count % kernels.lane_count == 1;
    if (is_alone) left[--count].collision->is_known = false;
    if (count != 0) kernels.test[kind](left.data(), count);
  }
}

// Works in stages, so that cache misses overlap. Arbiters that do not collide are left alone.
void CollisionBatch::find_arbiters(cpSpace* space, const cpBBTreeCandidate* candidates, std::size_t count) {
  const layout::HashSet& met = layout::set_of(space->cachedArbiters);
  std::array<const layout::HashSetBin*, kCandidatesMax> bins;
  touching_count_ = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Collision& found = collisions_[i];
    arbiters_[i] = nullptr;
    touching_[touching_count_] = static_cast<std::uint16_t>(i);
    touching_count_ += (static_cast<unsigned>(found.is_known) & static_cast<unsigned>(found.count == 0)) ^
                       1U;  // a branch would be mispredicted
  }
  for (std::size_t k = 0; k < touching_count_; ++k) {
    const std::size_t i = touching_[k];
    bins[k] = collisions_[i].is_known ? met.buckets[buckets_[i]] : nullptr;
    __builtin_prefetch(bins[k]);
  }
  for (std::size_t k = 0; k < touching_count_; ++k) {
    if (bins[k] != nullptr) prefetch(bins[k]->element, sizeof(layout::ContactArbiter));
  }
  for (std::size_t k = 0; k < touching_count_; ++k) {
    const cpBBTreeCandidate& candidate = candidates[touching_[k]];
    arbiters_[touching_[k]] = find_arbiter(bins[k], candidate.a, candidate.b);
  }
}

std::size_t CollisionBatch::test(cpSpace* space, const cpBBTreeCandidate* candidates, std::size_t count,
                                 const CollisionKernels* kernels, bool calls_back) {
  const std::size_t end = count < kCandidatesMax ? count : kCandidatesMax;
  for (std::size_t i = 0; i < end; ++i) {
    collisions_[i].is_known = false;
    if (kernels == nullptr || (calls_back && reads_rotation(candidates[i]))) continue;
    add(space, candidates[i], i, *kernels);
  }
  if (kernels != nullptr) test_queued(*kernels);
  find_arbiters(space, candidates, end);
  return end;
}

// `to` may be `candidates`. Writes the indices of the remaining candidates to `positions` unless null. \return the
// count.
std::size_t remove_rejected(const cpBBTreeCandidate* candidates, std::size_t count, cpBBTreeCandidate* to,
                            std::uint16_t* positions) noexcept {
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < count; ++i) {
    prefetch_ahead(candidates, i, count);
    const cpBBTreeCandidate candidate = candidates[i];
    to[accepted] = candidate;
    if (positions != nullptr) positions[accepted] = static_cast<std::uint16_t>(i);
    accepted += are_apart(*candidate.a, *candidate.b) ? 0 : 1;
  }
  // A joint in another space also keeps its bodies from colliding.
  std::size_t left = 0;
  for (std::size_t i = 0; i < accepted; ++i) {
    if (joint_rejects(to[i].a->body, to[i].b->body)) continue;
    if (positions != nullptr) positions[left] = positions[i];
    to[left++] = to[i];
  }
  return left;
}

void update_shape(void* shape, void*) { cpShapeUpdateFunc(static_cast<cpShape*>(shape), nullptr); }

struct Tested {
  cpCollisionID id;
  bool has_called_back;
};

Tested collide_shapes(cpSpace* space, const cpShape* a, const cpShape* b, cpCollisionID id, StaleContacts& stale,
                      HandlerCache& handlers) {
  cpSpaceContactSlots(space);
  NewContacts contacts;
  cpCollisionInfo info = cpCollide(a, b, id, contacts.data());
  const bool calls = info.count > 0 && add_collision(space, nullptr, info, contacts, stale, handlers);
  return {info.id, calls};
}

// Replaces cpSpaceCollideShapes() for spatial indices that are not trees.
struct Collider {
  cpSpace* space;
  StaleContacts& stale;
  HandlerCache& handlers;
  // True if a pair is repeated, which only stock Chipmunk's defects allow.
  bool repeats = false;

  // A spatial hash reports a pair again after a query in a callback.
  [[nodiscard]] bool has_met(const cpShape* a, const cpShape* b) const noexcept {
    const layout::HashSet& met = layout::set_of(space->cachedArbiters);
    const cpArbiter* const arbiter = find_arbiter(met.buckets[layout::pair_id_hash(a, b) % met.bucket_count], a, b);
    return arbiter != nullptr && arbiter->stamp == space->stamp;
  }

  static cpCollisionID collide(void* first, void* second, cpCollisionID id, void* of) {
    auto* const a = static_cast<cpShape*>(first);
    auto* const b = static_cast<cpShape*>(second);
    if (is_rejected(a, b)) return id;
    auto& self = *static_cast<Collider*>(of);
    if (self.has_met(a, b)) {
      if ((forkmunk_defects(self.space) & FORKMUNK_DEFECT_HASH_CELLS) == 0) return id;
      self.repeats = true;
    }
    return collide_shapes(self.space, a, b, id, self.stale, self.handlers).id;
  }
};

struct Walk : cpBBTreeWalk {
  std::vector<cpBBTreeLeaf*> leaf_memory;
  std::vector<cpShape*> shape_memory;
  std::vector<cpBBTreeCandidate> candidate_memory;
  std::array<cpBBTreeCandidate, CollisionBatch::kCandidatesMax> accepted;
  CollisionBatch batch;
  HandlerCache handlers;

  Walk() : cpBBTreeWalk{} {
    grow_leaves = [](cpBBTreeWalk* walk) {
      auto& memory = static_cast<Walk*>(walk)->leaf_memory;
      auto& all_shapes = static_cast<Walk*>(walk)->shape_memory;
      memory.resize(memory.size() * 2 + 64);
      all_shapes.resize(memory.size());
      walk->shapes = all_shapes.data();
      walk->leaves = memory.data();
      walk->leaf_capacity = memory.size();
    };
    grow_candidates = [](cpBBTreeWalk* walk) {
      auto& memory = static_cast<Walk*>(walk)->candidate_memory;
      memory.resize(memory.size() * 2 + 64);
      walk->candidates = memory.data();
      walk->candidate_capacity = memory.size();
    };
  }
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;
};

std::pair<cpShape*, cpShape*> in_order_of_types(const cpBBTreeCandidate& candidate) noexcept {
  const bool in_order = candidate.a->klass->type <= candidate.b->klass->type;
  return in_order ? std::pair{candidate.a, candidate.b} : std::pair{candidate.b, candidate.a};
}

void store_id(const cpBBTreeCandidate& candidate, cpCollisionID id) noexcept {
  if (candidate.kept != nullptr && id != candidate.id) *candidate.kept = id;
}

bool collide(cpSpace* space, const cpBBTreeCandidate& candidate, StaleContacts& stale, HandlerCache& handlers) {
  const Tested tested = collide_shapes(space, candidate.a, candidate.b, candidate.id, stale, handlers);
  store_id(candidate, tested.id);
  return tested.has_called_back;
}

template <bool kCallsBack>
bool add_known_collision(cpSpace* space, const cpBBTreeCandidate& candidate, const Collision& known, cpArbiter* arbiter,
                         StaleContacts& stale, HandlerCache& handlers) {
  cpSpaceContactSlots(space);
  const auto [a, b] = in_order_of_types(candidate);
  stale.follow(*space);
  if (stale.any()) {
    NewContacts contacts;
    cpCollisionInfo info{a, b, known.id, known.normal, known.count, contacts.data()};
    for (int i = 0; i < info.count; ++i) {
      info.arr[i].r1 = known.points[2 * i];
      info.arr[i].r2 = known.points[2 * i + 1];
      info.arr[i].hash = known.hashes[i];
    }
    return add_collision(space, arbiter, info, contacts, stale, handlers);
  }
  if constexpr (kCallsBack) return add_collision(space, arbiter, a, b, known, handlers);
  add_collision_without_callbacks(space, arbiter, a, b, known, handlers);
  return false;
}

// Stops when a callback changes data that tests read. \pre remove_rejected(). \return the count of candidates that are
// done.
template <bool kCallsBack>
std::size_t collide_batch(cpSpace* space, Walk& walk, const cpBBTreeCandidate* candidates, std::size_t count,
                          const CollisionKernels* kernels, StaleContacts& stale) {
  CollisionBatch& batch = walk.batch;
  const unsigned changes = cpShapeChanges();
  std::size_t done = batch.test(space, candidates, count, kernels, kCallsBack);
  std::size_t last_touching = done;
  for (std::size_t k = 0; k < batch.touching_count(); ++k) {
    const std::size_t i = batch.touching()[k];
    const Collision* const known = batch.collision(i);
    const bool has_called_back =
        known == nullptr
            ? collide(space, candidates[i], stale, walk.handlers)
            : add_known_collision<kCallsBack>(space, candidates[i], *known, batch.arbiter(i), stale, walk.handlers);
    last_touching = i;
    if (kCallsBack && has_called_back && cpShapeChanges() != changes) {
      done = i + 1;
      break;
    }
  }
  for (std::size_t i = 0; i < done; ++i) {
    if (const Collision* const known = batch.collision(i)) store_id(candidates[i], known->id);
  }
  // Chipmunk leaves a full buffer before each test.
  if (done != 0 && last_touching + 1 != done) cpSpaceContactSlots(space);
  return done;
}

void collide_in_turn(cpSpace* space, Walk& walk, std::size_t first, std::size_t end, StaleContacts& stale) {
  for (std::size_t i = first; i < end; ++i) {
    const cpBBTreeCandidate& candidate = walk.candidates[i];
    prefetch_ahead(walk.candidates, i, walk.candidate_count);
    if (!is_rejected(candidate.a, candidate.b)) collide(space, candidate, stale, walk.handlers);
  }
}

void collide_all(cpSpace* space, Walk& walk, const CollisionKernels* kernels, StaleContacts& stale) {
  constexpr std::size_t kFew = 4;
  if (walk.candidate_count < kFew) return collide_in_turn(space, walk, 0, walk.candidate_count, stale);
  const std::size_t accepted_count = remove_rejected(walk.candidates, walk.candidate_count, walk.candidates, nullptr);
  for (std::size_t first = 0; first < accepted_count;) {
    first += collide_batch<false>(space, walk, walk.candidates + first, accepted_count - first, kernels, stale);
  }
}

// A callback may change all data that later tests read. Then the rest of its batch is tested again, one by one.
void collide_with_callbacks(cpSpace* space, Walk& walk, const CollisionKernels* kernels, StaleContacts& stale) {
  constexpr std::size_t kMany = 96;
  if (kernels == nullptr || walk.candidate_count < kMany) {
    return collide_in_turn(space, walk, 0, walk.candidate_count, stale);
  }
  std::array<std::uint16_t, CollisionBatch::kCandidatesMax> positions;
  for (std::size_t first = 0, end = 0; first < walk.candidate_count; first = end) {
    const std::size_t count = std::min(walk.candidate_count - first, CollisionBatch::kCandidatesMax);
    end = first + count;
    const std::size_t accepted_count =
        remove_rejected(walk.candidates + first, count, walk.accepted.data(), positions.data());
    const unsigned changes = cpShapeChanges();
    const std::size_t done = collide_batch<true>(space, walk, walk.accepted.data(), accepted_count, kernels, stale);
    if (cpShapeChanges() != changes) collide_in_turn(space, walk, first + positions[done - 1] + 1u, end, stale);
  }
}

void update_shapes(const Walk& walk, const CollisionKernels* kernels) {
  if (kernels != nullptr) {
    kernels->update_shapes(walk.shapes, walk.leaf_count);
  } else {
    for (std::size_t i = 0; i < walk.leaf_count; ++i) cpShapeUpdateFunc(walk.shapes[i], nullptr);
  }
}

// Few shapes rarely fill 8 lanes.
const CollisionKernels* kernels_for(std::size_t moving_shapes) noexcept {
  constexpr std::size_t kShapesOf8Lanes = 24;
  const SimdTarget target = simd_target();
  constexpr SimdTarget kNarrower = FORKMUNK_BY_PRECISION(SimdTarget::avx2, SimdTarget::baseline);
  const bool has_8_lanes = target == SimdTarget::avx512 || FORKMUNK_BY_PRECISION(false, target == SimdTarget::avx2);
  return collision_kernels(has_8_lanes && moving_shapes < kShapesOf8Lanes ? kNarrower : target);
}

}  // namespace

bool find_collisions(cpSpace* space, StaleContacts& stale) {
  cpSpaceBeginContacts(space);
  cpSpatialIndex* const index = space->dynamicShapes;
  if (cpBBTreeHasTrees(index) && layout::tree_of(index).root == nullptr) return false;
  const Scratch<Walk> walk;
  walk->handlers.clear();
  if (!cpBBTreeHasTrees(index)) {
    cpSpatialIndexEach(index, &update_shape, nullptr);
    Collider collider{space, stale, walk->handlers};
    cpSpatialIndexReindexQuery(index, &Collider::collide, &collider);
    return collider.repeats;
  }
  cpBBTreeCollectLeaves(index, &*walk);
  const CollisionKernels* const kernels = kernels_for(walk->leaf_count);
  update_shapes(*walk, kernels);
  cpBBTreeCollectCandidates(index, &*walk);
  may_call_back(*space) ? collide_with_callbacks(space, *walk, kernels, stale)
                        : collide_all(space, *walk, kernels, stale);
  cpBBTreeEndQuery(index);
  return false;
}

}  // namespace forkmunk::FORKMUNK_CHIPMUNK::fast
