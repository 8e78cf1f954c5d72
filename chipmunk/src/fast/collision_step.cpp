#include "fast/collision_step.h"

#include "fast/collision_arrival.h"
#include "fast/collision_batch.h"
#include "fast/scratch.h"
#include "fast/stock_tree.h"

#include <utility>
#include <vector>

namespace forkmunk::chipmunk::fast {
namespace {

void update_shape(void* shape, void*) { cpShapeUpdateFunc(static_cast<cpShape*>(shape), nullptr); }

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
    cpSpaceContactSlots(self.space);
    NewContacts contacts;
    cpCollisionInfo info = cpCollide(a, b, id, contacts.data());
    if (info.count > 0) arrive(self.space, nullptr, info, contacts, self.late, self.handlers);
    return info.id;
  }
};

// The memory of a step's walk of the tree and of its tests.
struct Walk : cpBBTreeWalk {
  std::vector<cpBBTreeLeaf*> leaf_memory;
  std::vector<cpShape*> shape_memory;
  std::vector<cpBBTreeCandidate> candidate_memory;
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

// The collision of a candidate, its contacts written to `contacts`.
cpCollisionInfo collide_candidate(const cpBBTreeCandidate& candidate, const Collision* known, cpContact* contacts) {
  if (known == nullptr) return cpCollide(candidate.a, candidate.b, candidate.id, contacts);
  const auto [a, b] = in_order_of_types(candidate);
  cpCollisionInfo info{a, b, known->id, known->normal, known->count, contacts};
  for (int i = 0; i < info.count; ++i) {
    contacts[i].r1 = known->points[2 * i];
    contacts[i].r2 = known->points[2 * i + 1];
    contacts[i].hash = known->hashes[i];
  }
  return info;
}

// \return whether a user's function was called.
bool collide(cpSpace* space, const cpBBTreeCandidate& candidate, const Collision* known, cpArbiter* arbiter,
             LateContacts& late, HandlerCache& handlers) {
  cpSpaceContactSlots(space);
  NewContacts contacts;
  cpCollisionInfo info = collide_candidate(candidate, known, contacts.data());
  const bool has_called_back = info.count > 0 && arrive(space, arbiter, info, contacts, late, handlers);
  if (candidate.kept != nullptr && info.id != candidate.id) *candidate.kept = info.id;
  return has_called_back;
}

// Fewer candidates fill no lanes, and two lanes do not pay where shapes are copied for them.
bool pays_with_callbacks(const CollisionKernels* kernels, std::size_t candidate_count) noexcept {
  constexpr std::size_t kFewCandidates = 40;
  return kernels != nullptr && kernels->lane_count > 2 && candidate_count >= kFewCandidates;
}

// As Chipmunk does: each collision calls back before the next candidate is tested.
void collide_in_turn(cpSpace* space, Walk& walk, LateContacts& late) {
  for (std::size_t i = 0; i < walk.candidate_count; ++i) {
    const cpBBTreeCandidate& candidate = walk.candidates[i];
    prefetch_ahead(walk.candidates, i, walk.candidate_count);
    if (!is_left_out(candidate.a, candidate.b)) collide(space, candidate, nullptr, nullptr, late, walk.handlers);
  }
}

void collide_with_callbacks(cpSpace* space, Walk& walk, const CollisionKernels& kernels, LateContacts& late) {
  CollisionBatch& batch = walk.batch;
  for (std::size_t first = 0, count = 0; first < walk.candidate_count; first += count) {
    const cpBBTreeCandidate* const candidates = walk.candidates + first;
    count = batch.test(space, candidates, walk.candidate_count - first, &kernels, true);
    std::uint32_t callbacks = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const cpBBTreeCandidate& candidate = candidates[i];
      if (callbacks != 0 ? is_left_out(candidate.a, candidate.b) : batch.is_rejected(i)) continue;
      const Collision* const known = callbacks != 0 ? batch.collision_if_valid(i, callbacks) : batch.collision(i);
      if (collide(space, candidate, known, batch.arbiter(i), late, walk.handlers)) ++callbacks;
    }
  }
}

void collide_all(cpSpace* space, Walk& walk, const CollisionKernels* kernels, LateContacts& late) {
  CollisionBatch& batch = walk.batch;
  walk.candidate_count = leave_out(*space, walk.candidates, walk.candidate_count);
  for (std::size_t first = 0, count = 0; first < walk.candidate_count; first += count) {
    const cpBBTreeCandidate* const candidates = walk.candidates + first;
    count = batch.test(space, candidates, walk.candidate_count - first, kernels, false);
    for (std::size_t k = 0; k < batch.touching_count(); ++k) {
      const std::size_t i = batch.touching()[k];
      const cpBBTreeCandidate& candidate = candidates[i];
      const Collision* const known = batch.collision(i);
      if (known == nullptr || late.any()) {
        collide(space, candidate, known, batch.arbiter(i), late, walk.handlers);
        continue;
      }
      cpSpaceContactSlots(space);
      const auto [a, b] = in_order_of_types(candidate);
      arrive_quietly(space, batch.arbiter(i), a, b, *known, walk.handlers);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Collision* const known = batch.collision(i);
      if (known != nullptr && candidates[i].kept != nullptr && known->id != candidates[i].id) {
        *candidates[i].kept = known->id;
      }
    }
    // Chipmunk takes the next buffer, where one is full, before each test.
    const bool ends_touching = batch.touching_count() != 0 && batch.touching()[batch.touching_count() - 1] == count - 1;
    if (!ends_touching) cpSpaceContactSlots(space);
  }
}

void update_shapes(const Walk& walk, const CollisionKernels* kernels) {
  if (kernels != nullptr) {
    kernels->update_shapes(walk.shapes, walk.leaf_count);
  } else {
    for (std::size_t i = 0; i < walk.leaf_count; ++i) cpShapeUpdateFunc(walk.shapes[i], nullptr);
  }
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
  const CollisionKernels* const kernels = collision_kernels(simd_target());
  cpBBTreeCollectLeaves(index, &*walk);
  update_shapes(*walk, kernels);
  cpBBTreeCollectCandidates(index, &*walk);
  if (!may_call_back(*space)) {
    collide_all(space, *walk, kernels, late);
  } else if (pays_with_callbacks(kernels, walk->candidate_count)) {
    collide_with_callbacks(space, *walk, *kernels, late);
  } else {
    collide_in_turn(space, *walk, late);
  }
  cpBBTreeEndQuery(index);
}

}  // namespace forkmunk::chipmunk::fast
