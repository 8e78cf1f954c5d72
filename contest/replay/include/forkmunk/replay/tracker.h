// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/physics.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/formats/message.h>
#include <forkmunk/formats/recording.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace forkmunk::replay {

/// Reconstructs a live game from a bot's seat: from the referee's messages and the bot's own answers it maintains a
/// world equal to the referee's, bit-exact if the referee has the same physics.
///
/// Idea: a command affects positions two ticks later. When the message of tick t arrives, the opponent's command at
/// t - 2 is known, and with it the state at t - 1. The state at t depends on the opponent's command at t - 1, which has
/// no visible effect yet: there are three candidates. The first assumes that the opponent repeats its last known
/// command; world() is in that state.
///
/// Another build of the referee's library has different last bits. Then no candidate fits exactly, but one is very
/// near: it leads, with positions and angles corrected from the message and with its own velocities and impulses of
/// joints and contacts, until the end of the match.
///
/// If no candidate is near, dropped or duplicate messages are tried as an explanation, if that fits exactly. Otherwise
/// the tracker holds its state for a message or two; then it copies positions and angles from the messages, derives
/// velocities from their differences, and is approximate until the next match, which it starts exactly.
///
/// Cost per message: about 6 steps and 10 copies; up to 200 steps if it does not fit.   Thread: one.
class Tracker {
 public:
  enum class Status : std::uint8_t {
    waiting,      ///< No match has begun.
    exact,        ///< The state of the tick before the last message is certain.
    holding,      ///< The last message did not fit; candidates are those of the last one that did.
    following,    ///< Another build of the referee's library: approximate, and corrected at every message.
    approximate,  ///< Resynchronised in this match: approximate.
  };

  /// \throws Error if this build lacks `physics`.
  explicit Tracker(engine::Physics physics);

  /// Begins the next match, after stepping the ticks of the last one that bots get no message of (the tick of death and
  /// 90 rest ticks).
  void receive(const formats::NewMatchMessage& message);
  void receive(const formats::TickMessage& message);
  /// The bot's answer to the last tick message. Without this call, all three commands are considered possible.
  void answered(engine::Command command);
  /// Optional, after answered(): computes the next possible states now, so that the next message takes about a third of
  /// the time if the opponent repeats its command. The results are the same.
  void prepare();

  /// The state at the last tick message, assuming that the opponent repeated its last known command. The caller may
  /// step, save and restore it: every message restores it. \pre status() is not waiting.
  [[nodiscard]] engine::World& world() noexcept { return world_; }
  [[nodiscard]] Status status() const noexcept { return status_; }
  /// Snapshots of the possible states after the last message, the most likely first: three, except at the beginning of
  /// a match (one), after dropped messages, and without answered() (nine).
  [[nodiscard]] std::size_t candidate_count() const noexcept { return candidates_.count; }
  [[nodiscard]] const engine::Snapshot& candidate(std::size_t index) const noexcept;
  /// The state at the tick before the last message, certain while status() is exact. Null before a match's second tick.
  [[nodiscard]] const engine::Snapshot* settled() const noexcept { return settled_.empty() ? nullptr : &settled_; }

  /// The bot's own seat, known from a match's first tick on.
  [[nodiscard]] std::optional<engine::Player> me() const noexcept { return me_; }
  /// By tick of the match; shorter than tick() by the commands without a visible effect yet.
  [[nodiscard]] std::span<const engine::Command> opponent_commands() const noexcept { return opponent_commands_; }
  /// Parallel to opponent_commands(): 1 if no other command fits, 0 if another one fits nearly as well.
  [[nodiscard]] std::span<const std::uint8_t> sure() const noexcept { return sure_; }
  [[nodiscard]] int my_lives() const noexcept { return my_lives_; }
  [[nodiscard]] int enemy_lives() const noexcept { return enemy_lives_; }
  /// Tick of the last message, 0-based within the match, if known.
  [[nodiscard]] int tick() const noexcept { return tick_; }

  /// The problem of the last line or message; empty if there was none.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
  /// Error of the leading state at the last message: the largest difference, map units or radians. 0 while status() is
  /// exact.
  [[nodiscard]] double error() const noexcept { return error_; }
  /// Numbers of messages with a problem, and of resynchronisations, since construction.
  [[nodiscard]] std::size_t problem_count() const noexcept { return problem_count_; }
  [[nodiscard]] std::size_t resync_count() const noexcept { return resync_count_; }

 private:
  /// A possible state, and the commands since the last certain state.
  struct Candidate {
    engine::Snapshot snapshot;
    std::vector<engine::Commands> commands;
    engine::Commands last;  // commands of the tick before; stop at the match's start
    bool has_next = false;  // whether `deadline` and `cars` are set: those of the tick after, for any commands
    double deadline = 0;
    std::array<engine::CarState, 2> cars;
  };
  /// A list of candidates that reuses its buffers.
  struct Candidates {
    std::vector<Candidate> list;
    std::size_t count = 0;
    Candidate& add();
  };
  /// The own command, or nullopt if unknown.
  using Own = std::optional<engine::Command>;

  void finish_match();
  [[nodiscard]] bool begin_ticks(const formats::TickMessage& message);
  [[nodiscard]] bool follow(const formats::TickMessage& message, Candidates& from, Own own);
  [[nodiscard]] bool explain(const formats::TickMessage& message);
  void stray(const formats::TickMessage& message);
  [[nodiscard]] bool follow_nearest(const formats::TickMessage& message, double tolerance);
  void correct_poses(const formats::TickMessage& message);
  void resynchronise(const formats::TickMessage& message);
  void match_velocities(const std::array<formats::RecordedCar, 2>& target);
  void extend(const Candidate& from, Own own, Candidates& to);
  void extend_only(const Candidate& from, Own own);
  void step_to_next(Candidate& candidate);
  void keep_distinct(std::vector<Candidate*>& survivors);
  void settle(Candidate& certain, bool sure);
  void accept(Status status);
  void report(std::string problem);
  [[nodiscard]] bool fits(const Candidate& candidate, const formats::TickMessage& message) const;
  [[nodiscard]] std::array<formats::RecordedCar, 2> cars(const formats::TickMessage& message) const;

  engine::World world_;
  Status status_ = Status::waiting;
  std::optional<engine::Player> me_;
  int my_lives_ = 0;
  int enemy_lives_ = 0;
  std::optional<formats::NewMatchMessage> match_message_;
  int tick_ = -1;                                     // of the last accepted message
  Own own_;                                           // answered to it
  bool accepted_ = false;                             // whether the last message was accepted
  std::optional<formats::TickMessage> last_message_;  // whether it was accepted or not
  engine::Snapshot settled_;
  Candidates candidates_;              // at tick_
  Candidates next_;                    // work space
  Candidates prepared_;                // successors of the first one of candidates_ with own_, if there are any
  std::array<Candidates, 2> dropped_;  // one and two ticks after candidates_, if messages were dropped
  std::vector<engine::Command> opponent_commands_;
  std::vector<std::uint8_t> sure_;
  double error_ = 0;
  int misfit_count_ = 0;  // consecutive messages that did not fit
  std::string problem_;
  std::size_t problem_count_ = 0;
  std::size_t resync_count_ = 0;
};

/// The build of a referee's physics, as inferred from its messages.
enum class RefereeKind : std::uint8_t {
  unknown,  ///< Not yet known: the builds differ from the third tick message of a match on.
  strict,   ///< Strict arithmetic, bit-exact.
  referee,  ///< The contest's fast-math build, bit-exact.
  other,    ///< Neither: tracking is approximate.
};

/// "unknown", "strict", "referee", "other".
[[nodiscard]] std::string_view to_string(RefereeKind kind) noexcept;

/// A Tracker that detects the referee's arithmetic: trackers of both run in parallel until only one of them is exact;
/// then the other is dropped.
class RefereeTracker {
 public:
  /// \param arithmetic  of the referee; nullopt: detect it, among those that this build has.
  /// \throws Error if this build does not have `arithmetic`.
  explicit RefereeTracker(std::optional<Arithmetic> arithmetic = {});

  void receive(const formats::NewMatchMessage& message);
  void receive(const formats::TickMessage& message);
  void answered(engine::Command command);
  /// See Tracker::prepare().
  void prepare();

  /// The result so far, from the messages or from the constructor.
  [[nodiscard]] RefereeKind kind() const noexcept { return kind_; }
  /// The leading tracker: the strict one, until the other is found to be right.
  [[nodiscard]] Tracker& tracker() noexcept { return leads_referee() ? *referee_ : *strict_; }
  [[nodiscard]] const Tracker& tracker() const noexcept { return leads_referee() ? *referee_ : *strict_; }

 private:
  [[nodiscard]] bool leads_referee() const noexcept { return strict_ == nullptr; }
  void find_out();

  std::unique_ptr<Tracker> strict_;  // at least one of them is not null
  std::unique_ptr<Tracker> referee_;
  RefereeKind kind_ = RefereeKind::unknown;
};

}  // namespace forkmunk::replay
