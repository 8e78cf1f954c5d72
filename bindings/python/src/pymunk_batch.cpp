// SPDX-License-Identifier: MIT
#include "module.h"
#include "space_core.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include <chipmunk/chipmunk_structs.h>

// This function is from chipmunk_private.h, which does not compile as C++.
extern "C" void cpHashSetEach(cpHashSet* set, void (*function)(void* element, void* data), void* data);

/// Arrays of all bodies or contacts in pymunk's order.
namespace forkmunk::python {
namespace {

/// The bits of BodyFields or ArbiterFields, which are asked for in their order.
class Bits {
 public:
  explicit Bits(unsigned bits) : bits_(bits) {}
  [[nodiscard]] bool next() noexcept { return (std::exchange(bits_, bits_ >> 1) & 1) != 0; }

 private:
  unsigned bits_;
};

struct Rows {
  unsigned fields;
  std::vector<std::uint64_t> integers{};
  std::vector<double> numbers{};

  void put(double number) { numbers.push_back(number); }
  void put(cpVect vector) { numbers.insert(numbers.end(), {vector.x, vector.y}); }
  [[nodiscard]] py::tuple arrays() {
    const std::size_t integer_count = integers.size(), number_count = numbers.size();
    return py::make_tuple(owned(std::move(integers), {integer_count}), owned(std::move(numbers), {number_count}));
  }
};

template <typename Visit>
void each_number(Bits bits, const Visit& visit) {
  if (bits.next()) visit(&cpBodyGetPosition, &cpBodySetPosition);
  if (bits.next()) visit(&cpBodyGetAngle, &cpBodySetAngle);
  if (bits.next()) visit(&cpBodyGetVelocity, &cpBodySetVelocity);
  if (bits.next()) visit(&cpBodyGetAngularVelocity, &cpBodySetAngularVelocity);
  if (bits.next()) visit(&cpBodyGetForce, &cpBodySetForce);
  if (bits.next()) visit(&cpBodyGetTorque, &cpBodySetTorque);
}

void put_body(cpBody* body, void* data) {
  auto& rows = *static_cast<Rows*>(data);
  Bits bits(rows.fields);
  if (bits.next()) rows.integers.push_back(id_of(body));
  each_number(bits, [&](auto get, auto) { rows.put(get(body)); });
}

py::tuple get_bodies(py::handle space, unsigned fields) {
  Rows rows{fields};
  cpSpaceEachBody(core_of(space).chipmunk(), &put_body, &rows);
  return rows.arrays();
}

void put_arbiter(void* element, void* data) {
  const auto* arbiter = static_cast<const cpArbiter*>(element);
  auto& rows = *static_cast<Rows*>(data);
  const int count = cpArbiterGetCount(arbiter);
  Bits bits(rows.fields);
  cpBody* a = nullptr;
  cpBody* b = nullptr;
  cpArbiterGetBodies(arbiter, &a, &b);
  if (bits.next()) rows.integers.push_back(id_of(a));
  if (bits.next()) rows.integers.push_back(id_of(b));
  if (bits.next()) rows.put(cpArbiterTotalImpulse(arbiter));
  if (bits.next()) rows.put(cpArbiterTotalKE(arbiter));
  if (bits.next()) rows.integers.push_back(cpArbiterIsFirstContact(arbiter) != cpFalse ? 1 : 0);
  if (bits.next()) rows.put(cpArbiterGetNormal(arbiter));
  if (bits.next()) rows.integers.push_back(static_cast<std::uint64_t>(count));
  for (const int i : {0, 1}) {
    if (bits.next()) rows.put(i < count ? cpArbiterGetPointA(arbiter, i) : cpvzero);
    if (bits.next()) rows.put(i < count ? cpArbiterGetPointB(arbiter, i) : cpvzero);
    if (bits.next()) rows.put(i < count ? cpArbiterGetDepth(arbiter, i) : 0);
  }
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
  Bits bits(fields);
  static_cast<void>(bits.next());  // ids stay
  each_number(bits, [&](auto get, auto) { width += sizeof(get(nullptr)) / sizeof(double); });
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
    each_number(bits, [&](auto get, auto set) {
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
