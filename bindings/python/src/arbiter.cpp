#include "space_core.h"

#include <chipmunk/chipmunk_structs.h>

/// What two shapes have to do with each other, for the time of a callback.
namespace forkmunk::python {
namespace {

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

double not_negative(py::handle object, const char* what) {
  const double value = finite_number(object, what);
  if (value >= 0) return value;
  throw Error(std::string(what) + ": found " + described(object) + ", expected 0 or more");
}

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

py::tuple shape_ids(const PythonArbiter& self) {
  CP_ARBITER_GET_SHAPES(self.get(), a, b);
  return py::make_tuple(id_of(a), id_of(b));
}

}  // namespace

ShownArbiter::ShownArbiter(cpArbiter* arbiter) : object(py::cast(std::make_unique<PythonArbiter>(arbiter))) {}
ShownArbiter::~ShownArbiter() { object.cast<PythonArbiter&>().end(); }

void add_arbiter(py::module_& module) {
  using Arbiter = PythonArbiter;
  py::class_<Arbiter>(module, "ArbiterCore", "What forkmunk.Arbiter is made of.")
      .def_property_readonly("shape_ids", &shape_ids)
      .def_property_readonly("contact_points",
                             [](const Arbiter& self) { return tuple_of(cpArbiterGetContactPointSet(self.get())); })
      .def("set_contact_points", &set_contact_points)
      .def_property(
          "process_collision", [](const Arbiter& self) { return self.get()->data != kRejected; },
          [](const Arbiter& self, bool value) { self.get()->data = value ? nullptr : kRejected; })
      .def_property(
          "restitution", [](const Arbiter& self) { return cpArbiterGetRestitution(self.get()); },
          [](const Arbiter& self, py::handle value) {
            const double given = not_negative(value, "Arbiter.restitution");
            cpArbiterSetRestitution(self.get(), given);
          })
      .def_property(
          "friction", [](const Arbiter& self) { return cpArbiterGetFriction(self.get()); },
          [](const Arbiter& self, py::handle value) {
            const double given = not_negative(value, "Arbiter.friction");
            cpArbiterSetFriction(self.get(), given);
          })
      .def_property(
          "surface_velocity", [](const Arbiter& self) { return tuple_of(cpArbiterGetSurfaceVelocity(self.get())); },
          [](const Arbiter& self, py::handle value) {
            const cpVect given = vector_of(value, "Arbiter.surface_velocity");
            cpArbiterSetSurfaceVelocity(self.get(), given);
          })
      .def_property_readonly("total_impulse",
                             [](const Arbiter& self) { return tuple_of(cpArbiterTotalImpulse(self.get())); })
      .def_property_readonly("total_ke", [](const Arbiter& self) { return cpArbiterTotalKE(self.get()); })
      .def_property_readonly("normal", [](const Arbiter& self) { return tuple_of(cpArbiterGetNormal(self.get())); })
      .def_property_readonly("is_first_contact",
                             [](const Arbiter& self) { return cpArbiterIsFirstContact(self.get()) != cpFalse; })
      .def_property_readonly("is_removal",
                             [](const Arbiter& self) { return cpArbiterIsRemoval(self.get()) != cpFalse; })
      .def("ignore", [](const Arbiter& self) { return cpArbiterIgnore(self.get()) != cpFalse; });
}

}  // namespace forkmunk::python
