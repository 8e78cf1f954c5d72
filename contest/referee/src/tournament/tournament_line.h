#pragma once

#include <forkmunk/referee/tournament.h>

#include <optional>
#include <string>
#include <string_view>

namespace forkmunk::referee {

/// A finished game as one line of JSON, without its line end, for logs and between ranks.
[[nodiscard]] std::string to_line(const Tournament& tournament, const TournamentResult& result);

/// \return nullopt for a game beyond this tournament's last (the log is of a longer one). \throws Error if the line is
/// not a game of this tournament.
[[nodiscard]] std::optional<TournamentResult> parse_line(std::string_view text, const Tournament& tournament);

}  // namespace forkmunk::referee
