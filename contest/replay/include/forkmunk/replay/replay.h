// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/physics.h>
#include <forkmunk/formats/recording.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

/// The recording is the reference, the replay is under test.
namespace forkmunk::replay {

struct Mismatch {
  std::size_t match = 0;        ///< 0-based.
  std::int64_t tick = 0;        ///< 0-based over the whole game.
  std::int64_t match_tick = 0;  ///< 0-based within the match.
  /// "cars.1.rear.x", "cars.2.alive", "deadline_position", "lives.1", "end_game.2" ...; "tick_num" for a missing or
  /// superfluous tick.
  std::string value;
  std::optional<double> expected;  ///< The recording's value, if any.
  std::optional<double> found;     ///< The replay's value, if any.
};

/// A tick mismatches if it is missing or superfluous, or if a number, an alive flag or the deadline differs by ==.
struct ReplayReport {
  std::size_t tick_count = 0;  ///< Includes ticks that the recording lacks.
  std::size_t mismatching_ticks = 0;
  std::optional<Mismatch> first_mismatch;
  double max_error = 0;  ///< The largest difference of a number or the deadline.
};

using ReplayProgress = std::function<void(std::size_t ticks_done)>;

/// Replays a recording with its own commands, all matches in one world. Goes on from the replay's own state after a
/// mismatch. \pre recording.has_commands. \param tick_limit  the approximate number of ticks after which to stop; 0 for
/// no limit.   Cost: 5-10 us per tick.
[[nodiscard]] ReplayReport replay(const formats::Recording& recording, engine::Physics physics,
                                  std::size_t tick_limit = 0, const ReplayProgress& progress = {});

/// Returns the available arithmetic with the fewest mismatches in the first ticks; strict if both fit.
/// \pre recording.has_commands.
[[nodiscard]] Arithmetic detect_arithmetic(const formats::Recording& recording);

struct CloneReport {
  std::size_t clone_count = 0;     ///< Points at which the world was saved.
  std::size_t compared_ticks = 0;  ///< Ticks after a restore.
  std::size_t mismatching_ticks = 0;
  std::optional<std::int64_t> first_mismatch_tick;  ///< The tick_num.
};

/// Tests saves, restores and forks (docs/reference/determinism.md, "Exact clones"). \pre recording.has_commands.
[[nodiscard]] CloneReport check_clones(const formats::Recording& recording, engine::Physics physics,
                                       const ReplayProgress& progress = {});

struct TrackerReport {
  std::size_t message_count = 0;
  std::size_t wrong_settled = 0;  ///< Ticks with a wrong settled state.
  /// Messages with more than three candidates, or without the replay's state in them.
  std::size_t wrong_candidates = 0;
  /// Messages after which world() did not assume the opponent's last command.
  std::size_t wrong_worlds = 0;
  /// The opponent's sure commands that differ from the recorded ones.
  std::size_t wrong_commands = 0;
  std::size_t wrong_starts = 0;     ///< Matches with a wrong first state.
  std::size_t problem_count = 0;    ///< Messages with a problem.
  std::size_t unsure_commands = 0;  ///< Commands of the opponent with a nearly as good alternative.
  /// Messages of another build with an error above kToleranceDefault.
  std::size_t strayed_count = 0;
  std::size_t resync_count = 0;
  std::size_t matches_resynced = 0;  ///< By the tracker of either seat.

  /// Returns 0 for an exact recording in the tracker's arithmetic; for another build, the strayed messages.
  [[nodiscard]] std::size_t wrong_states() const noexcept {
    return wrong_settled + wrong_candidates + wrong_worlds + strayed_count;
  }
  [[nodiscard]] std::size_t wrong() const noexcept {
    return wrong_states() + wrong_commands + wrong_starts + problem_count + resync_count;
  }
};

/// Sends the recording's messages to a Tracker, once per player, and compares it with the replay, or with a recording
/// of another build. \pre recording.has_commands.
[[nodiscard]] TrackerReport check_tracker(const formats::Recording& recording, engine::Physics physics,
                                          const ReplayProgress& progress = {});

}  // namespace forkmunk::replay
