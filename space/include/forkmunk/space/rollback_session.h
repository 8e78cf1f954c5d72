// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/chipmunk/precision.h>
#include <forkmunk/space/space.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// Rollback over any transport (docs/guide/rollback.md). A session has no socket and no clock: the program carries
/// messages, and time is the number of calls of tick().
///
/// Words: frame, one call of advance() · seat, the place of a player, from 0 · host, the player who decides from which
/// frame on a seat is empty or taken · confirmed, a frame whose inputs are all known · client, a program without a
/// seat: a spectator, or a player until a seat is free.
namespace forkmunk::FORKMUNK_SPACE {

/// A type of input whose equal values have equal bytes.
template <typename T>
concept PlainInput = std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>;

/// The inputs of a frame, valid during advance().
class FrameInputs {
 public:
  FrameInputs(std::span<const std::string> inputs, unsigned int present) : inputs_(inputs), present_(present) {}
  [[nodiscard]] std::size_t size() const { return inputs_.size(); }
  [[nodiscard]] std::string_view operator[](std::size_t player) const { return inputs_[player]; }
  /// Returns whether the seat is taken. An empty seat has RollbackOptions::input.
  [[nodiscard]] bool is_present(std::size_t player) const { return (present_ >> player & 1u) != 0; }
  /// \throws Error if the input has another size, and for a player that there is not.
  template <PlainInput T>
  [[nodiscard]] T get(std::size_t player) const {
    T value;
    copy(player, &value, sizeof value);
    return value;
  }

 private:
  void copy(std::size_t player, void* to, std::size_t size) const;
  std::span<const std::string> inputs_;
  unsigned int present_;
};

/// The state that a session saves, restores and advances, in slots with small numbers.
class RollbackGame {
 public:
  virtual ~RollbackGame() = default;
  virtual void save(int slot) = 0;
  virtual void restore(int slot) = 0;
  /// Simulates one frame. The state and the inputs must decide the result. If advance() throws, the session restores
  /// the state before the frame and passes the exception on.
  virtual void advance(const FrameInputs& inputs, int frame) = 0;
  /// Returns a hash that is equal on all machines.
  virtual std::uint64_t hash() = 0;
  /// Returns a slot's state for another program. \throws Error if the state cannot travel.
  virtual std::vector<std::byte> write(int slot) = 0;
  /// Reads the result of another program's write() into a slot. \throws Error, with any state in the slot.
  virtual void read(int slot, std::span<const std::byte> bytes) = 0;
  /// Returns a line for each differing field.
  virtual std::string differences(int one, int other) = 0;
  /// Writes a player's expected input to `predicted`, which contains the last one.
  virtual void predict(std::string& predicted, int player, int frame) {
    static_cast<void>(predicted), static_cast<void>(player), static_cast<void>(frame);
  }
};

/// Returns all fields that differ, a line for each: "body 3: v differs: 1, 2".
[[nodiscard]] std::string difference_text(const Space& one, const Space& other);

/// A Space as a game. `advance` applies the inputs and steps the space. After Notice::loaded, objects have other
/// addresses: find them, for example, by collision types.
class SpaceGame : public RollbackGame {
 public:
  using Advance = std::function<void(Space& space, const FrameInputs& inputs, int frame)>;
  /// \param space  must outlive the game.
  SpaceGame(Space& space, Advance advance) : space_(space), advance_(std::move(advance)) {}
  void save(int slot) override;
  void restore(int slot) override;
  void advance(const FrameInputs& inputs, int frame) override;
  std::uint64_t hash() override { return space_.hash(); }
  std::vector<std::byte> write(int slot) override { return snapshot(slot).to_bytes(); }
  void read(int slot, std::span<const std::byte> bytes) override { snapshot(slot) = Snapshot::from_bytes(bytes); }
  std::string differences(int one, int other) override;
  [[nodiscard]] Snapshot& snapshot(int slot);
  [[nodiscard]] Space& space() const { return space_; }

 private:
  Space& space_;
  Advance advance_;
  std::vector<Snapshot> slots_;
};

/// The settings of one session. Notice::settings_differ follows unless `players`, `check_every`, `input_bytes_max`,
/// `input` and `game` are equal in all programs.
struct RollbackOptions {
  static constexpr int kSpectator = -1;  ///< The value of `local` for a spectator.

  int players = 2;           ///< Seats, from 2 to 16.
  int local = 0;             ///< The seat of this program, or kSpectator.
  int delay = 2;             ///< The frames from an input to its effect, from 0 to 64; a spectator's frames behind.
  int prediction = 8;        ///< The most frames simulated before all inputs are known, from 1 to 64.
  int check_every = 30;      ///< The frames between compared checksums.
  int input_bytes_max = 64;  ///< The largest size of an input, at most 1,024.
  int silence = 0;           ///< The ticks after which the host empties a silent seat; 0: never.
  int state_bytes_max = 1 << 24;  ///< The largest state that is accepted from another program.
  int history = 0;                ///< The kept frames for History, at most 1,024.
  unsigned int seats = 0xffff;    ///< The seats taken from the first frame on, as bits. The host's count.
  std::string input = {};         ///< Before the first input, and in an empty seat.
  std::uint64_t session = 0;      ///< Messages of other sessions are ignored.
  std::uint32_t game = 0;         ///< The game's version.
  /// A number for this run of the program, different from all others in a session, for example random. 0: local + 1.
  std::uint32_t instance = 0;
};

struct Notice {
  enum class Kind : std::uint8_t {
    predicted,        ///< advance() reported an event, which may be undone later.
    undone,           ///< A rollback removed a predicted event.
    confirmed,        ///< The frame of an event is confirmed: once each, in order.
    joined,           ///< A player has the seat from `frame` on.
    left,             ///< The seat is empty from `frame` on.
    desync,           ///< The confirmed state before `frame` differs from `player`'s; `text` has the fields.
    settings_differ,  ///< A program of `player`, which is ignored, has other settings: `text`.
    seat_taken,       ///< A second program has the seat of `player`. It is ignored, or follows as a client.
    refused,          ///< Another program refused a request, as `text` explains.
    loaded,           ///< The state before `frame` came from another program.
    dropped,          ///< The host emptied the seat of this program, which asks for it again unless it left.
    bad_message,      ///< Bytes were no message; `text` names the problem, once each.
  };
  Kind kind = Kind::bad_message;
  int player = -1;  ///< The seat; -1: unknown, or none.
  int frame = 0;
  int event = 0;           ///< The kind of a game's event.
  std::string text = {};   ///< An explanation, or the data of a game's event.
  std::uint64_t ours = 0;  ///< The checksums of a desync.
  std::uint64_t theirs = 0;
};

/// One program's part of a game.
///
/// The program calls tick() at the rate of its frames, also while tick() returns false, and receive() for each message.
///
/// Thread: one at a time. Callbacks may call const functions, set_delay(), leave(), event() in advance(), and drop() in
/// Tell.
class RollbackSession {
 public:
  /// Sends a message to the program of instance `to`, which sender_of() found in its last message, or to all others for
  /// 0. A transport may always send to all. What Send throws passes through tick() or receive(): the messages then
  /// count as lost, and the frame stays simulated, as frame() tells.
  using Send = std::function<void(std::span<const std::byte> message, std::uint32_t to)>;
  using Tell = std::function<void(const Notice& notice)>;
  /// The reason why tick() simulated nothing.
  enum class Wait : std::uint8_t { none, inputs, acknowledgement, pace, joining };
  struct Stats {
    int rolled_back = 0;  ///< The frames that the last tick() simulated again.
    int longest = 0;      ///< The largest such number.
    std::int64_t rollbacks = 0, frames_rolled_back = 0, stalls = 0, checksums = 0, bad_messages = 0;
  };

  /// Starts at frame 0 with the present state. A session that finds its game running asks the host for the state and
  /// its seat.
  /// \param game  must outlive the session. \throws Error for options out of their ranges.
  RollbackSession(RollbackGame& game, RollbackOptions options, Send send, Tell tell = nullptr);
  ~RollbackSession();
  RollbackSession(RollbackSession&&) noexcept;
  RollbackSession& operator=(RollbackSession&&) noexcept;

  /// Simulates a frame with the local player's input, which is copied, after going back where a prediction was wrong,
  /// and sends messages. \return false if no frame was simulated: see wait(). \throws Error for an input that is too
  /// long; what advance() throws. Then the game is as before, apart from corrected predictions, and the input is not
  /// kept.
  bool tick(std::string_view input);
  template <PlainInput T>
  bool tick(const T& input) {
    return tick(std::string_view(reinterpret_cast<const char*>(&input), sizeof input));
  }
  /// Simulates a frame for a spectator.
  bool tick() { return tick(std::string_view()); }
  /// \return whether the message is valid and of this session.
  bool receive(std::span<const std::byte> message);
  /// Reports an event, in advance() only. Tell then gets it as predicted, undone and confirmed. \throws Error
  /// elsewhere, and for more than 256 events or 64 KiB in a frame.
  void event(int kind, std::string_view data = {});

  /// Changes the delay from the next input on, from 0 to 64 frames.
  void set_delay(int frames);
  /// Empties the seat of a player from a frame on that all agree on. Only the host may do so. The player with the
  /// lowest other seat, or one without a seat that hears no host, may empty the host's seat, and becomes the host.
  /// \throws Error for others.
  void drop(int player);
  /// Tells the host that this player leaves. Call tick() until the notice `dropped`, at most for some frames.
  void leave();

  /// Returns the next frame to simulate.
  [[nodiscard]] int frame() const;
  /// Returns the first unconfirmed frame.
  [[nodiscard]] int confirmed_frame() const;
  [[nodiscard]] int delay() const;
  [[nodiscard]] bool is_playing() const;
  [[nodiscard]] bool is_host() const;
  [[nodiscard]] Wait wait() const;
  /// Returns the players, as bits, for whom the last tick() waited.
  [[nodiscard]] unsigned int waiting_for() const;
  /// Returns the desync, or null.
  [[nodiscard]] const Notice* desync() const;
  [[nodiscard]] const Stats& stats() const;
  /// Returns the slot with the state before a frame, which the next tick() may overwrite; -1 if the state is not kept.
  /// The last `prediction` or `history` frames are kept, whichever is more; in advance(), the last `history` frames and
  /// the present one.
  [[nodiscard]] int saved_slot(int frame) const;
  /// Returns about how many bytes the session keeps besides saved states.
  [[nodiscard]] std::size_t memory_bytes() const;

  /// Returns the instance that sent a message; 0 for other bytes. A program that loses its seat gets another instance.
  [[nodiscard]] static std::uint32_t sender_of(std::span<const std::byte> message) noexcept;

 private:
  struct Implementation;
  [[nodiscard]] Implementation& implementation() const;  // \throws Error if the session was moved from
  std::unique_ptr<Implementation> implementation_;
};

/// Simulates the last frames again after each frame, which finds what a game keeps outside of its state.
class SyncTest {
 public:
  /// \param game  must outlive the test. \param distance  frames to go back, from 1 to 64.
  SyncTest(RollbackGame& game, int players, int distance = 4);
  /// Simulates a frame. \throws Error with the differing fields if a frame ends in another state when it is simulated
  /// again; what the game throws. Then the state and frame() are as before.
  void tick(std::span<const std::string> inputs);
  [[nodiscard]] int frame() const { return frame_; }
  /// Returns the frame before which the last tick() found other states; -1: none.
  [[nodiscard]] int desync_frame() const { return desync_frame_; }

 private:
  RollbackGame& game_;
  int players_;
  int distance_;
  int frame_ = 0;
  int desync_frame_ = -1;
  bool is_restored_ = true;  // false where restore() threw
  std::vector<std::vector<std::string>> inputs_;
  std::vector<std::uint64_t> hashes_;
};

}  // namespace forkmunk::FORKMUNK_SPACE
