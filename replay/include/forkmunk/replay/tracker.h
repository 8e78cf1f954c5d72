#pragma once

#include <forkmunk/engine/world.h>
#include <forkmunk/formats/message.h>
#include <forkmunk/formats/recording.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace forkmunk::replay {

/// Follows a live game from where a bot sits: fed with the referee's messages and the bot's own answers, it holds a
/// world equal to the referee's, to the bit where the referee's build is ours.
///
/// Idea: a command shows in positions two ticks later. When the message of tick t arrives, the opponent's command at
/// t - 2 is known and with it the state of t - 1. The state of t depends on the opponent's command at t - 1, which
/// nothing shows yet: there are three candidates. The first is the one in which the opponent repeats its last known
/// command, and world() is put to it.
///
/// Another build of the referee's library has other last bits. Then no candidate fits, but one comes very near: it
/// leads, with positions and angles corrected by as little as it is off, and with its velocities and its joints' and
/// contacts' impulses as they are; so it goes on until the match's end.
///
/// A message that nothing comes near to is explained by lost or doubled messages if that can be done exactly. Otherwise
/// the tracker holds on for a message or two; then it copies positions and angles from the messages, takes velocities
/// from their differences, and goes on as nearly as it can until the next match, which it begins exactly again.
///
/// Cost: about 8 steps and 10 copies a message; up to 200 steps for one that does not fit.   Thread: one.
class Tracker {
 public:
  enum class Status : std::uint8_t {
    waiting,      ///< No match has begun.
    exact,        ///< The state of the tick before the last message is certain.
    holding,      ///< The last message did not fit; candidates are those of the last one that did.
    following,    ///< Another build of the referee's library: near, and corrected at every message.
    approximate,  ///< Resynchronised in this match: near, not exact.
  };

  /// \throws Error if this build does not have `physics`.
  explicit Tracker(engine::Physics physics);

  /// The next match. The ticks of the last one that bots are not shown (the deadly one and 90 of rest) are stepped
  /// first.
  void receive(const formats::NewMatchMessage& message);
  void receive(const formats::TickMessage& message);
  /// What the bot answered to the last tick message. Left out, all three are thought possible.
  void answered(engine::Command command);

  /// The state at the last tick message, if the opponent repeated its last known command. The caller may step, save and
  /// restore it as he likes: every message puts it back. \pre status() is not waiting.
  [[nodiscard]] engine::World& world() noexcept { return world_; }
  [[nodiscard]] Status status() const noexcept { return status_; }
  /// States that the last message leaves possible, the most likely first: three but at a match's beginning (one) and
  /// after lost messages. They are the world's snapshots.
  [[nodiscard]] std::size_t candidate_count() const noexcept { return candidates_.count; }
  [[nodiscard]] const engine::Snapshot& candidate(std::size_t index) const noexcept;
  /// The state of the tick before the last message: certain while status() is exact. Null before a match's second tick.
  [[nodiscard]] const engine::Snapshot* settled() const noexcept { return settled_.empty() ? nullptr : &settled_; }

  /// Who "I" am: known from a match's first tick on.
  [[nodiscard]] std::optional<engine::Player> me() const noexcept { return me_; }
  /// By tick of the match; shorter than tick() by what does not show yet.
  [[nodiscard]] std::span<const engine::Command> opponent_commands() const noexcept { return opponent_commands_; }
  /// Beside opponent_commands(): 1 where what was seen fits no other command, 0 where another one comes nearly as near.
  [[nodiscard]] std::span<const std::uint8_t> sure() const noexcept { return sure_; }
  [[nodiscard]] int my_lives() const noexcept { return my_lives_; }
  [[nodiscard]] int enemy_lives() const noexcept { return enemy_lives_; }
  /// Of the last message, 0-based within the match, as far as it is known.
  [[nodiscard]] int tick() const noexcept { return tick_; }

  /// What was wrong with the last line or message; empty if it was fine.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
  /// What the state that leads to the last message was off by: the largest difference, map units or radians. 0 while
  /// status() is exact.
  [[nodiscard]] double error() const noexcept { return error_; }
  /// Messages with a problem, and resynchronisations, since the beginning.
  [[nodiscard]] std::size_t problem_count() const noexcept { return problem_count_; }
  [[nodiscard]] std::size_t resync_count() const noexcept { return resync_count_; }

 private:
  /// A state that is possible, and the commands since the last certain state.
  struct Candidate {
    engine::Snapshot snapshot;
    std::vector<engine::Commands> commands;
    engine::Commands last;  // of the tick before; stop at the match's start
  };
  /// Candidates in buffers that are used again.
  struct Candidates {
    std::vector<Candidate> list;
    std::size_t count = 0;
    Candidate& add();
  };
  /// How many commands of ours are possible: the one that was answered, or all.
  using Own = std::optional<engine::Command>;

  void finish_match();
  [[nodiscard]] bool begin_ticks(const formats::TickMessage& message);
  [[nodiscard]] bool follow(const formats::TickMessage& message, Candidates& from, Own own);
  [[nodiscard]] bool explain(const formats::TickMessage& message);
  [[nodiscard]] bool follow_nearest(const formats::TickMessage& message, double tolerance);
  void correct_poses(const formats::TickMessage& message);
  void resynchronise(const formats::TickMessage& message);
  void match_velocities(const std::array<formats::RecordedCar, 2>& target);
  void extend(const Candidate& from, Own own, Candidates& to);
  void keep_distinct(std::vector<Candidate*>& survivors);
  void settle(Candidate& certain, bool sure);
  void accept(Status status);
  void report(std::string problem);
  [[nodiscard]] bool fits(const formats::TickMessage& message) const;
  [[nodiscard]] std::array<formats::RecordedCar, 2> cars(const formats::TickMessage& message) const;

  engine::World world_;
  Status status_ = Status::waiting;
  std::optional<engine::Player> me_;
  int my_lives_ = 0;
  int enemy_lives_ = 0;
  std::optional<formats::NewMatchMessage> match_message_;
  int tick_ = -1;                                     // of the last message that was accepted
  Own own_;                                           // answered to it
  bool accepted_ = false;                             // whether the last message was accepted
  std::optional<formats::TickMessage> last_message_;  // whether it was accepted or not
  engine::Snapshot settled_;
  Candidates candidates_;           // at tick_
  Candidates next_;                 // work space
  std::array<Candidates, 2> lost_;  // one and two ticks on from candidates_, when messages were lost
  std::vector<engine::Command> opponent_commands_;
  std::vector<std::uint8_t> sure_;
  double error_ = 0;
  int misfit_count_ = 0;  // messages in a row that did not fit
  std::string problem_;
  std::size_t problem_count_ = 0;
  std::size_t resync_count_ = 0;
};

}  // namespace forkmunk::replay
