#include "gil.h"
#include "space_core.h"

#include <algorithm>

#include <chipmunk/chipmunk_structs.h>

// Of chipmunk_private.h, which is no C++.
extern "C" cpCollisionHandler cpCollisionHandlerDoNothing;
extern "C" void cpHashSetEach(cpHashSet* set, void (*function)(void* element, void* data), void* data);

/// Collision handlers: Chipmunk calls one of the named functions here, which asks Python by the handler's id. The id is
/// in the space's memory, so what a handler calls travels with forks.
namespace forkmunk::python {
namespace {

thread_local Callbacks* current = nullptr;

/// What two shapes have to do with each other, for the time of a callback.
class PythonArbiter : public Guarded {
 public:
  explicit PythonArbiter(cpArbiter* arbiter) : arbiter_(arbiter) {}
  [[nodiscard]] cpArbiter* get() const {
    check_usable("Arbiter");
    if (arbiter_ == nullptr)
      throw Error("Arbiter: found one whose callback is over, expected it to be used in there only");
    return arbiter_;
  }
  void end() noexcept { arbiter_ = nullptr; }

 private:
  cpArbiter* arbiter_;
};

enum class Event : std::uint8_t { begin, pre_solve, post_solve, separate };

bool call(Event event, cpArbiter* arbiter, cpDataPointer handler) {
  if (current == nullptr || current->dispatch.is_none() || current->error) return true;
  const WithGil acquire;
  struct InCollision {
    explicit InCollision(bool is_in) : before(std::exchange(current->in_collision, is_in)) {}
    ~InCollision() { current->in_collision = before; }
    bool before;
  } const in_collision(event == Event::begin || event == Event::pre_solve);
  try {
    const py::object shown = py::cast(std::make_unique<PythonArbiter>(arbiter));
    // Python may keep it for longer than the arbiter is there, whether the call returns or raises.
    struct End {
      PythonArbiter& arbiter;
      ~End() { arbiter.end(); }
    } const end{shown.cast<PythonArbiter&>()};
    const py::object result = called(
        current->dispatch, py::make_tuple(reinterpret_cast<std::uintptr_t>(handler), static_cast<int>(event), shown));
    return result.is_none() || PyObject_IsTrue(result.ptr()) != 0;
  } catch (...) {
    current->error = std::current_exception();
  }
  return true;
}

cpBool begin(cpArbiter* arbiter, cpSpace*, cpDataPointer handler) {
  return static_cast<cpBool>(call(Event::begin, arbiter, handler));
}
cpBool pre_solve(cpArbiter* arbiter, cpSpace*, cpDataPointer handler) {
  return static_cast<cpBool>(call(Event::pre_solve, arbiter, handler));
}
void post_solve(cpArbiter* arbiter, cpSpace*, cpDataPointer handler) { call(Event::post_solve, arbiter, handler); }
void separate(cpArbiter* arbiter, cpSpace*, cpDataPointer handler) { call(Event::separate, arbiter, handler); }

cpCollisionHandler* find_handler(cpSpace* space, int kind, std::uintptr_t a, std::uintptr_t b) {
  if (kind == 0) return cpSpaceAddDefaultCollisionHandler(space);
  if (kind == 1) return cpSpaceAddWildcardHandler(space, a);
  return cpSpaceAddCollisionHandler(space, a, b);
}

// Contacts from before the first default or wildcard handler have no wildcard handlers, which Chipmunk calls from then
// on when the shapes part.
void complete_contacts(cpSpace* space) {
  cpHashSetEach(
      space->cachedArbiters,
      [](void* contact, void*) {
        auto* arbiter = static_cast<cpArbiter*>(contact);
        if (arbiter->handlerA == nullptr) arbiter->handlerA = &cpCollisionHandlerDoNothing;
        if (arbiter->handlerB == nullptr) arbiter->handlerB = &cpCollisionHandlerDoNothing;
      },
      nullptr);
}

py::tuple contact_points(const PythonArbiter& self) {
  const cpContactPointSet set = cpArbiterGetContactPointSet(self.get());
  py::list points;
  for (int i = 0; i < set.count; ++i) {
    points.append(
        py::make_tuple(tuple_of(set.points[i].pointA), tuple_of(set.points[i].pointB), set.points[i].distance));
  }
  return py::make_tuple(tuple_of(set.normal), points);
}

double not_negative(py::handle object, const char* what) {
  const double value = finite_number(object, what);
  if (value >= 0) return value;
  throw Error(std::string(what) + ": found " + described(object) + ", expected 0 or more");
}

}  // namespace

Callbacks::Callbacks(const py::object& python_dispatch) : dispatch(python_dispatch), outer_(current) { current = this; }
bool Callbacks::must_not_wake() noexcept { return current != nullptr && current->in_collision; }
Callbacks::~Callbacks() { current = outer_; }
void Callbacks::rethrow() {
  if (error) std::rethrow_exception(std::exchange(error, nullptr));
}

// \return the id of the handler that is there, or `id`, which the new one then has.
std::uintptr_t SpaceCore::handler(int kind, std::uintptr_t a, std::uintptr_t b, std::uintptr_t id) {
  require_rest("a collision handler");
  const auto scope = get().enter();
  cpCollisionHandler* handler = find_handler(chipmunk(), kind, a, b);
  if (kind != 2) complete_contacts(chipmunk());
  if (handler->userData == nullptr) handler->userData = reinterpret_cast<cpDataPointer>(id);
  return reinterpret_cast<std::uintptr_t>(handler->userData);
}

void SpaceCore::listen(int kind, std::uintptr_t a, std::uintptr_t b, const std::string& event, bool on) {
  require_rest("a collision handler");
  // Chipmunk's own functions, where Python set none: pairs call the wildcards. Made outside of the scope.
  static const cpCollisionHandler quiet = [] {
    cpSpace* fresh = cpSpaceNew();
    const cpCollisionHandler copy = *cpSpaceAddCollisionHandler(fresh, 1, 2);
    cpSpaceFree(fresh);
    return copy;
  }();
  static const cpCollisionHandler quiet_wildcard = [] {
    cpSpace* fresh = cpSpaceNew();
    const cpCollisionHandler copy = *cpSpaceAddWildcardHandler(fresh, 1);
    cpSpaceFree(fresh);
    return copy;
  }();
  const auto scope = get().enter();
  cpCollisionHandler* handler = find_handler(chipmunk(), kind, a, b);
  const cpCollisionHandler& off = kind == 1 ? quiet_wildcard : quiet;
  if (event == "begin") handler->beginFunc = on ? &begin : off.beginFunc;
  if (event == "pre_solve") handler->preSolveFunc = on ? &pre_solve : off.preSolveFunc;
  if (event == "post_solve") handler->postSolveFunc = on ? &post_solve : off.postSolveFunc;
  if (event == "separate") handler->separateFunc = on ? &separate : off.separateFunc;
}

void add_space_callbacks(py::module_& module, py::class_<SpaceCore>& type) {
  space::name_code("forkmunk.python.begin", &begin);
  space::name_code("forkmunk.python.pre_solve", &pre_solve);
  space::name_code("forkmunk.python.post_solve", &post_solve);
  space::name_code("forkmunk.python.separate", &separate);
  type.def("handler", &SpaceCore::handler).def("listen", &SpaceCore::listen);
  py::class_<PythonArbiter>(module, "ArbiterCore", "What forkmunk.Arbiter is made of.")
      .def_property_readonly("shape_ids",
                             [](const PythonArbiter& self) {
                               CP_ARBITER_GET_SHAPES(self.get(), a, b);
                               return py::make_tuple(id_of(a), id_of(b));
                             })
      .def_property_readonly("contact_points", &contact_points)
      .def_property(
          "restitution", [](const PythonArbiter& self) { return cpArbiterGetRestitution(self.get()); },
          [](const PythonArbiter& self, py::handle value) {
            const double given = not_negative(value, "Arbiter.restitution");
            cpArbiterSetRestitution(self.get(), given);
          })
      .def_property(
          "friction", [](const PythonArbiter& self) { return cpArbiterGetFriction(self.get()); },
          [](const PythonArbiter& self, py::handle value) {
            const double given = not_negative(value, "Arbiter.friction");
            cpArbiterSetFriction(self.get(), given);
          })
      .def_property(
          "surface_velocity",
          [](const PythonArbiter& self) { return tuple_of(cpArbiterGetSurfaceVelocity(self.get())); },
          [](const PythonArbiter& self, py::handle value) {
            const cpVect given = vector_of(value, "Arbiter.surface_velocity");
            cpArbiterSetSurfaceVelocity(self.get(), given);
          })
      .def_property_readonly("total_impulse",
                             [](const PythonArbiter& self) { return tuple_of(cpArbiterTotalImpulse(self.get())); })
      .def_property_readonly("total_ke", [](const PythonArbiter& self) { return cpArbiterTotalKE(self.get()); })
      .def_property_readonly("normal",
                             [](const PythonArbiter& self) { return tuple_of(cpArbiterGetNormal(self.get())); })
      .def_property_readonly("is_first_contact",
                             [](const PythonArbiter& self) { return cpArbiterIsFirstContact(self.get()) != cpFalse; })
      .def_property_readonly("is_removal",
                             [](const PythonArbiter& self) { return cpArbiterIsRemoval(self.get()) != cpFalse; })
      .def("ignore", [](const PythonArbiter& self) { return cpArbiterIgnore(self.get()) != cpFalse; });
}

}  // namespace forkmunk::python
