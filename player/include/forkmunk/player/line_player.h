#pragma once

#include <forkmunk/player/planner_player.h>

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace forkmunk::player {

/// Plays a game by the contest's protocol: reads the referee's lines from `in` and answers each tick on `out`, until
/// `in` ends or `out` fails; check both.
///
/// Time counts from the arrival of a line, not from its reading: on a busy machine the process is ready to run for a
/// while before it runs, and the referee's clock runs meanwhile.
/// \param log  gets a line about each input line that could not be read, and once which arithmetic the referee has; may
/// be empty.
void serve(PlannerPlayer& player, std::istream& in, std::ostream& out,
           const std::function<void(std::string_view line)>& log = {});

/// What came of a line of the referee's.
struct LineAnswer {
  std::optional<std::string> line;  ///< To write back, without its line end; nothing to new_match.
  std::string problem;              ///< Why the line could not be read; empty: it could.
};

/// One line of serve(), for programs with a loop of their own. A tick that cannot be read is answered all the same: the
/// referee waits for the answer.
/// \param since  when the line came: the time of the answer counts from then on.
[[nodiscard]] LineAnswer answer_line(PlannerPlayer& player, std::string_view line,
                                     search::Budget::Clock::time_point since = search::Budget::Clock::now());

}  // namespace forkmunk::player
