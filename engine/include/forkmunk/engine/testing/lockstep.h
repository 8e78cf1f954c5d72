// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/testing/state.h>
#include <forkmunk/engine/world.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

/// Both engines in lockstep, in strict arithmetic: after every tick their live states must be equal, bit by bit, as
/// must be the state of a flat world that is stepped in a group (step_together()).
namespace forkmunk::engine {

/// The first difference of two engines.
struct EngineDifference {
  std::size_t match = 0;  ///< 0-based.
  int tick = 0;           ///< Steps done in the match.
  std::string chipmunk;   ///< "cars.1.rear.velocity.x = 3.25"
  std::string flat;       ///< The same in the flat engine.
};

/// A Chipmunk world and flat worlds with the same commands.
class Lockstep {
 public:
  Lockstep();

  /// \throws InvalidSetup.
  void begin_match(const MatchSetup& setup);
  /// Steps all and compares their hashes, and the values if these differ. \return whether all are still equal.
  bool step(Commands commands);

  /// The first difference; std::nullopt as long as there was none.
  [[nodiscard]] const std::optional<EngineDifference>& difference() const noexcept { return difference_; }
  /// The flat world, to observe and to plan in. The caller must restore its state.
  [[nodiscard]] World& flat() noexcept { return flat_; }
  [[nodiscard]] std::size_t tick_count() const noexcept { return tick_count_; }

 private:
  bool compare();
  void note_difference(const World& expected, const World& found, const char* whose);
  [[nodiscard]] World& twin() noexcept { return group_[match_count_ % group_.size()]; }

  World chipmunk_, flat_;
  // Stepped as one group: one of them goes flat_'s way, in lockstep with others that do not. More than are solved at
  // once, and no multiple of it.
  std::array<World, 9> group_;
  std::size_t match_count_ = 0;
  std::size_t tick_count_ = 0;
  std::optional<EngineDifference> difference_;
};

}  // namespace forkmunk::engine
