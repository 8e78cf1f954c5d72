#pragma once

#include "line.h"

#include <forkmunk/io/recording_writer.h>
#include <forkmunk/replay/verification.h>

#include <string>

/// What the page gets as JSON text. viewer/src/engine/module.ts has the types.
namespace forkmunk::wasm {

/// {"over","takesCommands","ownFrom","lives":[n,n],"matches":[{"first","lives":[n,n],"deaths":[{"tick","cause"},…]}]}:
/// null for who lives, and for a cause that is not known.
[[nodiscard]] std::string state_json(const Line& line);

/// {"line","matches":[{"map":{"id","name","segments"},"car":{…},"facing":[1,-1]}]}: all that the line may play. Of a
/// recording also {"players","hasCommands","said","thoughts"}: `said` a list of pairs or null, `thoughts` as in the
/// recording or absent.
[[nodiscard]] std::string schedule_json(int id, const Line& line, const io::RecordingExtras& extras = {});

/// {"exact","ticks","mismatching","inferred","first"}
[[nodiscard]] std::string verdict_json(const replay::Verification& verification);

/// {"score","ticks","plan","reply"}: plans a digit a tick.
[[nodiscard]] std::string decision_json(const search::Decision& decision);

/// {"maps","cars","planners"}: names of what a game can be begun with.
[[nodiscard]] std::string names_json();

}  // namespace forkmunk::wasm
