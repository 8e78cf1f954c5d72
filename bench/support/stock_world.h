// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/world.h>

#include <memory>

namespace forkmunk::bench {

/// A game in stock Chipmunk, as the referee plays it: one space on malloc, from which a match's objects are removed one
/// by one before the next match is built. It is the reference of the benchmarks, and the oracle of World, with the same
/// rules, calls and bits, but cannot be saved or restored.
class StockWorld {
 public:
  /// \throws Error if this build does not have `arithmetic`.
  explicit StockWorld(Arithmetic arithmetic);
  ~StockWorld();
  StockWorld(StockWorld&&) = delete;

  /// \throws InvalidSetup, with nothing changed.
  void begin_match(const engine::MatchSetup& setup);
  /// \pre begin_match() was called.
  void step(engine::Commands commands) noexcept;

  [[nodiscard]] engine::CarState car(engine::Player player) const noexcept;
  [[nodiscard]] double deadline_y() const noexcept;
  [[nodiscard]] bool dead(engine::Player player) const noexcept;
  [[nodiscard]] bool match_over() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Compares all observable values by ==: cars, deaths, the deadline, the end of the match.
[[nodiscard]] bool same_state(const engine::World& world, const StockWorld& stock) noexcept;

}  // namespace forkmunk::bench
