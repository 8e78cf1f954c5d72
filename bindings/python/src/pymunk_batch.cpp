// SPDX-License-Identifier: MIT
#include "module.h"
#include "space_core.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <chipmunk/chipmunk_structs.h>

// This function is from chipmunk_private.h, which does not compile as C++.
extern "C" void cpHashSetEach(cpHashSet* set, void (*function)(void* element, void* data), void* data);

/// Arrays of all bodies or contacts in pymunk's order.
namespace forkmunk::python {
namespace {

enum BodyField : unsigned {
  kBodyId = 1,
  kPosition = 2,
  kAngle = 4,
  kVelocity = 8,
  kAngularVelocity = 16,
  kForce = 32,
  kTorque = 64,
};
enum ArbiterField : unsigned {
  kBodyA = 1,
  kBodyB = 2,
  kTotalImpulse = 4,
  kTotalEnergy = 8,
  kIsFirst = 16,
  kNormal = 32,
  kContactCount = 64,
  kPointA = 128,  // the first contact's bits; the second's are the next three
  kPointB = 256,
  kDistance = 512,
};

struct Rows {
  unsigned fields;
  std::vector<std::uint64_t> integers{};
  std::vector<double> numbers{};

  [[nodiscard]] bool wants(unsigned field) const { return (fields & field) != 0; }
  void put(double number) { numbers.push_back(number); }
  void put(cpVect vector) { numbers.insert(numbers.end(), {vector.x, vector.y}); }
  [[nodiscard]] py::tuple arrays() {
    const std::size_t integer_count = integers.size(), number_count = numbers.size();
    return py::make_tuple(owned(std::move(integers), {integer_count}), owned(std::move(numbers), {number_count}));
  }
};

template <typename Visit>
void each_number(unsigned fields, const Visit& visit) {
  if ((fields & kPosition) != 0) visit(&cpBodyGetPosition, &cpBodySetPosition);
  if ((fields & kAngle) != 0) visit(&cpBodyGetAngle, &cpBodySetAngle);
  if ((fields & kVelocity) != 0) visit(&cpBodyGetVelocity, &cpBodySetVelocity);
  if ((fields & kAngularVelocity) != 0) visit(&cpBodyGetAngularVelocity, &cpBodySetAngularVelocity);
  if ((fields & kForce) != 0) visit(&cpBodyGetForce, &cpBodySetForce);
  if ((fields & kTorque) != 0) visit(&cpBodyGetTorque, &cpBodySetTorque);
}

void put_body(cpBody* body, void* data) {
  auto& rows = *static_cast<Rows*>(data);
  if (rows.wants(kBodyId)) rows.integers.push_back(id_of(body));
  each_number(rows.fields, [&](auto get, auto) { rows.put(get(body)); });
}

py::tuple get_bodies(py::handle space, unsigned fields) {
  Rows rows{fields};
  cpSpaceEachBody(core_of(space).chipmunk(), &put_body, &rows);
  return rows.arrays();
}

void put_contact(const cpArbiter* arbiter, int index, Rows& rows) {
  const bool there = index < cpArbiterGetCount(arbiter);
  const unsigned shift = 3u * static_cast<unsigned>(index);
  if (rows.wants(kPointA << shift)) rows.put(there ? cpArbiterGetPointA(arbiter, index) : cpvzero);
  if (rows.wants(kPointB << shift)) rows.put(there ? cpArbiterGetPointB(arbiter, index) : cpvzero);
  if (rows.wants(kDistance << shift)) rows.put(there ? cpArbiterGetDepth(arbiter, index) : 0);
}

void put_arbiter(void* element, void* data) {
  const auto* arbiter = static_cast<const cpArbiter*>(element);
  auto& rows = *static_cast<Rows*>(data);
  cpBody* a = nullptr;
  cpBody* b = nullptr;
  cpArbiterGetBodies(arbiter, &a, &b);
  if (rows.wants(kBodyA)) rows.integers.push_back(id_of(a));
  if (rows.wants(kBodyB)) rows.integers.push_back(id_of(b));
  if (rows.wants(kTotalImpulse)) rows.put(cpArbiterTotalImpulse(arbiter));
  if (rows.wants(kTotalEnergy)) rows.put(cpArbiterTotalKE(arbiter));
  if (rows.wants(kIsFirst)) rows.integers.push_back(cpArbiterIsFirstContact(arbiter) != cpFalse ? 1 : 0);
  if (rows.wants(kNormal)) rows.put(cpArbiterGetNormal(arbiter));
  if (rows.wants(kContactCount)) rows.integers.push_back(static_cast<std::uint64_t>(cpArbiterGetCount(arbiter)));
  put_contact(arbiter, 0, rows);
  put_contact(arbiter, 1, rows);
}

py::tuple get_arbiters(py::handle space, unsigned fields) {
  Rows rows{fields};
  cpHashSetEach(core_of(space).chipmunk()->cachedArbiters, &put_arbiter, &rows);
  return rows.arrays();
}

void set_bodies(py::handle space, unsigned fields, py::handle given) {
  const Numbers held(given);
  const std::span<const double> numbers = held.values();
  cpSpace* chipmunk = core_of(space).chipmunk();
  if (cpSpaceIsLocked(chipmunk) != cpFalse) {
    throw Error("set_space_bodies() was called in a callback; call it between steps");
  }
  // Collected first: waking bodies changes the space's lists.
  const std::vector<cpBody*> bodies = collected(&cpSpaceEachBody, chipmunk);
  std::size_t width = 0;
  each_number(fields, [&](auto get, auto) { width += sizeof(get(nullptr)) / sizeof(double); });
  const std::size_t needed = bodies.size() * width, found = numbers.size();
  if (found < needed) {
    throw Error("set_space_bodies(): found ", found, " numbers, expected ", needed, " for ", bodies.size(), " bodies");
  }
  for (std::size_t i = 0; i < needed; ++i) {
    if (std::isfinite(numbers[i])) continue;
    throw Error("set_space_bodies(): found a number that is not finite at index ", i);
  }
  const double* next = numbers.data();
  for (cpBody* body : bodies) {
    each_number(fields, [&](auto get, auto set) {
      decltype(get(body)) value;
      std::memcpy(&value, next, sizeof value);
      next += sizeof value / sizeof *next;
      set(body, value);
    });
  }
}

}  // namespace

void add_pymunk_batch(py::module_& module) {
  module.def("get_bodies", &get_bodies);
  module.def("get_arbiters", &get_arbiters);
  module.def("set_bodies", &set_bodies);
}

}  // namespace forkmunk::python
