// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "world.h"

#include <forkmunk/io/message_lines.h>

/// Worlds and snapshots as tuples for pickle: (arithmetic, engine, matches, bytes). A match is (setup, commands). A
/// flat world has one match, without commands, and the state as bytes. A Chipmunk world has all matches that it played,
/// and no bytes.
namespace forkmunk::python {

using engine::MatchSetup;
using engine::Physics;
using engine::World;

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

// Restores a snapshot. A Chipmunk world restores another world's snapshot by replaying what that world played, if both
// are in the same match.
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
  engine::Snapshot snapshot;
  get().save(snapshot);
  if (world_.physics() != Physics::flat) return tuple_of(world_.physics(), known(history_), {});
  return tuple_of(world_.physics(), {{world_.setup(), {}}}, bytes_of(snapshot));
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

}  // namespace forkmunk::python
