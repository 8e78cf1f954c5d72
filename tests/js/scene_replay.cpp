// SPDX-License-Identifier: MIT
// Plays random_scene.mjs's lines from standard input; the exit code is 1 if callbacks or hashes differ.

#include <forkmunk/space.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr double kDt = 1.0 / 60;

std::istream& in = std::cin;
forkmunk_space* world;
cpSpace* space;
std::vector<cpBody*> bodies;
std::vector<cpShape*> shapes;
std::vector<cpConstraint*> joints;
int handler_count = 0, line_number = 0;

[[noreturn]] void fail(const std::string& what) {
  std::cout << "line " << line_number << ": " << what << "\n";
  std::exit(1);
}

// >> reads no Infinity.
double number() {
  std::string text;
  in >> text;
  return std::strtod(text.c_str(), nullptr);
}
int whole() { return static_cast<int>(number()); }
cpVect vector() {
  const double x = number();
  return cpv(x, number());
}
cpBody* body() { return bodies[static_cast<std::size_t>(whole())]; }

struct Call {
  int event, a, b, result;
};
std::vector<Call> calls;
std::size_t call_index = 0;

void read_calls() {
  calls.resize(static_cast<std::size_t>(whole()));
  for (Call& call : calls) call = {whole(), whole(), whole(), whole()};
  call_index = 0;
}
void require_all_called() {
  if (call_index != calls.size()) fail("fewer callbacks than written");
}

int shape_index(const cpShape* shape) {
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (shapes[i] == shape) return static_cast<int>(i);
  }
  return -1;
}
cpBool called(int event, cpArbiter* arbiter) {
  cpShape *a = nullptr, *b = nullptr;
  cpArbiterGetShapes(arbiter, &a, &b);
  if (call_index == calls.size()) fail("more callbacks than written");
  const Call& call = calls[call_index++];
  if (call.event != event || call.a != shape_index(a) || call.b != shape_index(b))
    fail("another callback than written");
  return call.result != 0 ? cpTrue : cpFalse;
}
cpBool begin(cpArbiter* arbiter, cpSpace*, void*) { return called(0, arbiter); }
cpBool pre_solve(cpArbiter* arbiter, cpSpace*, void*) { return called(1, arbiter); }
void post_solve(cpArbiter* arbiter, cpSpace*, void*) { called(2, arbiter); }
void separate(cpArbiter* arbiter, cpSpace*, void*) { called(3, arbiter); }

template <typename Function>
void name(const char* text, Function function) {
  forkmunk_name_code(text, reinterpret_cast<void (*)(void)>(function));
}

void add_handler() {
  const int count = whole();
  const auto a = static_cast<cpCollisionType>(whole()), b = static_cast<cpCollisionType>(whole());
  const int events = whole();
  cpCollisionHandler* const handler = count == 0   ? cpSpaceAddDefaultCollisionHandler(space)
                                      : count == 1 ? cpSpaceAddWildcardHandler(space, a)
                                                   : cpSpaceAddCollisionHandler(space, a, b);
  if (handler->userData == nullptr) {
    handler->userData = reinterpret_cast<void*>(static_cast<std::uintptr_t>(++handler_count));
  }
  if ((events & 1) != 0) handler->beginFunc = &begin;
  if ((events & 2) != 0) handler->preSolveFunc = &pre_solve;
  if ((events & 4) != 0) handler->postSolveFunc = &post_solve;
  if ((events & 8) != 0) handler->separateFunc = &separate;
}

void add_body() {
  const int type = whole();
  const double mass = number(), moment = number();
  cpBody* const made = type == 0 ? cpBodyNew(mass, moment) : type == 1 ? cpBodyNewKinematic() : cpBodyNewStatic();
  bodies.push_back(cpSpaceAddBody(space, made));
}

void keep(cpShape* shape) { shapes.push_back(cpSpaceAddShape(space, shape)); }

void add_circle() {
  cpBody* const on = body();
  const double radius = number();
  keep(cpCircleShapeNew(on, radius, vector()));
}
void add_segment() {
  cpBody* const on = body();
  const cpVect a = vector(), b = vector();
  keep(cpSegmentShapeNew(on, a, b, number()));
}
void add_box() {
  cpBody* const on = body();
  const double width = number(), height = number();
  keep(cpBoxShapeNew(on, width, height, number()));
}
void add_poly() {
  cpBody* const on = body();
  const double radius = number();
  std::vector<cpVect> vertices(static_cast<std::size_t>(whole()));
  for (cpVect& vertex : vertices) vertex = vector();
  const int count = cpConvexHull(static_cast<int>(vertices.size()), vertices.data(), vertices.data(), nullptr, 0);
  keep(cpPolyShapeNewRaw(on, count, vertices.data(), radius));
}

void add_joint() {
  const int kind = whole();
  cpBody *const a = body(), *const b = body();
  std::vector<double> n(static_cast<std::size_t>(whole()));
  for (double& each : n) each = number();
  const auto at = [&](std::size_t i) { return cpv(n[i], n[i + 1]); };
  const auto make = [&]() -> cpConstraint* {
    switch (kind) {
      case 0: return cpPinJointNew(a, b, at(0), at(2));
      case 1: return cpSlideJointNew(a, b, at(0), at(2), n[4], n[5]);
      case 3: return cpPivotJointNew2(a, b, at(0), at(2));
      case 4: return cpGrooveJointNew(a, b, at(0), at(2), at(4));
      case 5: return cpDampedSpringNew(a, b, at(0), at(2), n[4], n[5], n[6]);
      case 6: return cpDampedRotarySpringNew(a, b, n[0], n[1], n[2]);
      case 7: return cpRotaryLimitJointNew(a, b, n[0], n[1]);
      case 8: return cpRatchetJointNew(a, b, n[0], n[1]);
      case 9: return cpGearJointNew(a, b, n[0], n[1]);
      default: return cpSimpleMotorNew(a, b, n[0]);
    }
  };
  joints.push_back(cpSpaceAddConstraint(space, make()));
}

void set_of_space(const std::string& what) {
  if (what == "gravity") return cpSpaceSetGravity(space, vector());
  if (what == "iterations") return cpSpaceSetIterations(space, whole());
  if (what == "damping") return cpSpaceSetDamping(space, number());
  if (what == "sleepTimeThreshold") return cpSpaceSetSleepTimeThreshold(space, number());
  if (what == "collisionPersistence") {
    return cpSpaceSetCollisionPersistence(space, static_cast<cpTimestamp>(whole()));
  }
  if (what == "collisionSlop") return cpSpaceSetCollisionSlop(space, number());
  fail("a space has no " + what);
}
void set_of_body(cpBody* of, const std::string& what) {
  if (what == "position") return cpBodySetPosition(of, vector());
  if (what == "velocity") return cpBodySetVelocity(of, vector());
  if (what == "angle") return cpBodySetAngle(of, number());
  if (what == "angularVelocity") return cpBodySetAngularVelocity(of, number());
  if (what == "centerOfGravity") return cpBodySetCenterOfGravity(of, vector());
  fail("a body has no " + what);
}
void set_of_shape(cpShape* of, const std::string& what) {
  if (what == "friction") return cpShapeSetFriction(of, number());
  if (what == "elasticity") return cpShapeSetElasticity(of, number());
  if (what == "collisionType") return cpShapeSetCollisionType(of, static_cast<cpCollisionType>(whole()));
  if (what == "sensor") return cpShapeSetSensor(of, whole() != 0 ? cpTrue : cpFalse);
  if (what == "surfaceVelocity") return cpShapeSetSurfaceVelocity(of, vector());
  if (what == "filter") {
    const auto group = static_cast<cpGroup>(whole()), categories = static_cast<cpGroup>(whole());
    return cpShapeSetFilter(of, {group, static_cast<cpBitmask>(categories), static_cast<cpBitmask>(whole())});
  }
  fail("a shape has no " + what);
}
void set_property() {
  std::string kind, what;
  in >> kind;
  const auto i = static_cast<std::size_t>(whole());
  in >> what;
  if (kind == "w") return set_of_space(what);
  if (kind == "b") return set_of_body(bodies[i], what);
  if (kind == "s") return set_of_shape(shapes[i], what);
  if (what == "maxForce") return cpConstraintSetMaxForce(joints[i], number());
  if (what == "collideBodies") return cpConstraintSetCollideBodies(joints[i], whole() != 0 ? cpTrue : cpFalse);
  fail("a joint has no " + what);
}

void apply() {
  cpBody* const to = body();
  const int kind = whole();
  const cpVect amount = vector(), point = vector();
  const auto functions = {&cpBodyApplyImpulseAtLocalPoint, &cpBodyApplyImpulseAtWorldPoint,
                          &cpBodyApplyForceAtLocalPoint, &cpBodyApplyForceAtWorldPoint};
  functions.begin()[kind](to, amount, point);
}

void remove_object() {
  std::string kind;
  in >> kind;
  const auto i = static_cast<std::size_t>(whole());
  read_calls();
  if (kind == "b") {
    cpSpaceRemoveBody(space, bodies[i]);
    cpBodyFree(bodies[i]);
  } else if (kind == "s") {
    cpSpaceRemoveShape(space, shapes[i]);
    cpShapeFree(shapes[i]);
    shapes[i] = nullptr;
  } else {
    cpSpaceRemoveConstraint(space, joints[i]);
    cpConstraintFree(joints[i]);
  }
  require_all_called();
}

void step() {
  read_calls();
  forkmunk_space_step(world, kDt);
  require_all_called();
}

void compare_hash() {
  std::string expected;
  in >> expected;
  if (std::strtoull(expected.c_str(), nullptr, 16) != forkmunk_space_hash(world)) fail("the hash is another");
}

int travel(const char* from, const char* to, int steps) {
  forkmunk_snapshot* snapshot = forkmunk_snapshot_read_file(from);
  if (snapshot == nullptr) fail(forkmunk_last_error());
  world = forkmunk_space_new(0, 0);
  if (forkmunk_space_restore(world, snapshot) != FORKMUNK_OK) fail(forkmunk_last_error());
  std::cout << std::hex << forkmunk_space_hash(world) << ' ';
  for (int i = 0; i < steps; ++i) {
    if (forkmunk_space_step(world, kDt) != FORKMUNK_OK) fail(forkmunk_last_error());
  }
  std::cout << forkmunk_space_hash(world) << '\n';
  forkmunk_space_save_into(world, snapshot);
  return forkmunk_snapshot_write_file(snapshot, to) == FORKMUNK_OK ? 0 : 1;
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count == 4) return travel(arguments[1], arguments[2], std::atoi(arguments[3]));
  name("js begin", &begin);
  name("js preSolve", &pre_solve);
  name("js postSolve", &post_solve);
  name("js separate", &separate);
  const std::map<std::string, void (*)()> commands{
      {"body", &add_body}, {"circle", &add_circle},    {"segment", &add_segment}, {"box", &add_box},
      {"poly", &add_poly}, {"joint", &add_joint},      {"set", &set_property},    {"call", &apply},
      {"step", &step},     {"remove", &remove_object}, {"handler", &add_handler}, {"hash", &compare_hash}};
  world = forkmunk_space_new(0, 0);
  if (world == nullptr || forkmunk_space_enter(world) != FORKMUNK_OK) return 1;
  space = forkmunk_space_space(world);
  bodies.push_back(cpSpaceGetStaticBody(space));
  for (std::string command; in >> command;) {
    ++line_number;
    const auto found = commands.find(command);
    if (found == commands.end()) fail("no command " + command);
    found->second();
  }
  return line_number > 0 ? 0 : 1;
}
