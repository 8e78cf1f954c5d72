// SPDX-License-Identifier: MIT
#pragma once

#include "line.h"

#include <forkmunk/io/recording_writer.h>
#include <forkmunk/replay/verification.h>

#include <string>

/// JSON texts for the page. apps/viewer/src/engine/module.ts has the types.
namespace forkmunk::wasm {

/// Returns
/// {"over","takesCommands","ownFrom","lives":[n,n],"matches":[{"first","lives":[n,n],"deaths":[{"tick","cause"},…]}]},
/// with null for a survivor, and for an unknown cause.
[[nodiscard]] std::string state_json(const Line& line);

/// Returns {"line","matches":[{"map":{"id","name","segments"},"car":{…},"facing":[1,-1]}]} with all possible matches of
/// the line. A recording also has {"players","hasCommands","said","thoughts"}: "said" is a list of pairs or null,
/// "thoughts" as in the recording or absent.
[[nodiscard]] std::string schedule_json(int id, const Line& line, const io::RecordingExtras& extras = {});

/// Returns {"exact","ticks","mismatching","inferred","first"}.
[[nodiscard]] std::string verdict_json(const replay::Verification& verification);

/// Returns {"score","ticks","plan","reply"}. Plans have a digit per tick.
[[nodiscard]] std::string decision_json(const planning::Decision& decision);

/// Returns {"maps","cars","planners"}: the names for starting a game.
[[nodiscard]] std::string names_json();

}  // namespace forkmunk::wasm
