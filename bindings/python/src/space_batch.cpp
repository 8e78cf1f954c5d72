// SPDX-License-Identifier: MIT
#include "module.h"
#include "space_core.h"

#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/space/rollout.h>

#include <algorithm>
#include <array>
#include <string_view>

/// Objects are named by their ids; a prototype, a fork of the origin that never changes, has their addresses.
namespace forkmunk::python {
namespace {

constexpr std::size_t kSpaceCountMax = 32'000;  // a process has addresses for 32,766 Spaces
constexpr std::size_t kStepsBetweenSignals = 64;

constexpr std::array<std::string_view, 8> kFieldNames{"position", "angle",  "velocity",   "angular_velocity",
                                                      "force",    "torque", "motor_rate", "motor_max_force"};
constexpr bool is_of_motors(space::Field field) { return field >= space::Field::motor_rate; }

space::Field field_of(const std::string& name, const char* what) {
  const auto* found = std::ranges::find(kFieldNames, name);
  if (found != kFieldNames.end()) return static_cast<space::Field>(found - kFieldNames.begin());
  throw Error(std::string(what) + ": found the field '" + name +
              "', expected position, angle, velocity, angular_velocity, force, torque, motor_rate or motor_max_force");
}

// -1 in the shape stands for any size.
Numbers numbers_of(py::handle object, std::span<const std::ptrdiff_t> shape, const char* what) {
  const std::string kind = is_array(object) ? object.attr("dtype").attr("kind").cast<std::string>() : "";
  if (kind != "f" && kind != "i" && kind != "u") refuse_type(what, object, "an array of numbers");
  const auto found = object.attr("shape").cast<std::vector<std::ptrdiff_t>>();
  const bool fits = std::ranges::equal(found, shape, [](auto a, auto b) { return a == b || b == -1; });
  if (!fits) {
    throw Error(std::string(what) + ": found the shape " + shape_text(found) + ", expected " + shape_text(shape));
  }
  return Numbers(object);
}

// Chipmunk would put it to sleep, and abort.
void require_no_guests(const ObjectTable& objects) {
  if (objects.guests == 0) return;
  throw Error("SpaceBatch: found a body that is not in the space, but its joint or shape is; add the body");
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

  void step(double dt, std::size_t count);
  [[nodiscard]] py::object read(const std::string& name, const std::vector<std::uint64_t>& ids);
  void write(const std::string& name, const std::vector<std::uint64_t>& ids, py::handle values);
  void restore(SpaceSnapshot& snapshot, py::handle mask);
  void restore_each(const std::vector<SpaceSnapshot*>& snapshots, const std::vector<std::size_t>& worlds);
  void fork(std::size_t from, py::handle mask);
  [[nodiscard]] std::unique_ptr<SpaceSnapshot> save(std::size_t index);
  [[nodiscard]] py::object hashes();
  [[nodiscard]] py::tuple rollout(SpaceSnapshot& snapshot, py::handle actions, const py::dict& options);

 private:
  // The GIL is not held, and the scenes' Python callbacks do nothing.
  template <typename Work>
  void run(const Work& work) {
    const py::object none = py::none();
    const Callbacks silent(prototype_, none);
    const Use use(*this);
    const WithoutGil release;
    work();
  }
  // The batch refuses objects of another kind.
  template <typename Object>
  [[nodiscard]] Object* object_at(std::uint64_t id) const {
    return static_cast<Object*>(prototype_.entry(id).pointer);
  }
  template <typename Object>
  [[nodiscard]] std::vector<Object*> objects_at(const std::vector<std::uint64_t>& ids) const {
    std::vector<Object*> found;
    for (const std::uint64_t id : ids) found.push_back(object_at<Object>(id));
    return found;
  }
  template <typename Channel>
  [[nodiscard]] Channel channel(const py::handle& given, const char* what) const;
  [[nodiscard]] space::ShapePair pair(const py::handle& ids) const;
  [[nodiscard]] space::Event event(const py::handle& given) const;

  SpaceCore& prototype_;  // kept alive by Python
  space::Batch batch_;
  std::vector<Contents> contents_;  // by world
};

void SpaceBatchCore::step(double dt, std::size_t count) {
  check_usable("SpaceBatch");
  if (dt < 0) refuse_value("SpaceBatch.step(dt)", chipmunk::number_text(dt, 6), "0 or more");
  Interruption interruption;
  std::exception_ptr error;  // a world that failed fails again in each slice: the last one names the first such world
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

py::object SpaceBatchCore::read(const std::string& name, const std::vector<std::uint64_t>& ids) {
  const space::Field field = field_of(name, "SpaceBatch.read()");
  const std::size_t count = get().size();
  NewArray<double> made(width_of(field) == 2 ? Shape{count, ids.size(), 2} : Shape{count, ids.size()});
  const std::span numbers(made.values, count * ids.size() * width_of(field));
  if (is_of_motors(field)) {
    batch_.read(field, objects_at<cpConstraint>(ids), numbers);
  } else {
    batch_.read(field, objects_at<cpBody>(ids), numbers);
  }
  return std::move(made.array);
}

void SpaceBatchCore::write(const std::string& name, const std::vector<std::uint64_t>& ids, py::handle values) {
  const space::Field field = field_of(name, "SpaceBatch.write()");
  std::vector<std::ptrdiff_t> shape{static_cast<std::ptrdiff_t>(get().size()), static_cast<std::ptrdiff_t>(ids.size())};
  if (width_of(field) == 2) shape.push_back(2);
  const Numbers numbers = numbers_of(values, shape, "SpaceBatch.write()");
  const std::span<const double> all = numbers.values();
  if (is_of_motors(field)) {
    batch_.write(field, objects_at<cpConstraint>(ids), all);
  } else {
    batch_.write(field, objects_at<cpBody>(ids), all);
  }
}

void SpaceBatchCore::restore(SpaceSnapshot& snapshot, py::handle mask_given) {
  check_usable("SpaceBatch");
  snapshot.check_usable("SpaceSnapshot");
  require_no_guests(*snapshot.objects);
  const std::vector<std::uint8_t> mask = mask_of(mask_given, "SpaceBatch.restore(mask)", size());
  run([&] { batch_.restore(snapshot.bytes, mask); });
  for (std::size_t i = 0; i < size(); ++i) {
    if (mask[i] != 0) contents_[i] = snapshot;
  }
}

void SpaceBatchCore::restore_each(const std::vector<SpaceSnapshot*>& snapshots,
                                  const std::vector<std::size_t>& worlds) {
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

void SpaceBatchCore::fork(std::size_t from, py::handle mask_given) {
  check_usable("SpaceBatch");
  const std::vector<std::uint8_t> mask = mask_of(mask_given, "SpaceBatch.fork(to)", size());
  run([&] { batch_.fork(from, mask); });
  const Contents forked = contents_[from];
  for (std::size_t i = 0; i < size(); ++i) {
    if (mask[i] != 0) contents_[i] = forked;
  }
}

std::unique_ptr<SpaceSnapshot> SpaceBatchCore::save(std::size_t index) {
  auto snapshot = std::make_unique<SpaceSnapshot>();
  get().world(index).save(snapshot->bytes);
  static_cast<Contents&>(*snapshot) = contents_[index];
  return snapshot;
}

py::object SpaceBatchCore::hashes() {
  std::vector<std::uint64_t> all(get().size());
  run([&] { batch_.hashes(all); });
  return owned(std::move(all), {size()});
}

// (field, id), of a control also (stiffness, damping) or ("local_force", id, x, y).
template <typename Channel>
Channel SpaceBatchCore::channel(const py::handle& given, const char* what) const {
  const auto parts = given.cast<py::tuple>();
  Channel made;
  auto name = parts[0].cast<std::string>();
  const bool is_local = std::is_same_v<Channel, space::Control> && name == "local_force";
  made.field = is_local ? space::Field::force : field_of(name, what);
  const auto id = parts[1].cast<std::uint64_t>();
  if (is_of_motors(made.field)) {
    made.motor = object_at<cpConstraint>(id);
  } else {
    made.body = object_at<cpBody>(id);
  }
  if constexpr (std::is_same_v<Channel, space::Control>) {
    const double first = finite_number(parts[2], "SpaceBatch.rollout(controls): stiffness or x");
    const double second = finite_number(parts[3], "SpaceBatch.rollout(controls): damping or y");
    made.is_local = is_local;
    (is_local ? made.point.x : made.stiffness) = first;
    (is_local ? made.point.y : made.damping) = second;
  }
  return made;
}

space::ShapePair SpaceBatchCore::pair(const py::handle& ids) const {
  const auto parts = ids.cast<py::tuple>();
  return {object_at<cpShape>(parts[0].cast<std::uint64_t>()), object_at<cpShape>(parts[1].cast<std::uint64_t>())};
}

// (shape, shape), or (body, left, bottom, right, top).
space::Event SpaceBatchCore::event(const py::handle& given) const {
  const auto parts = given.cast<py::tuple>();
  if (parts.size() == 2) return {.touching = pair(given)};
  std::array<double, 4> box{};
  for (std::size_t i = 0; i < 4; ++i) box[i] = finite_number(parts[i + 1], "SpaceBatch.rollout(events): the box");
  return {.body = object_at<cpBody>(parts[0].cast<std::uint64_t>()), .box = cpBBNew(box[0], box[1], box[2], box[3])};
}

py::tuple SpaceBatchCore::rollout(SpaceSnapshot& snapshot, py::handle actions, const py::dict& options) {
  check_usable("SpaceBatch");
  snapshot.check_usable("SpaceSnapshot");
  require_no_guests(*snapshot.objects);
  const auto all = [&options](const char* name, const auto& make) {
    std::vector<decltype(make(py::handle()))> made;
    for (const py::handle given : options[name]) made.push_back(make(given));
    return made;
  };
  const auto controls =
      all("controls", [&](py::handle h) { return channel<space::Control>(h, "SpaceBatch.rollout(controls)"); });
  const auto observed =
      all("observe", [&](py::handle h) { return channel<space::Observed>(h, "SpaceBatch.rollout(observe)"); });
  const auto contacts = all("contacts", [&](py::handle h) { return pair(h); });
  const auto events = all("events", [&](py::handle h) { return event(h); });
  std::size_t width = 0, state = 0;
  for (const space::Control& control : controls) width += width_of(control.field);
  for (const space::Observed& each : observed) state += width_of(each.field);
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
                                          .observed = observed,
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
