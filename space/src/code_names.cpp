// SPDX-License-Identifier: MIT
#include "code_names.h"

#include "space_arena.h"

#include <forkmunk/base/error.h>
#include <forkmunk/chipmunk/allocation_kinds.h>
#include <forkmunk/chipmunk/chipmunk_layout.h>
#include <forkmunk/space/space.h>

#include <cstring>
#include <mutex>

extern "C" cpCollisionHandler cpCollisionHandlerDoNothing;  // chipmunk_private.h is no C++

namespace forkmunk::FORKMUNK_SPACE {
namespace {

using chipmunk::NamedCode;

template <typename T>
constexpr T kAnyValue = 1;
template <>
constexpr cpVect kAnyValue<cpVect>{1, 0};

// Samples of objects give the addresses of Chipmunk's private classes.
NamedCode names_of_chipmunk() {
  NamedCode names;
  const auto add = [&names](const char* name, const auto& code) {
    names.add(std::string("chipmunk ") + name, reinterpret_cast<const void*>(code),
              chipmunk::code_type_of<std::remove_cvref_t<decltype(code)>>());
  };
  arena_alloc::Arena arena(std::size_t{1} << 20);
  const auto scope = arena.enter();
  cpSpace* space = cpSpaceNew();
  cpBody* body = cpBodyNew(1, 1);
  add("position", body->position_func);
  const cpCollisionHandler& handler = space->defaultHandler;
  add("always collide", handler.beginFunc);
  add("no separation", handler.separateFunc);
  add("handler that does nothing", &cpCollisionHandlerDoNothing);
  const cpCollisionHandler* wildcards = cpSpaceAddDefaultCollisionHandler(space);
  add("wildcard begin", wildcards->beginFunc);
  add("wildcard pre-solve", wildcards->preSolveFunc);
  add("wildcard post-solve", wildcards->postSolveFunc);
  add("wildcard separate", wildcards->separateFunc);
  const cpCollisionHandler* pair = cpSpaceAddCollisionHandler(space, 1, 2);
  add("pair begin", pair->beginFunc);
  add("pair pre-solve", pair->preSolveFunc);
  add("pair post-solve", pair->postSolveFunc);
  add("pair separate", pair->separateFunc);

  chipmunk::layout::Tree& tree = chipmunk::layout::tree_of(space->dynamicShapes);
  add("tree", tree.klass);
  add("box of a shape", tree.bb_function);
  add("velocity of a shape", tree.velocity_function);
  add("leaves' equality", tree.leaves->equal);
  add("contacts' equality", chipmunk::layout::set_of(space->cachedArbiters).equal);
  add("handlers' equality", chipmunk::layout::set_of(space->collisionHandlers).equal);
  cpSpaceUseSpatialHash(space, 10, 10);
  auto& hash = *reinterpret_cast<chipmunk::layout::SpaceHash*>(space->dynamicShapes);
  add("spatial hash", hash.klass);
  add("handles' equality", hash.handles->equal);

  const cpVect triangle[] = {{0, 0}, {1, 0}, {0, 1}};
  add("circle", cpCircleShapeNew(body, 1, cpvzero)->klass);
  add("segment", cpSegmentShapeNew(body, cpvzero, triangle[1], 1)->klass);
  add("polygon", cpPolyShapeNew(body, 3, triangle, cpTransformIdentity, 0)->klass);
  const auto joint = [body]<typename... T>(cpConstraint* (*make)(cpBody*, cpBody*, T...)) {
    return make(body, body, kAnyValue<T>...);
  };
#define FORKMUNK_ADD(kind, type, text, table) add(text, joint(&cp##type##New)->klass);
  FORKMUNK_EACH_JOINT(FORKMUNK_ADD)
#undef FORKMUNK_ADD
  add("spring force", reinterpret_cast<const cpDampedSpring*>(joint(&cpDampedSpringNew))->springForceFunc);
  add("spring torque",
      reinterpret_cast<const cpDampedRotarySpring*>(joint(&cpDampedRotarySpringNew))->springTorqueFunc);
  add("kinematic velocity", &cpBodyUpdateVelocity);
  names.add("chipmunk shape update", reinterpret_cast<const void*>(&cpShapeUpdate), chipmunk::CodeType::data);
  names.add("chipmunk shapes collide", reinterpret_cast<const void*>(&cpShapesCollide), chipmunk::CodeType::data);
  const ArenaResource resource;
  const void* virtual_functions = nullptr;
  std::memcpy(&virtual_functions, static_cast<const void*>(&resource), sizeof virtual_functions);
  names.add("forkmunk memory resource", virtual_functions, chipmunk::CodeType::data);
  return names;
}

bool is_reserved(const std::string& name) { return name.starts_with("chipmunk ") || name.starts_with("forkmunk "); }

NamedCode& all_names() {
  static NamedCode names = names_of_chipmunk();
  return names;
}

}  // namespace

const NamedCode& code_names() { return all_names(); }

void name_typed_code(const std::string& name, const void* address, chipmunk::CodeType type) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  const auto refuse = [&](const std::string& problem) {
    throw Error("name_code() or name_address(), name \"", name, "\": ", problem);
  };
  if (name.empty() || name.find('\0') != std::string::npos) refuse("a name is not empty and has no NUL; give another");
  if (is_reserved(name)) refuse("names that begin with \"chipmunk \" or \"forkmunk \" are taken; give another");
  if (address == nullptr) refuse("the pointer is null; name a function or an object");
  if (const std::string* known = all_names().name_of(address); known != nullptr && is_reserved(*known)) {
    refuse(concat("the address has the name \"", *known, "\" already; do not name it again"));
  }
  all_names().add(name, address, type);
}

void name_address(const std::string& name, const void* address) {
  name_typed_code(name, address, chipmunk::CodeType::data);
}

}  // namespace forkmunk::FORKMUNK_SPACE
