// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/io/json_writer.h>
#include <forkmunk/referee/tournament_report.h>

namespace forkmunk::reports {

/// Writes the JSON of `forkmunk arena --json`.
void write(io::JsonWriter& json, const referee::TournamentReport& report);

/// Returns "accept_h0", "accept_h1" or "undecided".
[[nodiscard]] const char* name_of(referee::statistics::SprtDecision decision);

}  // namespace forkmunk::reports
