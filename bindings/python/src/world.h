// SPDX-License-Identifier: MIT
#pragma once

#include "guarded.h"

#include <forkmunk/engine/world.h>

#include <memory>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

namespace forkmunk::python {

/// A match that a Chipmunk world played. A Chipmunk world's bytes are valid in that world alone, but the same matches
/// and commands lead other worlds to its state.
struct PlayedMatch {
  engine::MatchSetup setup;
  std::vector<engine::Commands> commands;
};
using History = std::vector<PlayedMatch>;

/// A snapshot of any physics that stays in this process, and is restored with one memcpy.
class PythonSnapshot : public Guarded {
 public:
  [[nodiscard]] const engine::Snapshot& get() const {
    check_usable("Snapshot");
    return snapshot_;
  }
  /// Saves `world`, whose `history` is known unless it is flat.
  void save(const engine::World& world, std::shared_ptr<const engine::MatchSetup> setup, const History& history) {
    check_usable("Snapshot");
    if (readers_ != 0) throw Error("Snapshot: found one that another thread is reading; save into another one");
    world.save(snapshot_);
    setup_ = std::move(setup);
    physics_ = world.physics();
    history_ = history;
  }
  [[nodiscard]] const History& history() const noexcept { return history_; }
  [[nodiscard]] engine::Physics physics() const noexcept { return physics_; }
  /// \throws Error before the first save.
  [[nodiscard]] engine::World world() const;
  /// Convert to the state that pickle keeps, and back. \throws Error
  [[nodiscard]] pybind11::tuple state() const;
  [[nodiscard]] static std::unique_ptr<PythonSnapshot> of_state(const pybind11::tuple& state);

  /// Keeps save() from changing the snapshot while the GIL is released. It is made and destroyed with the GIL held.
  class Reading {
   public:
    explicit Reading(PythonSnapshot& snapshot) noexcept : snapshot_(snapshot) { ++snapshot_.readers_; }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;
    ~Reading() { --snapshot_.readers_; }

   private:
    PythonSnapshot& snapshot_;
  };

 private:
  int readers_ = 0;
  engine::Snapshot snapshot_;
  std::shared_ptr<const engine::MatchSetup> setup_;  // null before the first save
  engine::Physics physics_ = engine::Physics::flat;
  History history_;
};

class PythonWorld : public Guarded {
 public:
  /// \param history  the matches that a Chipmunk world played; empty: unknown, so that it cannot be pickled.
  PythonWorld(engine::World world, History history);

  [[nodiscard]] engine::World& get() {
    check_usable("World");
    return world_;
  }
  void begin_match(const engine::MatchSetup& setup);
  void step(engine::Commands commands) {
    get().step(commands);
    if (!history_.empty()) history_.back().commands.push_back(commands);
  }
  void save(PythonSnapshot& snapshot);
  void restore(const PythonSnapshot& snapshot);
  [[nodiscard]] std::unique_ptr<PythonWorld> fork() { return std::make_unique<PythonWorld>(get().fork(), history_); }
  /// Convert to the state that pickle keeps, and back. \throws Error
  [[nodiscard]] pybind11::tuple state();
  [[nodiscard]] static std::unique_ptr<PythonWorld> of_state(const pybind11::tuple& state);

 private:
  engine::World world_;
  History history_;                                  // empty if flat or unknown
  std::shared_ptr<const engine::MatchSetup> setup_;  // shared with snapshots; null before the first
};

/// Convert parts of a pickle: a setup, commands. \throws Error for damaged parts.
[[nodiscard]] pybind11::bytes pickled(const engine::MatchSetup& setup);
[[nodiscard]] engine::MatchSetup setup_of_pickle(const pybind11::handle& bytes);
[[nodiscard]] pybind11::bytes pickled(const std::vector<engine::Commands>& commands);
[[nodiscard]] std::vector<engine::Commands> commands_of_pickle(const pybind11::handle& bytes);

}  // namespace forkmunk::python
