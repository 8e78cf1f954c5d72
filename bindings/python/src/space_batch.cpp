// SPDX-License-Identifier: MIT
#include "module.h"
#include "space_core.h"

#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/space/rollout.h>

#include <algorithm>
#include <array>
#include <string_view>

/// The prototype, a fork of the origin that never changes, has the addresses of objects by the origin's ids.
namespace forkmunk::python {
namespace {

constexpr std::size_t kSpaceCountMax = 32'000;  // a process has addresses for 32,766 Spaces
constexpr std::size_t kStepsBetweenSignals = 64;

constexpr std::array<std::string_view, 8> kFieldNames{"position", "angle",  "velocity",   "angular_velocity",
                                                      "force",    "torque", "motor_rate", "motor_max_force"};
constexpr bool is_of_motors(space::Field field) { return field >= space::Field::motor_rate; }

space::Field field_of(py::handle given, const char* what) {
  const std::string name = py::str(given);
  const auto* found = std::ranges::find(kFieldNames, name);
  if (found != kFieldNames.end()) return static_cast<space::Field>(found - kFieldNames.begin());
  throw Error(what, ": found the field '", name,
              "', expected position, angle, velocity, angular_velocity, force, torque, motor_rate or motor_max_force");
}

// -1 in the shape stands for any size.
Numbers numbers_of(py::handle object, std::span<const std::ptrdiff_t> shape, const char* what) {
  const std::string kind = is_array(object) ? object.attr("dtype").attr("kind").cast<std::string>() : "";
  if (kind != "f" && kind != "i" && kind != "u") refuse_type(what, object, "an array of numbers");
  const auto found = object.attr("shape").cast<std::vector<std::ptrdiff_t>>();
  const bool fits = std::ranges::equal(found, shape, [](auto a, auto b) { return a == b || b == -1; });
  if (!fits) refuse_value(what, "the shape " + shape_text(found), shape_text(shape));
  return Numbers(object);
}

// Chipmunk would put it to sleep, and abort.
void require_no_guests(const ObjectTable& objects) {
  if (objects.guests == 0) return;
  throw Error("SpaceBatch: found a body that is not in the space, but its joint or shape is; add the body");
}

template <typename Object>
std::span<Object* const> as(const std::vector<void*>& addresses) {
  return {reinterpret_cast<Object* const*>(addresses.data()), addresses.size()};
}

std::pair<py::object, py::object> pair_of(py::handle given, const char* what) {
  if ((!py::isinstance<py::tuple>(given) && !py::isinstance<py::list>(given)) || py::len(given) != 2)
    refuse_value(what, given, "pairs");
  const auto parts = py::reinterpret_borrow<py::sequence>(given);
  return {parts[0], parts[1]};
}

class SpaceBatchCore : public Guarded {
 public:
  SpaceBatchCore(SpaceCore& prototype, std::size_t count, std::size_t threads)
      : prototype_(prototype), batch_(prototype.get(), count, threads) {
    const auto start = prototype.save();
    require_no_guests(*start->objects);
    contents_.assign(count, *start);
  }

  [[nodiscard]] space::Batch& get() {
    check_usable("SpaceBatch");
    return batch_;
  }
  [[nodiscard]] std::size_t size() const noexcept { return batch_.size(); }

  void step(double dt, std::size_t count) {
    check_usable("SpaceBatch");
    if (dt < 0) refuse_value("SpaceBatch.step(dt)", chipmunk::number_text(dt, 6), "0 or more");
    Interruption interruption;
    std::exception_ptr error;  // failed worlds fail again in each slice, so the last error names the first of them
    run([&] {
      while (count > 0 && !interruption()) {
        const std::size_t now = std::min(count, kStepsBetweenSignals);
        try {
          batch_.step(dt, now);
        } catch (...) {
          error = std::current_exception();
        }
        count -= now;
      }
    });
    interruption.rethrow();
    if (error) std::rethrow_exception(error);
  }

  [[nodiscard]] py::object read(py::handle name, py::handle things) {
    const space::Field field = field_of(name, "SpaceBatch.read()");
    const std::size_t count = get().size();
    const std::vector<void*> read = addresses_of(field, things, "SpaceBatch.read()");
    NewArray<double> made(width_of(field) == 2 ? Shape{count, read.size(), 2} : Shape{count, read.size()});
    const std::span numbers(made.values, count * read.size() * width_of(field));
    const auto read_as = [&](auto all) { batch_.read(field, all, numbers); };
    is_of_motors(field) ? read_as(as<cpConstraint>(read)) : read_as(as<cpBody>(read));
    return std::move(made.array);
  }

  void write(py::handle name, py::handle things, py::handle values) {
    const space::Field field = field_of(name, "SpaceBatch.write()");
    const auto world_count = static_cast<std::ptrdiff_t>(get().size());
    const std::vector<void*> written = addresses_of(field, things, "SpaceBatch.write()");
    std::vector<std::ptrdiff_t> shape{world_count, static_cast<std::ptrdiff_t>(written.size())};
    if (width_of(field) == 2) shape.push_back(2);
    const Numbers numbers = numbers_of(values, shape, "SpaceBatch.write()");
    const auto write_as = [&](auto all) { batch_.write(field, all, numbers.values()); };
    is_of_motors(field) ? write_as(as<cpConstraint>(written)) : write_as(as<cpBody>(written));
  }

  void restore(SpaceSnapshot& snapshot, py::handle mask_given) {
    check_usable("SpaceBatch");
    snapshot.check_usable("SpaceSnapshot");
    require_no_guests(*snapshot.objects);
    const std::vector<std::uint8_t> mask = mask_of(mask_given, "SpaceBatch.restore(mask)", size());
    run([&] { batch_.restore(snapshot.bytes, mask); });
    for (std::size_t i = 0; i < size(); ++i) {
      if (mask[i] != 0) contents_[i] = snapshot;
    }
  }

  void restore_each(const std::vector<SpaceSnapshot*>& snapshots, const std::vector<std::size_t>& worlds) {
    check_usable("SpaceBatch");
    std::vector<const space::Snapshot*> states;
    for (SpaceSnapshot* snapshot : snapshots) {
      snapshot->check_usable("SpaceSnapshot");
      require_no_guests(*snapshot->objects);
      states.push_back(&snapshot->bytes);
    }
    run([&] { batch_.restore(states, worlds); });
    for (std::size_t i = 0; i < worlds.size(); ++i) contents_[worlds[i]] = *snapshots[i];
  }

  void fork(std::size_t from, py::handle mask_given) {
    check_usable("SpaceBatch");
    const std::vector<std::uint8_t> mask = mask_of(mask_given, "SpaceBatch.fork(to)", size());
    run([&] { batch_.fork(from, mask); });
    const Contents forked = contents_[from];
    for (std::size_t i = 0; i < size(); ++i) {
      if (mask[i] != 0) contents_[i] = forked;
    }
  }

  [[nodiscard]] std::unique_ptr<SpaceSnapshot> save(std::size_t index) {
    auto snapshot = std::make_unique<SpaceSnapshot>();
    get().world(index).save(snapshot->bytes);
    static_cast<Contents&>(*snapshot) = contents_[index];
    return snapshot;
  }

  [[nodiscard]] py::object hashes() {
    std::vector<std::uint64_t> all(get().size());
    run([&] { batch_.hashes(all); });
    return owned(std::move(all), {size()});
  }

  [[nodiscard]] py::tuple rollout(SpaceSnapshot& snapshot, py::handle actions, const py::dict& options) {
    check_usable("SpaceBatch");
    snapshot.check_usable("SpaceSnapshot");
    require_no_guests(*snapshot.objects);
    const auto all = [&options](const char* name, const auto& make) {
      const py::object list = options[name];
      if (!py::isinstance<py::iterable>(list))
        refuse_type("SpaceBatch.rollout(" + std::string(name) + ")", list, "a list");
      std::vector<decltype(make(py::handle()))> made;
      for (const py::handle given : list) made.push_back(make(given));
      return made;
    };
    const auto controls = all("controls", [&](py::handle given) { return control(given); });
    const auto contacts = all("contacts", [&](py::handle given) {
      const auto [a, b] = pair_of(given, "SpaceBatch.rollout(contacts)");
      return pair(a, b, "SpaceBatch.rollout(contacts)");
    });
    const auto events = all("events", [&](py::handle given) { return event(given); });
    std::vector<space::Observed> all_observed;
    for (const auto& some : all("observe", [&](py::handle given) { return observed(given); })) {
      all_observed.insert(all_observed.end(), some.begin(), some.end());
    }
    std::size_t width = 0, state = 0;
    for (const space::Control& control : controls) width += width_of(control.field);
    for (const space::Observed& each : all_observed) state += width_of(each.field);
    const std::ptrdiff_t shape[] = {-1, -1, static_cast<std::ptrdiff_t>(width)};
    const Numbers numbers = numbers_of(actions, shape, "SpaceBatch.rollout(actions)");
    const auto plan_count = static_cast<std::size_t>(numbers.shape()[0]);
    const auto action_count = static_cast<std::size_t>(numbers.shape()[1]);
    const std::size_t every = count_of(options["every"], "SpaceBatch.rollout(every)");

    Interruption interruption;
    space::Rollout result;
    const space::RolloutOptions all_options{.dt = finite_number(options["dt"], "SpaceBatch.rollout(dt)"),
                                            .substeps = count_of(options["substeps"], "SpaceBatch.rollout(substeps)"),
                                            .action_count = action_count,
                                            .controls = controls,
                                            .actions = numbers.values(),
                                            .plan_count = plan_count,
                                            .observed = all_observed,
                                            .every = every,
                                            .contacts = contacts,
                                            .events = events,
                                            .stop = std::ref(interruption)};
    run([&] { batch_.rollout(snapshot.bytes, all_options, result); });
    interruption.rethrow();
    return py::make_tuple(
        owned(std::move(result.final_states), Shape{plan_count, state}),
        owned(std::move(result.states), Shape{plan_count, every == 0 ? 0 : action_count / every, state}),
        owned(std::move(result.contacts), Shape{plan_count, action_count, contacts.size()}, Element::boolean),
        owned(std::move(result.event_steps), Shape{plan_count, events.size()}),
        owned(std::move(result.step_counts), Shape{plan_count}));
  }

 private:
  // Runs without the GIL. The scenes' Python callbacks do nothing.
  template <typename Work>
  void run(const Work& work) {
    const py::object none = py::none();
    const Callbacks silent(prototype_, none);
    const auto used = use();
    const WithoutGil release;
    work();
  }
  [[nodiscard]] void* address_of(py::handle thing, const Object& object, const char* what) const {
    if (prototype_.contains(object.id)) return prototype_.object(prototype_.entry(object.id));
    refuse_value(what, thing, "an object of the Space that the batch was made of");
  }
  [[nodiscard]] void* address_of(space::Field field, py::handle thing, const char* what) const {
    const Object* object = object_in(thing);
    if (object != nullptr && object->kind == (is_of_motors(field) ? Kind::simple_motor : Kind::body))
      return address_of(thing, *object, what);
    refuse_type(what, thing, is_of_motors(field) ? "a SimpleMotor" : "a Body");
  }
  // The batch refuses objects that its worlds do not have.
  [[nodiscard]] std::vector<void*> addresses_of(space::Field field, py::handle things, const char* what) const {
    if (!py::isinstance<py::iterable>(things)) refuse_type(what, things, "a list of bodies or SimpleMotors");
    std::vector<void*> found;
    for (const py::handle thing : things) found.push_back(address_of(field, thing, what));
    return found;
  }

  template <typename Channel>
  [[nodiscard]] Channel channel(py::handle field, py::handle thing, const char* what) const {
    Channel made;
    made.field = field_of(field, what);
    void* address = address_of(made.field, thing, what);
    if (is_of_motors(made.field)) {
      made.motor = static_cast<cpConstraint*>(address);
    } else {
      made.body = static_cast<cpBody*>(address);
    }
    return made;
  }

  [[nodiscard]] space::Control control(py::handle given) const {
    constexpr const char* kWhat = "SpaceBatch.rollout(controls)";
    const Py_ssize_t count = length_of(given);
    const auto parts = py::reinterpret_borrow<py::sequence>(given);
    const bool is_local = count == 3 && py::object(parts[0]).equal(py::str("local_force"));
    if (count != 2 && count != 4 && !is_local) {
      refuse_value(kWhat, given,
                   R"((field, body), ("position", body, stiffness, damping) or ("local_force", body, (x, y)))");
    }
    const py::object thing = parts[1];
    if (is_local) {
      auto made = channel<space::Control>(py::str("force"), thing, kWhat);
      made.is_local = true;
      made.point = vector_of(parts[2], "SpaceBatch.rollout(controls): the point");
      return made;
    }
    auto made = channel<space::Control>(parts[0], thing, kWhat);
    if (count == 4) {
      made.stiffness = finite_number(parts[2], "SpaceBatch.rollout(controls): stiffness");
      made.damping = finite_number(parts[3], "SpaceBatch.rollout(controls): damping");
    }
    return made;
  }

  // Reads (field, thing) or (field, [things]).
  [[nodiscard]] std::vector<space::Observed> observed(py::handle given) const {
    constexpr const char* kWhat = "SpaceBatch.rollout(observe)";
    const auto [field, things] = pair_of(given, kWhat);
    const bool has_many = py::isinstance<py::tuple>(things) || py::isinstance<py::list>(things);
    std::vector<space::Observed> found;
    for (const py::handle thing : has_many ? things : py::make_tuple(things)) {
      found.push_back(channel<space::Observed>(field, thing, kWhat));
    }
    return found;
  }

  [[nodiscard]] space::ShapePair pair(py::handle a, py::handle b, const char* what) const {
    const auto address = [&](py::handle thing) {
      return static_cast<cpShape*>(address_of(thing, shape_of(thing, what), what));
    };
    return {address(a), address(b)};
  }

  // Reads (shape, shape) or (body, BB).
  [[nodiscard]] space::Event event(py::handle given) const {
    constexpr const char* kWhat = "SpaceBatch.rollout(events)";
    const auto [thing, other] = pair_of(given, kWhat);
    const Object* object = object_in(thing);
    if (object == nullptr || object->kind != Kind::body) return {.touching = pair(thing, other, kWhat)};
    return {.body = static_cast<cpBody*>(address_of(thing, *object, kWhat)), .box = box_of(other, kWhat)};
  }

  SpaceCore& prototype_;  // kept alive by Python
  space::Batch batch_;
  std::vector<Contents> contents_;  // by world
};

std::unique_ptr<SpaceBatchCore> make_space_batch(SpaceCore& prototype, py::handle n, py::handle threads) {
  const std::size_t count = count_of(n, "SpaceBatch(n)", 1, kSpaceCountMax);
  return std::make_unique<SpaceBatchCore>(prototype, count,
                                          count_of(threads, "SpaceBatch(threads=)", 0, kThreadCountMax));
}

}  // namespace

void add_space_batch(py::module_& module) {
  py::class_<SpaceBatchCore>(module, "SpaceBatchCore", "What forkmunk.SpaceBatch is made of.")
      .def(py::init(&make_space_batch), py::keep_alive<1, 2>())
      .def_property_readonly("size", [](SpaceBatchCore& self) { return self.get().size(); })
      .def_property_readonly("threads", [](SpaceBatchCore& self) { return self.get().thread_count(); })
      .def("step",
           [](SpaceBatchCore& self, py::handle dt, py::handle count) {
             self.step(finite_number(dt, "SpaceBatch.step(dt)"), count_of(count, "SpaceBatch.step(count)"));
           })
      .def("read", &SpaceBatchCore::read)
      .def("write", &SpaceBatchCore::write)
      .def("restore", &SpaceBatchCore::restore)
      .def("restore_each", &SpaceBatchCore::restore_each)
      .def("fork", &SpaceBatchCore::fork)
      .def("save", &SpaceBatchCore::save)
      .def("hashes", &SpaceBatchCore::hashes)
      .def("rollout", &SpaceBatchCore::rollout);
}

}  // namespace forkmunk::python
