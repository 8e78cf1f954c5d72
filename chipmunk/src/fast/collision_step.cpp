#include "fast/collision_step.h"

#include "fast/collision_arrival.h"
#include "fast/collision_batch.h"
#include "fast/scratch.h"
#include "fast/stock_tree.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace forkmunk::chipmunk::fast {
namespace {

void update_shape(void* shape, void*) { cpShapeUpdateFunc(static_cast<cpShape*>(shape), nullptr); }

struct Tested {
  cpCollisionID id;
  bool has_called_back;  // one of the user's functions
};

// Tests two shapes and lets their collision arrive.
Tested collide_shapes(cpSpace* space, const cpShape* a, const cpShape* b, cpCollisionID id, LateContacts& late,
                      HandlerCache& handlers) {
  cpSpaceContactSlots(space);
  NewContacts contacts;
  cpCollisionInfo info = cpCollide(a, b, id, contacts.data());
  const bool calls = info.count > 0 && arrive(space, nullptr, info, contacts, late, handlers);
  return {info.id, calls};
}

// cpSpaceCollideShapes(), for spatial indices that are no trees.
struct Collider {
  cpSpace* space;
  LateContacts& late;
  HandlerCache& handlers;

  static cpCollisionID collide(void* first, void* second, cpCollisionID id, void* of) {
    auto* const a = static_cast<cpShape*>(first);
    auto* const b = static_cast<cpShape*>(second);
    if (is_left_out(a, b)) return id;
    const auto& self = *static_cast<Collider*>(of);
    return collide_shapes(self.space, a, b, id, self.late, self.handlers).id;
  }
};

// The memory of a step's walk of the tree and of its tests.
struct Walk : cpBBTreeWalk {
  std::vector<cpBBTreeLeaf*> leaf_memory;
  std::vector<cpShape*> shape_memory;
  std::vector<cpBBTreeCandidate> candidate_memory;
  std::array<cpBBTreeCandidate, CollisionBatch::kCandidatesMax> near;  // those of a batch that are not left out
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

void keep_id(const cpBBTreeCandidate& candidate, cpCollisionID id) noexcept {
  if (candidate.kept != nullptr && id != candidate.id) *candidate.kept = id;
}

// \return whether a user's function was called.
bool collide(cpSpace* space, const cpBBTreeCandidate& candidate, LateContacts& late, HandlerCache& handlers) {
  const Tested tested = collide_shapes(space, candidate.a, candidate.b, candidate.id, late, handlers);
  keep_id(candidate, tested.id);
  return tested.has_called_back;
}

// Lets a collision arrive that a kernel has found. \return whether a user's function was called.
template <bool kCallsBack>
bool arrive_known(cpSpace* space, const cpBBTreeCandidate& candidate, const Collision& known, cpArbiter* arbiter,
                  LateContacts& late, HandlerCache& handlers) {
  cpSpaceContactSlots(space);
  const auto [a, b] = in_order_of_types(candidate);
  late.follow(*space);
  if (late.any()) {
    NewContacts contacts;
    cpCollisionInfo info{a, b, known.id, known.normal, known.count, contacts.data()};
    for (int i = 0; i < info.count; ++i) {
      info.arr[i].r1 = known.points[2 * i];
      info.arr[i].r2 = known.points[2 * i + 1];
      info.arr[i].hash = known.hashes[i];
    }
    return arrive(space, arbiter, info, contacts, late, handlers);
  }
  if constexpr (kCallsBack) return arrive(space, arbiter, a, b, known, handlers);
  arrive_quietly(space, arbiter, a, b, known, handlers);
  return false;
}

// Tests the first of `count` candidates in lanes, and lets their collisions arrive until a callback changes what tests
// read. \pre leave_out(). \return how many are done.
template <bool kCallsBack>
std::size_t collide_batch(cpSpace* space, Walk& walk, const cpBBTreeCandidate* candidates, std::size_t count,
                          const CollisionKernels* kernels, LateContacts& late) {
  CollisionBatch& batch = walk.batch;
  const unsigned changes = cpShapeChanges();
  std::size_t done = batch.test(space, candidates, count, kernels, kCallsBack);
  std::size_t last_touching = done;
  for (std::size_t k = 0; k < batch.touching_count(); ++k) {
    const std::size_t i = batch.touching()[k];
    const Collision* const known = batch.collision(i);
    const bool has_called_back = known == nullptr ? collide(space, candidates[i], late, walk.handlers)
                                                  : arrive_known<kCallsBack>(space, candidates[i], *known,
                                                                             batch.arbiter(i), late, walk.handlers);
    last_touching = i;
    if (kCallsBack && has_called_back && cpShapeChanges() != changes) {
      done = i + 1;
      break;
    }
  }
  for (std::size_t i = 0; i < done; ++i) {
    if (const Collision* const known = batch.collision(i)) keep_id(candidates[i], known->id);
  }
  // Chipmunk takes the next buffer, where one is full, before each test.
  if (done != 0 && last_touching + 1 != done) cpSpaceContactSlots(space);
  return done;
}

// Where no collision calls back.
void collide_all(cpSpace* space, Walk& walk, const CollisionKernels* kernels, LateContacts& late) {
  const std::size_t near = leave_out(walk.candidates, walk.candidate_count, walk.candidates, nullptr);
  for (std::size_t first = 0; first < near;) {
    first += collide_batch<false>(space, walk, walk.candidates + first, near - first, kernels, late);
  }
}

// As Chipmunk does: each collision calls back before the next candidate is tested.
void collide_in_turn(cpSpace* space, Walk& walk, std::size_t first, std::size_t end, LateContacts& late) {
  for (std::size_t i = first; i < end; ++i) {
    const cpBBTreeCandidate& candidate = walk.candidates[i];
    prefetch_ahead(walk.candidates, i, walk.candidate_count);
    if (!is_left_out(candidate.a, candidate.b)) collide(space, candidate, late, walk.handlers);
  }
}

// A callback may change all that later tests read: then the rest of its batch is tested again, in turn.
void collide_with_callbacks(cpSpace* space, Walk& walk, const CollisionKernels* kernels, LateContacts& late) {
  constexpr std::size_t kMany = 96;
  if (kernels == nullptr || walk.candidate_count < kMany) {
    return collide_in_turn(space, walk, 0, walk.candidate_count, late);
  }
  std::array<std::uint16_t, CollisionBatch::kCandidatesMax> positions;
  for (std::size_t first = 0, end = 0; first < walk.candidate_count; first = end) {
    const std::size_t count = std::min(walk.candidate_count - first, CollisionBatch::kCandidatesMax);
    end = first + count;
    const std::size_t near_count = leave_out(walk.candidates + first, count, walk.near.data(), positions.data());
    const unsigned changes = cpShapeChanges();
    const std::size_t done = collide_batch<true>(space, walk, walk.near.data(), near_count, kernels, late);
    if (cpShapeChanges() != changes) collide_in_turn(space, walk, first + positions[done - 1] + 1u, end, late);
  }
}

void update_shapes(const Walk& walk, const CollisionKernels* kernels) {
  if (kernels != nullptr) {
    kernels->update_shapes(walk.shapes, walk.leaf_count);
  } else {
    for (std::size_t i = 0; i < walk.leaf_count; ++i) cpShapeUpdateFunc(walk.shapes[i], nullptr);
  }
}

// Few shapes rarely fill the lanes of AVX-512.
const CollisionKernels* kernels_for(std::size_t moving_shapes) noexcept {
  constexpr std::size_t kShapesOf8Lanes = 24;
  const SimdTarget target = simd_target();
  const bool is_too_wide = target == SimdTarget::avx512 && moving_shapes < kShapesOf8Lanes;
  return collision_kernels(is_too_wide ? SimdTarget::avx2 : target);
}

}  // namespace

void find_collisions(cpSpace* space, LateContacts& late) {
  cpSpaceBeginContacts(space);
  cpSpatialIndex* const index = space->dynamicShapes;
  const Scratch<Walk> walk;
  walk->handlers.clear();
  if (!cpBBTreeHasTrees(index)) {
    cpSpatialIndexEach(index, &update_shape, nullptr);
    Collider collider{space, late, walk->handlers};
    cpSpatialIndexReindexQuery(index, &Collider::collide, &collider);
    return;
  }
  cpBBTreeCollectLeaves(index, &*walk);
  const CollisionKernels* const kernels = kernels_for(walk->leaf_count);
  update_shapes(*walk, kernels);
  cpBBTreeCollectCandidates(index, &*walk);
  may_call_back(*space) ? collide_with_callbacks(space, *walk, kernels, late)
                        : collide_all(space, *walk, kernels, late);
  cpBBTreeEndQuery(index);
}

}  // namespace forkmunk::chipmunk::fast
