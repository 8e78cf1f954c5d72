// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "batch.h"

#include <forkmunk/engine/observation.h>

#include <algorithm>
#include <bit>

namespace forkmunk::python {

using engine::Commands;
using engine::WorldBatch;

namespace {

template <typename T>
py::bytes bytes_of_values(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <typename T>
void read_values(const py::handle& bytes, std::vector<T>& values) {
  const auto text = bytes.cast<std::string>();
  if (text.size() != values.size() * sizeof(T)) throw Error("a Batch's pickle: damaged");
  std::memcpy(values.data(), text.data(), text.size());
}

}  // namespace

PythonBatch::PythonBatch(WorldBatch batch, const engine::BatchOptions& options, std::uint64_t seed)
    : batch_(std::make_shared<WorldBatch>(std::move(batch))), options_(options), random_(seed) {
  held_.resize(size());
  ticks_left_.resize(size());
  if (options.physics == engine::Physics::flat) return;
  for (std::size_t i = 0; i < size(); ++i) histories_.push_back({{batch_->world(i).setup(), {}}});
}

const History& PythonBatch::none() noexcept {
  static const History history;
  return history;
}

void PythonBatch::step(std::span<const Commands> commands_of_all) {
  for (std::size_t i = 0; i < histories_.size(); ++i) {
    std::vector<Commands>& played = histories_[i].back().commands;
    if (options_.reset_when_over && batch_->over()[i] != 0) {
      played.clear();  // the step begins the match again
    } else {
      played.push_back(commands_of_all[i]);
    }
  }
  batch_->step(commands_of_all);
}

void PythonBatch::reset(std::span<const std::uint8_t> mask) {
  batch_->reset(mask);
  for (std::size_t i = 0; i < histories_.size(); ++i) {
    if (mask[i] != 0) histories_[i].back().commands.clear();
  }
}

void PythonBatch::restore(std::span<const std::uint8_t> mask, const engine::Snapshot& snapshot,
                          const History& history) {
  batch_->restore(mask, snapshot);
  for (std::size_t i = 0; i < histories_.size(); ++i) {
    if (mask[i] != 0) histories_[i] = history;
  }
}

void PythonBatch::fork(std::size_t from, std::span<const std::uint8_t> mask) {
  batch_->fork(from, mask);
  for (std::size_t i = 0; i < histories_.size(); ++i) {
    if (mask[i] != 0) histories_[i] = histories_[from];
  }
}

void PythonBatch::begin_match(std::size_t index, const engine::MatchSetup& setup) {
  batch_->begin_match(index, setup);
  if (!histories_.empty()) histories_[index] = {{setup, {}}};
}

std::vector<std::uint8_t> PythonBatch::deaths_after_rest(std::span<const std::uint8_t> mask) const {
  std::vector<engine::World> worlds;
  for (std::size_t i = 0; i < size(); ++i) {
    if (mask[i] != 0) worlds.push_back(batch_->fork_to_world(i));
  }
  const auto goes_on = [](const engine::World& world) {
    const bool decided = world.dead(engine::Player::first) && world.dead(engine::Player::second);
    return !decided && !world.takes_commands() && !world.match_over() && world.is_finite();
  };
  std::vector<engine::World*> resting;
  for (engine::World& world : worlds) resting.push_back(&world);
  const std::vector<Commands> stop(worlds.size());
  for (;;) {
    std::erase_if(resting, [&](const engine::World* world) { return !goes_on(*world); });
    if (resting.empty()) break;
    engine::step_together(resting, std::span(stop).first(resting.size()));
  }
  std::vector<std::uint8_t> dead;
  for (const engine::World& world : worlds) {
    for (const engine::Player player : engine::kPlayers) dead.push_back(world.dead(player));
  }
  return dead;
}

void PythonBatch::save(std::size_t index, PythonSnapshot& snapshot) const {
  const engine::World& world = batch_->world(index);
  snapshot.save(world, std::make_shared<const engine::MatchSetup>(world.setup()),
                histories_.empty() ? none() : histories_[index]);
}

std::unique_ptr<PythonWorld> PythonBatch::world(std::size_t index) const {
  return std::make_unique<PythonWorld>(batch_->fork_to_world(index), histories_.empty() ? none() : histories_[index]);
}

std::unique_ptr<PythonBatch> PythonBatch::fork() {
  auto twin = std::make_unique<PythonBatch>(get().fork(), options_, 0);
  twin->histories_ = histories_;
  twin->random_ = random_;
  twin->held_ = held_;
  twin->ticks_left_ = ticks_left_;
  return twin;
}

// Returns a new array object each time, which its user may change. NumPy makes it from another array in half the time.
template <typename T>
py::object PythonBatch::view(py::object& whole, std::span<const T> values, std::size_t width, Element element) {
  if (!whole) {
    const py::capsule owner(new std::shared_ptr<WorldBatch>(batch_),
                            [](void* shared) { delete static_cast<std::shared_ptr<WorldBatch>*>(shared); });
    whole = view_of(values.data(), width == 1 ? Shape{size()} : Shape{size(), width}, owner, element);
  }
  auto array = py::reinterpret_steal<py::object>(PyObject_GetItem(whole.ptr(), Py_Ellipsis));
  if (!array) throw py::error_already_set();
  return array;
}

py::object PythonBatch::observations() {
  return view(observations_, get().observations(), engine::kObservationSize, Element::float64);
}
py::object PythonBatch::states() {
  return view(states_, get().compute_full_observations(), engine::kFullObservationSize, Element::float64);
}
py::object PythonBatch::dead() { return view(dead_, get().dead(), 2, Element::boolean); }
py::object PythonBatch::over() { return view(over_, get().over(), 1, Element::boolean); }

py::object PythonBatch::random_commands(std::size_t hold) {
  check_usable("Batch");
  NewArray<std::int8_t> result({size(), 2});
  std::int8_t* to = result.values;
  for (std::size_t i = 0; i < size(); ++i) {
    for (std::size_t side = 0; side < 2; ++side) {
      if (ticks_left_[i][side]-- == 0) {
        held_[i][side] = static_cast<std::int8_t>(number_of(random_.pick(engine::kCommands)));
        ticks_left_[i][side] = random_.below(hold);
      }
      *to++ = held_[i][side];
    }
  }
  return std::move(result.array);
}

// Returns (arithmetic, engine, threads, reset_when_over, setups, setup of each world, states, random numbers). A state
// is a flat world's bytes, or the commands that a Chipmunk world played.
py::tuple PythonBatch::state() {
  const WorldBatch& batch = get();
  std::vector<engine::MatchSetup> kinds;
  std::vector<std::uint32_t> kind_of(size());
  py::list setups, states;
  engine::Snapshot snapshot;
  for (std::size_t i = 0; i < size(); ++i) {
    const engine::MatchSetup& setup = batch.world(i).setup();
    const auto kind = std::ranges::find(kinds, setup);
    kind_of[i] = static_cast<std::uint32_t>(kind - kinds.begin());
    if (kind == kinds.end()) {
      kinds.push_back(setup);
      setups.append(pickled(setup));
    }
    if (histories_.empty()) {
      batch.save(i, snapshot);
      states.append(bytes_of(snapshot));
    } else {
      states.append(pickled(histories_[i].back().commands));
    }
  }
  const auto words = std::bit_cast<std::array<std::uint64_t, 4>>(random_);
  const py::tuple random = py::make_tuple(bytes_of_values(std::vector(words.begin(), words.end())),
                                          bytes_of_values(held_), bytes_of_values(ticks_left_));
  return py::make_tuple(std::string(to_string(arithmetic_of(options_.physics))),
                        std::string(engine_name(options_.physics)), options_.threads, options_.reset_when_over,
                        py::tuple(setups), bytes_of_values(kind_of), py::tuple(states), random);
}

std::unique_ptr<PythonBatch> PythonBatch::of_state(const py::tuple& state) {
  engine::BatchOptions options;
  options.physics = physics_of(state[0].cast<std::string>(), state[1].cast<std::string>());
  options.threads = state[2].cast<std::size_t>();
  options.reset_when_over = state[3].cast<bool>();
  std::vector<engine::MatchSetup> kinds, setups;
  for (const py::handle setup : state[4].cast<py::tuple>()) kinds.push_back(setup_of_pickle(setup));
  const auto states = state[6].cast<py::tuple>();
  std::vector<std::uint32_t> kind_of(states.size());
  read_values(state[5], kind_of);
  for (const std::uint32_t kind : kind_of) {
    if (kind >= kinds.size()) throw Error("a Batch's pickle: damaged");
    setups.push_back(kinds[kind]);
  }
  auto batch = std::make_unique<PythonBatch>(WorldBatch(setups, options), options, 0);
  std::vector<History> histories;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (batch->histories_.empty()) {
      batch->batch_->restore(i, snapshot_of(states[i], batch->batch_->world(i)));
    } else {
      histories.push_back({{setups[i], commands_of_pickle(states[i])}});
    }
  }
  if (!histories.empty()) batch->replay(histories);
  const auto random = state[7].cast<py::tuple>();
  std::vector<std::uint64_t> words(4);
  read_values(random[0], words);
  batch->random_ = std::bit_cast<Random>(std::array{words[0], words[1], words[2], words[3]});
  read_values(random[1], batch->held_);
  read_values(random[2], batch->ticks_left_);
  return batch;
}

// Replays histories. All end at the same step: a world with a shorter history begins its match later.
void PythonBatch::replay(const std::vector<History>& histories) {
  std::size_t longest = 0;
  for (const History& history : histories) longest = std::max(longest, history.back().commands.size());
  std::vector<Commands> row(size());
  for (std::size_t tick = 0; tick <= longest; ++tick) {
    for (std::size_t i = 0; i < size(); ++i) {
      const std::vector<Commands>& played = histories[i].back().commands;
      const std::size_t before = longest - played.size();
      if (tick == before) batch_->reset(i);
      row[i] = tick < before || tick == longest ? Commands{} : played[tick - before];
    }
    if (tick < longest) batch_->step(row);
  }
  histories_ = histories;
}

}  // namespace forkmunk::python
