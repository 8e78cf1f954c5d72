// SPDX-License-Identifier: MIT
#include "byte_input.h"
#include "target.h"

#include <forkmunk/base/error.h>
#include <forkmunk/space/space.h>

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>
#include <utility>

/// Sequences of Chipmunk's calls. Forked, restored and read copies keep the same hashes.
namespace forkmunk {
namespace {

using space::Snapshot;
using space::Space;
using tests::ByteInput;

constexpr std::size_t kBodiesMax = 20, kShapesMax = 40, kJointsMax = 16;
constexpr int kOperationsMax = 120;

struct Scene {
  cpSpace* space;
  std::array<cpBody*, kBodiesMax> bodies;
  std::array<cpShape*, kShapesMax> shapes;
  std::array<cpConstraint*, kJointsMax> joints;
  std::uint64_t calls;
};

template <typename T, std::size_t N>
T** free_slot(std::array<T*, N>& slots) {
  const auto found = std::ranges::find(slots, nullptr);
  return found == slots.end() ? nullptr : &*found;
}

void drop(Scene& scene, cpShape*& shape) {
  if (shape == nullptr) return;
  cpSpaceRemoveShape(scene.space, shape);
  cpShapeFree(std::exchange(shape, nullptr));
}
void drop(Scene& scene, cpConstraint*& joint) {
  if (joint == nullptr) return;
  cpSpaceRemoveConstraint(scene.space, joint);
  cpConstraintFree(std::exchange(joint, nullptr));
}
void drop(Scene& scene, cpBody*& body) {
  if (body == nullptr) return;
  for (cpConstraint*& joint : scene.joints) {
    if (joint != nullptr && (cpConstraintGetBodyA(joint) == body || cpConstraintGetBodyB(joint) == body)) {
      drop(scene, joint);
    }
  }
  for (cpShape*& shape : scene.shapes) {
    if (shape != nullptr && cpShapeGetBody(shape) == body) drop(scene, shape);
  }
  cpSpaceRemoveBody(scene.space, body);
  cpBodyFree(std::exchange(body, nullptr));
}

void drop_later(cpSpace*, void* key, void* data) {
  auto& scene = *static_cast<Scene*>(data);
  const auto found = std::ranges::find(scene.shapes, static_cast<cpShape*>(key));
  if (found != scene.shapes.end()) drop(scene, *found);
}
void add_body(Scene& scene, double x, double y, int kind);
void add_later(cpSpace*, void*, void* data) { add_body(*static_cast<Scene*>(data), 5, 60, 0); }

cpBool begin(cpArbiter* arbiter, cpSpace* space, void* data) {
  auto& scene = *static_cast<Scene*>(data);
  cpShape *a, *b;
  cpArbiterGetShapes(arbiter, &a, &b);
  ++scene.calls;
  if (scene.calls % 13 == 0) cpSpaceAddPostStepCallback(space, drop_later, b, data);
  if (scene.calls % 17 == 0) cpSpaceAddPostStepCallback(space, add_later, data, data);
  if (scene.calls % 5 == 0) cpArbiterSetUserData(arbiter, a);
  return scene.calls % 7 == 0 ? cpArbiterIgnore(arbiter) : scene.calls % 11 != 0;
}
cpBool pre_solve(cpArbiter* arbiter, cpSpace*, void* data) {
  cpArbiterSetFriction(arbiter, 0.5);
  return ++static_cast<Scene*>(data)->calls % 19 != 0;
}
// Only counts, because a fork may call it in another order.
void separate(cpArbiter*, cpSpace*, void* data) { static_cast<Scene*>(data)->calls += 1000; }
void seen(cpShape* shape, cpVect, cpFloat, cpVect, void* data) {
  static_cast<Scene*>(data)->calls += static_cast<std::uint64_t>(cpShapeGetCollisionType(shape));
}
void seen_shape(cpShape* shape, void*) { cpBodyActivate(cpShapeGetBody(shape)); }

void add_shape(Scene& scene, cpBody* body, int kind) {
  cpShape** slot = free_slot(scene.shapes);
  if (slot == nullptr) return;
  const cpVect corners[] = {{-7, -5}, {7, -5}, {9, 1}, {5, 6}, {0, 8}, {-5, 6}, {-9, 1}};
  *slot = kind % 4 == 0   ? cpCircleShapeNew(body, 5, cpv(kind % 3, 0))
          : kind % 4 == 1 ? cpSegmentShapeNew(body, cpv(-12, 0), cpv(12, kind % 5), 2)
          : kind % 4 == 2 ? cpBoxShapeNew(body, 4 + kind % 9, 9, 0.5)
                          : cpPolyShapeNewRaw(body, 7, corners, 0);
  cpShapeSetFriction(*slot, 0.7);
  cpShapeSetElasticity(*slot, 0.2);
  cpShapeSetCollisionType(*slot, static_cast<cpCollisionType>(kind % 5));
  if (kind % 8 == 7) cpShapeSetSensor(*slot, cpTrue);
  cpShapeSetUserData(*slot, &scene);
  cpSpaceAddShape(scene.space, *slot);
}

void add_body(Scene& scene, double x, double y, int kind) {
  cpBody** slot = free_slot(scene.bodies);
  if (slot == nullptr) return;
  *slot = kind % 9 == 7 ? cpBodyNewKinematic() : kind % 9 == 8 ? cpBodyNewStatic() : cpBodyNew(1 + kind % 3, 60);
  cpBodySetPosition(*slot, cpv(x, y));
  if (kind % 9 == 7) cpBodySetVelocity(*slot, cpv(5, 0));
  cpSpaceAddBody(scene.space, *slot);
  for (int i = 0; i <= kind % 2; ++i) add_shape(scene, *slot, kind / 2 + i);
}

void add_joint(Scene& scene, ByteInput& input) {
  cpConstraint** slot = free_slot(scene.joints);
  cpBody* a = scene.bodies[input.index(kBodiesMax)];
  cpBody* b = scene.bodies[input.index(kBodiesMax)];
  if (b == nullptr) b = cpSpaceGetStaticBody(scene.space);
  if (slot == nullptr || a == nullptr || a == b || cpBodyGetType(a) != CP_BODY_TYPE_DYNAMIC) return;
  switch (input.index(10)) {
    case 0: *slot = cpPinJointNew(a, b, cpvzero, cpv(3, 0)); break;
    case 1: *slot = cpSlideJointNew(a, b, cpvzero, cpvzero, 2, 40); break;
    case 2: *slot = cpPivotJointNew(a, b, cpBodyGetPosition(a)); break;
    case 3: *slot = cpGrooveJointNew(a, b, cpv(-20, 0), cpv(20, 3), cpvzero); break;
    case 4: *slot = cpDampedSpringNew(a, b, cpvzero, cpvzero, 20, 30, 2); break;
    case 5: *slot = cpDampedRotarySpringNew(a, b, 0.5, 300, 9); break;
    case 6: *slot = cpRotaryLimitJointNew(a, b, -1, 1); break;
    case 7: *slot = cpRatchetJointNew(a, b, 0, 1); break;
    case 8: *slot = cpGearJointNew(a, b, 0, 2); break;
    default: *slot = cpSimpleMotorNew(a, b, 3); break;
  }
  cpConstraintSetMaxForce(*slot, 5000);
  cpConstraintSetCollideBodies(*slot, input.index(2) == 0);
  cpSpaceAddConstraint(scene.space, *slot);
}

void add_handler(Scene& scene, ByteInput& input) {
  const std::size_t way = input.index(4);
  const auto type = static_cast<cpCollisionType>(input.index(5));
  cpCollisionHandler* handler =
      way == 0   ? cpSpaceAddDefaultCollisionHandler(scene.space)
      : way == 1 ? cpSpaceAddWildcardHandler(scene.space, type)
                 : cpSpaceAddCollisionHandler(scene.space, type, static_cast<cpCollisionType>(input.index(5)));
  handler->userData = &scene;
  const std::size_t functions = input.index(8);
  if ((functions & 1) != 0) handler->beginFunc = begin;
  if ((functions & 2) != 0) handler->preSolveFunc = pre_solve;
  if ((functions & 4) != 0) handler->separateFunc = separate;
}

void set_type(cpBody* body, std::size_t wanted) {
  const auto type = static_cast<cpBodyType>(wanted);
  if (type == cpBodyGetType(body)) return;
  // Chipmunk leaves bodies asleep on a static body that begins to move.
  cpBodyGetType(body) == CP_BODY_TYPE_STATIC ? cpBodyActivateStatic(body, nullptr) : cpBodyActivate(body);
  cpBodySetType(body, type);
  if (type != CP_BODY_TYPE_DYNAMIC) return;
  cpBodySetMass(body, 2);
  cpBodySetMoment(body, 80);
}

void set_space(Scene& scene, ByteInput& input) {
  switch (input.index(6)) {
    case 0: cpSpaceSetIterations(scene.space, 1 + static_cast<int>(input.index(12))); break;
    case 1: cpSpaceSetGravity(scene.space, cpv(input.take<std::int8_t>(), input.take<std::int8_t>())); break;
    case 2: cpSpaceSetSleepTimeThreshold(scene.space, 0.05 + 0.1 * static_cast<double>(input.index(6))); break;
    case 3: cpSpaceSetCollisionPersistence(scene.space, static_cast<cpTimestamp>(1 + input.index(5))); break;
    case 4: cpSpaceSetDamping(scene.space, 0.9); break;
    default: cpSpaceReindexStatic(scene.space); break;
  }
}

void query(Scene& scene, ByteInput& input) {
  switch (input.index(3)) {
    case 0: cpSpacePointQuery(scene.space, cpv(0, 10), 30, CP_SHAPE_FILTER_ALL, seen, &scene); break;
    case 1: cpSpaceBBQuery(scene.space, cpBBNew(-20, -20, 20, 20), CP_SHAPE_FILTER_ALL, seen_shape, nullptr); break;
    default: {
      cpShape* shape = scene.shapes[input.index(kShapesMax)];
      if (shape != nullptr) cpSpaceShapeQuery(scene.space, shape, nullptr, nullptr);
    }
  }
}

void act(Scene& scene, ByteInput& input) {
  cpBody*& body = scene.bodies[input.index(kBodiesMax)];
  const std::size_t what = input.index(14);
  switch (what) {
    case 0:
    case 1: return add_body(scene, input.take<std::int8_t>(), input.take<std::int8_t>(), input.take<std::uint8_t>());
    case 2: return drop(scene, body);
    case 3: return add_joint(scene, input);
    case 4: return drop(scene, scene.joints[input.index(kJointsMax)]);
    case 5: return drop(scene, scene.shapes[input.index(kShapesMax)]);
    case 6: return add_shape(scene, cpSpaceGetStaticBody(scene.space), input.take<std::uint8_t>());
    case 7: return add_handler(scene, input);
    case 8: return set_space(scene, input);
    case 9: return query(scene, input);
    default: break;
  }
  if (body == nullptr) return;
  if (what == 10) return set_type(body, input.index(3));
  if (what == 11) return add_shape(scene, body, input.take<std::uint8_t>());
  if (what == 12) {
    cpBodySetPosition(body, cpv(input.take<std::int8_t>(), input.take<std::int8_t>()));
    return cpSpaceReindexShapesForBody(scene.space, body);
  }
  if (cpBodyGetType(body) != CP_BODY_TYPE_STATIC) cpBodySetVelocity(body, cpv(input.take<std::int8_t>(), 20));
}

void go_on(Space& world, Scene& scene, ByteInput& input) {
  {
    const auto building = world.enter();
    act(scene, input);
  }
  if (input.index(2) == 0) world.step(1.0 / 60);
}

// A read copy has other addresses.
Scene* scene_of(const Space& world) { return static_cast<Scene*>(cpSpaceGetUserData(world.space())); }

Space copy_of(Space& world, std::size_t way) {
  if (way == 0) return world.fork();
  Snapshot snapshot = world.save();
  if (way == 1) {
    std::stringstream stream;
    snapshot.write(stream);
    snapshot = Snapshot::read(stream);
  }
  Space copy;
  tests::require(copy.restore(snapshot), "a snapshot does not fit");
  return copy;
}

void require_equal(const Space& world, const Space& twin) {
  if (world.hash() == twin.hash()) return;
  tests::require(false, "a copy goes another way: " + first_difference(world, twin).value_or("no field"));
}

void run(ByteInput input) {
  Space world;
  auto* scene = world.make<Scene>();
  scene->space = world.space();
  cpSpaceSetUserData(scene->space, scene);
  cpSpaceSetGravity(scene->space, cpv(0, -90));
  cpSpaceSetSleepTimeThreshold(scene->space, 0.3);
  {
    const auto building = world.enter();
    cpSpaceAddShape(scene->space,
                    cpSegmentShapeNew(cpSpaceGetStaticBody(scene->space), cpv(-99, -20), cpv(99, -20), 2));
    for (int i = 0; i < 5; ++i) add_body(*scene, 9 * i, 0, i);
  }
  std::optional<Space> twin;
  for (int i = 0; i < kOperationsMax && !input.empty(); ++i) {
    const std::size_t choice = input.index(16);
    if (choice < 3) {
      if (twin) require_equal(world, *twin);
      twin = copy_of(world, choice);
      require_equal(world, *twin);
    }
    ByteInput same = input;
    go_on(world, *scene, input);
    if (twin) go_on(*twin, *scene_of(*twin), same);
  }
  for (int i = 0; i < 10; ++i) {
    world.step(1.0 / 60);
    if (twin) twin->step(1.0 / 60);
  }
  if (twin) require_equal(world, *twin);
  tests::require(world.outside_pointers().empty(), "a scene leads outside");
}

}  // namespace
}  // namespace forkmunk

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace forkmunk;
  static const bool named = [] {
    space::name_code("begin", begin);
    space::name_code("pre_solve", pre_solve);
    space::name_code("separate", separate);
    return true;
  }();
  static_cast<void>(named);
  run(ByteInput(data, size));
  return 0;
}
