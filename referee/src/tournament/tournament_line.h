#pragma once

#include <forkmunk/referee/tournament.h>

#include <optional>
#include <string>
#include <string_view>

namespace forkmunk::referee {

/// A game that was played as one line of JSON, without its end: what a log keeps, and what ranks send to each other.
[[nodiscard]] std::string to_line(const Tournament& tournament, const TournamentResult& result);

/// \return none for a game beyond the tournament's: of a longer one. \throws Error if the line is not a game of this
/// tournament.
[[nodiscard]] std::optional<TournamentResult> parse_line(std::string_view text, const Tournament& tournament);

}  // namespace forkmunk::referee
