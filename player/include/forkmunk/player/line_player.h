#pragma once

#include <forkmunk/player/planner_player.h>

#include <optional>
#include <string>
#include <string_view>

namespace forkmunk::player {

/// What came of a line of the referee's.
struct LineAnswer {
  std::optional<std::string> line;  ///< To write back, without its line end; nothing to new_match.
  std::string problem;              ///< Why the line could not be read; empty: it could.
};

/// Takes a line of the contest's protocol and says what to answer. A tick that cannot be read is answered all the same:
/// whoever waits for the line must not wait in vain.
/// \param since  when the line came: the time of the answer counts from then on.
[[nodiscard]] LineAnswer answer_line(PlannerPlayer& player, std::string_view line,
                                     search::Budget::Clock::time_point since = search::Budget::Clock::now());

}  // namespace forkmunk::player
