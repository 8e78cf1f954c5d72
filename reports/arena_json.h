#pragma once

#include <forkmunk/referee/arena_report.h>

#include <nlohmann/json.hpp>

namespace forkmunk::reports {

/// The JSON that `forkmunk arena --json` gives.
[[nodiscard]] nlohmann::ordered_json to_json(const referee::ArenaReport& report);

/// accept_h0, accept_h1 or undecided.
[[nodiscard]] const char* name_of(statistics::SprtDecision decision);

}  // namespace forkmunk::reports
