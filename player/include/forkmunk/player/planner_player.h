#pragma once

#include <forkmunk/formats/message.h>
#include <forkmunk/formats/thought.h>
#include <forkmunk/player/player_options.h>
#include <forkmunk/replay/referee_tracker.h>
#include <forkmunk/search/planner.h>

#include <memory>
#include <optional>
#include <string>

namespace forkmunk::player {

class ThoughtReader;
class TimeBank;

/// What a bot says to a tick.
struct Answer {
  engine::Command command = engine::Command::stop;
  std::string debug;                                ///< At most formats::kDebugCharactersMax characters.
  std::shared_ptr<const formats::Thought> thought;  ///< Null unless PlayerOptions::thoughts.
};

/// Plays by messages: a tracker follows the game, a planner answers.
class PlannerPlayer {
 public:
  /// \throws Error if an option is not usable.
  explicit PlannerPlayer(const PlayerOptions& options);
  ~PlannerPlayer();
  PlannerPlayer(PlannerPlayer&&) noexcept;
  PlannerPlayer& operator=(PlannerPlayer&&) noexcept;

  /// Which referee it turned out to be; see replay::RefereeTracker.
  [[nodiscard]] replay::RefereeKind referee() const noexcept { return tracker_.kind(); }

  /// \param since  when the message was read; what it takes from then on comes out of the game's time.
  void receive(const formats::NewMatchMessage& message, search::Budget::Clock::time_point since);
  [[nodiscard]] Answer answer(const formats::TickMessage& message, search::Budget::Clock::time_point since);

 private:
  [[nodiscard]] engine::World& planning_world();
  [[nodiscard]] search::Budget budget(search::Budget::Clock::time_point since) const;

  PlayerOptions options_;
  replay::RefereeTracker tracker_;
  engine::World fast_world_;  // takes over what is tracked in an arithmetic that the flat engine does not have
  std::unique_ptr<TimeBank> bank_;
  std::unique_ptr<search::Planner> planner_;
  std::unique_ptr<ThoughtReader> thought_reader_;                 // null: nobody asked
  std::optional<search::Budget::Clock::time_point> fresh_since_;  // when the match came whose first tick is next
};

}  // namespace forkmunk::player
