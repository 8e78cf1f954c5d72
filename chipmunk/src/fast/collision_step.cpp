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
cpCollisionID collide(void* a, void* b, cpCollisionID id, void* space) {
  return cpSpaceCollideShapes(static_cast<cpShape*>(a), static_cast<cpShape*>(b), id, static_cast<cpSpace*>(space));
}

// The memory of a step's walk of the tree and of its tests.
struct Walk : cpBBTreeWalk {
  std::vector<cpBBTreeLeaf*> leaf_memory;
  std::vector<cpShape*> shape_memory;
  std::vector<cpBBTreeCandidate> candidate_memory;
  CollisionBatch batch;

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

// The collision of a candidate, with memory for two contacts.
cpCollisionInfo collide_candidate(const cpBBTreeCandidate& candidate, const Collision* known, cpContact* contacts) {
  const cpCollisionID id = candidate.id != nullptr ? *candidate.id : 0;
  if (known == nullptr) return cpCollide(candidate.a, candidate.b, id, contacts);
  const bool in_order = candidate.a->klass->type <= candidate.b->klass->type;
  cpCollisionInfo info{in_order ? candidate.a : candidate.b,
                       in_order ? candidate.b : candidate.a,
                       known->id,
                       known->normal,
                       known->count,
                       contacts};
  for (int i = 0; i < info.count; ++i) {
    contacts[i].r1 = known->points[2 * i];
    contacts[i].r2 = known->points[2 * i + 1];
    contacts[i].hash = known->hashes[i];
  }
  return info;
}

void collide_all(cpSpace* space, Walk& walk, const CollisionKernels* kernels) {
  Callbacks callbacks(space);
  for (std::size_t first = 0; first < walk.candidate_count;) {
    const cpBBTreeCandidate* const candidates = walk.candidates + first;
    const std::size_t count = walk.batch.test(space, candidates, walk.candidate_count - first, kernels, callbacks);
    for (std::size_t i = 0; i < count; ++i) {
      if (walk.batch.is_rejected(i)) continue;
      cpContact contacts[2];
      cpCollisionInfo info = collide_candidate(candidates[i], walk.batch.collision(i), contacts);
      if (info.count > 0) arrive(space, walk.batch.arbiter(i), candidates[i].a, candidates[i].b, info);
      if (candidates[i].id != nullptr) *candidates[i].id = info.id;
    }
    if (walk.batch.ends_with_callback()) callbacks = Callbacks(space);  // which it may have changed
    first += count;
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

void find_collisions(cpSpace* space) {
  cpSpatialIndex* const index = space->dynamicShapes;
  if (!cpBBTreeHasTrees(index)) {
    cpSpatialIndexEach(index, &update_shape, nullptr);
    cpSpatialIndexReindexQuery(index, &collide, space);
    return;
  }
  const CollisionKernels* const kernels = collision_kernels(simd_target());
  const Scratch<Walk> walk;
  cpBBTreeCollectLeaves(index, &*walk);
  update_shapes(*walk, kernels);
  cpBBTreeCollectCandidates(index, &*walk);
  collide_all(space, *walk, kernels);
  cpBBTreeEndQuery(index);
}

}  // namespace forkmunk::chipmunk::fast
