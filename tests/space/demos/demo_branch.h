// SPDX-License-Identifier: MIT
#pragma once

#include "demo_program.h"

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/space/space.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

extern "C" {
extern const DemoProgram demos_of_space, demos_of_stock, demos_of_ids;
}

namespace forkmunk::space {

using Variables = std::vector<std::uintptr_t>;

/// A demo's scene on forkmunk::space, which can fork. One thread at a time may use the branches of a unit.
class Branch {
 public:
  Branch(const DemoUnit& unit, int scene, std::uint32_t seed);

  void tick();
  [[nodiscard]] std::uint64_t hash() const;
  [[nodiscard]] std::uint64_t positions() const { return demos_of_space.positions(demo_space()); }
  /// Omits the hand's joint.
  [[nodiscard]] DemoCensus census() const;
  [[nodiscard]] const Space& world() const { return world_; }

  struct Saved {
    Snapshot snapshot;
    Variables variables;
  };
  void save(Saved& saved) const;
  [[nodiscard]] bool restore(const Saved& saved);
  [[nodiscard]] Branch fork() const;

  /// \return whether only the Space's own space is left.
  [[nodiscard]] bool finish();

 private:
  Branch(const DemoUnit& unit, Space world, Variables variables);
  template <typename Action>
  void run(Action action);
  [[nodiscard]] cpSpace* demo_space() const;

  const DemoUnit* unit_;
  Space world_;
  Variables variables_;
};

class StockScene {
 public:
  /// The keys of cached contacts, which order `separate`.
  enum class Order : std::uint8_t { of_addresses, of_ids };
  StockScene(std::size_t unit_index, int scene, std::uint32_t seed, Order order);
  ~StockScene();
  StockScene(const StockScene&) = delete;

  void tick();
  [[nodiscard]] std::uint64_t positions() const;

 private:
  template <typename Action>
  void run(Action action);

  const DemoProgram* program_;
  const DemoUnit* unit_;
  Variables variables_;
};

}  // namespace forkmunk::space
