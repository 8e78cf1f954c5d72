// SPDX-License-Identifier: MIT
#include "world.h"

#include "arguments.h"
#include "copies.h"
#include "documented.h"
#include "module.h"

#include <forkmunk/cars/catalogue.h>
#include <forkmunk/engine/observation.h>
#include <forkmunk/io/message_lines.h>
#include <forkmunk/maps/catalogue.h>

#include <array>
#include <functional>
#include <span>

namespace forkmunk::python {

using engine::MatchSetup;
using engine::Physics;
using engine::World;

// Pickles of worlds and snapshots are (arithmetic, engine, matches, bytes), and a match is (setup, commands). A flat
// world has one match without commands, and its state as bytes; a Chipmunk world all its matches, and no bytes.

namespace {

World replayed(Physics physics, const History& history) {
  World world(physics);
  for (const PlayedMatch& match : history) {
    world.begin_match(match.setup);
    for (const engine::Commands commands : match.commands) world.step(commands);
  }
  return world;
}

const History& known(const History& history) {
  if (!history.empty()) return history;
  throw py::type_error("cannot pickle a Chipmunk world that play() passed to a bot: its history is unknown");
}

py::tuple tuple_of(Physics physics, const History& matches, const py::bytes& bytes) {
  py::list listed;
  for (const PlayedMatch& match : matches) {
    listed.append(py::make_tuple(pickled(match.setup), pickled(match.commands)));
  }
  return py::make_tuple(std::string(to_string(arithmetic_of(physics))), std::string(engine_name(physics)),
                        py::tuple(listed), bytes);
}

}  // namespace

py::bytes pickled(const MatchSetup& setup) { return {io::to_line(formats::NewMatchMessage{1, 1, setup})}; }

MatchSetup setup_of_pickle(const py::handle& bytes) {
  const formats::Message message = io::parse_message(bytes.cast<std::string>());
  if (const auto* match = std::get_if<formats::NewMatchMessage>(&message)) return match->setup;
  throw Error("a pickle: damaged: found no map and car");
}

py::bytes pickled(const std::vector<engine::Commands>& commands) {
  std::string bytes;
  for (const engine::Commands& pair : commands) {
    bytes.push_back(static_cast<char>(3 * static_cast<int>(pair.first) + static_cast<int>(pair.second)));
  }
  return {bytes};
}

std::vector<engine::Commands> commands_of_pickle(const py::handle& bytes) {
  std::vector<engine::Commands> commands;
  for (const char byte : bytes.cast<std::string>()) {
    const auto pair = static_cast<unsigned char>(byte);
    if (pair > 8) throw Error("a pickle: damaged: found an unknown command");
    commands.push_back({static_cast<engine::Command>(pair / 3), static_cast<engine::Command>(pair % 3)});
  }
  return commands;
}

World PythonSnapshot::world() const {
  check_usable("Snapshot");
  if (setup_ == nullptr) throw Error("a snapshot: empty; save a world into it first");
  if (!history_.empty()) return replayed(physics_, history_);
  World world(physics_);
  world.begin_match(*setup_);
  world.restore(snapshot_);
  return world;
}

py::tuple PythonSnapshot::state() const {
  check_usable("Snapshot");
  if (setup_ == nullptr) return py::tuple();
  if (physics_ == Physics::flat) return tuple_of(physics_, {{*setup_, {}}}, bytes_of(snapshot_));
  return tuple_of(physics_, known(history_), {});
}

std::unique_ptr<PythonSnapshot> PythonSnapshot::of_state(const py::tuple& state) {
  auto snapshot = std::make_unique<PythonSnapshot>();
  if (!state.empty()) PythonWorld::of_state(state)->save(*snapshot);
  return snapshot;
}

PythonWorld::PythonWorld(World world, History history) : world_(std::move(world)), history_(std::move(history)) {}

void PythonWorld::begin_match(const MatchSetup& setup) {
  get().begin_match(setup);
  setup_ = nullptr;
  if (!history_.empty()) history_.push_back({setup, {}});
}

void PythonWorld::save(PythonSnapshot& snapshot) {
  if (setup_ == nullptr) setup_ = std::make_shared<const MatchSetup>(get().setup());
  snapshot.save(get(), setup_, history_);
}

// A Chipmunk world restores another world's snapshot of the same match by replaying what that world played.
void PythonWorld::restore(const PythonSnapshot& snapshot) {
  const History& history = snapshot.history();
  if (!get().try_restore(snapshot.get())) {
    const bool replays =
        !history.empty() && snapshot.physics() == world_.physics() && history.back().setup == world_.setup();
    if (!replays) world_.restore(snapshot.get());  // throws Error
    world_ = replayed(world_.physics(), history);
  }
  history_ = history;
}

py::tuple PythonWorld::state() {
  PythonSnapshot snapshot;
  save(snapshot);
  return snapshot.state();
}

std::unique_ptr<PythonWorld> PythonWorld::of_state(const py::tuple& state) {
  const Physics physics = physics_of(state[0].cast<std::string>(), state[1].cast<std::string>());
  History matches;
  for (const py::handle match : state[2].cast<py::tuple>()) {
    const auto pair = match.cast<py::tuple>();
    matches.push_back({setup_of_pickle(pair[0]), commands_of_pickle(pair[1])});
  }
  if (matches.empty() || (physics == Physics::flat && matches.size() != 1))
    throw Error("a pickle: damaged: another number of matches than a world has");
  auto world = std::make_unique<PythonWorld>(replayed(physics, matches), History());
  if (physics == Physics::flat) {
    world->world_.restore(snapshot_of(state[3], world->world_));
  } else {
    world->history_ = std::move(matches);
  }
  return world;
}

namespace {

using engine::Player;

PythonWorld& world_of(PyObject* self) {
  auto* world = value_in<PythonWorld>(self);
  if (world == nullptr) throw Error("World: found an object that was never made: its __init__ did not run");
  return *world;
}

// Without pybind11's dispatcher, which costs as much as a fifth of a step.
PyObject* step_world(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
  return translated(
      [&] {
        const Py_ssize_t keyword_count = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
        std::array<PyObject*, 2> pair{count > 0 ? arguments[0] : nullptr, count > 1 ? arguments[1] : nullptr};
        bool good = count + keyword_count == 2;
        for (Py_ssize_t i = 0; good && i < keyword_count; ++i) {
          const std::string name = py::str(py::handle(PyTuple_GET_ITEM(keywords, i)));
          const std::size_t at = name == "first" ? 0 : 1;
          good = (name == "first" || name == "second") && pair[at] == nullptr;
          pair[at] = arguments[count + i];
        }
        if (!good) {
          throw py::type_error("World.step(): found " + std::to_string(count) + " arguments and " +
                               std::to_string(keyword_count) +
                               " by name, expected 2, the commands first and second of the two players");
        }
        PythonWorld& world = world_of(self);
        world.step({command_of(pair[0]), command_of(pair[1])});
        Py_RETURN_NONE;
      },
      nullptr);
}

PyMethodDef step_method{"step", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&step_world)),
                        METH_FASTCALL | METH_KEYWORDS, documented("World.step").doc};

// Without pybind11's dispatcher, too.
PyObject* observe_world(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
  return translated(
      [&] {
        const Py_ssize_t keyword_count = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
        const bool named =
            keyword_count == 0 || PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(keywords, 0), "velocities") == 0;
        if (count + keyword_count > 1 || !named) {
          throw py::type_error("World.observe(): found " + std::to_string(count) + " arguments and " +
                               std::to_string(keyword_count) + " by name, expected at most one, velocities");
        }
        const int velocities = count + keyword_count == 0 ? 0 : PyObject_IsTrue(arguments[0]);
        if (velocities < 0) throw py::error_already_set();
        const World& world = world_of(self).get();
        NewArray<double> row({velocities != 0 ? engine::kFullObservationSize : engine::kObservationSize});
        if (velocities != 0) {
          engine::observe_fully(
              world, std::span<double, engine::kFullObservationSize>(row.values, engine::kFullObservationSize));
        } else {
          engine::observe(world, std::span<double, engine::kObservationSize>(row.values, engine::kObservationSize));
        }
        return row.array.release().ptr();
      },
      nullptr);
}

PyMethodDef observe_method{"observe", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&observe_world)),
                           METH_FASTCALL | METH_KEYWORDS, documented("World.observe").doc};

py::dict body_dict(const engine::BodyState& body) {
  py::dict result;
  result["position"] = py::make_tuple(body.position.x, body.position.y);
  result["angle"] = body.angle;
  result["velocity"] = py::make_tuple(body.velocity.x, body.velocity.y);
  result["angular_velocity"] = body.angular_velocity;
  return result;
}

py::dict car_dict(PythonWorld& self, py::handle player) {
  const engine::CarState car = self.get().car(player_of(player));
  py::dict result = body_dict(car.body);
  result["rear_wheel"] = body_dict(car.rear_wheel);
  result["front_wheel"] = body_dict(car.front_wheel);
  return result;
}

void restore(PythonWorld& self, py::handle snapshot) {
  if (py::isinstance<PythonSnapshot>(snapshot)) {
    self.restore(snapshot.cast<PythonSnapshot&>());
  } else {
    self.get().restore(snapshot_of(snapshot, self.get()));
  }
}

std::unique_ptr<PythonWorld> make_world(py::handle map, py::handle car, const std::string& arithmetic,
                                        const std::optional<std::string>& engine) {
  World world(physics_of(arithmetic, engine));
  const engine::MatchSetup setup = setup_of(map, car);
  world.begin_match(setup);
  History history;
  if (world.physics() != engine::Physics::flat) history.push_back({setup, {}});
  return std::make_unique<PythonWorld>(std::move(world), std::move(history));
}

// Returns a twin with the Python attributes. `memo`: copy.deepcopy()'s, or None to share the attributes.
py::object copy_of_world(const py::object& self, const py::object& memo) {
  py::object twin = made_as(py::type::of(self), self.cast<PythonWorld&>().fork());
  if (!py::hasattr(self, "__dict__")) return twin;
  py::object attributes = self.attr("__dict__");
  if (!memo.is_none()) {
    memo[py::module_::import("builtins").attr("id")(self)] = twin;
    attributes = py::module_::import("copy").attr("deepcopy")(attributes, memo);
  }
  twin.attr("__dict__").attr("update")(attributes);
  return twin;
}
py::object shallow_copy_of(const py::object& self) { return copy_of_world(self, py::none()); }

template <auto read>
auto of_world(PythonWorld& self) {
  return std::invoke(read, std::as_const(self.get()));
}
template <auto read>
py::tuple of_both(PythonWorld& self) {
  const World& world = self.get();
  return py::make_tuple(std::invoke(read, world, Player::first), std::invoke(read, world, Player::second));
}
std::string cause_of_death(const World& world, Player player) {
  return std::string(to_string(world.cause_of_death(player)));
}
std::string arithmetic(const World& world) { return std::string(to_string(arithmetic_of(world.physics()))); }
std::string engine_of(const World& world) { return std::string(engine_name(world.physics())); }

std::string describe(PythonWorld& self) {
  const World& world = self.get();
  return "<madcars.World " + maps::name_of(world.setup().map) + "," + cars::name_of(world.setup().car) + " tick " +
         std::to_string(world.tick()) + (world.match_over() ? ", over" : "") + ">";
}

void add_properties(DocumentedClass<PythonWorld>& type) {
  type.property("tick", &of_world<&World::tick>)
      .property("dead", &of_both<&World::dead>)
      .property("cause_of_death", &of_both<&cause_of_death>)
      .property("in_air", &of_both<&World::in_air>)
      .property("deadline_y", &of_world<&World::deadline_y>)
      .property("ticks_to_deadline", &of_world<&World::ticks_to_deadline>)
      .property("takes_commands", &of_world<&World::takes_commands>)
      .property("match_over", &of_world<&World::match_over>)
      .property("is_finite", &of_world<&World::is_finite>)
      .property("live_bytes", &of_world<&World::live_bytes>)
      .property("arithmetic", &of_world<&arithmetic>)
      .property("engine", &of_world<&engine_of>)
      .property("setup", &of_world<[](const World& w) { return dict_of(w.setup()); }>)
      .property("map", &of_world<[](const World& w) { return maps::name_of(w.setup().map); }>)
      .property("car_name", &of_world<[](const World& w) { return cars::name_of(w.setup().car); }>);
}

}  // namespace

void add_world(py::module_& module) {
  DocumentedClass<PythonSnapshot> snapshot_type(module, "Snapshot");
  add_pickle(snapshot_type);
  snapshot_type.property("size_bytes", [](PythonSnapshot& self) { return self.get().size_bytes(); });

  DocumentedClass<PythonWorld> type(module, "World");
  type.constructor(py::init(&make_world))
      .method("save",
              [](PythonWorld& self) {
                engine::Snapshot snapshot;
                self.get().save(snapshot);
                return bytes_of(snapshot);
              })
      .method("snapshot",
              [](PythonWorld& self, py::object into) {
                if (into.is_none()) into = py::cast(std::make_unique<PythonSnapshot>());
                if (!py::isinstance<PythonSnapshot>(into))
                  throw py::type_error("World.snapshot(into=): " + described(into) + " is not a Snapshot");
                self.save(into.cast<PythonSnapshot&>());
                return into;
              })
      .method("restore", &restore)
      .method("fork", &shallow_copy_of)
      .method("hash", &of_world<&World::hash>)
      .method("car", &car_dict)
      .method("begin_match",
              [](PythonWorld& self, py::handle map, py::handle car) { self.begin_match(setup_of(map, car)); })
      .def("__copy__", &shallow_copy_of)
      .def("__deepcopy__", &copy_of_world, py::arg("memo"))
      .def("__repr__", &describe);
  add_properties(type);
  add_pickle(type);
  add_method(type, step_method);
  add_method(type, observe_method);

  module.attr("maps") = names_of(maps::catalogue());
  module.attr("cars") = names_of(cars::catalogue());
  module.attr("TICK_SECONDS") = engine::kTickSeconds;
}

}  // namespace forkmunk::python
