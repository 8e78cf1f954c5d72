// SPDX-License-Identifier: MIT
#pragma once

#include "flat/live_state.h"

#include <optional>
#include <span>
#include <string>

namespace forkmunk::engine::flat {

/// The maximum tick of a valid state: 199 days of game time. Counters do not overflow within as many more steps.
inline constexpr int kTickMax = 1 << 30;

/// Validates a state's bytes: a step from bytes that pass stays inside its memory and ends.
///
/// Checks everything that indexes memory or bounds a loop: sizes, the tree (one tree of all nodes, with the right
/// parents), the order of leaves, the lists of pairs, contacts, stamps, and the rules' counters, flags and enums.
/// Numbers of physics may have any value, even NaN. A pair's `id` may, too, because the distance test bounds its
/// indices (WorldPolygon::at).
/// \param bytes  aligned as a LiveState.
/// \return the first invalid field, its value and the expected range; std::nullopt for a valid state, without an
/// allocation. Cost: 0.2 to 0.3 us in the contest's matches, depending on pairs and contacts.
[[nodiscard]] std::optional<std::string> find_damage(const MatchModel& model, std::span<const std::byte> bytes);

}  // namespace forkmunk::engine::flat
