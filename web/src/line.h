#pragma once

#include "futures.h"
#include "number_reader.h"

#include <forkmunk/engine/observation.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/search/planner.h>
#include <forkmunk/search/rules.h>

#include <array>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace forkmunk::web {

/// A tick's state as the page draws it: what bots see.
inline constexpr std::size_t kStateSize = engine::kObservationSize;

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
///
/// A line may also be adopted: a recording in another arithmetic, of which only the marks that it is given are states.
/// Its fork begins at the last mark before the tick, and goes on from there in strict arithmetic, by the recorded
/// commands up to the tick: own_from() says where.
class Line {
 public:
  static constexpr std::size_t kMarkTicks = 64;

  /// At the first tick of the first match.
  explicit Line(std::shared_ptr<const Schedule> schedule);
  /// What is recorded, without a state yet.
  [[nodiscard]] static Line adopt(const formats::Recording& recording);
  /// \throws Error if the snapshot is no state of that tick's match, or not behind the last mark.
  void mark(std::size_t index, std::istream& state);

  /// A line that has the same ticks up to and including `index`, and stands there; or where its game was over before
  /// that. \throws Error if there is no such tick, or no state at it or before.
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

  /// What the best planner makes of a side's position, where the line stands (futures.h).
  [[nodiscard]] Futures futures(engine::Player side, std::int64_t ticks, std::size_t count);

  [[nodiscard]] bool over() const noexcept { return over_; }
  [[nodiscard]] const engine::World& world() const noexcept { return world_; }
  /// Of all ticks, kStateSize each; the last is where the line stands, unless it is over.
  [[nodiscard]] const std::vector<double>& states() const noexcept { return states_; }
  [[nodiscard]] const std::vector<TickFlags>& flags() const noexcept { return flags_; }
  [[nodiscard]] const std::vector<LineMatch>& matches() const noexcept { return matches_; }
  /// The first tick whose state is ours; those before it were recorded in another arithmetic.
  [[nodiscard]] std::size_t own_from() const noexcept { return own_from_; }
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

  struct Empty {};
  Line(std::shared_ptr<const Schedule> schedule, Empty) noexcept : schedule_(std::move(schedule)) {}

  void copy_past(const Line& other, std::size_t index);
  [[nodiscard]] std::size_t match_of(std::size_t index) const;
  [[nodiscard]] engine::Command last_command(engine::Player player) const;
  [[nodiscard]] formats::RecordedCommands commands_at(std::size_t index) const;
  void begin_match();
  void end_match();
  void append_tick();

  std::shared_ptr<const Schedule> schedule_;
  engine::World world_;
  engine::Lives lives_;
  bool over_ = false;
  std::size_t own_from_ = 0;
  std::vector<double> states_;
  std::vector<TickFlags> flags_;
  std::vector<LineMatch> matches_;
  std::vector<Mark> marks_;
  std::array<Seat, 2> seats_;
  search::Rules rules_;
};

}  // namespace forkmunk::web
