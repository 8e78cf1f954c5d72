#pragma once

#include "thought_reader.h"

#include <forkmunk/engine/engine_kind.h>
#include <forkmunk/referee/bot.h>
#include <forkmunk/referee/message.h>
#include <forkmunk/referee/tracker.h>
#include <forkmunk/search/planner.h>
#include <forkmunk/search/rules.h>
#include <forkmunk/search/time_bank.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace forkmunk::tools {

/// A planner as a bot.
struct PlannerBotOptions {
  std::string planner{search::kBestPlanner};  ///< What plays as `forkmunk bot` and builtin:bot.
  search::PlannerOptions search;
  search::Rules rules;
  std::optional<std::int64_t> ticks;  ///< To simulate for each answer; instead of time.
  std::optional<double> time_ms;      ///< For each answer, on average; none: what the contest's time allows.
  engine::Physics physics;
  bool thoughts = false;  ///< Show what it has in mind, in its answers. Costs a playout an answer, outside its time.
};

/// Reads "NAME" or "NAME:key=value,...". `spec` names the bot in errors. \throws Error for a key or value that is
/// unknown.
[[nodiscard]] PlannerBotOptions parse_planner_bot(std::string_view text, const std::string& spec);
/// What --help says of the keys.
[[nodiscard]] std::string planner_bot_help();

/// Plays by messages: a tracker follows the game, a planner answers.
class PlannerPlayer {
 public:
  /// \throws Error if an option is not usable.
  explicit PlannerPlayer(const PlannerBotOptions& options);

  /// \param since  when the message was read; what it takes from then on comes out of the game's time.
  void receive(const referee::NewMatchMessage& message, search::Budget::Clock::time_point since);
  [[nodiscard]] referee::Answer answer(const referee::TickMessage& message, search::Budget::Clock::time_point since);

 private:
  [[nodiscard]] search::Budget budget(search::Budget::Clock::time_point since) const;

  PlannerBotOptions options_;
  referee::Tracker tracker_;
  search::TimeBank bank_;
  std::unique_ptr<search::Planner> planner_;
  std::unique_ptr<ThoughtReader> thought_reader_;                 // null: nobody asked
  std::optional<search::Budget::Clock::time_point> fresh_since_;  // when the match came whose first tick is next
};

/// The same within this program.
[[nodiscard]] std::unique_ptr<referee::Bot> make_planner_bot(const PlannerBotOptions& options);

}  // namespace forkmunk::tools
