// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/world.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace forkmunk::engine {

/// Returns everything that decides a world's future, in an order that both engines share, with all digits of doubles:
/// "cars.1.rear.velocity.x = 3.25", "contact 81-90 point 0 hash = 7". \pre a match has begun.
[[nodiscard]] std::vector<std::string> state_of(const World& world);

struct StateDifference {
  std::string a, b;  ///< Values of state_of(), or "nothing" where a world has no more values.
};

/// \pre both have a match.
[[nodiscard]] std::optional<StateDifference> first_difference(const World& a, const World& b);

struct EngineDifference {
  std::size_t match = 0;  ///< 0-based.
  int tick = 0;           ///< Within the match.
  std::string chipmunk;   ///< "cars.1.rear.velocity.x = 3.25"
  std::string flat;
};

/// Steps both engines in lockstep, in strict arithmetic. After every tick their live states must be equal, also that of
/// a flat world that is stepped in a group (step_together()).
class Lockstep {
 public:
  Lockstep();

  /// \throws InvalidSetup.
  void begin_match(const MatchSetup& setup);
  /// \return whether all worlds are still equal.
  bool step(Commands commands);

  [[nodiscard]] const std::optional<EngineDifference>& difference() const noexcept { return difference_; }
  /// The caller must restore the state of the flat world.
  [[nodiscard]] World& flat() noexcept { return flat_; }
  [[nodiscard]] std::size_t tick_count() const noexcept { return tick_count_; }

 private:
  bool compare();
  void note_difference(const World& expected, const World& found, const char* whose);
  [[nodiscard]] World& twin() noexcept { return group_[match_count_ % group_.size()]; }

  World chipmunk_, flat_;
  // One world gets the commands of flat_, beside others that do not. There are more worlds than are solved at once, and
  // no multiple of that number.
  std::array<World, 9> group_;
  std::size_t match_count_ = 0;
  std::size_t tick_count_ = 0;
  std::optional<EngineDifference> difference_;
};

}  // namespace forkmunk::engine
