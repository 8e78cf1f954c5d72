#pragma once

#include <forkmunk/engine/testing/state.h>
#include <forkmunk/engine/world.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

/// Both engines side by side in strict arithmetic: after every tick all of their live state must be equal, bit by bit;
/// and so must a flat world be that is stepped in a group (step_together()).
namespace forkmunk::engine {

/// Where two engines part.
struct EngineDifference {
  std::size_t match = 0;  ///< 0-based.
  int tick = 0;           ///< Steps done in the match.
  std::string chipmunk;   ///< "cars.1.rear.velocity.x = 3.25"
  std::string flat;       ///< The same in the flat engine.
};

/// A Chipmunk world and flat ones that do the same.
class Lockstep {
 public:
  Lockstep();

  /// \throws InvalidSetup.
  void begin_match(const MatchSetup& setup);
  /// Steps all, and compares them by hash; only if that differs, value by value. \return whether they are equal still.
  bool step(Commands commands);

  /// The first difference there was; nothing as long as there was none.
  [[nodiscard]] const std::optional<EngineDifference>& difference() const noexcept { return difference_; }
  /// The flat world: to look at, and to plan in. It must be left as it was.
  [[nodiscard]] World& flat() noexcept { return flat_; }
  [[nodiscard]] std::size_t tick_count() const noexcept { return tick_count_; }

 private:
  bool compare();
  void note_difference(const World& expected, const World& found, const char* whose);
  [[nodiscard]] World& twin() noexcept { return group_[match_count_ % group_.size()]; }

  World chipmunk_, flat_;
  // Stepped as one group: one of them goes flat_'s way, side by side with others that do not. More than are solved at
  // once, and no multiple of it.
  std::array<World, 9> group_;
  std::size_t match_count_ = 0;
  std::size_t tick_count_ = 0;
  std::optional<EngineDifference> difference_;
};

}  // namespace forkmunk::engine
