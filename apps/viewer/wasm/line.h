// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/game.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/formats/recording.h>
#include <forkmunk/planning/planner.h>
#include <forkmunk/replay/verification.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forkmunk::wasm {

/// A plan as the path of its player's car under the expected replies.
struct Future {
  bool chosen = false;  ///< True for the planner's choice.
  bool dies = false;    ///< True if the player dies in the plan.
  double score = 0;     ///< The planner's score.
  /// The x, y and angle of the car's body, kPoseTicks (line.cpp) apart, from now to the plan's end.
  std::vector<double> poses;
};

struct Futures {
  std::size_t tried = 0;  ///< The number of plans tried, some of which are in `futures`.
  /// The futures in ascending order of score, the chosen one last. Empty if no plan was tried.
  std::vector<Future> futures;
};

struct Death {
  /// The first tick of the match with the death, or its last tick.
  std::size_t tick = 0;
  engine::DeathCause cause = engine::DeathCause::none;  ///< none if unknown
};

struct LineMatch {
  std::size_t first = 0;  ///< The index of its first tick.
  engine::Lives lives{};  ///< The lives before the match.
  std::array<std::optional<Death>, 2> deaths{};
};

struct Schedule {
  engine::Lives lives{};
  std::vector<engine::MatchSetup> matches;  ///< One or more, which engine::validate() accepts.
};

/// A game from its first tick to its last played or recorded one, which can be forked at any tick at or after a stored
/// state. The fork has the same past, and continues with engine::Game.
///
/// A state is stored every kMarkTicks ticks, so that a fork steps at most that many. A recorded line has no states at
/// first: verify() adds all if the recording is exact in strict arithmetic, mark() adds those embedded in the page. A
/// fork of the latter continues from the stored state, own_from(), in strict arithmetic with the recorded commands up
/// to the tick.
class Line {
 public:
  static constexpr std::size_t kMarkTicks = 64;

  /// Makes a new game at the first tick of the first match.
  explicit Line(Schedule schedule);
  /// Makes a recorded game. \throws Error for a recording without ticks.
  explicit Line(formats::Recording recording);

  /// Replays the recording in strict arithmetic. If exact, adds states, and commands if there were none. \throws Error
  /// if the line is not recorded, or cannot be replayed.
  [[nodiscard]] replay::Verification verify();
  /// Replays within a tolerance, for causes of death.
  void find_causes();
  /// Sets inferred commands: for each player a letter per tick (L, S, R, or - for none).
  void take_commands(const std::array<std::string_view, 2>& letters);
  /// Adds states of the first tick of each match, and of every `every` ticks. \throws Error if they are of other
  /// matches, or end earlier. \pre no states yet, every > 0.
  void mark(std::size_t every, std::istream& states);

  /// Returns a line with the same ticks up to and including `index`, or the end of its game. \throws Error if there is
  /// no such tick, or no stored state at or before it.
  [[nodiscard]] Line fork(std::size_t index) const;
  /// Computes a tick, and begins the next match after the end of one; does nothing if over().
  void step(formats::RecordedCommands commands);
  /// Steps the world only, without the rules of a game, and stores nothing. For tests.
  void step_world(const std::vector<engine::Commands>& commands);

  /// \throws Error for an unknown name.
  void seat(engine::Player player, std::string_view planner, std::uint64_t seed);
  /// \throws Error if the seat has no planner.
  [[nodiscard]] planning::Decision decide(engine::Player player, search::Budget& budget);
  /// Returns the futures of a side at the line's last tick.
  [[nodiscard]] Futures futures(engine::Player side, std::int64_t ticks, std::size_t count) const;

  /// Returns a recording with commands, without the last tick, whose commands are unknown, unless over().
  [[nodiscard]] formats::Recording recording(const std::array<std::string, 2>& player_ids) const;

  [[nodiscard]] bool over() const noexcept { return game_ ? game_->over() : recorded_->ended(); }
  [[nodiscard]] bool takes_commands() const { return game_ && !over() && game_->world().takes_commands(); }
  /// \throws Error if the line is recorded.
  [[nodiscard]] const engine::World& world() const;
  [[nodiscard]] const std::vector<engine::MatchSetup>& schedule() const noexcept { return schedule_->matches; }
  /// Returns the recording; null for a line that was played here.
  [[nodiscard]] const formats::Recording* recorded() const noexcept { return recorded_.get(); }
  /// The last tick is the current one, without commands, unless the game is over.
  [[nodiscard]] const std::vector<formats::RecordedTick>& ticks() const noexcept { return ticks_; }
  [[nodiscard]] const std::vector<LineMatch>& matches() const noexcept { return matches_; }
  /// Returns the first tick in strict arithmetic.
  [[nodiscard]] std::size_t own_from() const noexcept { return own_from_; }
  /// Returns the lives before the current match, or at the end of the game.
  [[nodiscard]] engine::Lives lives() const noexcept;

 private:
  struct Mark {
    std::size_t index;
    std::shared_ptr<const engine::GameSnapshot> moment;
  };
  struct Seat {
    std::unique_ptr<planning::Planner> planner;
    std::size_t match = SIZE_MAX;
  };

  explicit Line(std::shared_ptr<const Schedule> schedule) noexcept : schedule_(std::move(schedule)) {}

  void copy_past(const Line& other, std::size_t index);
  void play_again(const std::vector<formats::RecordedCommands>& commands);
  void note_recorded_deaths();
  [[nodiscard]] std::size_t match_of(std::size_t index) const;
  [[nodiscard]] engine::Command last_command(engine::Player player) const;
  void begin_game();
  void begin_match();
  void append_tick();

  std::shared_ptr<const Schedule> schedule_;
  std::shared_ptr<const formats::Recording> recorded_;  // null if played here
  std::optional<engine::Game> game_;                    // nullopt if recorded
  std::size_t own_from_ = 0;
  std::vector<formats::RecordedTick> ticks_;
  std::vector<LineMatch> matches_;
  std::vector<Mark> marks_;
  std::array<Seat, 2> seats_;
};

}  // namespace forkmunk::wasm
