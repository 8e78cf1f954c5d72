// SPDX-License-Identifier: MIT
#include "module.h"
#include "space_core.h"

#include <forkmunk/chipmunk/chipmunk_layout.h>
#include <forkmunk/space/recorder.h>

#include <chipmunk/chipmunk_structs.h>
#include <structmember.h>

/// Chipmunk calls Python by named functions, which travel with forks and find the callable by the handler's or object's
/// id. A step that calls Python holds the GIL.
namespace forkmunk::python {
namespace {

thread_local Callbacks* current = nullptr;

bool can_call() { return current != nullptr && !current->space.is_none() && !current->error; }

// Keeps an exception for the step to raise.
template <typename Work>
void guarded(const Work& work) {
  const space::Scope outside(nullptr);  // Python's objects have memory of their own
  try {
    work();
  } catch (...) {
    current->error = std::current_exception();
  }
}

template <typename... Arguments>
py::object call(Function function, std::uint64_t id, Arguments&&... arguments) {
  py::object result = py::none();
  guarded([&] {
    static PyObject* const finder = interned("_function_of");
    const py::int_ event(static_cast<int>(function)), number(id);
    PyObject* const asked[] = {current->space.ptr(), event.ptr(), number.ptr()};
    const py::object found =
        taken(or_block_at_exit([&] { return PyObject_VectorcallMethod(finder, asked, 3, nullptr); }));
    const py::tuple given = py::make_tuple(std::forward<Arguments>(arguments)...);
    PyObject* all[sizeof...(Arguments) + 1] = {PyTuple_GET_ITEM(found.ptr(), 0)};
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(given.ptr()); ++i) all[i + 1] = PyTuple_GET_ITEM(given.ptr(), i);
    PyObject* called = PyTuple_GET_ITEM(found.ptr(), 1);
    result = taken(or_block_at_exit([&] { return PyObject_Vectorcall(called, all, std::size(all), nullptr); }));
  });
  return result;
}

constexpr const char* kEventNames[] = {"begin", "pre_solve", "post_solve", "separate"};
constexpr std::uint8_t bit_of(Event event) { return static_cast<std::uint8_t>(1U << static_cast<unsigned>(event)); }

/// Python zeroes the memory.
struct Arbiter {
  PyObject_HEAD;
  cpArbiter* arbiter;  // null when its call is over
  PyObject* space;
  PyObject* kept;  // then a tuple of its values, if the program kept the object

  [[nodiscard]] auto references() noexcept { return std::array{&space, &kept}; }
};

PyTypeObject* arbiter_core_type = nullptr;  // neither is destroyed
PyTypeObject* arbiter_type = nullptr;       // Python's class

Arbiter& arbiter_of(PyObject* object) {
  if (PyObject_TypeCheck(object, arbiter_core_type) != 0) return *reinterpret_cast<Arbiter*>(object);
  throw py::type_error("found " + described(object) + ", expected an Arbiter");
}

void set_contact_points(py::handle self, py::handle normal, const py::sequence& points) {
  const cpVect direction = vector_of(normal, "Arbiter.contact_point_set.normal");
  std::vector<cpContactPointSet> read(1);
  cpContactPointSet& set = read[0];
  set = cpArbiterGetContactPointSet(arbiter_in(self.ptr()));
  if (static_cast<std::size_t>(set.count) != points.size())
    refuse_value("Arbiter.contact_point_set", std::to_string(points.size()) + " points", std::to_string(set.count));
  set.normal = direction;
  for (int i = 0; i < set.count; ++i) {
    const auto point = points[static_cast<std::size_t>(i)].cast<py::sequence>();
    set.points[i].pointA = vector_of(point[0], "point_a");
    set.points[i].pointB = vector_of(point[1], "point_b");
    set.points[i].distance = finite_number(point[2], "distance");
  }
  if (arbiter_in(self.ptr())->contacts == nullptr)
    throw Error("Arbiter.contact_point_set: found no contact, expected one");
  cpArbiterSetContactPointSet(arbiter_in(self.ptr()), &set);
}

/// An Arbiter for one call, which keeps the call's values if a program keeps it.
class ShownArbiter {
 public:
  ShownArbiter(cpArbiter* arbiter, py::handle space) : object(taken(arbiter_type->tp_alloc(arbiter_type, 0))) {
    inside().arbiter = arbiter;
    inside().space = space.inc_ref().ptr();
  }
  ~ShownArbiter() {
    cpArbiter* arbiter = std::exchange(inside().arbiter, nullptr);
    if (Py_REFCNT(object.ptr()) == 1) return;
    try {
      const std::span<const Field> fields = arbiter_fields();
      py::tuple values(fields.size());
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = fields[i].get(arbiter);
      inside().kept = values.release().ptr();
    } catch (...) {  // no memory: they are None
    }
  }
  ShownArbiter(const ShownArbiter&) = delete;
  ShownArbiter& operator=(const ShownArbiter&) = delete;

  const py::object object;

 private:
  [[nodiscard]] Arbiter& inside() const noexcept { return *reinterpret_cast<Arbiter*>(object.ptr()); }
};

// No handler has it.
constexpr cpCollisionType kUnknown = CP_WILDCARD_COLLISION_TYPE;
cpCollisionType type_of(const cpCollisionHandler* handler) { return handler != nullptr ? handler->typeA : kUnknown; }

/// Calls the handlers that listen to the event and were known when a step last compared the shapes, for their types
/// then.
class Collision {
 public:
  Collision(Event event, cpArbiter* arbiter) : handlers_(current->core.handlers()), event_(event), arbiter_(arbiter) {
    const cpCollisionHandler* pair = arbiter->handler;
    if (type_of(pair) != kUnknown) {
      a_ = arbiter->swapped != cpFalse ? pair->typeB : pair->typeA;
      b_ = arbiter->swapped != cpFalse ? pair->typeA : pair->typeB;
      return;
    }
    a_ = type_of(arbiter->handlerA), b_ = type_of(arbiter->handlerB);
  }

  /// \return whether the handlers accept the collision.
  [[nodiscard]] bool notify() const {
    if ((handlers_->events & bit_of(event_)) == 0) return true;
    const bool accepted = call_old();
    call_new();
    return accepted;
  }

 private:
  // Calls the functions of add_collision_handler() like Chipmunk: the pair's handler or the handler for all, and, if it
  // has no function, the handlers of both types.
  [[nodiscard]] bool call_old() const {
    const HandlerKey pair{HandlerKind::pair, a_, b_}, turned_pair{HandlerKind::pair, b_, a_};
    const bool is_pair = handlers_->by_key.contains(pair);
    const bool turned = !is_pair && handlers_->by_key.contains(turned_pair);
    const HandlerKey first = is_pair ? pair : turned ? turned_pair : HandlerKey{HandlerKind::all, 0, 0};
    if (listens(first)) return call(first, turned);
    const bool one = call({HandlerKind::one, turned ? b_ : a_, 0}, turned);
    return call({HandlerKind::one, turned ? a_ : b_, 0}, !turned) && one;
  }
  // Calls all handlers of on_collision() that fit, the most specific first.
  void call_new() const {
    call({HandlerKind::new_pair, a_, b_}, false);
    if (a_ != b_) call({HandlerKind::new_pair, b_, a_}, true);
    call({HandlerKind::new_one, a_, 0}, false);
    call({HandlerKind::new_one, b_, 0}, true);
    call({HandlerKind::new_all, 0, 0}, false);
  }
  [[nodiscard]] bool listens(const HandlerKey& key) const {
    const auto found = handlers_->by_key.find(key);
    if (found == handlers_->by_key.end() || (found->second & bit_of(event_)) == 0) return false;
    const bool is_one = key.kind == HandlerKind::one || key.kind == HandlerKind::new_one;
    return !is_one || type_of(arbiter_->handlerA) == key.a || type_of(arbiter_->handlerB) == key.a;
  }
  bool call(const HandlerKey& key, bool swapped) const { return !listens(key) || call_function(key, swapped); }
  bool call_function(const HandlerKey& key, bool swapped) const;

  std::shared_ptr<const Handlers> handlers_;  // a function may give the space others
  Event event_;
  cpArbiter* arbiter_;
  cpCollisionType a_ = kUnknown, b_ = kUnknown;
};

py::object item_of(PyObject* dict, py::handle key) {
  const py::object found = taken(PyObject_GetAttr(current->space.ptr(), dict));
  PyObject* item = PyDict_GetItemWithError(found.ptr(), key.ptr());
  if (item == nullptr && PyErr_Occurred() != nullptr) throw py::error_already_set();
  return py::reinterpret_borrow<py::object>(item);
}

// Functions are missing in a world of SpaceBatch(callbacks="drop").
bool Collision::call_function(const HandlerKey& key, bool swapped) const {
  if (current->error) return true;
  const ScopedValue shown_swapped(arbiter_->swapped, static_cast<cpBool>(swapped));
  const bool is_new = key.kind >= HandlerKind::new_all;
  bool accepted = true;
  guarded([&] {
    static PyObject *const callables = interned("_callables"), *const all_data = interned("_handler_data");
    const int event = static_cast<int>(event_);
    const py::object function = item_of(callables, py::make_tuple(static_cast<int>(key.kind), key.a, key.b, event));
    if (!function) return;
    const py::tuple data_key = tuple_of(key);
    py::object data = item_of(all_data, data_key);
    if (!data) {
      data = py::dict();
      current->space.attr("_handler_data")[data_key] = data;
    }
    if (is_new) data = data.attr("get")(kEventNames[event]);
    const ShownArbiter shown(arbiter_, current->space);
    PyObject* const given[] = {shown.object.ptr(), current->space.ptr(), data.ptr()};
    PyObject* called = function.ptr();
    const py::object result = taken(or_block_at_exit([&] { return PyObject_Vectorcall(called, given, 3, nullptr); }));
    const bool decides = event_ == Event::begin || event_ == Event::pre_solve;
    if (is_new || !decides || result.ptr() == Py_True) return;
    accepted = result.ptr() != Py_False && current->space.attr("_accepts")(function, event, result).ptr() == Py_True;
  });
  return accepted;
}

cpBool collide(Event event, cpArbiter* arbiter) {
  if (event == Event::begin) arbiter->data = nullptr;
  const bool accepted = !can_call() || Collision(event, arbiter).notify();
  return static_cast<cpBool>(accepted && (event != Event::pre_solve || arbiter->data != kRejected));
}

// Chipmunk calls the handler of one type twice for two shapes of that type, then with the shapes swapped: Python is
// called once.
template <Event event, bool is_of_one>
cpBool decide(cpArbiter* arbiter, cpSpace*, cpDataPointer);
bool is_done(const cpArbiter* arbiter) {
  return arbiter->swapped != cpFalse && arbiter->handlerA->beginFunc == &decide<Event::begin, true>;
}
template <Event event, bool is_of_one>
cpBool decide(cpArbiter* arbiter, cpSpace*, cpDataPointer) {
  return is_of_one && is_done(arbiter) ? cpTrue : collide(event, arbiter);
}
template <Event event, bool is_of_one>
void notify(cpArbiter* arbiter, cpSpace*, cpDataPointer) {
  if (!is_of_one || !is_done(arbiter)) collide(event, arbiter);
}

void velocity(cpBody* body, cpVect gravity, cpFloat damping, cpFloat dt) {
  if (!can_call()) return cpBodyUpdateVelocity(body, gravity, damping, dt);
  call(Function::velocity, id_of(body), tuple_of(gravity), damping, dt);
}
void position(cpBody* body, cpFloat dt) {
  if (!can_call()) return cpBodyUpdatePosition(body, dt);
  call(Function::position, id_of(body), dt);
}
void before_joint(cpConstraint* joint, cpSpace*) {
  if (can_call()) call(Function::pre_solve, id_of(joint), current->space);
}
void after_joint(cpConstraint* joint, cpSpace*) {
  if (can_call()) call(Function::post_solve, id_of(joint), current->space);
}
cpFloat force(cpConstraint* joint, cpFloat value) {
  if (!can_call()) return default_spring_force(kind_of(joint))(joint, value);
  const py::object result = call(Function::force, id_of(joint), value);
  if (current->error) return 0;
  try {
    return finite_number(result, "a spring's function");
  } catch (...) {
    current->error = std::current_exception();
  }
  return 0;
}

void each_arbiter(py::handle self, const py::object& function) {
  cpBody* asked = chipmunk_body(body_of(self, "self"));
  const std::vector<cpArbiter*> arbiters = collected(&cpBodyEachArbiter, asked);  // first: `function` may wake the body
  SpaceCore* core = core_of(object_of(self));
  if (core == nullptr) return;
  const auto call = core->begin_call();
  const py::object space = core->owner();
  for (cpArbiter* arbiter : arbiters) {
    const ScopedValue swapped(arbiter->swapped, static_cast<cpBool>(asked == arbiter->body_b));
    const ShownArbiter shown(arbiter, space);
    function(shown.object);
  }
}

}  // namespace

cpArbiter* arbiter_in(PyObject* arbiter) {
  if (cpArbiter* found = arbiter_of(arbiter).arbiter) return found;
  throw Error("Arbiter: found one whose callback is over, expected it to be changed in there only");
}

py::object arbiter_value(PyObject* arbiter, const Field& field) {
  const Arbiter& inside = arbiter_of(arbiter);
  if (inside.arbiter != nullptr) return field.get(inside.arbiter);
  if (inside.kept == nullptr) return py::none();
  return py::reinterpret_borrow<py::object>(PyTuple_GET_ITEM(inside.kept, &field - arbiter_fields().data()));
}

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

// Copies must not wake the bodies, as Chipmunk's setters of springs do.
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

static void register_handler(cpSpace* space, const HandlerKey& key) {
  const bool is_all = key.kind == HandlerKind::all || key.kind == HandlerKind::new_all;
  const bool is_one = key.kind == HandlerKind::one || key.kind == HandlerKind::new_one;
  cpCollisionHandler* handler = is_all   ? cpSpaceAddDefaultCollisionHandler(space)
                                : is_one ? cpSpaceAddWildcardHandler(space, key.a)
                                         : cpSpaceAddCollisionHandler(space, key.a, key.b);
  handler->beginFunc = is_one ? &decide<Event::begin, true> : &decide<Event::begin, false>;
  handler->preSolveFunc = is_one ? &decide<Event::pre_solve, true> : &decide<Event::pre_solve, false>;
  handler->postSolveFunc = is_one ? &notify<Event::post_solve, true> : &notify<Event::post_solve, false>;
  handler->separateFunc = is_one ? &notify<Event::separate, true> : &notify<Event::separate, false>;
}

// With its new type, the shape may have no handler that rejects these contacts.
void keep_rejected_contacts(cpSpace* space, const cpShape* shape) {
  namespace layout = forkmunk::chipmunk::layout;
  bool is_rejected = false;
  layout::for_each<cpArbiter>(layout::set_of(space->cachedArbiters), [&](const cpArbiter& arbiter, const auto&) {
    is_rejected |= (arbiter.a == shape || arbiter.b == shape) && arbiter.data == kRejected;
  });
  if (is_rejected) register_handler(space, {HandlerKind::new_all, 0, 0});
}

// Snapshots, forks and running calls keep the old handlers.
Handlers& SpaceCore::writable_handlers() {
  if (handlers_.use_count() > 1) handlers_ = std::make_shared<Handlers>(*handlers_);
  return *handlers_;
}

HandlerKey SpaceCore::handler_key(int kind, py::handle type_a, py::handle type_b) const {
  check_usable("Space");
  const std::uintptr_t a = count_or_bool(type_a, "collision_type"), b = count_or_bool(type_b, "collision_type");
  const HandlerKey key{static_cast<HandlerKind>(kind), a, b}, other{key.kind, b, a};
  return key.kind == HandlerKind::pair && handlers_->by_key.contains(other) ? other : key;
}

HandlerKey SpaceCore::handler(int kind, py::handle a, py::handle b) {
  const HandlerKey key = handler_key(kind, a, b);
  if (handlers_->by_key.contains(key)) return key;
  writable_handlers().set(key, 0);
  if (key.kind != HandlerKind::all) register_handler(chipmunk(), key);  // its functions may be set during a contact
  return key;
}

HandlerKey SpaceCore::listen(int kind, py::handle a, py::handle b, int event, bool on) {
  const HandlerKey key = handler_key(kind, a, b);
  Handlers& handlers = writable_handlers();
  std::uint8_t& events = handlers.by_key[key];  // a restore may have forgotten it
  if (on && events == 0) register_handler(chipmunk(), key);
  const std::uint8_t bit = bit_of(static_cast<Event>(event));
  if (on == ((events & bit) != 0)) return key;
  if (auto* const recorder = space::Recorder::of(get()); recorder != nullptr) recorder->note_handlers();
  events = static_cast<std::uint8_t>(on ? events | bit : events & ~bit);
  handlers.events |= events;
  return key;
}

void name_functions() {
  space::name_code("forkmunk.python.begin", &decide<Event::begin, false>);
  space::name_code("forkmunk.python.pre_solve", &decide<Event::pre_solve, false>);
  space::name_code("forkmunk.python.post_solve", &notify<Event::post_solve, false>);
  space::name_code("forkmunk.python.separate", &notify<Event::separate, false>);
  space::name_code("forkmunk.python.begin_one", &decide<Event::begin, true>);
  space::name_code("forkmunk.python.pre_solve_one", &decide<Event::pre_solve, true>);
  space::name_code("forkmunk.python.post_solve_one", &notify<Event::post_solve, true>);
  space::name_code("forkmunk.python.separate_one", &notify<Event::separate, true>);
  space::name_code("forkmunk.python.velocity", &velocity);
  space::name_code("forkmunk.python.position", &position);
  space::name_code("forkmunk.python.before_joint", &before_joint);
  space::name_code("forkmunk.python.after_joint", &after_joint);
  space::name_code("forkmunk.python.force", &force);
}

namespace {

PyMemberDef arbiter_members[] = {{"_space", T_OBJECT, offsetof(Arbiter, space), READONLY, nullptr},
                                 {nullptr, 0, 0, 0, nullptr}};

}  // namespace

void add_arbiter(py::module_& module) {
  const py::object type = made_collected_type<Arbiter>("forkmunk._forkmunk.ArbiterCore",
                                                       {{Py_tp_members, arbiter_members}}, Py_TPFLAGS_BASETYPE);
  arbiter_core_type = reinterpret_cast<PyTypeObject*>(type.inc_ref().ptr());
  module.attr("ArbiterCore") = type;
  module.def("show_arbiters_as",
             [](py::type cls) { arbiter_type = reinterpret_cast<PyTypeObject*>(cls.release().ptr()); });
  module.def("each_arbiter", &each_arbiter);
  module.def("set_contact_points", &set_contact_points);
  module.def("ignore", [](py::handle self) { return cpArbiterIgnore(arbiter_in(self.ptr())) != cpFalse; });
}

}  // namespace forkmunk::python
