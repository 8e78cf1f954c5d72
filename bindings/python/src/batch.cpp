// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "arrays.h"
#include "copies.h"
#include "documented.h"
#include "guarded.h"
#include "module.h"
#include "world.h"

#include <forkmunk/base/random.h>
#include <forkmunk/engine/observation.h>
#include <forkmunk/engine/world_batch.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <pybind11/pybind11.h>

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

class PythonBatch : public Guarded {
 public:
  PythonBatch(WorldBatch batch, const engine::BatchOptions& options, std::uint64_t seed)
      : batch_(std::make_shared<WorldBatch>(std::move(batch))), options_(options), random_(seed) {
    held_.resize(size());
    ticks_left_.resize(size());
    if (options.physics == engine::Physics::flat) return;
    for (std::size_t i = 0; i < size(); ++i) histories_.push_back({{batch_->world(i).setup(), {}}});
  }

  [[nodiscard]] engine::WorldBatch& get() {
    check_usable("Batch");
    return *batch_;
  }
  [[nodiscard]] std::size_t size() const noexcept { return batch_->size(); }
  [[nodiscard]] std::size_t index_of(py::handle object, const char* what) const {
    check_usable("Batch");
    const std::size_t index = count_of(object, what);
    if (index < size()) return index;
    refuse_value(what, "world " + std::to_string(index), "one below " + std::to_string(size()));
  }

  void step(std::span<const Commands> commands_of_all) {
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

  void reset(std::span<const std::uint8_t> mask) {
    batch_->reset(mask);
    for (std::size_t i = 0; i < histories_.size(); ++i) {
      if (mask[i] != 0) histories_[i].back().commands.clear();
    }
  }

  void restore(std::span<const std::uint8_t> mask, const engine::Snapshot& snapshot, const History& history) {
    batch_->restore(mask, snapshot);
    for (std::size_t i = 0; i < histories_.size(); ++i) {
      if (mask[i] != 0) histories_[i] = history;
    }
  }

  void fork(std::size_t from, std::span<const std::uint8_t> mask) {
    batch_->fork(from, mask);
    for (std::size_t i = 0; i < histories_.size(); ++i) {
      if (mask[i] != 0) histories_[i] = histories_[from];
    }
  }

  void begin_match(std::size_t index, const engine::MatchSetup& setup) {
    batch_->begin_match(index, setup);
    if (!histories_.empty()) histories_[index] = {{setup, {}}};
  }

  void save(std::size_t index, PythonSnapshot& snapshot) const {
    const engine::World& world = batch_->world(index);
    snapshot.save(world, std::make_shared<const engine::MatchSetup>(world.setup()),
                  histories_.empty() ? none() : histories_[index]);
  }

  [[nodiscard]] std::unique_ptr<PythonWorld> world(std::size_t index) const {
    return std::make_unique<PythonWorld>(batch_->fork_to_world(index), histories_.empty() ? none() : histories_[index]);
  }

  [[nodiscard]] std::unique_ptr<PythonBatch> fork() {
    auto twin = std::make_unique<PythonBatch>(get().fork(), options_, 0);
    twin->histories_ = histories_;
    twin->random_ = random_;
    twin->held_ = held_;
    twin->ticks_left_ = ticks_left_;
    return twin;
  }

  /// Returns a pickle's state: (arithmetic, engine, threads, reset_when_over, setups, setup of each world, states,
  /// random numbers). A world's state is a flat world's bytes, or a Chipmunk world's commands.
  [[nodiscard]] py::tuple state() {
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

  [[nodiscard]] static std::unique_ptr<PythonBatch> of_state(const py::tuple& state) {
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

  [[nodiscard]] py::object random_commands(std::size_t hold) {
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

  /// Return read-only arrays over the batch's memory, which they keep alive.
  [[nodiscard]] py::object observations() {
    return view(observations_, get().observations(), engine::kObservationSize, Element::float64);
  }

  [[nodiscard]] py::object states() {
    return view(states_, get().compute_full_observations(), engine::kFullObservationSize, Element::float64);
  }

  [[nodiscard]] py::object dead() { return view(dead_, get().dead(), 2, Element::boolean); }
  [[nodiscard]] py::object over() { return view(over_, get().over(), 1, Element::boolean); }

  std::vector<engine::Commands> commands;  // of a step, reused

 private:
  // Replays histories, which end at the same step: worlds with shorter ones begin later.
  void replay(const std::vector<History>& histories) {
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

  [[nodiscard]] static const History& none() noexcept {
    static const History history;
    return history;
  }

  // Returns a new array, whose shape its user may change. NumPy makes it from another array in half the time.
  template <typename T>
  py::object view(py::object& whole, std::span<const T> values, std::size_t width, Element element) {
    if (!whole) {
      const py::capsule owner(new std::shared_ptr<WorldBatch>(batch_),
                              [](void* shared) { delete static_cast<std::shared_ptr<WorldBatch>*>(shared); });
      whole = view_of(values.data(), width == 1 ? Shape{size()} : Shape{size(), width}, owner, element);
    }
    return taken(PyObject_GetItem(whole.ptr(), Py_Ellipsis));
  }

  // Shared with the arrays, so that the batch may keep arrays without a cycle.
  std::shared_ptr<engine::WorldBatch> batch_;
  engine::BatchOptions options_;
  // The histories of Chipmunk worlds, for pickles.
  std::vector<History> histories_;
  Random random_;
  std::vector<std::array<std::int8_t, 2>> held_;
  std::vector<std::array<std::uint32_t, 2>> ticks_left_;
  py::object observations_, states_, dead_, over_;  // null before their first use
};

using engine::kFullObservationSize;
using engine::kObservationSize;

constexpr std::size_t kWorldCountMax = 1'000'000;
constexpr std::size_t kRolloutBytesMax = std::size_t{1} << 36;
constexpr std::size_t kRolloutPartCommands = std::size_t{1} << 16;  // computed at once

std::unique_ptr<PythonBatch> make_batch(py::handle map, py::handle car, const py::object& n, const py::object& threads,
                                        const py::object& seed_given, bool reset_when_over,
                                        const std::string& arithmetic, const std::optional<std::string>& engine) {
  engine::BatchOptions options;
  options.physics = physics_of(arithmetic, engine);
  options.threads = count_of(threads, "Batch(threads=)", 0, kThreadCountMax);
  const std::uint64_t seed = count_of(seed_given, "Batch(seed=)");
  options.reset_when_over = reset_when_over;
  const auto count_of_worlds = [](const py::object& count) { return count_of(count, "Batch(n=)", 1, kWorldCountMax); };
  if (!py::isinstance<py::list>(map) && !py::isinstance<py::tuple>(map)) {
    const std::size_t count = n.is_none() ? 1 : count_of_worlds(n);
    const engine::MatchSetup setup = setup_of(map, car);
    const WithoutGil release;
    return std::make_unique<PythonBatch>(WorldBatch(setup, count, options), options, seed);
  }
  const auto list = py::reinterpret_borrow<py::sequence>(map);
  if (!car.is_none()) throw Error("Batch: found a list of setups and a car, expected the list alone");
  if (list.size() == 0) throw Error("Batch: found a list without setups, expected one or more");
  if (count_of_worlds(n.is_none() ? py::int_(list.size()) : n) != list.size())
    refuse_value("Batch(n=)", n, "the " + std::to_string(list.size()) + " of the list");
  std::vector<engine::MatchSetup> setups;
  for (const py::handle entry : list) setups.push_back(setup_of(entry));
  const WithoutGil release;
  return std::make_unique<PythonBatch>(WorldBatch(setups, options), options, seed);
}

py::object step(PythonBatch& batch, py::handle commands) {
  batch.check_usable("Batch");
  const std::ptrdiff_t shape[] = {static_cast<std::ptrdiff_t>(batch.size()), 2};
  read_commands(commands, "Batch.step()", shape, batch.commands);
  {
    const auto use = batch.use();
    const WithoutGil release;
    batch.step(batch.commands);
  }
  return batch.observations();
}

void reset(PythonBatch& self, py::handle mask) {
  self.check_usable("Batch");
  self.reset(mask_of(mask, "Batch.reset()", self.size()));
}

// Reads an index, or a mask as mask_of() does.
std::vector<std::uint8_t> worlds_of(const PythonBatch& batch, py::handle where, const char* what) {
  if (is_array(where) || where.is_none()) return mask_of(where, what, batch.size());
  if (PyIndex_Check(where.ptr()) == 0) refuse_type(what, where, "a world's number, a NumPy array of bool, or None");
  std::vector<std::uint8_t> mask(batch.size());
  mask[batch.index_of(where, what)] = 1;
  return mask;
}

// `object` is a Snapshot, or the bytes of one of `world`'s match.
template <typename Use>
void with_snapshot(py::handle object, const engine::World& world, Use use) {
  if (py::isinstance<PythonSnapshot>(object)) {
    auto& snapshot = object.cast<PythonSnapshot&>();
    const PythonSnapshot::Reading reading(snapshot);  // `use` may release the GIL
    use(snapshot.get(), snapshot.history());
  } else {
    use(snapshot_of(object, world), History());
  }
}

void restore_batch(PythonBatch& self, py::handle where, py::handle snapshot) {
  WorldBatch& batch = self.get();
  const std::vector<std::uint8_t> mask = worlds_of(self, where, "Batch.restore()");
  const auto first = std::ranges::find_if(mask, [](std::uint8_t bit) { return bit != 0; });
  if (first == mask.end()) return;
  const engine::World& world = batch.world(static_cast<std::size_t>(first - mask.begin()));
  with_snapshot(snapshot, world,
                [&](const auto& state, const History& history) { self.restore(mask, state, history); });
}

void fork_batch(PythonBatch& self, py::handle from, py::handle to) {
  const std::size_t source = self.index_of(from, "Batch.fork()");
  self.fork(source, worlds_of(self, to, "Batch.fork()"));
}

// Checks the shape of plans, (k, t, 2), before memory is allocated.
py::tuple rollout(PythonBatch& self, py::handle snapshot, py::handle plans, bool final) {
  WorldBatch& batch = self.get();
  const std::ptrdiff_t any[] = {-1, -1, 2};
  std::vector<engine::Commands> commands;
  read_commands(plans, "Batch.rollout()", any, commands);
  const auto plans_shape = plans.attr("shape").cast<std::vector<std::size_t>>();
  const std::size_t plan_count = plans_shape[0], ticks = plans_shape[1];
  if (plan_count == 0 || ticks == 0) {
    throw Error("Batch.rollout(): found plans of shape (", plan_count, ", ", ticks,
                ", 2), expected at least one plan of at least one tick");
  }
  if (!final && commands.size() > kRolloutBytesMax / (kFullObservationSize * sizeof(double))) {
    throw Error(
        "Batch.rollout(): found plans whose states take more than 64 GB, expected fewer; or ask for final=True");
  }
  // The states are filled in parts, so that Ctrl-C is noticed.
  NewArray<double> states(final ? Shape{plan_count, kFullObservationSize}
                                : Shape{plan_count, ticks, kFullObservationSize});
  NewArray<std::int32_t> deaths({plan_count, 2});
  double* states_data = states.values;
  std::int32_t* deaths_data = deaths.values;
  const std::size_t part = ticks * std::max(kRolloutPartCommands / ticks, 16 * batch.thread_count());
  Interruption interruption;
  with_snapshot(snapshot, batch.world(0), [&](const engine::Snapshot& state, const History&) {
    const auto use = self.use();
    const WithoutGil release;
    engine::Rollout result;
    for (std::size_t done = 0; done < commands.size() && !interruption(); done += part) {
      const auto plans_now = std::span(commands).subspan(done, std::min(part, commands.size() - done));
      batch.rollout(state, plans_now, ticks, result, !final, std::ref(interruption));
      states_data = std::ranges::copy(final ? result.final_states : result.states, states_data).out;
      deaths_data = std::ranges::copy(result.death_ticks, deaths_data).out;
    }
  });
  interruption.rethrow();
  return py::make_tuple(std::move(states.array), std::move(deaths.array));
}

void add_state(DocumentedClass<PythonBatch>& type) {
  type.method("save",
              [](PythonBatch& self, py::handle index) {
                engine::Snapshot snapshot;
                self.get().save(self.index_of(index, "Batch.save()"), snapshot);
                return bytes_of(snapshot);
              })
      .method("snapshot",
              [](PythonBatch& self, py::handle index) {
                auto snapshot = std::make_unique<PythonSnapshot>();
                self.save(self.index_of(index, "Batch.snapshot()"), *snapshot);
                return snapshot;
              })
      .method("restore", &restore_batch)
      .method("fork", &fork_batch)
      .method("world",
              [](PythonBatch& self, py::handle index) { return self.world(self.index_of(index, "Batch.world()")); })
      .method("hash", [](PythonBatch& self,
                         py::handle index) { return self.get().world(self.index_of(index, "Batch.hash()")).hash(); })
      .method("begin_match",
              [](PythonBatch& self, py::handle index, py::handle map, py::handle car) {
                const std::size_t world = self.index_of(index, "Batch.begin_match()");
                self.begin_match(world, setup_of(map, car));
              })
      .method("reset", &reset)
      .method("rollout", &rollout);
}

}  // namespace

void add_batch(py::module_& module) {
  DocumentedClass<PythonBatch> type(module, "Batch");
  type.constructor(py::init(&make_batch))
      .property("n", [](PythonBatch& self) { return self.get().size(); })
      .property("threads", [](PythonBatch& self) { return self.get().thread_count(); })
      .method("step", &step)
      .method("observe",
              [](PythonBatch& self, bool velocities) { return velocities ? self.states() : self.observations(); })
      .property("observations", &PythonBatch::observations)
      .property("states", &PythonBatch::states)
      .property("dead", &PythonBatch::dead)
      .property("over", &PythonBatch::over)
      .method("random_commands",
              [](PythonBatch& self, const py::object& hold) {
                return self.random_commands(count_of(hold, "Batch.random_commands(hold)", 1, 1'000'000));
              })
      .def("__len__", [](PythonBatch& self) { return self.get().size(); })
      .def("__repr__", [](PythonBatch& self) {
        const WorldBatch& batch = self.get();
        return "<madcars.Batch: " + std::to_string(batch.size()) + " worlds, " + std::to_string(batch.thread_count()) +
               " threads>";
      });
  add_state(type);
  add_pickle(type);
}

}  // namespace forkmunk::python
