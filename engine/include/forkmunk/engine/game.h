// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/world.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace forkmunk::engine {

/// The steps after which a game ends unfinished.
inline constexpr std::int64_t kGameTicksMax = 20'000;

[[nodiscard]] constexpr int starting_lives(std::size_t match_count) noexcept {
  return static_cast<int>((match_count + 1) / 2);
}

/// Returns std::nullopt for equal numbers.
[[nodiscard]] std::optional<Player> leader_of(const Lives& lives) noexcept;

/// Removes a life from every player who died in the match that is over.
void settle_lives(const World& world, Lives& lives) noexcept;

/// The state of a game that is not over. With Chipmunk, only the game that saved it can continue from it, in the same
/// match. In the flat engine, any game of the same matches can.
struct GameSnapshot {
  std::size_t match_index = 0;
  Lives lives{};
  std::int64_t tick_num = 0;
  Snapshot world;
};

/// A game by the referee's rules: matches in one world until a player has no lives, no match or no tick is left.
///
///   playing -> (a player died, 90 steps of rest) -> match over -> next_match() -> playing -> ... -> over
///           -> (the world became non-finite) -> over
class Game {
 public:
  enum class Event : std::uint8_t {
    ticked,      ///< The match continues, or rests.
    match_over,  ///< Lives were removed; the world still shows the match's end.
    game_over,   ///< No match follows, or the game ended during a match.
  };

  /// Sets up the first match. \param lives  the lives at the start; by default starting_lives(). \throws InvalidSetup
  /// for any bad match; Error for no matches, or if this build lacks `physics`.
  Game(std::vector<MatchSetup> matches, Physics physics, std::optional<Lives> lives = {});

  /// \pre !over(), and next_match() was called after match_over.
  Event step(Commands commands);
  /// \pre the last step() gave match_over.
  void next_match();

  /// \pre !over().
  [[nodiscard]] GameSnapshot save() const;
  /// Continues from `snapshot`. \throws Error, with the game unchanged, if `snapshot` does not fit.
  void restore(const GameSnapshot& snapshot);

  [[nodiscard]] bool over() const noexcept { return over_; }
  /// Returns whether the game is over because the world became non-finite. Nobody then wins, and the current match
  /// costs no lives.
  [[nodiscard]] bool broken_off() const noexcept { return broken_off_; }
  /// Returns std::nullopt until the game is over, for equal numbers of lives, and for a broken-off game.
  [[nodiscard]] std::optional<Player> winner() const noexcept;

  [[nodiscard]] const World& world() const noexcept { return world_; }
  /// Returns the 0-based index of the current or, when the game is over, the last match.
  [[nodiscard]] std::size_t match_index() const noexcept { return match_index_; }
  /// Returns the lives at the start of the current match; after its end, the remaining lives.
  [[nodiscard]] const Lives& lives() const noexcept { return lives_; }
  /// Returns the steps of the whole game: the `tick_num` of a recording.
  [[nodiscard]] std::int64_t tick_num() const noexcept { return tick_num_; }

 private:
  std::vector<MatchSetup> matches_;
  World world_;
  Lives lives_;
  std::size_t match_index_ = 0;
  std::int64_t tick_num_ = 0;
  bool over_ = false;
  bool broken_off_ = false;
};

}  // namespace forkmunk::engine
