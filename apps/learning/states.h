// SPDX-License-Identifier: MIT
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

/// States of matches with their outcomes, in rows of kStateFloats little-endian floats, for NumPy's fromfile().
namespace forkmunk::learning {

/// Position x, y, angle, velocity x, y and angular velocity of body, rear and front wheel of both players.
inline constexpr std::size_t kBodyFloats = 6;
inline constexpr std::size_t kCarsFloats = 2 * 3 * kBodyFloats;

enum StateColumn : std::size_t {
  kDeadline = kCarsFloats,  ///< The height of its body
  kTick,
  kMap,      ///< The index in maps::catalogue()
  kCar,      ///< The index in cars::catalogue()
  kMatch,    ///< From 0
  kOutcome,  ///< 1 if the first player won the match, -1 if the second won, 0 if both died
  kEnd,      ///< The match's last tick
  kStateFloats,
};

using State = std::array<float, kStateFloats>;

/// A float represents all integers up to it.
inline constexpr std::size_t kMatchesMax = 10'000'000;
/// The last state is at most this many ticks before the match's end.
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

/// Calls take(state) for each state of a file. \return the number of bytes after the last complete row. \throws Error
/// if the file cannot be read, or is not a file of states.
std::size_t read_states(const std::string& file, auto&& take) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error(fmt::format("cannot read {}", file));
  State state{};
  std::size_t rows = 0;
  while (in.read(reinterpret_cast<char*>(state.data()), sizeof state)) {
    if (!is_state(state))
      throw Error(fmt::format("{}: row {} is not a state of self_play; give another file", file, rows));
    take(state);
    ++rows;
  }
  if (in.bad() || !in.eof()) throw Error(fmt::format("cannot read {} to its end", file));
  const auto rest = static_cast<std::size_t>(in.gcount());
  if (rows == 0 && rest > 0) throw Error(fmt::format("{}: not a file of self_play; give another file", file));
  return rest;
}

}  // namespace forkmunk::learning
