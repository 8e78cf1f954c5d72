#include "gil.h"
#include "space_core.h"

#include <algorithm>

#include <chipmunk/chipmunk_structs.h>

// Of chipmunk_private.h, which is no C++.
extern "C" cpCollisionHandler cpCollisionHandlerDoNothing;

/// How Chipmunk calls Python: by named functions, which are in the space's memory and travel with forks. They ask the
/// Space for the callable, by the id of the handler or object.
namespace forkmunk::python {
namespace {

thread_local Callbacks* current = nullptr;

bool can_call() { return current != nullptr && !current->space.is_none() && !current->error; }

/// The name of a method of Space.
class Method {
 public:
  explicit Method(const char* name) : name_(PyUnicode_InternFromString(name)) {}
  [[nodiscard]] PyObject* ptr() const noexcept { return name_; }

 private:
  PyObject* name_;  // lives as long as the process
};

// Calls a method of the Space. What it raises comes out of the step.
template <typename... Arguments>
py::object call(const Method& method, bool in_collision, Arguments&&... arguments) {
  struct InCollision {
    explicit InCollision(bool is_in) : before(std::exchange(current->in_collision, is_in)) {}
    ~InCollision() { current->in_collision = before; }
    bool before;
  } const state(in_collision);
  const space::Scope outside(nullptr);  // what Python makes is in memory of its own
  try {
    const py::tuple owned = py::make_tuple(std::forward<Arguments>(arguments)...);
    PyObject* given[sizeof...(Arguments) + 1] = {current->space.ptr()};
    for (std::size_t i = 0; i < sizeof...(Arguments); ++i)
      given[i + 1] = PyTuple_GET_ITEM(owned.ptr(), static_cast<Py_ssize_t>(i));
    PyObject* name = method.ptr();
    PyObject* result =
        or_block_at_exit([&] { return PyObject_VectorcallMethod(name, given, sizeof...(Arguments) + 1, nullptr); });
    if (result == nullptr) throw py::error_already_set();
    return py::reinterpret_steal<py::object>(result);
  } catch (...) {
    current->error = std::current_exception();
  }
  return py::none();
}

constexpr std::uint8_t bit_of(Event event) { return static_cast<std::uint8_t>(1U << static_cast<unsigned>(event)); }

/// One collision, for the handlers that want to hear of an event of it.
class Collision {
 public:
  Collision(Event event, cpArbiter* arbiter)
      : event_(event), arbiter_(arbiter), swapped_(arbiter->swapped), a_(arbiter->a->type), b_(arbiter->b->type) {}
  ~Collision() { arbiter_->swapped = swapped_; }
  Collision(const Collision&) = delete;
  Collision& operator=(const Collision&) = delete;

  // add_collision_handler() and its like, as Chipmunk calls them: a pair's, else the one for all; without a function
  // there, those of both types.
  [[nodiscard]] bool call_old(const Handlers& handlers) const {
    const Handler* pair = find(handlers, HandlerKind::pair, a_, b_);
    if (pair == nullptr && a_ != b_) pair = find(handlers, HandlerKind::pair, b_, a_);
    const bool swapped = pair != nullptr && pair->a != a_;
    const Handler* first = pair != nullptr ? pair : find(handlers, HandlerKind::all, 0, 0);
    if (first != nullptr && hears(*first)) return call_one(*first, swapped);
    const bool one = call_type(handlers, swapped ? b_ : a_, swapped);
    return call_type(handlers, swapped ? a_ : b_, !swapped) && one;
  }
  // on_collision()'s: all that fit, the most specific first.
  void call_new(const Handlers& handlers) const {
    call_if(find(handlers, HandlerKind::new_pair, a_, b_), false);
    if (a_ != b_) call_if(find(handlers, HandlerKind::new_pair, b_, a_), true);
    call_if(find(handlers, HandlerKind::new_one, a_, 0), false);
    call_if(find(handlers, HandlerKind::new_one, b_, 0), true);
    call_if(find(handlers, HandlerKind::new_all, 0, 0), false);
  }

 private:
  static const Handler* find(const Handlers& handlers, HandlerKind kind, cpCollisionType a, cpCollisionType b) {
    for (const Handler& handler : handlers) {
      if (handler.kind == kind && handler.a == a && handler.b == b) return &handler;
    }
    return nullptr;
  }
  [[nodiscard]] bool hears(const Handler& handler) const { return (handler.events & bit_of(event_)) != 0; }
  [[nodiscard]] bool call_type(const Handlers& handlers, cpCollisionType type, bool swapped) const {
    const Handler* handler = find(handlers, HandlerKind::one, type, 0);
    return handler == nullptr || !hears(*handler) || call_one(*handler, swapped);
  }
  void call_if(const Handler* handler, bool swapped) const {
    if (handler != nullptr && hears(*handler)) call_one(*handler, swapped);
  }
  bool call_one(const Handler& handler, bool swapped) const;

  Event event_;
  cpArbiter* arbiter_;
  cpBool swapped_;
  cpCollisionType a_, b_;
};

bool Collision::call_one(const Handler& handler, bool swapped) const {
  if (current->error) return true;
  arbiter_->swapped = static_cast<cpBool>(swapped);
  const bool in_collision = event_ == Event::begin || event_ == Event::pre_solve;
  const ShownArbiter shown(arbiter_);
  static const Method old_method("_collide"), new_method("_collide_new");
  const py::object result = call(handler.kind < HandlerKind::new_all ? old_method : new_method, in_collision,
                                 handler.id, static_cast<int>(event_), shown.object);
  if (!in_collision || result.is_none()) return true;  // what the others return is not used
  const int is_true = PyObject_IsTrue(result.ptr());
  if (is_true < 0) current->error = std::make_exception_ptr(py::error_already_set());
  return is_true != 0;
}

bool collide(Event event, cpArbiter* arbiter) {
  if (event == Event::begin) arbiter->data = nullptr;
  bool result = true;
  const auto hears = [event](const Handler& handler) { return (handler.events & bit_of(event)) != 0; };
  if (can_call() && std::ranges::any_of(current->core.handlers(), hears)) {
    const WithGil acquire;
    const std::vector<Handler> handlers = current->core.handlers();  // a callback may add some
    const Collision collision(event, arbiter);
    result = collision.call_old(handlers);
    collision.call_new(handlers);
  }
  return result && (event != Event::pre_solve || arbiter->data != kRejected);
}

cpBool begin(cpArbiter* arbiter, cpSpace*, cpDataPointer) {
  return static_cast<cpBool>(collide(Event::begin, arbiter));
}
cpBool pre_solve(cpArbiter* arbiter, cpSpace*, cpDataPointer) {
  return static_cast<cpBool>(collide(Event::pre_solve, arbiter));
}
void post_solve(cpArbiter* arbiter, cpSpace*, cpDataPointer) { collide(Event::post_solve, arbiter); }
void separate(cpArbiter* arbiter, cpSpace*, cpDataPointer) { collide(Event::separate, arbiter); }

void velocity(cpBody* body, cpVect gravity, cpFloat damping, cpFloat dt) {
  if (!can_call()) return cpBodyUpdateVelocity(body, gravity, damping, dt);
  const WithGil acquire;
  static const Method method("_update_velocity");
  call(method, false, id_of(body), tuple_of(gravity), damping, dt);
}
void position(cpBody* body, cpFloat dt) {
  if (!can_call()) return cpBodyUpdatePosition(body, dt);
  const WithGil acquire;
  static const Method method("_update_position");
  call(method, true, id_of(body), dt);
}
void before_joint(cpConstraint* joint, cpSpace*) {
  if (!can_call()) return;
  const WithGil acquire;
  static const Method method("_before_joint");
  call(method, false, id_of(joint));
}
void after_joint(cpConstraint* joint, cpSpace*) {
  if (!can_call()) return;
  const WithGil acquire;
  static const Method method("_after_joint");
  call(method, false, id_of(joint));
}
cpFloat force(cpConstraint* joint, cpFloat value) {
  if (!can_call()) return default_spring_force(kind_of(joint))(joint, value);
  const WithGil acquire;
  static const Method method("_force");
  const py::object result = call(method, false, id_of(joint), value);
  if (current->error) return 0;
  try {
    return finite_number(result, "a spring's function");
  } catch (...) {
    current->error = std::current_exception();
  }
  return 0;
}

}  // namespace

Callbacks::Callbacks(SpaceCore& its_core, const py::object& its_space)
    : core(its_core), space(its_space), outer_(current) {
  current = this;
}
bool Callbacks::must_not_wake() noexcept { return current != nullptr && current->in_collision; }
Callbacks::~Callbacks() { current = outer_; }
void Callbacks::rethrow() {
  if (error) std::rethrow_exception(std::exchange(error, nullptr));
}

void set_function(void* object, Kind kind, Function function, bool on) {
  auto* body = static_cast<cpBody*>(object);
  auto* joint = static_cast<cpConstraint*>(object);
  if (kind == Kind::body) {
    if (function == Function::velocity) cpBodySetVelocityUpdateFunc(body, on ? &velocity : &cpBodyUpdateVelocity);
    if (function == Function::position) cpBodySetPositionUpdateFunc(body, on ? &position : &cpBodyUpdatePosition);
  } else if (is_joint(kind)) {
    if (function == Function::pre_solve) cpConstraintSetPreSolveFunc(joint, on ? &before_joint : nullptr);
    if (function == Function::post_solve) cpConstraintSetPostSolveFunc(joint, on ? &after_joint : nullptr);
    if (function != Function::force) return;
    if (kind == Kind::damped_spring) cpDampedSpringSetSpringForceFunc(joint, on ? &force : default_spring_force(kind));
    if (kind == Kind::damped_rotary_spring)
      cpDampedRotarySpringSetSpringTorqueFunc(joint, on ? &force : default_spring_force(kind));
  }
}

void hear_collisions(cpSpace* space) {
  cpCollisionHandler* handler = cpSpaceAddDefaultCollisionHandler(space);
  if (handler->beginFunc == &begin) return;
  handler->beginFunc = &begin;
  handler->preSolveFunc = &pre_solve;
  handler->postSolveFunc = &post_solve;
  handler->separateFunc = &separate;
  // Contacts from before have no handlers of types, which Chipmunk may call from now on when the shapes part.
  cpHashSetEach(
      space->cachedArbiters,
      [](void* contact, void*) {
        auto* arbiter = static_cast<cpArbiter*>(contact);
        if (arbiter->handlerA == nullptr) arbiter->handlerA = &cpCollisionHandlerDoNothing;
        if (arbiter->handlerB == nullptr) arbiter->handlerB = &cpCollisionHandlerDoNothing;
      },
      nullptr);
}

std::uint64_t SpaceCore::handler_id(int kind, std::uintptr_t a, std::uintptr_t b) const {
  check_usable("Space");
  const auto wanted = static_cast<HandlerKind>(kind);
  for (const Handler& handler : *handlers_) {
    const bool same = handler.a == a && handler.b == b;
    if (handler.kind == wanted && (same || (wanted == HandlerKind::pair && handler.a == b && handler.b == a)))
      return handler.id;
  }
  return 0;
}

std::uint64_t SpaceCore::handler(int kind, std::uintptr_t a, std::uintptr_t b, std::uint64_t id) {
  if (const std::uint64_t found = handler_id(kind, a, b); found != 0) return found;
  if (cpSpaceIsLocked(chipmunk()) == cpFalse) {
    const auto scope = get().enter();
    hear_collisions(chipmunk());
  } else {
    hear_collisions(chipmunk());  // takes no memory
  }
  auto handlers = std::make_shared<Handlers>(*handlers_);  // snapshots keep the old ones
  if (id == 0) id = new_id();
  handlers->push_back({id, static_cast<HandlerKind>(kind), a, b, 0});
  handlers_ = std::move(handlers);
  return id;
}

void SpaceCore::listen(std::uint64_t id, int event, bool on) {
  check_usable("Space");
  auto handlers = std::make_shared<Handlers>(*handlers_);
  for (Handler& handler : *handlers) {
    if (handler.id != id) continue;
    const std::uint8_t bit = bit_of(static_cast<Event>(event));
    handler.events = static_cast<std::uint8_t>(on ? handler.events | bit : handler.events & ~bit);
  }
  handlers_ = std::move(handlers);
}

void name_functions() {
  space::name_code("forkmunk.python.begin", &begin);
  space::name_code("forkmunk.python.pre_solve", &pre_solve);
  space::name_code("forkmunk.python.post_solve", &post_solve);
  space::name_code("forkmunk.python.separate", &separate);
  space::name_code("forkmunk.python.velocity", &velocity);
  space::name_code("forkmunk.python.position", &position);
  space::name_code("forkmunk.python.before_joint", &before_joint);
  space::name_code("forkmunk.python.after_joint", &after_joint);
  space::name_code("forkmunk.python.force", &force);
}

}  // namespace forkmunk::python
