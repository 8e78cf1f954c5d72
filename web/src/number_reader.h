#pragma once

#include <forkmunk/engine/match_setup.h>
#include <forkmunk/formats/recording.h>

#include <cstddef>
#include <span>

/// Matches and recordings as the page hands them over: one list of doubles, in the order of
/// viewer/src/engine/numbers.ts.
///
///     setup      map id; count of segments, 5 each; car id; body and button polygon: count, 2 each; mass, friction,
///                elasticity, max speed, max angular speed, torque; drive; squared wheels; rear and front wheel: 14
///                each in the order of WheelSetup
///     schedule   2 lives; count of matches, their setups
///     recording  has commands; final lives (2, or -1 -1); count of matches, for each: setup, 2 lives, count of ticks,
///     those tick       tick_num; 19 numbers of the state; 2 sides; 2 alive (-1: not told); 2 commands (-1: none)
namespace forkmunk::web {

/// What a line of play begins with.
struct Schedule {
  engine::Lives lives{};
  std::vector<engine::MatchSetup> matches;  ///< At least one; validate() has accepted all.
};

/// \throws Error on numbers that are none of these, InvalidSetup on a match that cannot be played.
[[nodiscard]] Schedule read_schedule(std::span<const double> numbers);
[[nodiscard]] formats::Recording read_recording(std::span<const double> numbers);

}  // namespace forkmunk::web
