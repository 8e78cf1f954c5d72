#pragma once

#include <forkmunk/base/error.h>
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/maps/catalogue.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <string>

#include <fmt/format.h>

/// What `self_play` writes and `measure_states` reads: states of matches, and what they came to. A file is rows of
/// kStateFloats little-endian floats and nothing else, match by match; NumPy reads it by fromfile().
namespace forkmunk::learning {

/// A body's x, y, angle, velocity x, y and rate; of each car its body, rear and front wheel: the first player's first.
inline constexpr std::size_t kBodyFloats = 6;
inline constexpr std::size_t kCarsFloats = 2 * 3 * kBodyFloats;

/// What stands behind the cars in a row.
enum StateColumn : std::size_t {
  kDeadline = kCarsFloats,  ///< Its body's height
  kTick,                    ///< Of the match
  kMap,                     ///< Index in maps::catalogue()
  kCar,                     ///< Index in cars::catalogue()
  kMatch,                   ///< Number of the match, from 0
  kOutcome,                 ///< Of the match: 1 the first player won, -1 the second, 0 both died
  kEnd,                     ///< The match's last tick
  kStateFloats,
};

using State = std::array<float, kStateFloats>;

/// Numbers of matches that a float tells apart.
inline constexpr std::size_t kMatchesMax = 10'000'000;
/// Between a match's states; the last one is at most so many ticks before its end.
inline constexpr int kTicksBetweenStates = 7;

[[nodiscard]] inline bool is_state(const State& state) {
  const auto whole = [](float x, std::size_t count) {
    return x >= 0 && x < static_cast<float>(count) && x == std::floor(x);
  };
  return std::ranges::all_of(state, [](float x) { return std::isfinite(x); }) &&
         whole(state[kMap], maps::catalogue().size()) && whole(state[kCar], cars::catalogue().size()) &&
         whole(state[kMatch], kMatchesMax) && std::abs(state[kOutcome]) <= 1 && whole(state[kTick], kMatchesMax) &&
         state[kTick] <= state[kEnd] && whole(state[kEnd], kMatchesMax);
}

/// Reads a file of states to its end, and calls take(state) for each. \return bytes behind the last whole row.
/// \throws Error if it cannot be read, or holds something else.
std::size_t read_states(const std::string& file, auto&& take) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error(fmt::format("{}: cannot be read", file));
  State state{};
  std::size_t rows = 0;
  while (in.read(reinterpret_cast<char*>(state.data()), sizeof state)) {
    if (!is_state(state))
      throw Error(fmt::format("{}: row {} is no state of self_play: name another file", file, rows));
    take(state);
    ++rows;
  }
  if (in.bad() || !in.eof()) throw Error(fmt::format("{}: cannot be read to its end", file));
  const auto rest = static_cast<std::size_t>(in.gcount());
  if (rows == 0 && rest > 0) throw Error(fmt::format("{}: found no states of self_play: name another file", file));
  return rest;
}

}  // namespace forkmunk::learning
