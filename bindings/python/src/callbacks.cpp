// SPDX-License-Identifier: MIT
#include "gil.h"
#include "space_core.h"

#include <chipmunk/chipmunk_structs.h>

/// How Chipmunk calls Python: by named functions, which are in the space's memory and travel with forks. They ask the
/// Space for the callable, by the id of the handler or object. A step that calls Python holds the GIL.
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
    explicit InCollision(bool is_in) : flag(current->in_collision()), before(std::exchange(flag, is_in)) {}
    ~InCollision() { flag = before; }
    bool& flag;
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

py::tuple shape_ids(const cpArbiter* arbiter) {
  CP_ARBITER_GET_SHAPES(arbiter, a, b);
  return py::make_tuple(id_of(a), id_of(b));
}

// What is shown of an arbiter.
struct ArbiterValue {
  const char* name;
  py::object (*get)(const cpArbiter*);
};
const ArbiterValue kArbiterValues[] = {
    {"shape_ids", [](const cpArbiter* arbiter) -> py::object { return shape_ids(arbiter); }},
    {"contact_points",
     [](const cpArbiter* arbiter) -> py::object { return tuple_of(cpArbiterGetContactPointSet(arbiter)); }},
    {"process_collision", [](const cpArbiter* arbiter) -> py::object { return py::bool_(arbiter->data != kRejected); }},
    {"restitution",
     [](const cpArbiter* arbiter) -> py::object { return py::float_(cpArbiterGetRestitution(arbiter)); }},
    {"friction", [](const cpArbiter* arbiter) -> py::object { return py::float_(cpArbiterGetFriction(arbiter)); }},
    {"surface_velocity",
     [](const cpArbiter* arbiter) { return tuple_of(cpArbiterGetSurfaceVelocity(const_cast<cpArbiter*>(arbiter))); }},
    {"total_impulse", [](const cpArbiter* arbiter) { return tuple_of(cpArbiterTotalImpulse(arbiter)); }},
    {"total_ke", [](const cpArbiter* arbiter) -> py::object { return py::float_(cpArbiterTotalKE(arbiter)); }},
    {"normal", [](const cpArbiter* arbiter) { return tuple_of(cpArbiterGetNormal(arbiter)); }},
    {"is_first_contact",
     [](const cpArbiter* arbiter) -> py::object { return py::bool_(cpArbiterIsFirstContact(arbiter) != cpFalse); }},
    {"is_removal",
     [](const cpArbiter* arbiter) -> py::object { return py::bool_(cpArbiterIsRemoval(arbiter) != cpFalse); }},
};

class PythonArbiter : public Guarded {
 public:
  explicit PythonArbiter(cpArbiter* arbiter) : arbiter_(arbiter) {}
  [[nodiscard]] cpArbiter* get() const {
    check_usable("Arbiter");
    if (arbiter_ == nullptr)
      throw Error("Arbiter: found one whose callback is over, expected it to be changed in there only");
    return arbiter_;
  }
  [[nodiscard]] py::object value(const ArbiterValue& value) const {
    check_usable("Arbiter");
    if (arbiter_ != nullptr) return value.get(arbiter_);
    const auto index = static_cast<std::size_t>(&value - kArbiterValues);
    return index < kept_.size() ? kept_[index] : py::none();
  }
  /// Keeps the values, if the program has kept the arbiter, which Chipmunk uses again.
  void end(bool is_kept) noexcept {
    try {
      if (is_kept) {
        for (const ArbiterValue& value : kArbiterValues) kept_.push_back(value.get(arbiter_));
      }
    } catch (...) {  // there is no memory: they are None
      kept_.clear();
    }
    arbiter_ = nullptr;
  }

 private:
  cpArbiter* arbiter_;
  std::vector<py::object> kept_;
};

void set_contact_points(const PythonArbiter& self, py::handle normal, const py::sequence& points) {
  const cpVect direction = vector_of(normal, "Arbiter.contact_point_set.normal");
  std::vector<cpContactPointSet> read(1);
  cpContactPointSet& set = read[0];
  set = cpArbiterGetContactPointSet(self.get());
  if (static_cast<std::size_t>(set.count) != points.size()) {
    throw Error("Arbiter.contact_point_set: found " + std::to_string(points.size()) + " points, expected " +
                std::to_string(set.count));
  }
  set.normal = direction;
  for (int i = 0; i < set.count; ++i) {
    const auto point = points[static_cast<std::size_t>(i)].cast<py::sequence>();
    set.points[i].pointA = vector_of(point[0], "point_a");
    set.points[i].pointB = vector_of(point[1], "point_b");
    set.points[i].distance = finite_number(point[2], "distance");
  }
  if (self.get()->contacts == nullptr) throw Error("Arbiter.contact_point_set: found no contact, expected one");
  cpArbiterSetContactPointSet(self.get(), &set);
}

/// An Arbiter's inside, for Python, which may keep it for longer: then it keeps its values.
class ShownArbiter {
 public:
  explicit ShownArbiter(cpArbiter* arbiter)
      : inside_(new PythonArbiter(arbiter)), object(py::cast(std::unique_ptr<PythonArbiter>(inside_))) {}
  ~ShownArbiter() { inside_->end(Py_REFCNT(object.ptr()) > 1); }
  ShownArbiter(const ShownArbiter&) = delete;
  ShownArbiter& operator=(const ShownArbiter&) = delete;

 private:
  PythonArbiter* inside_;

 public:
  py::object object;
};

/// An event of a collision, for the handlers that listen to it.
class Collision {
 public:
  Collision(Event event, cpArbiter* arbiter)
      : handlers_(current->core.handlers()),
        event_(event),
        arbiter_(arbiter),
        swapped_(arbiter->swapped),
        a_(arbiter->a->type),
        b_(arbiter->b->type) {}
  ~Collision() { arbiter_->swapped = swapped_; }
  Collision(const Collision&) = delete;
  Collision& operator=(const Collision&) = delete;

  /// Calls all functions that fit. \return whether the handlers accept the collision.
  [[nodiscard]] bool notify() const {
    if ((handlers_->events & bit_of(event_)) == 0) return true;
    const bool accepted = call_old();
    call_new();
    return accepted;
  }

 private:
  // add_collision_handler() and its like, as Chipmunk calls them: a pair's, else the one for all; without a function
  // there, those of both types.
  [[nodiscard]] bool call_old() const {
    const Handler* pair = handlers_->find({HandlerKind::pair, a_, b_});
    const bool swapped = pair == nullptr && a_ != b_;
    if (swapped) pair = handlers_->find({HandlerKind::pair, b_, a_});
    const Handler* first = pair != nullptr ? pair : handlers_->find({HandlerKind::all, 0, 0});
    const bool turned = swapped && pair != nullptr;
    if (listens(first)) return call_one(*first, turned, false);
    const bool one = call_type(turned ? b_ : a_, turned);
    return call_type(turned ? a_ : b_, !turned) && one;
  }
  // on_collision()'s: all that fit, the most specific first.
  void call_new() const {
    call_if({HandlerKind::new_pair, a_, b_}, false);
    if (a_ != b_) call_if({HandlerKind::new_pair, b_, a_}, true);
    call_if({HandlerKind::new_one, a_, 0}, false);
    call_if({HandlerKind::new_one, b_, 0}, true);
    call_if({HandlerKind::new_all, 0, 0}, false);
  }
  [[nodiscard]] bool listens(const Handler* handler) const {
    return handler != nullptr && (handler->events & bit_of(event_)) != 0;
  }
  [[nodiscard]] bool call_type(cpCollisionType type, bool swapped) const {
    const Handler* handler = handlers_->find({HandlerKind::one, type, 0});
    return !listens(handler) || call_one(*handler, swapped, false);
  }
  void call_if(const HandlerKey& key, bool swapped) const {
    const Handler* handler = handlers_->find(key);
    if (listens(handler)) call_one(*handler, swapped, true);
  }
  bool call_one(const Handler& handler, bool swapped, bool is_new) const;

  std::shared_ptr<const Handlers> handlers_;  // a function may give the space others
  Event event_;
  cpArbiter* arbiter_;
  cpBool swapped_;
  cpCollisionType a_, b_;
};

bool Collision::call_one(const Handler& handler, bool swapped, bool is_new) const {
  if (current->error) return true;
  arbiter_->swapped = static_cast<cpBool>(swapped);
  const bool in_collision = event_ == Event::begin || event_ == Event::pre_solve;
  const ShownArbiter shown(arbiter_);
  static const Method old_method("_collide"), new_method("_collide_new");
  const py::object result =
      call(is_new ? new_method : old_method, in_collision, handler.id, static_cast<int>(event_), shown.object);
  if (!in_collision || result.is_none()) return true;  // what the others return is not used
  const int is_true = PyObject_IsTrue(result.ptr());
  if (is_true < 0) current->error = std::make_exception_ptr(py::error_already_set());
  return is_true != 0;
}

cpBool collide(Event event, cpArbiter* arbiter) {
  if (event == Event::begin) arbiter->data = nullptr;
  const bool accepted = !can_call() || Collision(event, arbiter).notify();
  return static_cast<cpBool>(accepted && (event != Event::pre_solve || arbiter->data != kRejected));
}

cpBool begin(cpArbiter* arbiter, cpSpace*, cpDataPointer) { return collide(Event::begin, arbiter); }
cpBool pre_solve(cpArbiter* arbiter, cpSpace*, cpDataPointer) { return collide(Event::pre_solve, arbiter); }
void post_solve(cpArbiter* arbiter, cpSpace*, cpDataPointer) { collide(Event::post_solve, arbiter); }
void separate(cpArbiter* arbiter, cpSpace*, cpDataPointer) { collide(Event::separate, arbiter); }

// Of one type: Chipmunk calls the functions of the first shape's type, then, swapped, those of the second's. One call
// is for both.
cpBool begin_one(cpArbiter* arbiter, cpSpace*, cpDataPointer);
bool is_done(const cpArbiter* arbiter) {
  return arbiter->swapped != cpFalse && arbiter->handlerA->beginFunc == &begin_one;
}
cpBool begin_one(cpArbiter* arbiter, cpSpace*, cpDataPointer) {
  return is_done(arbiter) ? cpTrue : collide(Event::begin, arbiter);
}
cpBool pre_solve_one(cpArbiter* arbiter, cpSpace*, cpDataPointer) {
  return is_done(arbiter) ? cpTrue : collide(Event::pre_solve, arbiter);
}
void post_solve_one(cpArbiter* arbiter, cpSpace*, cpDataPointer) {
  if (!is_done(arbiter)) collide(Event::post_solve, arbiter);
}
void separate_one(cpArbiter* arbiter, cpSpace*, cpDataPointer) {
  if (!is_done(arbiter)) collide(Event::separate, arbiter);
}

void velocity(cpBody* body, cpVect gravity, cpFloat damping, cpFloat dt) {
  if (!can_call()) return cpBodyUpdateVelocity(body, gravity, damping, dt);
  static const Method method("_update_velocity");
  call(method, false, id_of(body), tuple_of(gravity), damping, dt);
}
void position(cpBody* body, cpFloat dt) {
  if (!can_call()) return cpBodyUpdatePosition(body, dt);
  static const Method method("_update_position");
  call(method, true, id_of(body), dt);
}
void before_joint(cpConstraint* joint, cpSpace*) {
  if (!can_call()) return;
  static const Method method("_before_joint");
  call(method, false, id_of(joint));
}
void after_joint(cpConstraint* joint, cpSpace*) {
  if (!can_call()) return;
  static const Method method("_after_joint");
  call(method, false, id_of(joint));
}
cpFloat force(cpConstraint* joint, cpFloat value) {
  if (!can_call()) return default_spring_force(kind_of(joint))(joint, value);
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

// \throws what `function` raises.
void each_arbiter(py::handle self, const py::object& function) {
  std::vector<cpArbiter*> arbiters;  // `function` may wake the body
  cpBody* asked = chipmunk_body(body_of(self, "self"));
  cpBodyEachArbiter(
      asked,
      [](cpBody*, cpArbiter* arbiter, void* list) { static_cast<std::vector<cpArbiter*>*>(list)->push_back(arbiter); },
      &arbiters);
  SpaceCore* core = core_of(object_of(self));
  if (core == nullptr) return;
  const Call call(*core);
  for (cpArbiter* arbiter : arbiters) {
    const cpBool swapped = arbiter->swapped;
    arbiter->swapped = asked == arbiter->body_b ? cpTrue : cpFalse;
    struct Back {
      cpArbiter* arbiter;
      cpBool swapped;
      ~Back() { arbiter->swapped = swapped; }
    } const back{arbiter, swapped};
    const ShownArbiter shown(arbiter);
    function(shown.object);
  }
}

}  // namespace

Callbacks::Callbacks(SpaceCore& its_core, const py::object& its_space)
    : core(its_core), space(its_space), outer_(current) {
  current = this;
}
Callbacks::~Callbacks() { current = outer_; }
void Callbacks::rethrow() {
  if (error) std::rethrow_exception(std::exchange(error, nullptr));
}

bool has_functions(const void* object, Kind kind) {
  if (kind == Kind::body) {
    const auto* body = static_cast<const cpBody*>(object);
    return body->velocity_func == &velocity || body->position_func == &position;
  }
  if (!is_joint(kind)) return false;
  const auto* joint = static_cast<const cpConstraint*>(object);
  if (joint->preSolve != nullptr || joint->postSolve != nullptr) return true;
  if (kind == Kind::damped_spring) return static_cast<const cpDampedSpring*>(object)->springForceFunc == &force;
  return kind == Kind::damped_rotary_spring &&
         static_cast<const cpDampedRotarySpring*>(object)->springTorqueFunc == &force;
}

// Chipmunk's setters of springs wake the bodies, which copies must not do.
void set_function(void* object, Kind kind, Function function, bool on) {
  auto* body = static_cast<cpBody*>(object);
  auto* joint = static_cast<cpConstraint*>(object);
  if (kind == Kind::body) {
    if (function == Function::velocity) cpBodySetVelocityUpdateFunc(body, on ? &velocity : &cpBodyUpdateVelocity);
    if (function == Function::position) cpBodySetPositionUpdateFunc(body, on ? &position : &cpBodyUpdatePosition);
  } else if (is_joint(kind)) {
    if (function == Function::pre_solve) cpConstraintSetPreSolveFunc(joint, on ? &before_joint : nullptr);
    if (function == Function::post_solve) cpConstraintSetPostSolveFunc(joint, on ? &after_joint : nullptr);
    if (function != Function::force || (kind != Kind::damped_spring && kind != Kind::damped_rotary_spring)) return;
    const cpDampedSpringForceFunc used = on ? &force : default_spring_force(kind);
    if (kind == Kind::damped_spring) static_cast<cpDampedSpring*>(object)->springForceFunc = used;
    if (kind == Kind::damped_rotary_spring) static_cast<cpDampedRotarySpring*>(object)->springTorqueFunc = used;
  }
}

// Has Chipmunk call Python for the collisions that a handler may be for.
static void register_handler(cpSpace* space, const HandlerKey& key) {
  const bool is_all = key.kind == HandlerKind::all || key.kind == HandlerKind::new_all;
  const bool is_one = key.kind == HandlerKind::one || key.kind == HandlerKind::new_one;
  cpCollisionHandler* handler = is_all   ? cpSpaceAddDefaultCollisionHandler(space)
                                : is_one ? cpSpaceAddWildcardHandler(space, key.a)
                                         : cpSpaceAddCollisionHandler(space, key.a, key.b);
  handler->beginFunc = is_one ? &begin_one : &begin;
  handler->preSolveFunc = is_one ? &pre_solve_one : &pre_solve;
  handler->postSolveFunc = is_one ? &post_solve_one : &post_solve;
  handler->separateFunc = is_one ? &separate_one : &separate;
}

const Handler* Handlers::find(const HandlerKey& key) const noexcept {
  const auto found = by_key.find(key);
  return found == by_key.end() ? nullptr : &found->second;
}

void Handlers::set(const HandlerKey& key, const Handler& handler) {
  by_key[key] = handler;
  events |= handler.events;
}

// The key under which the handler is known: the other order of a pair's types counts.
static HandlerKey known_key(const Handlers& handlers, int kind, std::uintptr_t a, std::uintptr_t b) {
  const HandlerKey key{static_cast<HandlerKind>(kind), a, b}, other{key.kind, b, a};
  return key.kind == HandlerKind::pair && handlers.find(other) != nullptr ? other : key;
}

// Snapshots, forks and running calls keep the old ones.
Handlers& SpaceCore::writable_handlers() {
  if (handlers_.use_count() > 1) handlers_ = std::make_shared<Handlers>(*handlers_);
  return *handlers_;
}

std::uint64_t SpaceCore::handler_id(int kind, std::uintptr_t a, std::uintptr_t b) const {
  check_usable("Space");
  const Handler* found = handlers_->find(known_key(*handlers_, kind, a, b));
  return found == nullptr ? 0 : found->id;
}

std::uint64_t SpaceCore::handler(int kind, std::uintptr_t a, std::uintptr_t b, std::uint64_t id) {
  if (const std::uint64_t found = handler_id(kind, a, b); found != 0) return found;
  if (id == 0) id = new_id();
  writable_handlers().set({static_cast<HandlerKind>(kind), a, b}, {id, 0});
  return id;
}

void SpaceCore::listen(int kind, std::uintptr_t a, std::uintptr_t b, int event, bool on) {
  cpSpace* space = chipmunk();
  const HandlerKey key = known_key(*handlers_, kind, a, b);
  Handlers& handlers = writable_handlers();
  Handler handler = handlers.by_key.at(key);
  const std::uint8_t bit = bit_of(static_cast<Event>(event));
  if (on && handler.events == 0) register_handler(space, key);
  handler.events = static_cast<std::uint8_t>(on ? handler.events | bit : handler.events & ~bit);
  handlers.set(key, handler);
}

void name_functions() {
  space::name_code("forkmunk.python.begin", &begin);
  space::name_code("forkmunk.python.pre_solve", &pre_solve);
  space::name_code("forkmunk.python.post_solve", &post_solve);
  space::name_code("forkmunk.python.separate", &separate);
  space::name_code("forkmunk.python.begin_one", &begin_one);
  space::name_code("forkmunk.python.pre_solve_one", &pre_solve_one);
  space::name_code("forkmunk.python.post_solve_one", &post_solve_one);
  space::name_code("forkmunk.python.separate_one", &separate_one);
  space::name_code("forkmunk.python.velocity", &velocity);
  space::name_code("forkmunk.python.position", &position);
  space::name_code("forkmunk.python.before_joint", &before_joint);
  space::name_code("forkmunk.python.after_joint", &after_joint);
  space::name_code("forkmunk.python.force", &force);
}

void add_arbiter(py::module_& module) {
  using Arbiter = PythonArbiter;
  module.def("each_arbiter", &each_arbiter);
  py::class_<Arbiter> type(module, "ArbiterCore", "What forkmunk.Arbiter is made of.");
  const auto setter = [](const std::string& name) -> py::object {
    if (name == "process_collision") {
      return py::cpp_function([](const Arbiter& self, bool value) { self.get()->data = value ? nullptr : kRejected; });
    }
    if (name == "restitution") {
      return py::cpp_function([](const Arbiter& self, py::handle value) {
        const double given = not_negative(value, "Arbiter.restitution");
        cpArbiterSetRestitution(self.get(), given);
      });
    }
    if (name == "friction") {
      return py::cpp_function([](const Arbiter& self, py::handle value) {
        const double given = not_negative(value, "Arbiter.friction");
        cpArbiterSetFriction(self.get(), given);
      });
    }
    if (name == "surface_velocity") {
      return py::cpp_function([](const Arbiter& self, py::handle value) {
        const cpVect given = vector_of(value, "Arbiter.surface_velocity");
        cpArbiterSetSurfaceVelocity(self.get(), given);
      });
    }
    return py::none();
  };
  const py::object property = py::module_::import("builtins").attr("property");
  for (const ArbiterValue& value : kArbiterValues) {
    const auto get = [&value](const Arbiter& self) { return self.value(value); };
    py::setattr(type, value.name, property(py::cpp_function(get), setter(value.name)));
  }
  type.def("set_contact_points", &set_contact_points).def("ignore", [](const Arbiter& self) {
    return cpArbiterIgnore(self.get()) != cpFalse;
  });
}

}  // namespace forkmunk::python
