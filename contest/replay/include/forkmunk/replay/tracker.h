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

/// Reconstructs a live game from a bot's seat: a world equal to the referee's, bit-exact if the referee has the same
/// physics.
///
/// A command affects positions two ticks later. The message of tick t reveals the opponent's command at t - 2, and so
/// the state at t - 1. The state at t depends on the opponent's command at t - 1, which is not visible yet, so there
/// are three candidates. The first assumes that the opponent repeats its last known command.
///
/// If the referee's library is another build, no candidate fits exactly, but one is very near, and leads until the end
/// of the match, with positions and angles corrected from the messages. If no candidate is near, the tracker tries
/// dropped or duplicate messages as an explanation. Otherwise it holds its state for a message or two, and then takes
/// positions, angles and, by differences, velocities from the messages until the next match.
///
/// Cost per message: about 6 steps and 10 copies; up to 200 steps if it does not fit.   Thread: one.
class Tracker {
 public:
  enum class Status : std::uint8_t {
    waiting,
    exact,  ///< The state before the last message is certain.
    /// The last message did not fit. Candidates are those of the last message that did.
    holding,
    /// The referee's library is another build: every message corrects the state.
    following,
    approximate,
  };

  /// \throws Error if this build lacks `physics`.
  explicit Tracker(engine::Physics physics);

  /// Begins the next match, after stepping the last match's ticks without messages (the tick of death and 90 rest
  /// ticks).
  void receive(const formats::NewMatchMessage& message);
  void receive(const formats::TickMessage& message);
  /// Records the bot's answer to the last tick message. Otherwise all three commands are possible.
  void answered(engine::Command command);
  /// Computes the next possible states in advance: the next message then takes about a third of the time if the
  /// opponent repeats its command. Optional, after answered(); the results are the same.
  void prepare();

  /// Returns the world at the last tick message, in the first candidate's state. The caller may step it: every message
  /// restores it. \pre status() is not waiting.
  [[nodiscard]] engine::World& world() noexcept { return world_; }
  [[nodiscard]] Status status() const noexcept { return status_; }
  /// Returns the number of possible states, the most likely first: three, except at the beginning of a match (one),
  /// after dropped messages, and without answered() (nine).
  [[nodiscard]] std::size_t candidate_count() const noexcept { return candidates_.count; }
  [[nodiscard]] const engine::Snapshot& candidate(std::size_t index) const noexcept;
  /// Returns the state before the last message, certain while status() is exact; null before a match's second tick.
  [[nodiscard]] const engine::Snapshot* settled() const noexcept { return settled_.empty() ? nullptr : &settled_; }

  /// Returns the bot's own seat, known from a match's first tick on.
  [[nodiscard]] std::optional<engine::Player> me() const noexcept { return me_; }
  /// Returns the opponent's commands by tick of the match, without the last ones, whose effect is not visible yet.
  [[nodiscard]] std::span<const engine::Command> opponent_commands() const noexcept { return opponent_commands_; }
  /// Returns 1 for each of opponent_commands() if no other command fits nearly as well, otherwise 0.
  [[nodiscard]] std::span<const std::uint8_t> sure() const noexcept { return sure_; }
  [[nodiscard]] int my_lives() const noexcept { return my_lives_; }
  [[nodiscard]] int enemy_lives() const noexcept { return enemy_lives_; }
  /// Returns the last message's tick, 0-based within the match, if known.
  [[nodiscard]] int tick() const noexcept { return tick_; }

  /// Returns the last line's or message's problem, or "".
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
  /// Returns the leading state's largest difference from the last message, map units or radians; 0 while status() is
  /// exact.
  [[nodiscard]] double error() const noexcept { return error_; }
  [[nodiscard]] std::size_t problem_count() const noexcept { return problem_count_; }
  [[nodiscard]] std::size_t resync_count() const noexcept { return resync_count_; }

 private:
  struct Candidate {
    engine::Snapshot snapshot;
    std::vector<engine::Commands> commands;
    engine::Commands last;
    // `deadline` and `cars` are set, which no command affects at the next tick.
    bool has_next = false;
    double deadline = 0;
    std::array<engine::CarState, 2> cars;
  };
  struct Candidates {
    std::vector<Candidate> list;
    std::size_t count = 0;
    Candidate& add();
  };
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
  int tick_ = -1;          // last accepted
  Own own_;                // the answer to it
  bool accepted_ = false;  // of the last message
  std::optional<formats::TickMessage> last_message_;
  engine::Snapshot settled_;
  Candidates candidates_;
  Candidates next_;  // work space
  // Successors of the first of candidates_ with own_.
  Candidates prepared_;
  // Candidates one and two ticks after candidates_: at most two dropped messages are tried.
  std::array<Candidates, 2> dropped_;
  std::vector<engine::Command> opponent_commands_;
  std::vector<std::uint8_t> sure_;
  double error_ = 0;
  int misfit_count_ = 0;  // consecutive
  std::string problem_;
  std::size_t problem_count_ = 0;
  std::size_t resync_count_ = 0;
};

enum class RefereeKind : std::uint8_t {
  /// The builds differ from the third tick message of a match on.
  unknown,
  strict,   ///< Strict arithmetic, bit-exact.
  referee,  ///< The contest's fast-math build, bit-exact.
  other,    ///< Neither; tracking is approximate.
};

[[nodiscard]] std::string_view to_string(RefereeKind kind) noexcept;

/// A Tracker that detects the referee's arithmetic: trackers of both run in parallel until only one is exact.
class RefereeTracker {
 public:
  /// \param arithmetic  the referee's arithmetic; nullopt to detect it. \throws Error if this build lacks it.
  explicit RefereeTracker(std::optional<Arithmetic> arithmetic = {});

  void receive(const formats::NewMatchMessage& message);
  void receive(const formats::TickMessage& message);
  void answered(engine::Command command);
  void prepare();

  [[nodiscard]] RefereeKind kind() const noexcept { return kind_; }
  /// Returns the leading tracker: the strict one until the other is found to be right.
  [[nodiscard]] Tracker& tracker() noexcept { return leads_referee() ? *referee_ : *strict_; }
  [[nodiscard]] const Tracker& tracker() const noexcept { return leads_referee() ? *referee_ : *strict_; }

 private:
  [[nodiscard]] bool leads_referee() const noexcept { return strict_ == nullptr; }
  template <typename Call>
  void each(Call call);
  void find_out();

  std::unique_ptr<Tracker> strict_;  // one of the two may be null
  std::unique_ptr<Tracker> referee_;
  RefereeKind kind_ = RefereeKind::unknown;
};

}  // namespace forkmunk::replay
