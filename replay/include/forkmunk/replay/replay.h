#pragma once

#include <forkmunk/engine/physics.h>
#include <forkmunk/formats/recording.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

/// Holds recorded games against our physics: the recording is the truth, the replay what is tested.
namespace forkmunk::replay {

/// A value in which a replay and its recording differ.
struct Mismatch {
  std::size_t match = 0;        ///< 0-based, as the recording lists them.
  std::int64_t tick = 0;        ///< tick_num: 0-based over the whole game.
  std::int64_t match_tick = 0;  ///< The same, counted from the match's start.
  /// "cars.1.rear.x", "cars.2.alive", "deadline_position"; "tick_num" for a tick that is missing or one too many;
  /// "lives.1", "end_game.2".
  std::string value;
  std::optional<double> expected;  ///< What the recording says; nothing if it says nothing.
  std::optional<double> found;     ///< What the replay has; nothing if it has nothing.
};

/// The outcome of a replay. A tick mismatches when any of the 18 numbers, an alive flag or the deadline differs by ==,
/// when it is missing, or when it is one too many.
struct ReplayReport {
  std::size_t tick_count = 0;         ///< The recorded ones, and those that the recording lacks.
  std::size_t mismatching_ticks = 0;  ///< Of these; each counts once.
  std::optional<Mismatch> first_mismatch;
  double max_error = 0;  ///< Largest difference of any of the 18 numbers and the deadline.
};

/// Called now and then with the ticks done so far.
using ReplayProgress = std::function<void(std::size_t ticks_done)>;

/// Replays a recording by its own commands, all matches in one world, going on from the replay's own state after a
/// mismatch. \pre recording.has_commands.
/// \param tick_limit  stop after about so many ticks; 0: none. A recording without matches differs in nothing.
/// Cost: 5-10 us a tick.
[[nodiscard]] ReplayReport replay(const formats::Recording& recording, engine::Physics physics,
                                  std::size_t tick_limit = 0, const ReplayProgress& progress = {});

/// The available arithmetic in which the recording's first ticks mismatch least; strict if both fit.
/// \pre recording.has_commands.
[[nodiscard]] Arithmetic detect_arithmetic(const formats::Recording& recording);

/// What the clone test found.
struct CloneReport {
  std::size_t clone_count = 0;                      ///< Points at which the world was saved and restored.
  std::size_t compared_ticks = 0;                   ///< Ticks after a restore whose hashes were compared.
  std::size_t mismatching_ticks = 0;                ///< Of those, how many differed.
  std::optional<std::int64_t> first_mismatch_tick;  ///< tick_num.
};

/// The clone test: at every 97th tick save, step 200 by other commands, restore, step 200 by the recorded ones; the
/// hash of all solver state must equal that of the undisturbed replay at every tick. The same again for a fork.
/// \pre recording.has_commands.
[[nodiscard]] CloneReport check_clones(const formats::Recording& recording, engine::Physics physics,
                                       const ReplayProgress& progress = {});

/// What the tracker test found.
struct TrackerReport {
  std::size_t message_count = 0;     ///< Tick messages, both players' together.
  std::size_t wrong_settled = 0;     ///< Ticks whose settled state was not the replay's.
  std::size_t wrong_candidates = 0;  ///< Messages with more than three candidates, or none of them the replay's state.
  std::size_t wrong_worlds = 0;      ///< Messages whose world was not the one in which the opponent repeats.
  std::size_t wrong_commands = 0;    ///< Opponent's commands that were not the recorded ones, of those that are sure.
  std::size_t wrong_starts = 0;      ///< Matches that did not begin with the replay's hash.
  std::size_t problem_count = 0;     ///< Messages that the tracker complained of.
  std::size_t unsure_commands = 0;   ///< Opponent's commands that another one comes nearly as near to.
  std::size_t strayed_count = 0;     ///< Of another build: messages that were off by more than kToleranceDefault.
  std::size_t resync_count = 0;
  std::size_t matches_resynced = 0;  ///< Matches in which either seat resynchronised.

  /// 0 of a recording in the tracker's own arithmetic; of another build's those that strayed.
  [[nodiscard]] std::size_t wrong_states() const noexcept {
    return wrong_settled + wrong_candidates + wrong_worlds + strayed_count;
  }
  [[nodiscard]] std::size_t wrong() const noexcept {
    return wrong_states() + wrong_commands + wrong_starts + problem_count + resync_count;
  }
};

/// The tracker test: plays the recording's messages to a Tracker, once as each player, and holds it against the replay;
/// if the recording is another build's, against what is recorded. \pre recording.has_commands.
[[nodiscard]] TrackerReport check_tracker(const formats::Recording& recording, engine::Physics physics,
                                          const ReplayProgress& progress = {});

}  // namespace forkmunk::replay
