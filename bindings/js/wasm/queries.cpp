// SPDX-License-Identifier: MIT
// Queries: they write shapes to fm_list(), and kHitNumbers numbers of each to fm_numbers().

#include "exports.h"

#include <new>

using namespace forkmunk::js;

namespace {

bool out_of_memory = false;

// Records a hit. Chipmunk calls this function, so no exception may leave it.
void keep(cpShape* shape, std::initializer_list<cpFloat> values) {
  if (out_of_memory) return;
  try {
    numbers.insert(numbers.end(), values);
    numbers.resize(list.size() * kHitNumbers + kHitNumbers);
    list.push_back(shape);
  } catch (const std::bad_alloc&) {
    out_of_memory = true;
  }
}

void keep_contacts(cpShape* shape, cpContactPointSet* set, void*) {
  const auto& [one, other] = set->points;
  keep(shape,
       {static_cast<cpFloat>(set->count), set->normal.x, set->normal.y, one.pointA.x, one.pointA.y, one.pointB.x,
        one.pointB.y, one.distance, other.pointA.x, other.pointA.y, other.pointB.x, other.pointB.y, other.distance});
}

template <typename Query>
int hits_of(Query query) {
  list.clear();
  numbers.clear();
  out_of_memory = false;
  query();
  if (!out_of_memory) return static_cast<int>(list.size());
  forkmunk::space::failed(FORKMUNK_NO_MEMORY, "no memory for the query's hits");
  return -1;
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE int fm_point_query(cpSpace* space, double x, double y, double distance, cpShapeFilter* filter) {
  return hits_of([&] {
    cpSpacePointQuery(
        space, cpv(x, y), distance, *filter,
        [](cpShape* shape, cpVect point, cpFloat away, cpVect gradient, void*) {
          keep(shape, {point.x, point.y, away, gradient.x, gradient.y});
        },
        nullptr);
  });
}

EMSCRIPTEN_KEEPALIVE int fm_point_query_nearest(cpSpace* space, double x, double y, double distance,
                                                cpShapeFilter* filter) {
  return hits_of([&] {
    cpPointQueryInfo info;
    const cpShape* shape = cpSpacePointQueryNearest(space, cpv(x, y), distance, *filter, &info);
    if (shape == nullptr) return;
    keep(const_cast<cpShape*>(shape), {info.point.x, info.point.y, info.distance, info.gradient.x, info.gradient.y});
  });
}

/// \param line  the coordinates of its ends, and its radius
EMSCRIPTEN_KEEPALIVE int fm_segment_query(cpSpace* space, const cpFloat* line, cpShapeFilter* filter, int first_only) {
  return hits_of([&] {
    const cpVect from = cpv(line[0], line[1]), to = cpv(line[2], line[3]);
    if (first_only == 0) {
      cpSpaceSegmentQuery(
          space, from, to, line[4], *filter,
          [](cpShape* shape, cpVect point, cpVect normal, cpFloat alpha, void*) {
            keep(shape, {point.x, point.y, normal.x, normal.y, alpha});
          },
          nullptr);
      return;
    }
    cpSegmentQueryInfo info;
    const cpShape* shape = cpSpaceSegmentQueryFirst(space, from, to, line[4], *filter, &info);
    if (shape == nullptr) return;
    keep(const_cast<cpShape*>(shape), {info.point.x, info.point.y, info.normal.x, info.normal.y, info.alpha});
  });
}

EMSCRIPTEN_KEEPALIVE int fm_bb_query(cpSpace* space, const cpBB* box, cpShapeFilter* filter) {
  return hits_of([&] {
    cpSpaceBBQuery(
        space, *box, *filter, [](cpShape* shape, void*) { keep(shape, {}); }, nullptr);
  });
}

/// Lists the contacts of a body, or, for null, of all bodies that move: the first shape of each in fm_list(), and then
/// the second.
EMSCRIPTEN_KEEPALIVE int fm_contacts(cpSpace* space, cpBody* body) {
  std::vector<void*> others;
  auto keep_of = [&others](cpBody* own, bool is_one_of_all) {
    for (cpArbiter* arbiter = own->arbiterList; arbiter != nullptr;
         arbiter = arbiter->body_a == own ? arbiter->thread_a.next : arbiter->thread_b.next) {
      // Bodies that are not static have the contact in their lists, too.
      if (is_one_of_all && arbiter->body_a != own && cpBodyGetType(arbiter->body_a) != CP_BODY_TYPE_STATIC) continue;
      cpShape *a = nullptr, *b = nullptr;
      cpArbiterGetShapes(arbiter, &a, &b);
      cpContactPointSet set = cpArbiterGetContactPointSet(arbiter);
      keep_contacts(a, &set, nullptr);
      others.push_back(b);
    }
  };
  const int count = hits_of([&] {
    if (body != nullptr) return keep_of(body, false);
    const auto keep_of_each = [](cpBody* own, void* keep) {
      if (cpBodyGetType(own) != CP_BODY_TYPE_STATIC) (*static_cast<decltype(keep_of)*>(keep))(own, true);
    };
    cpSpaceEachBody(space, keep_of_each, &keep_of);
  });
  if (count >= 0) list.insert(list.end(), others.begin(), others.end());
  return count;
}

EMSCRIPTEN_KEEPALIVE int fm_shape_query(cpSpace* space, cpShape* shape) {
  return hits_of([&] { cpSpaceShapeQuery(space, shape, &keep_contacts, nullptr); });
}

}  // extern "C"
