#pragma once

#include "futures.h"

#include <forkmunk/engine/game.h>
#include <forkmunk/engine/observation.h>
#include <forkmunk/formats/recording.h>
#include <forkmunk/replay/verification.h>
#include <forkmunk/search/planner.h>

#include <array>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forkmunk::wasm {

/// A tick's state as the page draws it: what bots see.
inline constexpr std::size_t kStateSize = engine::kObservationSize;

/// What a tick has beside its state.
struct TickFlags {
  std::array<std::int8_t, 2> alive{};           ///< 1 or 0; -1: the recording does not tell.
  std::array<std::int8_t, 2> commands{-1, -1};  ///< Taken at it; -1: none, or not yet.
};

struct Death {
  std::size_t tick = 0;                                 ///< Of the match: the first that shows it, or its last one.
  engine::DeathCause cause = engine::DeathCause::none;  ///< None: not known yet, or by nobody.
};

/// A match of a line.
struct LineMatch {
  std::size_t first = 0;  ///< Index of its first tick.
  engine::Lives lives{};  ///< Before it.
  std::array<std::optional<Death>, 2> deaths{};
};

/// What a line is played by.
struct Schedule {
  engine::Lives lives{};
  std::vector<engine::MatchSetup> matches;  ///< At least one; validate() has accepted all.
};

/// A game from its first tick to where it has been played or recorded. A line can be forked at any of its ticks at or
/// before which it has a state; the fork shares its past, and goes on by engine::Game.
///
/// States are kept every kMarkTicks ticks, so that a fork steps at most so many. A recorded line has none at first:
/// verify() gives it all of them if the recording is exact in strict arithmetic, mark() some that come with the page.
/// After those a fork begins at the last mark before the tick, and goes on from there in strict arithmetic, by the
/// recorded commands up to the tick: own_from() says where.
class Line {
 public:
  static constexpr std::size_t kMarkTicks = 64;

  /// At the first tick of the first match.
  explicit Line(Schedule schedule);
  /// What is recorded. \throws Error for a recording without a tick, and for numbers that cannot be drawn.
  explicit Line(formats::Recording recording);

  /// Plays the recording again, in strict arithmetic. If it is exact, the line has all of its states from then on, and
  /// the commands if it had none. \throws Error if that cannot be found out, or if the line was not recorded.
  [[nodiscard]] replay::Verification verify();
  /// Finds out of what the recording's players died, as nearly as the recording can be followed.
  void find_causes();
  /// Commands that the program has found: by player, a letter a tick (L, S, R, or - for none).
  void take_commands(const std::array<std::string_view, 2>& letters);
  /// \throws Error if `state` is no snapshot of that tick's match, or not behind the last mark.
  void mark(std::size_t index, std::istream& state);

  /// A line that has the same ticks up to and including `index`, and stands there; or where its game was over before
  /// that. \throws Error if there is no such tick, or no state at it or before.
  [[nodiscard]] Line fork(std::size_t index) const;
  /// Computes a tick; a match that is over is followed by the next. Nothing happens when over().
  void step(formats::RecordedCommands commands);
  /// For checks: the world alone, without the rules of a game. Nothing is kept of it.
  void step_world(const std::vector<engine::Commands>& commands);

  /// Puts a planner into a seat, from here on. \throws Error if there is none of that name.
  void seat(engine::Player player, std::string_view planner, std::uint64_t seed);
  /// What the planner in that seat does now. \param enemy_last  nothing: the opponent's command of the last tick.
  /// \throws Error if nobody sits there.
  [[nodiscard]] search::Decision decide(engine::Player player, std::optional<engine::Command> enemy_last,
                                        search::Budget& budget);
  /// What the best planner makes of a side's position, where the line stands (futures.h).
  [[nodiscard]] Futures futures(engine::Player side, std::int64_t ticks, std::size_t count) const;

  /// The whole line, with its commands. What was done at the last tick is not known unless over(): it is left out.
  [[nodiscard]] formats::Recording recording(const std::array<std::string, 2>& player_ids) const;

  [[nodiscard]] bool over() const noexcept { return game_ ? game_->over() : recorded_->ended(); }
  /// Whether the next step takes commands.
  [[nodiscard]] bool takes_commands() const { return game_ && !over() && game_->world().takes_commands(); }
  /// \throws Error if it has only been recorded.
  [[nodiscard]] const engine::World& world() const;
  [[nodiscard]] const std::vector<engine::MatchSetup>& schedule() const noexcept { return schedule_->matches; }
  /// What it was made of; null for what was played here.
  [[nodiscard]] const formats::Recording* recorded() const noexcept { return recorded_.get(); }
  /// Of all ticks, kStateSize each; the last is where the line stands, unless it is over.
  [[nodiscard]] const std::vector<double>& states() const noexcept { return states_; }
  [[nodiscard]] const std::vector<TickFlags>& flags() const noexcept { return flags_; }
  [[nodiscard]] const std::vector<LineMatch>& matches() const noexcept { return matches_; }
  /// The first tick whose state is ours; those before it were recorded in another arithmetic.
  [[nodiscard]] std::size_t own_from() const noexcept { return own_from_; }
  /// Of the match that is being played, or what is left at the end.
  [[nodiscard]] engine::Lives lives() const noexcept;

 private:
  struct Mark {
    std::size_t index;
    std::shared_ptr<const engine::GameSnapshot> moment;
  };
  struct Seat {
    std::unique_ptr<search::Planner> planner;
    std::size_t match = SIZE_MAX;  // in which it was begun
  };

  explicit Line(std::shared_ptr<const Schedule> schedule) noexcept : schedule_(std::move(schedule)) {}

  void copy_past(const Line& other, std::size_t index);
  void play_again(const std::vector<formats::RecordedCommands>& commands);
  void append_recorded(const formats::RecordedTick& tick);
  void note_recorded_deaths();
  [[nodiscard]] std::size_t match_of(std::size_t index) const;
  [[nodiscard]] engine::Command last_command(engine::Player player) const;
  [[nodiscard]] formats::RecordedCommands commands_at(std::size_t index) const;
  void begin_game();
  void begin_match();
  void append_tick();

  std::shared_ptr<const Schedule> schedule_;
  std::shared_ptr<const formats::Recording> recorded_;  // null: played here
  std::optional<engine::Game> game_;                    // nothing: only recorded
  std::size_t own_from_ = 0;
  std::vector<double> states_;
  std::vector<TickFlags> flags_;
  std::vector<LineMatch> matches_;
  std::vector<Mark> marks_;
  std::array<Seat, 2> seats_;
};

}  // namespace forkmunk::wasm
