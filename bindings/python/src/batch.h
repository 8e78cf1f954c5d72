// SPDX-License-Identifier: MIT
#pragma once

#include "arrays.h"
#include "guarded.h"
#include "world.h"

#include <forkmunk/base/random.h>
#include <forkmunk/engine/world_batch.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <pybind11/pybind11.h>

namespace forkmunk::python {

/// A WorldBatch, as Python holds it.
class PythonBatch : public Guarded {
 public:
  PythonBatch(engine::WorldBatch batch, const engine::BatchOptions& options, std::uint64_t seed);

  [[nodiscard]] engine::WorldBatch& get() {
    check_usable("Batch");
    return *batch_;
  }
  [[nodiscard]] std::size_t size() const noexcept { return batch_->size(); }

  void step(std::span<const engine::Commands> commands_of_all);
  void reset(std::span<const std::uint8_t> mask);
  void restore(std::span<const std::uint8_t> mask, const engine::Snapshot& snapshot, const History& history);
  void fork(std::size_t from, std::span<const std::uint8_t> mask);
  void begin_match(std::size_t index, const engine::MatchSetup& setup);
  /// Returns who is dead once the rest after a death is over, two numbers for each world of the mask. Does not change
  /// the worlds.
  [[nodiscard]] std::vector<std::uint8_t> deaths_after_rest(std::span<const std::uint8_t> mask) const;
  void save(std::size_t index, PythonSnapshot& snapshot) const;
  [[nodiscard]] std::unique_ptr<PythonWorld> world(std::size_t index) const;

  /// Returns a twin of the whole batch.
  [[nodiscard]] std::unique_ptr<PythonBatch> fork();
  /// Convert to the state that pickle keeps, and back. \throws Error
  [[nodiscard]] pybind11::tuple state();
  [[nodiscard]] static std::unique_ptr<PythonBatch> of_state(const pybind11::tuple& state);

  /// Returns random commands for all worlds, each held for 1 to `hold` ticks.
  [[nodiscard]] pybind11::object random_commands(std::size_t hold);

  /// Return read-only arrays over the batch's memory, which they keep alive.
  [[nodiscard]] pybind11::object observations();
  [[nodiscard]] pybind11::object states();
  [[nodiscard]] pybind11::object dead();
  [[nodiscard]] pybind11::object over();

  std::vector<engine::Commands> commands;  // the commands of a step, reused

 private:
  void replay(const std::vector<History>& histories);
  [[nodiscard]] static const History& none() noexcept;

  template <typename T>
  pybind11::object view(pybind11::object& whole, std::span<const T> values, std::size_t width, Element element);

  // Shared with the arrays, so that the batch may keep arrays without a cycle.
  std::shared_ptr<engine::WorldBatch> batch_;
  engine::BatchOptions options_;
  // The histories of Chipmunk worlds, which replace states in pickles; otherwise empty.
  std::vector<History> histories_;
  Random random_;
  std::vector<std::array<std::int8_t, 2>> held_;
  std::vector<std::array<std::uint32_t, 2>> ticks_left_;
  pybind11::object observations_, states_, dead_, over_;  // null before their first use
};

}  // namespace forkmunk::python
