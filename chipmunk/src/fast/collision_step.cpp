#include "fast/collision_step.h"

#include "fast/collision_arrival.h"
#include "fast/collision_batch.h"
#include "fast/scratch.h"
#include "fast/stock_tree.h"

#include <algorithm>
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

// Tests `count` candidates, none of which calls back, in lanes.
void collide_batched(cpSpace* space, Walk& walk, cpBBTreeCandidate* of, std::size_t count,
                     const CollisionKernels* kernels, LateContacts& late) {
  CollisionBatch& batch = walk.batch;
  const std::size_t near = leave_out(*space, of, count);
  for (std::size_t first = 0, tested = 0; first < near; first += tested) {
    const cpBBTreeCandidate* const candidates = of + first;
    tested = batch.test(space, candidates, near - first, kernels, false);
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
    for (std::size_t i = 0; i < tested; ++i) {
      const Collision* const known = batch.collision(i);
      if (known != nullptr && candidates[i].kept != nullptr && known->id != candidates[i].id) {
        *candidates[i].kept = known->id;
      }
    }
    // Chipmunk takes the next buffer, where one is full, before each test.
    const bool ends_touching =
        batch.touching_count() != 0 && batch.touching()[batch.touching_count() - 1] == tested - 1;
    if (!ends_touching) cpSpaceContactSlots(space);
  }
}

// The first candidate from `first` on that may call back, or the end.
std::size_t find_caller(cpSpace* space, Walk& walk, std::size_t first) noexcept {
  std::size_t i = first;
  while (i < walk.candidate_count) {
    const cpBBTreeCandidate& candidate = walk.candidates[i];
    if (walk.handlers.calls_back(space, candidate.a->type, candidate.b->type)) break;
    ++i;
  }
  return i;
}

// As Chipmunk does: each collision calls back before the next candidate is tested.
void collide_in_turn(cpSpace* space, Walk& walk, std::size_t first, std::size_t end, LateContacts& late) {
  for (std::size_t i = first; i < end; ++i) {
    const cpBBTreeCandidate& candidate = walk.candidates[i];
    prefetch_ahead(walk.candidates, i, walk.candidate_count);
    if (!is_left_out(candidate.a, candidate.b)) collide(space, candidate, nullptr, nullptr, late, walk.handlers);
  }
}

// Tests the first of `count` candidates in lanes, before they call back. \return how many.
std::size_t collide_with_copies(cpSpace* space, Walk& walk, const cpBBTreeCandidate* candidates, std::size_t count,
                                const CollisionKernels& kernels, LateContacts& late) {
  CollisionBatch& batch = walk.batch;
  const std::size_t tested = batch.test(space, candidates, count, &kernels, true);
  std::uint32_t callbacks = 0;
  for (std::size_t i = 0; i < tested; ++i) {
    const cpBBTreeCandidate& candidate = candidates[i];
    if (callbacks != 0 ? is_left_out(candidate.a, candidate.b) : batch.is_rejected(i)) continue;
    const Collision* const known = callbacks != 0 ? batch.collision_if_valid(i, callbacks) : batch.collision(i);
    if (collide(space, candidate, known, batch.arbiter(i), late, walk.handlers)) ++callbacks;
  }
  return tested;
}

// Whether tests in lanes save more than copies of the shapes cost: they do where most pairs are polygons of at most
// four vertices. Chipmunk's tests of other pairs are faster, or the copies larger.
bool copies_pay(const cpBBTreeCandidate* candidates, std::size_t count) noexcept {
  const auto has_four = [](const cpShape& shape) {
    return shape.klass->type == CP_POLY_SHAPE && reinterpret_cast<const cpPolyShape&>(shape).count <= 4;
  };
  std::size_t paying = 0;
  for (std::size_t i = 0; i < count; ++i) paying += has_four(*candidates[i].a) && has_four(*candidates[i].b) ? 1 : 0;
  return 2 * paying >= count;
}

// A callback may change all that later tests read. Many candidates in a row that do not call back are tested in lanes,
// others only where copies of their shapes pay, by which changes are found.
void collide_with_callbacks(cpSpace* space, Walk& walk, const CollisionKernels* kernels, LateContacts& late) {
  constexpr std::size_t kMany = 40, kSample = 16, kInTurn = 64;
  for (std::size_t i = 0, end = 0; i < walk.candidate_count; i = end) {
    cpBBTreeCandidate* const candidates = walk.candidates + i;
    const std::size_t left = walk.candidate_count - i;
    end = kernels != nullptr ? find_caller(space, walk, i) : i;
    if (end - i >= kMany) {
      collide_batched(space, walk, candidates, end - i, kernels, late);
    } else if (kernels != nullptr && left >= kMany && copies_pay(candidates, kSample)) {
      end = i + collide_with_copies(space, walk, candidates, left, *kernels, late);
    } else {
      end = std::min(i + kInTurn, walk.candidate_count);
      collide_in_turn(space, walk, i, end, late);
    }
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
  may_call_back(*space) ? collide_with_callbacks(space, *walk, kernels, late)
                        : collide_batched(space, *walk, walk->candidates, walk->candidate_count, kernels, late);
  cpBBTreeEndQuery(index);
}

}  // namespace forkmunk::chipmunk::fast
