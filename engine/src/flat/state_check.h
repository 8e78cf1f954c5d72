#pragma once

#include "flat/live_state.h"

#include <optional>
#include <span>
#include <string>

namespace forkmunk::engine::flat {

/// Steps of one match that a state may have behind it: 199 days of game time. Counters of steps do not overflow within
/// as many again.
inline constexpr int kTickMax = 1 << 30;

/// What is wrong with a state's bytes, if anything: what every step leaves, and what a step from any bytes needs to
/// stay inside its memory and to end.
///
/// Checked is all that indexes memory or bounds a loop: sizes, the tree (one, of all nodes, with the right parents),
/// the order of leaves, the lists of pairs, contacts, stamps, and the rules' counters, flags and enums. Numbers of
/// physics may be anything, NaN too; so may a pair's `id`, whose indices the distance test bounds (PlacedPolygon::at).
/// \param bytes  aligned as a LiveState.
/// \return the first field that is wrong, what was found there and what was expected. Nothing is allocated for a good
/// state. Cost: 0.2 to 0.3 us in the contest's matches, by pairs and contacts.
[[nodiscard]] std::optional<std::string> find_damage(const MatchModel& model, std::span<const std::byte> bytes);

}  // namespace forkmunk::engine::flat
