// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/player/planner_player.h>

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace forkmunk::player {

/// Plays a game by the contest's protocol: reads the referee's lines from `in` and answers each tick on `out`, until
/// `in` ends or `out` fails. The caller should check both.
///
/// While the process is ready to run and does not run, the game's time passes, but the search gets no shorter.
/// \param log  receives a line for each invalid input line, and once the referee's arithmetic. It may be empty.
/// \param arrived  returns whether a line can be read now, as poll() does. If given, the bot ponders
/// (PlannerPlayer::ponder()) while a processor is free, and with PlayerOptions::time as long as the game's time lasts.
void serve(PlannerPlayer& player, std::istream& in, std::ostream& out,
           const std::function<void(std::string_view line)>& log = {}, const std::function<bool()>& arrived = {});

struct LineAnswer {
  std::optional<std::string> line;  ///< Without a line end; nullopt after new_match.
  std::string problem;              ///< The reason why the line is invalid, or "".
};

/// For programs with a loop of their own. Answers an invalid tick too, because the referee waits. \param since  the
/// arrival of the line, from which the time of the answer counts.
[[nodiscard]] LineAnswer answer_line(PlannerPlayer& player, std::string_view line,
                                     search::Budget::Clock::time_point since = search::Budget::Clock::now());

}  // namespace forkmunk::player
