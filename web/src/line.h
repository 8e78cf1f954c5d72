#pragma once

#include "number_reader.h"

#include <forkmunk/engine/world.h>
#include <forkmunk/search/planner.h>
#include <forkmunk/search/rules.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace forkmunk::web {

/// A tick's state as the page draws it: x, y, angle of body, rear and front wheel of each car; the deadline.
inline constexpr std::size_t kStateSize = 19;

/// What is told of a tick beside its state.
struct TickFlags {
  std::array<std::uint8_t, 2> alive{};
  std::array<std::int8_t, 2> commands{-1, -1};  ///< Taken at it; -1: none, or not yet.
};

/// A match of a line.
struct LineMatch {
  std::size_t first = 0;  ///< Index of its first tick.
  engine::Lives lives{};  ///< Before it.
  std::array<engine::DeathCause, 2> causes{};
};

/// A game from its first tick to where it has been played, by the referee's rules: what a recording lists, and the
/// state at which it goes on. A line can be forked at any of its ticks; the fork shares its past.
///
/// States are kept every kMarkTicks ticks, so that a fork steps at most so many.
class Line {
 public:
  static constexpr std::size_t kMarkTicks = 64;

  /// At the first tick of the first match.
  explicit Line(std::shared_ptr<const Schedule> schedule);

  /// A line that has the same ticks up to and including `index`, and stands there. \throws Error if there is no such
  /// tick.
  [[nodiscard]] Line fork(std::size_t index) const;
  /// Computes a tick; a match that is over is followed by the next. Nothing happens when over().
  void step(formats::RecordedCommands commands);

  /// For checks: the world alone, without the rules of a game. Nothing is kept of it.
  void step_world(engine::Commands commands) { world_.step(commands); }

  /// Puts a planner into a seat, from here on. \throws Error if there is none of that name.
  void seat(engine::Player player, std::string_view planner, std::uint64_t seed);
  /// What the planner in that seat does now. \param enemy_last  nothing: the opponent's command of the last tick.
  /// \throws Error if nobody sits there.
  [[nodiscard]] search::Decision decide(engine::Player player, std::optional<engine::Command> enemy_last,
                                        search::Budget& budget, bool rules);

  /// The state where the line stands, as planners score it; a death counts as a lost or won match.
  [[nodiscard]] double score(engine::Player player) const;

  [[nodiscard]] bool over() const noexcept { return over_; }
  [[nodiscard]] const engine::World& world() const noexcept { return world_; }
  /// Of all ticks, kStateSize each; the last is where the line stands, unless it is over.
  [[nodiscard]] const std::vector<double>& states() const noexcept { return states_; }
  [[nodiscard]] const std::vector<TickFlags>& flags() const noexcept { return flags_; }
  [[nodiscard]] const std::vector<LineMatch>& matches() const noexcept { return matches_; }
  /// Of the match that is being played, or what is left at the end.
  [[nodiscard]] const engine::Lives& lives() const noexcept { return lives_; }

 private:
  struct Mark {
    std::size_t index;
    std::shared_ptr<const engine::Snapshot> snapshot;
  };
  struct Seat {
    std::unique_ptr<search::Planner> planner;
    std::size_t match = SIZE_MAX;  // in which it was begun
  };

  void begin_match();
  void end_match();
  void append_tick();

  std::shared_ptr<const Schedule> schedule_;
  engine::World world_;
  engine::Lives lives_;
  bool over_ = false;
  std::vector<double> states_;
  std::vector<TickFlags> flags_;
  std::vector<LineMatch> matches_;
  std::vector<Mark> marks_;
  std::array<Seat, 2> seats_;
  search::Rules rules_;
};

}  // namespace forkmunk::web
