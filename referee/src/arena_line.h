#pragma once

#include <forkmunk/referee/arena_games.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forkmunk::referee {

/// A game that was played as one line of JSON, without its end: what a log keeps, and what ranks tell each other.
[[nodiscard]] std::string to_line(const ArenaPlan& plan, const ArenaGame& game, const ArenaResult& result);

/// \return nothing for a game beyond `games`: of a longer arena. \throws Error if the line is no game of this arena.
[[nodiscard]] std::optional<ArenaResult> parse_arena_line(std::string_view text, const ArenaPlan& plan,
                                                          const std::vector<ArenaGame>& games);

}  // namespace forkmunk::referee
