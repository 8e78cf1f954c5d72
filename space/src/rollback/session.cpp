// SPDX-License-Identifier: MIT
// docs/reference/rollback_messages.md explains streams of inputs, and how seats are emptied and hosts change.

#include "message.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/hasher.h>
#include <forkmunk/space/rollback_session.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

namespace forkmunk::FORKMUNK_SPACE {

using namespace rollback;

namespace {

constexpr int kDelayMax = 64, kPredictionMax = 64, kHistoryMax = 1024;
constexpr int kMarginFrames = 64;    // others' inputs and checksums are kept beyond delay and prediction
constexpr int kWindow = 1024;        // frames whose inputs are kept
constexpr int kChecksumsKept = 64;   // of our confirmed frames
constexpr int kPendingMax = 16;      // checksums of a peer
constexpr int kCheckpointsMore = 8;  // beside those of unconfirmed frames
constexpr int kClientsMax = 16;
constexpr int kSilentTicks = 60;      // then a restarted program may have the seat
constexpr int kLonelyTicks = 75;      // then a player without a host may go on alone
constexpr int kForgottenTicks = 600;  // then a silent client is dropped
constexpr int kRequestTicks = 300;    // then a request without progress ends or begins again
constexpr int kStateFrames = 256;     // one written state serves requests for so long
constexpr int kWriteTicks = 30;       // between two written states
constexpr int kChunksPerTick = 4;
constexpr int kMessagesPerTick = 8;  // with inputs, to a client
constexpr int kTurnBytes = 1 << 16;  // of a player's inputs to a client, before what got lost is sent again
constexpr int kCatchUpFrames = 8;    // in a tick of a late client
constexpr int kReadyFrames = 16;     // a client this far behind may get its seat
constexpr int kRelayFrames = 8;      // then the host passes on what a player lacks of another
constexpr double kPaceFrames = 0.625, kPaceWeight = 1.0 / 16;
constexpr int kPaceTicks = 8;  // between two waits
constexpr int kAheadMax = 100;
constexpr std::size_t kEventsMax = 256, kEventBytesMax = 65536;
constexpr int kNoFrame = std::numeric_limits<int>::max();
constexpr std::size_t kProblemsMax = 64;  // remembered, to report each once

void require(bool is_good, const char* name, std::int64_t value, const char* expected) {
  if (!is_good) throw Error("RollbackSession: found ", name, " ", value, ", expected ", expected);
}

/// Inputs by frame, in a ring.
class Stream {
 public:
  [[nodiscard]] bool has(int frame) const { return ring_ != nullptr && at(frame).frame == frame; }
  [[nodiscard]] const std::string& get(int frame) const { return at(frame).bytes; }
  void put(int frame, std::string_view bytes) {
    if (ring_ == nullptr) ring_ = std::make_unique<Slot[]>(kWindow);
    Slot& slot = ring_[static_cast<std::size_t>(frame % kWindow)];
    slot.frame = frame;
    slot.bytes.assign(bytes);
  }
  void cut(int frame) {
    for (int i = 0; ring_ != nullptr && i < kWindow; ++i) {
      if (ring_[i].frame >= frame) ring_[i].frame = -1;
    }
    known = std::min(known, frame);
  }
  void clear(int frame) {
    cut(0);
    known = frame;
  }
  [[nodiscard]] std::size_t memory_bytes() const {
    std::size_t bytes = 0;
    for (int i = 0; ring_ != nullptr && i < kWindow; ++i) bytes += sizeof(Slot) + ring_[i].bytes.capacity();
    return bytes;
  }
  int known = 0;  // the first unknown frame

 private:
  struct Slot {
    int frame = -1;
    std::string bytes;
  };
  [[nodiscard]] const Slot& at(int frame) const { return ring_[static_cast<std::size_t>(frame % kWindow)]; }
  std::unique_ptr<Slot[]> ring_;
};

struct Checksum {
  int frame = -1;
  std::uint64_t hash = 0;
};

struct Peer {
  std::uint32_t instance = 0;
  bool is_heard = false, is_leaving = false;
  std::array<int, kStreamsMax> known{};  // acknowledged frames
  int frame = 0;
  int ahead = 0;         // our frames ahead, as the peer sees them
  double advantage = 0;  // our frames ahead of the peer, smoothed
  std::int64_t heard_at = 0;
  std::uint32_t version = 0;
  std::array<Checksum, kPendingMax> pending{};  // to be compared later; frame -1: none
  int compared = -1;
  Request request = {};
  std::uint32_t sent = 0;  // chunks
  // Only for clients:
  std::array<int, kStreamsMax> unsent{};  // frames of the next message
  int turn = 0;                           // the player whose inputs come first
  int rest = 0;                           // players whose inputs this tick has not sent yet
  int seat = -1;
  bool is_ready = false;
  std::int64_t refused_at = -kRequestTicks;
};

struct GameEvent {
  int kind;
  std::string data;
  bool operator==(const GameEvent&) const = default;
};

/// A saved frame, with the applied inputs.
struct Saved {
  int frame = -1;
  std::array<std::string, kPlayersMax> used;
  unsigned int present = 0;
  std::vector<GameEvent> events, events_before;  // the second: before a rollback
};

struct Checkpoint {
  int frame = -1;
  std::optional<std::uint64_t> hash = {};  // once no rollback changes the state
  bool is_final = false;
};

struct WrittenState {
  std::int64_t written_at = -kWriteTicks;
  int frame = -1;
  std::uint32_t state_bytes = 0;
  std::string bytes;
};

struct Arrival {
  int frame = -1;
  std::uint32_t state_bytes = 0;
  std::string bytes = {};
  std::vector<char> has = {};  // 1 for an arrived chunk
  std::uint32_t next = 0;      // the first missing chunk
};

}  // namespace

void FrameInputs::copy(std::size_t player, void* to, std::size_t size) const {
  if (player >= inputs_.size()) throw Error("FrameInputs::get(): found player ", player, " of ", inputs_.size());
  const std::string& input = inputs_[player];
  if (input.size() != size) {
    throw Error("the input of player ", player, " has ", input.size(), " bytes, expected ", size);
  }
  std::copy(input.begin(), input.end(), static_cast<char*>(to));
}

struct RollbackSession::Implementation {
  RollbackGame& game;
  RollbackOptions options;
  Send send;
  Tell tell;
  Settings settings;
  int players;
  std::uint32_t instance;
  Stats stats;
  Wait wait = Wait::none;
  unsigned int waiting_for = 0;
  bool is_leaving = false;

  int frame = 0;
  int first_wrong = kNoFrame;
  int first_unconfirmed = 0;                   // events before it are told as confirmed
  int first_simulated = 0;                     // in this program
  std::optional<unsigned int> present_before;  // the seats before `first_unconfirmed`
  std::vector<Stream> streams;                 // of players, then who is present
  std::vector<Saved> saved;                    // a ring
  std::vector<GameEvent>* events = nullptr;    // only in advance()
  std::size_t event_bytes = 0;
  std::vector<Notice> notices;          // for the end of a call
  std::size_t delivered = 0;            // of them
  std::vector<std::uint64_t> problems;  // hashes of reported problems

  std::int64_t now = 0;  // ticks
  int host = 0;
  std::uint32_t host_instance = 0;
  std::uint32_t version = 0;         // of the roster
  std::uint32_t version_before = 0;  // the highest of other rosters
  std::array<std::uint32_t, kPlayersMax> roster{};
  unsigned int dropping = 0;
  unsigned int last_host = 0;                   // the seat, as a bit
  unsigned int present_next = 0;                // for the coming frames
  std::array<int, kPlayersMax> filled_until{};  // by the host, in emptied streams
  bool is_client;
  bool is_loaded;
  std::array<Peer, kPlayersMax> peers;    // by seat
  std::array<Peer, kClientsMax> clients;  // instance 0: none

  std::array<Checkpoint, kCheckpointsMore + kPredictionMax> checkpoints;  // a ring of `checkpoint_count`
  int checkpoint_count;
  std::array<Checksum, kChecksumsKept> checksums;  // a ring of confirmed frames
  Checksum last_checksum;
  std::optional<Notice> desync;
  Request request;
  Arrival arrival;
  std::int64_t progress_at = 0;
  WrittenState join_state, desync_state;

  std::array<int, kStreamsMax> unsent{};  // frames of the next message to all players
  std::int64_t paced_at = 0;
  bool is_running = false;
  int slot_to_restore = -1;  // where restore() threw

  [[nodiscard]] int seats_stream() const { return players; }
  [[nodiscard]] bool is_host() const { return host_instance == instance; }
  [[nodiscard]] bool is_spectator() const { return options.local == RollbackOptions::kSpectator; }
  [[nodiscard]] bool is_bound(int seat) const { return roster[seat] != kEmptySeat && roster[seat] != kAwaitedSeat; }
  /// Returns whether the last host's inputs are incomplete.
  [[nodiscard]] bool is_taking_over() const { return (dropping & last_host) != 0; }
  [[nodiscard]] bool is_mine() const { return !is_spectator() && roster[options.local] == instance; }
  /// Returns whether the seat is empty, and all inputs of its former players are known.
  [[nodiscard]] bool has_found_empty_seat() const {
    const int last = streams[seats_stream()].known - 1;
    return !is_spectator() && last >= 0 && streams[seats_stream()].has(last) &&
           (present_at(last) >> options.local & 1u) == 0 && streams[options.local].known > last;
  }
  [[nodiscard]] bool is_dropping(int seat) const { return (dropping >> seat & 1u) != 0; }
  [[nodiscard]] int saved_count() const { return static_cast<int>(saved.size()); }
  [[nodiscard]] int slot_of(int f) const { return f % saved_count(); }
  [[nodiscard]] int checkpoint_slot(int i) const { return saved_count() + i; }
  [[nodiscard]] int foreign_slot() const { return checkpoint_slot(checkpoint_count); }
  [[nodiscard]] Checksum& kept_checksum(int f) {
    return checksums[static_cast<std::size_t>(f / options.check_every % kChecksumsKept)];
  }
  [[nodiscard]] int frames_ahead_max() const { return kDelayMax + kPredictionMax + kMarginFrames; }

  void note(Notice::Kind kind, int player, int at, std::string text = {}) {
    notices.push_back({.kind = kind, .player = player, .frame = at, .text = std::move(text)});
  }

  /// The frames of a program that waits for a state are not the game's: they have its own inputs.
  [[nodiscard]] int final_frame() const {
    return is_loaded ? std::min(first_wrong, frame + std::min(behind(), 0)) : std::min(first_unconfirmed, frame);
  }
  /// Restores a state of this session. If the game throws, the next tick() tries again.
  void restore(int slot) {
    slot_to_restore = slot;
    game.restore(slot);
    slot_to_restore = -1;
  }

  /// Forgets what a new host may decide otherwise.
  void forget_last_host() {
    for (Stream& each : streams) each.cut(each.known);
    for (Peer& each : peers) each.version = 0;
  }
  [[nodiscard]] bool is_silent(int seat, int ticks) const {
    return is_bound(seat) && now - peers[seat].heard_at >= ticks;
  }
  /// Returns whether another player's messages arrive. Otherwise the host relays inputs.
  [[nodiscard]] bool is_in_touch(int i) const {
    return i != options.local && is_bound(i) && !is_dropping(i) && peers[i].is_heard &&
           (is_host() || i == host || !is_silent(i, kSilentTicks));
  }
  [[nodiscard]] bool is_host_silent(int ticks) const { return now - peers[host].heard_at >= ticks; }
  /// Returns whether a player without a seat finds no host, and has a state of the game.
  [[nodiscard]] bool is_left_alone(int ticks) const {
    return is_client && !is_spectator() && !is_leaving && first_unconfirmed > 0 &&
           is_host_silent(std::max(ticks, kLonelyTicks));
  }
  /// Returns the first frame of which a player lacks an input.
  [[nodiscard]] int confirmed_by(int seat) const {
    const auto& known = peers[seat].known;
    return *std::min_element(known.begin(), known.begin() + players + 1);
  }

  void forget_requests() {
    request = {};
    arrival = {};
    desync.reset();
  }

  void check_input(std::string_view input) const {
    if (input.size() <= static_cast<std::size_t>(options.input_bytes_max)) return;
    throw Error("RollbackSession: found an input of ", input.size(), " bytes, expected at most ",
                options.input_bytes_max, ", which is input_bytes_max");
  }

  Implementation(RollbackGame& g, RollbackOptions o, Send s, Tell t)
      : game(g), options(std::move(o)), send(std::move(s)), tell(std::move(t)), players(options.players) {
    require(players >= 2 && players <= kPlayersMax, "players", players, "2 to 16");
    require(options.local >= RollbackOptions::kSpectator && options.local < players, "local", options.local,
            "a number below players, or a spectator");
    require(options.delay >= 0 && options.delay <= kDelayMax, "delay", options.delay, "0 to 64");
    require(options.prediction >= 1 && options.prediction <= kPredictionMax, "prediction", options.prediction,
            "1 to 64");
    require(options.check_every >= 1 && options.check_every <= 65535, "check_every", options.check_every, "1 to 65535");
    require(options.input_bytes_max >= 0 && options.input_bytes_max <= static_cast<int>(kInputBytesMax),
            "input_bytes_max", options.input_bytes_max, "0 to 1024");
    check_input(options.input);
    require(options.silence >= 0, "silence", options.silence, "0 or more");
    require(options.state_bytes_max >= 1, "state_bytes_max", options.state_bytes_max, "1 or more");
    require(options.history >= 0 && options.history <= kHistoryMax, "history", options.history, "0 to 1024");
    if (!send) throw Error("RollbackSession: send is empty; give a function");
    instance = options.instance == 0 ? static_cast<std::uint32_t>(options.local + 1) : options.instance;
    if (instance == kEmptySeat || instance == kAwaitedSeat) {
      throw Error("RollbackSession: a spectator needs an instance, and 4294967295 cannot be one");
    }
    settings = {.players = static_cast<std::uint8_t>(players),
                .check_every = static_cast<std::uint16_t>(options.check_every),
                .input_bytes_max = static_cast<std::uint16_t>(options.input_bytes_max),
                .input_hash = static_cast<std::uint32_t>(checksum_of(bytes_of(options.input))),
                .game = options.game};
    streams.resize(static_cast<std::size_t>(players) + 1);
    saved.resize(static_cast<std::size_t>(options.prediction + options.history) + 2);
    checkpoint_count = kCheckpointsMore + options.prediction / options.check_every;
    present_next = options.seats & ((1u << players) - 1);
    present_before = present_next;
    is_client = is_spectator();
    is_loaded = !is_client;
    if (options.local != 0) return;
    host_instance = instance;
    version = 1;
    for (int i = 0; i < players; ++i) roster[i] = (present_next >> i & 1u) != 0 ? kAwaitedSeat : kEmptySeat;
    roster[0] = instance;
    present_next |= 1u;
  }

  void note_once(Notice::Kind kind, int player, std::string_view text) {
    Hasher hasher;
    hasher.add(static_cast<int>(kind));
    hasher.add(player);
    hasher.add_bytes(bytes_of(text));
    const std::uint64_t problem = hasher.value();
    if (problems.size() == kProblemsMax || std::find(problems.begin(), problems.end(), problem) != problems.end())
      return;
    problems.push_back(problem);
    note(kind, player, frame, std::string(text));
  }

  /// Where tell() throws, the rest is told after the next call.
  void deliver() {
    while (delivered < notices.size()) {
      const Notice notice = std::move(notices[delivered++]);
      if (tell) tell(notice);
    }
    notices.clear();
    delivered = 0;
  }

  // Inputs ---------------------------------------------------------------------------------------------------------

  [[nodiscard]] unsigned int present_at(int f) const {
    const Stream& seats = streams[seats_stream()];
    const int known = std::min(f, seats.known - 1);
    if (known < 0 || !seats.has(known)) return is_host() ? present_next : present_before.value_or(present_next);
    const std::string& bytes = seats.get(known);
    return static_cast<unsigned char>(bytes[0]) | static_cast<unsigned int>(static_cast<unsigned char>(bytes[1])) << 8;
  }

  [[nodiscard]] bool is_known(int seat, int f) const {
    if (streams[seat].has(f)) return true;
    return f < streams[seats_stream()].known && (present_at(f) >> seat & 1u) == 0;
  }

  /// Returns the known input, or a prediction.
  void find_input(int seat, int f, unsigned int present, std::string& input) const {
    const Stream& stream = streams[seat];
    if ((present >> seat & 1u) == 0) {
      input = options.input;
    } else if (stream.has(f)) {
      input = stream.get(f);
    } else {
      const int last = std::min(stream.known, f) - 1;
      input = last >= 0 && stream.has(last) ? stream.get(last) : options.input;
      game.predict(input, seat, f);
      check_input(input);
    }
  }

  void find_known() {
    Stream& seats = streams[seats_stream()];
    while (seats.has(seats.known)) ++seats.known;
    const int end = frame + frames_ahead_max();
    for (int i = 0; i < players; ++i) {
      while (streams[i].known < end && is_known(i, streams[i].known)) ++streams[i].known;
    }
  }

  /// Finds the first frame from `from` on that was simulated with wrong inputs.
  void find_wrong(int from) {
    std::string input;
    for (int f = std::max({from, first_simulated, frame - options.prediction - 1}); f < std::min(frame, first_wrong);
         ++f) {
      const Saved& at = saved[slot_of(f)];
      const unsigned int present = present_at(f);
      bool is_wrong = present != at.present;
      for (int i = 0; i < players && !is_wrong; ++i) {
        if (!is_known(i, f)) continue;
        find_input(i, f, present, input);
        is_wrong = input != at.used[i];
      }
      if (is_wrong) first_wrong = f;
    }
  }

  /// \return the number of frames with known inputs to come.
  [[nodiscard]] int behind() const {
    int least = kFrameMax;
    for (const Stream& stream : streams) least = std::min(least, stream.known);
    return least - frame;
  }

  /// Gives the coming frames, up to the delay, their input.
  void put_own_inputs(std::string_view input) {
    Stream& own = streams[options.local];
    const int target = frame + options.delay;
    for (; own.known <= target; ++own.known)
      own.put(own.known, own.known < options.delay && frame == 0 ? std::string_view(options.input) : input);
    if (is_host() && !is_taking_over()) put_seats();
    find_known();
  }

  /// Writes, as the host, who is present.
  void put_seats() {
    Stream& seats = streams[seats_stream()];
    const char bytes[2] = {static_cast<char>(present_next), static_cast<char>(present_next >> 8)};
    for (; seats.known < streams[options.local].known; ++seats.known) seats.put(seats.known, {bytes, sizeof bytes});
  }

  void keep_checkpoint() {
    if (desync.has_value() || frame % options.check_every != 0) return;  // after a desync they are compared
    const int i = frame / options.check_every % checkpoint_count;
    if (checkpoints[i].frame == frame && checkpoints[i].is_final) return;
    game.save(checkpoint_slot(i));
    checkpoints[i] = {.frame = frame};
    if (behind() >= 0) checkpoints[i].hash = game.hash();
  }

  /// Hashes each saved state when it is confirmed.
  std::uint64_t hash_of_checkpoint(int i) {
    game.save(slot_of(frame));
    std::uint64_t hash = 0;
    try {
      game.restore(checkpoint_slot(i));
      hash = game.hash();
    } catch (...) {
      restore(slot_of(frame));
      throw;
    }
    restore(slot_of(frame));
    return hash;
  }

  void simulate() {
    const int slot = slot_of(frame);
    Saved& at = saved[slot];
    game.save(slot);
    keep_checkpoint();
    if (at.frame != frame) at.events.clear();
    at.frame = frame;
    at.present = present_at(frame);
    for (int i = 0; i < players; ++i) find_input(i, frame, at.present, at.used[i]);
    std::vector<GameEvent> fresh;
    events = &fresh;
    event_bytes = 0;
    try {
      game.advance(FrameInputs(std::span(at.used).first(static_cast<std::size_t>(players)), at.present), frame);
    } catch (...) {
      events = nullptr;
      restore(slot);
      throw;
    }
    events = nullptr;
    settle_events(at, fresh);
    ++frame;
  }

  void note_event(Notice::Kind kind, const GameEvent& event, int f) {
    note(kind, -1, f, event.data);
    notices.back().event = event.kind;
  }

  void settle_events(Saved& at, std::vector<GameEvent>& fresh) {
    if (at.frame < first_unconfirmed) return at.events.clear();  // told before the state was loaded
    std::vector<GameEvent> before = std::exchange(at.events, std::move(fresh));
    for (const GameEvent& event : at.events) {
      const auto same = std::find(before.begin(), before.end(), event);
      if (same == before.end()) {
        note_event(Notice::Kind::predicted, event, at.frame);
      } else {
        before.erase(same);
      }
    }
    for (const GameEvent& event : before) note_event(Notice::Kind::undone, event, at.frame);
  }

  void roll_back() {
    stats.rolled_back = 0;
    if (first_wrong >= frame) return;
    const int present = frame, wrong = first_wrong;
    const std::size_t notice_count = notices.size();
    for (int f = wrong; f < present; ++f) saved[slot_of(f)].events_before = saved[slot_of(f)].events;
    saved[slot_of(present)].frame = -1;
    game.save(slot_of(present));
    try {
      game.restore(slot_of(wrong));
      frame = wrong;
      while (frame < present) simulate();
    } catch (...) {
      frame = present;
      for (int f = wrong; f < present; ++f) std::swap(saved[slot_of(f)].events, saved[slot_of(f)].events_before);
      notices.resize(notice_count);
      restore(slot_of(present));
      throw;
    }
    first_wrong = kNoFrame;
    stats.rolled_back = present - wrong;
    stats.longest = std::max(stats.longest, stats.rolled_back);
    stats.frames_rolled_back += stats.rolled_back;
    ++stats.rollbacks;
  }

  void confirm_events() {
    for (const int end = final_frame(); first_unconfirmed < end; ++first_unconfirmed) {
      Saved& at = saved[slot_of(first_unconfirmed)];
      for (const GameEvent& event : at.events) note_event(Notice::Kind::confirmed, event, first_unconfirmed);
      at.events.clear();
      const unsigned int changed = present_before.value_or(at.present) ^ at.present;
      for (int i = 0; i < players; ++i) {
        if ((changed >> i & 1u) == 0) continue;
        note((at.present >> i & 1u) != 0 ? Notice::Kind::joined : Notice::Kind::left, i, first_unconfirmed);
      }
      present_before = at.present;
    }
  }

  /// Checkpoints are final once all inputs before them are applied. Where advance() threw, the checkpoint is of the
  /// state before a rollback.
  void check() {
    const int end = std::min(final_frame(), frame - 1);
    for (int i = 0; i < checkpoint_count; ++i) {
      Checkpoint& each = checkpoints[i];
      if (each.frame < 0 || each.frame > end || each.is_final) continue;
      if (!each.hash) each.hash = hash_of_checkpoint(i);
      each.is_final = true;
      const Checksum sum{each.frame, *each.hash};
      kept_checksum(each.frame) = sum;
      if (each.frame > last_checksum.frame) last_checksum = sum;
    }
    if (!is_loaded) return;  // the host may have decided otherwise
    for (int i = 0; i < players; ++i) {
      for (Checksum& theirs : peers[i].pending) {
        if (theirs.frame < 0 || theirs.frame > last_checksum.frame) continue;
        const Checksum& ours = kept_checksum(theirs.frame);
        peers[i].compared = std::max(peers[i].compared, theirs.frame);
        if (ours.frame == theirs.frame) compare_checksums(i, ours, theirs);
        theirs = {};
      }
    }
  }

  void compare_checksums(int player, const Checksum& ours, const Checksum& theirs) {
    ++stats.checksums;
    if (ours.hash == theirs.hash || desync.has_value()) return;
    desync = Notice{.kind = Notice::Kind::desync,
                    .player = player,
                    .frame = theirs.frame,
                    .ours = ours.hash,
                    .theirs = theirs.hash};
    if (is_client) return end_request();
    request = {.purpose = Purpose::desync, .from = peers[player].instance, .frame = theirs.frame};
    arrival = {};
    progress_at = now;
  }

  // Seats ----------------------------------------------------------------------------------------------------------

  /// Gives up the seat and asks for the state.
  void become_client(bool is_new_instance) {
    if (is_new_instance) {
      Hasher hasher;
      hasher.add(instance, version);
      instance = static_cast<std::uint32_t>(hasher.value()) >> 1 | 1u;
    }
    is_client = true;
    is_loaded = false;
    forget_requests();
    progress_at = now;
  }

  void begin_drop(int seat) {
    if (is_dropping(seat) || roster[seat] == kEmptySeat) return;
    dropping |= 1u << seat;
    streams[seat].cut(streams[seat].known);
    ++version;
  }

  /// Returns whether a seat cannot be emptied before a player knows of it.
  [[nodiscard]] bool has_not_agreed(int i) const {
    return dropping != 0 && is_bound(i) && !is_dropping(i) && peers[i].version != version;
  }

  /// Empties seats once all other players stopped taking their inputs.
  void finish_drop() {
    Stream& seats = streams[seats_stream()];
    for (int i = 0; i < players; ++i) {
      if (i == options.local || !is_bound(i) || is_dropping(i)) continue;
      if (has_not_agreed(i)) return;
      if (is_taking_over() && peers[i].known[seats_stream()] > seats.known) return;
      for (int of = 0; of < players; ++of) {
        if (is_dropping(of) && peers[i].known[of] > streams[of].known) return;
      }
    }
    if (is_taking_over()) {  // the last host may have emptied a seat in its roster, and not yet in the streams
      present_next = present_at(kFrameMax);
      unsigned int more = 0;
      for (int i = 0; i < players; ++i) {
        if (is_bound(i)) present_next |= 1u << i;  // perhaps admitted, and not yet in the streams
        const bool is_complete = (present_next >> i & 1u) == 0 && streams[i].known >= seats.known;
        if (roster[i] != kEmptySeat || is_dropping(i) || is_complete) continue;
        more |= 1u << i;
        streams[i].cut(streams[i].known);
      }
      dropping |= more;
      if (more != 0) return static_cast<void>(++version);
      for (int i = 0; i < players; ++i) filled_until[i] = streams[i].known;  // perhaps by the last host
    }
    int from = seats.known;
    for (int i = 0; i < players; ++i) {
      if (!is_dropping(i)) continue;
      Stream& stream = streams[i];
      from = std::min(from, stream.known);
      for (; stream.known < seats.known; ++stream.known) stream.put(stream.known, options.input);
      filled_until[i] = stream.known;
      roster[i] = kEmptySeat;
      present_next &= ~(1u << i);
      peers[i] = {};
    }
    dropping = 0;
    ++version;
    put_seats();  // after a change of hosts this stream is behind
    find_known();
    find_wrong(from);
  }

  [[nodiscard]] bool is_successor() const {
    if (is_client || is_host() || !is_mine() || is_leaving) return false;
    for (int i = 0; i < options.local; ++i) {
      const bool is_lost = is_silent(i, std::max(options.silence, kSilentTicks)) || peers[i].is_leaving;
      if (i != host && is_bound(i) && !is_dropping(i) && !is_lost) return false;
    }
    return true;
  }

  void take_over() {
    host_instance = instance;
    version = (std::max(version, version_before) | 0xffffu) + 1;
    last_host = 1u << host;
    present_next = present_at(kFrameMax);
    forget_last_host();
    begin_drop(host);
    host = options.local;
    dropping &= ~(1u << host);
  }

  /// Makes the present state the game's, and empties all other seats.
  void go_on_alone() {
    is_client = false;
    is_loaded = true;
    forget_requests();
    peers = {};
    roster = {};  // nobody needs to agree
    roster[options.local] = instance;
    take_over();
    dropping = ((1u << players) - 1) & ~(1u << host);
  }

  void admit_clients() {
    for (Peer& client : clients) {
      const int seat = client.seat;
      if (client.instance == 0 || seat < 0 || seat == options.local) continue;
      if (roster[seat] == kAwaitedSeat || is_silent(seat, kSilentTicks)) begin_drop(seat);
      if (roster[seat] != kEmptySeat || is_dropping(seat) || !client.is_ready) continue;
      if (client.version < version) continue;  // it may not know yet that it lost the seat
      peers[seat] = client;
      peers[seat].heard_at = now;
      roster[seat] = client.instance;
      present_next |= 1u << seat;
      ++version;
      client = {};
    }
  }

  /// Empties silent players' seats, and gives empty seats to those who ask.
  void watch_seats() {
    for (Peer& client : clients) {
      if (now - client.heard_at > kForgottenTicks) client = {};
    }
    if (is_client) {
      if (options.silence > 0 && is_left_alone(options.silence)) go_on_alone();
      return;
    }
    if (is_host()) {
      for (int i = 0; i < players; ++i) {
        const bool is_lost = options.silence > 0 && is_silent(i, options.silence);
        const bool lacks_start =
            peers[i].is_heard && confirmed_by(i) < first_simulated;  // of what this program can send
        if (i != options.local && (is_lost || lacks_start || peers[i].is_leaving)) begin_drop(i);
      }
      admit_clients();
      if (dropping != 0) finish_drop();
      return;
    }
    // The loaded state needs inputs that the new host lacks.
    if (is_taking_over() && peers[host].is_heard && confirmed_by(host) < first_simulated) return become_client(true);
    if (host_instance == 0 || !is_successor()) return;
    bool is_asked = false;
    for (const Peer& client : clients) is_asked = is_asked || (client.instance != 0 && client.seat == host);
    if ((is_asked && is_host_silent(kSilentTicks)) || (options.silence > 0 && is_host_silent(options.silence)) ||
        peers[host].is_leaving)
      take_over();
  }

  /// Returns whether another program than the known host is the host. Of two hosts, one that empties the other's seat
  /// wins: it may have confirmed frames without the other.
  [[nodiscard]] bool yields_to(const Message& message) const {
    const int claimant = message.from;
    const bool has_seat = roster[claimant] == message.instance;
    const bool is_member = has_seat && !is_dropping(claimant);
    const bool keeps_us = !is_spectator() && message.instances[options.local] == instance &&
                          (message.dropping >> options.local & 1u) == 0;
    if (!is_host()) {
      const bool is_lost = is_host_silent(kSilentTicks);
      return (is_lost && (is_client || (has_seat && keeps_us))) ||
             (message.version > version &&
              (is_member || is_client || !is_mine() || (is_lost && message.frame > frame)));
    }
    const auto is_awaiting = [&](const auto& seats) {  // such a game has not begun
      return std::find(seats.begin(), seats.begin() + players, kAwaitedSeat) != seats.begin() + players;
    };
    if (is_awaiting(roster) != is_awaiting(message.instances)) return is_awaiting(roster);
    if (is_member != keeps_us) return is_member;
    int more = 0;  // players there than here
    for (int i = 0; i < players; ++i) {
      const std::uint32_t other = message.instances[i];
      const bool is_there = other != kEmptySeat && other != kAwaitedSeat && (message.dropping >> i & 1u) == 0;
      more += (is_there ? 1 : 0) - (is_bound(i) && !is_dropping(i) ? 1 : 0);
    }
    if (!is_member && more != 0) return more > 0;
    return message.version > version || (message.version == version && claimant < options.local);
  }

  void take_roster(const Message& message) {
    const int claimant = message.from;
    if (claimant >= players) return;
    if (message.instance == host_instance) {
      if (message.version <= version) return;
    } else if (host_instance != 0 && !yields_to(message)) {
      return;
    }
    const bool was_mine = is_mine(), is_new_host = message.instance != host_instance && host_instance != 0;
    // A player who agreed to a drop and then followed the last host again, or who went on without the new host, may
    // know more than the others.
    const bool is_other_game =
        is_new_host && (message.instances[host] != host_instance || roster[claimant] != message.instance);
    if (is_new_host) {
      last_host = 1u << host;
      forget_last_host();
      if (is_client) request = {}, arrival = {};
      // The last host may have sent what no player has, or the next one had a game of its own.
      bool has_more = is_other_game || (message.dropping & last_host) == 0;
      for (int i = 0; i <= players; ++i) has_more = has_more || streams[i].known > message.known[i];
      if (is_client && has_more) is_loaded = false, progress_at = now;
    }
    const unsigned int new_drops = message.dropping & ~dropping;
    host = claimant;
    host_instance = message.instance;
    version_before = std::max(version_before, version);
    version = message.version;
    dropping = message.dropping;
    for (int i = 0; i < players; ++i) {
      if ((new_drops >> i & 1u) != 0 && i != options.local) streams[i].cut(streams[i].known);
      if (roster[i] == message.instances[i]) continue;
      // The new host may not know this player.
      if (is_new_host && is_bound(i) && i != options.local) streams[i].cut(streams[seats_stream()].known);
      roster[i] = message.instances[i];
      peers[i] = {};
      peers[i].instance = roster[i];
      peers[i].heard_at = now;
    }
    if (is_spectator()) return;
    const std::uint32_t seat = roster[options.local];
    if (seat == instance && (is_client || !is_other_game)) {
      if (is_client && (is_loaded || frame == 0)) is_client = false, is_loaded = true, request = {};
    } else if (!is_client && seat != kAwaitedSeat) {
      if (was_mine) note(Notice::Kind::dropped, options.local, frame);
      if (!was_mine && seat != kEmptySeat)
        note_once(Notice::Kind::seat_taken, options.local, "another program has the seat");
      become_client(was_mine);
    }
  }

  // Messages -------------------------------------------------------------------------------------------------------

  bool receive(std::string_view bytes) {
    Message message;
    const char* problem = read_message(bytes, message);
    const int seat = message.from == 0xff ? -1 : message.from;
    if (problem == nullptr && message.session != options.session) problem = "it is of another session";
    if (problem != nullptr) {
      ++stats.bad_messages;
      note_once(Notice::Kind::bad_message, -1, problem);
      return false;
    }
    if (message.settings != settings) {
      note_once(Notice::Kind::settings_differ, seat, difference_of(settings, message.settings));
      return false;
    }
    if (message.instance == instance) {
      note_once(Notice::Kind::seat_taken, seat, "a message came back, or another program has the instance of this one");
      return true;
    }
    if (message.to != 0 && message.to != instance) return true;
    if (message.kind == MessageKind::play) receive_play(message);
    if (message.kind == MessageKind::chunk) receive_chunk(message);
    if (message.kind == MessageKind::refusal) {
      const bool is_asked = request.purpose != Purpose::none && message.instance == request.from;
      if (is_asked || message.instance == host_instance) note_once(Notice::Kind::refused, seat, message.text);
      if (is_asked && request.purpose == Purpose::desync) {
        desync->text = message.text;
        end_request();
      }
    }
    return true;
  }

  void receive_play(const Message& message) {
    if (message.has_roster) take_roster(message);
    const int seat = message.from;
    // An earlier run of this program had the same instance.
    const bool was_there = !is_client && first_unconfirmed == 0 && seat < players &&
                           message.known[options.local] > streams[options.local].known;
    const bool is_late = is_host() && (version == 1 || first_unconfirmed == 0) && !message.has_roster &&
                         !message.is_client && message.host_instance != 0 && message.host_instance != instance &&
                         message.version > version && seat < players && roster[seat] != message.instance;
    if (was_there || is_late) {
      // The game ran before this program started, so another program is the host.
      if (was_there) note(Notice::Kind::dropped, options.local, frame);
      host = seat;
      host_instance = 0;
      peers[host].heard_at = now;
      roster = {};
      become_client(was_there || version > 1);
    }
    if (message.is_client) return receive_client(message);
    if (seat >= players) return;
    if (is_host() && roster[seat] == kAwaitedSeat && !is_dropping(seat)) {
      roster[seat] = message.instance;
      peers[seat].instance = message.instance;
      ++version;
    }
    const bool is_bound_sender = roster[seat] == message.instance;
    if (is_bound_sender) {
      const bool has_other_host = message.host_instance != 0 && message.host_instance != host_instance;
      if (is_host() && has_other_host && !is_dropping(seat)) version = std::max(version, message.version + 1);
      update_peer(peers[seat], message);
    } else if (seat == options.local) {
      note_once(Notice::Kind::seat_taken, seat, "two programs have the seat");
    }
    take_inputs(message, is_bound_sender);
  }

  void receive_client(const Message& message) {
    Peer* found = nullptr;
    for (Peer& client : clients) {
      if (client.instance == message.instance) found = &client;
    }
    if (found == nullptr) {
      if (is_client) return;
      const auto seat = std::find(roster.begin(), roster.end(), message.instance) - roster.begin();
      if (seat < players) {  // the sender does not know that it has the seat, or lost the state
        const bool is_lost = is_host() && message.version == version && message.host_instance == instance;
        return is_lost ? begin_drop(static_cast<int>(seat)) : void();
      }
      for (Peer& client : clients) {
        if (client.instance == 0) found = &client;
      }
      if (found == nullptr) return refuse(message.instance, "there are too many that ask or watch");
      *found = {};
      found->instance = message.instance;
      found->refused_at = now - kRequestTicks + kSilentTicks / 2;  // time for the former program to fall silent
    }
    Peer& client = *found;
    update_peer(client, message);
    client.known = message.known;  // a restarted client knows less
    client.seat = message.from == 0xff ? -1 : message.from;
    client.is_ready = message.is_ready;
    if (!is_host() || client.seat < 0 || !is_bound(client.seat) || is_silent(client.seat, kSilentTicks / 4)) return;
    if (now - client.refused_at < kRequestTicks) return;
    client.refused_at = now;
    note_once(Notice::Kind::seat_taken, client.seat, "two programs have the seat");
    refuse(client.instance, "another program has the seat");
  }

  void update_peer(Peer& peer, const Message& message) {
    peer.is_heard = true;
    peer.is_leaving = message.is_leaving;
    const bool has_same_host = message.host_instance == host_instance;
    const bool is_older = has_same_host && message.version < peer.version;
    const bool is_newer = has_same_host && message.version > peer.version;  // the peer may have forgotten inputs
    for (int i = 0; i <= players && !is_older; ++i) {
      const int known = std::min(message.known[i], streams[i].known + frames_ahead_max());
      peer.known[i] = is_newer ? known : std::max(peer.known[i], known);
    }
    if (message.frame >= peer.frame) {
      peer.frame = message.frame;
      if (!is_spectator()) peer.ahead = message.ahead[options.local];
    }
    if (message.host_instance == 0 || message.is_client || has_same_host) peer.heard_at = now;
    if (has_same_host && !is_older) peer.version = message.version;
    peer.request = message.request;
    const int checked = message.checked_frame;
    if (checked <= peer.compared || checked >= frame + frames_ahead_max() || desync.has_value()) return;
    // Two hosts may decide otherwise, and a player who is being dropped may have had another host.
    const bool is_losing = !is_spectator() && is_dropping(options.local);
    if (message.is_client || is_losing || is_dropping(message.from) || message.host_instance != host_instance) return;
    peer.pending[static_cast<std::size_t>(checked / options.check_every % kPendingMax)] = {checked, message.checksum};
  }

  /// A player extends its own stream, and the host all. Those who stay tell the host the inputs of an emptied seat.
  [[nodiscard]] bool may_extend(const Message& message, bool is_bound_sender, int stream) const {
    if (!is_client && !is_mine()) return false;
    if (message.instance == host_instance && message.has_roster) return true;
    if (is_client || !is_bound_sender || stream == options.local) return false;
    const bool is_frozen = stream == seats_stream() ? is_taking_over() : is_dropping(stream);
    return is_frozen ? is_host() && !is_dropping(message.from) : stream == message.from;
  }

  void take_inputs(const Message& message, bool is_bound_sender) {
    const int end = frame + frames_ahead_max();
    int from = kNoFrame;
    for (const Segment& segment : message.segments) {
      if (!may_extend(message, is_bound_sender, segment.stream)) continue;
      Stream& stream = streams[segment.stream];
      int f = segment.first;
      Reader reader(segment.bytes);
      visit_inputs(reader, segment.count, kInputBytesMax, [&](std::string_view input) {
        if (f >= stream.known && f < end && !stream.has(f)) {
          stream.put(f, input);
          from = std::min(from, f);
        }
        ++f;
      });
    }
    if (from == kNoFrame) return;
    find_known();
    find_wrong(from);
  }

  void receive_chunk(const Message& message) {
    if (request.purpose != message.purpose || request.from != message.instance) return;
    const auto most = static_cast<std::uint32_t>(options.state_bytes_max);
    if (message.total_bytes > most || message.state_bytes > most) {
      note_once(Notice::Kind::refused, message.from == 0xff ? -1 : message.from,
                "the state is larger than state_bytes_max");
      return;
    }
    if (request.purpose == Purpose::desync && message.frame != request.frame) return;
    const std::uint32_t count = static_cast<std::uint32_t>((message.total_bytes + kChunkBytes - 1) / kChunkBytes);
    if (message.frame != arrival.frame) {
      if (message.frame < arrival.frame) return;
      arrival = {.frame = message.frame, .state_bytes = message.state_bytes};
    }
    if (message.state_bytes != arrival.state_bytes || message.index > arrival.next + 32 || message.index < arrival.next)
      return;
    const std::size_t start = std::size_t{message.index} * kChunkBytes;
    if (arrival.has.size() <= message.index) arrival.has.resize(message.index + 1);
    if (arrival.bytes.size() < start + message.chunk.size()) arrival.bytes.resize(start + message.chunk.size());
    std::copy(message.chunk.begin(), message.chunk.end(), arrival.bytes.begin() + static_cast<std::ptrdiff_t>(start));
    arrival.has[message.index] = 1;
    while (arrival.next < arrival.has.size() && arrival.has[arrival.next]) ++arrival.next;
    progress_at = now;
    if (arrival.next == count) finish_arrival();
  }

  void finish_arrival() {
    try {
      const std::vector<std::byte> state = decompress(arrival.bytes, arrival.state_bytes);
      if (state.empty()) throw Error("the state is damaged");
      if (request.purpose == Purpose::join)
        load(state);
      else
        compare(state);
    } catch (const std::exception& error) {
      note_once(Notice::Kind::bad_message, host, error.what());
      if (request.purpose == Purpose::desync) end_request();
      arrival = {};
    }
  }

  void load(std::span<const std::byte> state) {
    game.read(foreign_slot(), state);
    game.restore(foreign_slot());
    slot_to_restore = -1;
    for (int f = first_unconfirmed; f < frame; ++f) {  // a dropped player's predictions
      for (const GameEvent& event : saved[slot_of(f)].events) note_event(Notice::Kind::undone, event, f);
    }
    frame = first_simulated = arrival.frame;
    first_unconfirmed = std::max(first_unconfirmed, frame);
    first_wrong = kNoFrame;
    present_before.reset();
    for (Stream& stream : streams) stream.clear(frame);
    for (Saved& each : saved) each.frame = -1, each.events.clear();
    for (Checkpoint& each : checkpoints) each.frame = -1;
    checksums = {};
    last_checksum = {};
    for (Peer& peer : peers) peer.pending = {};
    forget_requests();
    is_loaded = true;
    join_state = desync_state = {};
    note(Notice::Kind::loaded, options.local, frame);
  }

  void compare(std::span<const std::byte> state) {
    for (int i = 0; i < checkpoint_count; ++i) {
      if (checkpoints[i].frame != arrival.frame) continue;
      game.read(foreign_slot(), state);
      desync->text = game.differences(checkpoint_slot(i), foreign_slot());
    }
    end_request();
  }

  void end_request() {
    request = {};
    arrival = {};
    if (desync.has_value()) notices.push_back(*desync);
  }

  [[nodiscard]] Message header(MessageKind kind, std::uint32_t to) const {
    Message message;
    message.kind = kind;
    message.session = options.session;
    message.instance = instance;
    message.to = to;
    message.from = is_spectator() ? 0xff : static_cast<std::uint8_t>(options.local);
    message.settings = settings;
    return message;
  }

  void emit(Writer& writer, std::uint32_t to) {
    finish_message(writer);
    send(bytes_of(writer.view()), to);
  }

  void refuse(std::uint32_t to, std::string_view text) {
    Message message = header(MessageKind::refusal, to);
    message.text = text;
    Writer writer;
    write_message(writer, message);
    emit(writer, to);
  }

  /// Returns the first frame of a stream that a player lacks.
  [[nodiscard]] int acknowledged(int stream) const {
    int least = streams[stream].known;
    for (int i = 0; i < players; ++i) {
      if (is_in_touch(i)) least = std::min(least, peers[i].known[stream]);
    }
    return least;
  }

  /// Returns the end of the inputs that a client gets before those from `first` on are sent again. A client with large
  /// inputs and losses would never catch up if the host sent all inputs up to the present before it repeated lost ones.
  [[nodiscard]] int end_of_turn(int index, int first) const {
    const Stream& stream = streams[index];
    const int bytes = stream.has(first) ? static_cast<int>(stream.get(first).size()) : 0;
    return std::min(stream.known, first + 1 + kTurnBytes / (1 + bytes));
  }

  /// Adds the inputs from `first` on, or, if the last message did not get to the end, those from `next_frame` on.
  /// \return whether it got to the end.
  bool add_segment(Writer& writer, int index, int first, int end, int& next_frame, int& count) const {
    const Stream& stream = streams[index];
    first = std::max(first, stream.known - kWindow + 1);
    const auto find = [&](int f) {
      while (f < end && !stream.has(f)) ++f;
      return f;
    };
    const int unsent_frame = find(std::max(first, next_frame));
    first = unsent_frame < end ? unsent_frame : find(first);
    if (first >= end) return true;
    if (count > 0 && writer.size() >= kMessageBytes) return false;
    writer.put(static_cast<std::uint8_t>(index));
    writer.put(first);
    const std::size_t at = writer.size();
    writer.put(std::uint16_t{0});
    int n = 0;
    for (; n < kInputsPerSegmentMax && first + n < end && stream.has(first + n) &&
           (n == 0 || writer.size() < kMessageBytes);
         ++n) {
      const std::string& input = stream.get(first + n);
      const bool is_same = n > 0 && input == stream.get(first + n - 1);
      writer.put_varint(is_same ? 0 : static_cast<std::uint32_t>(input.size() + 1));
      if (!is_same) writer.put_bytes(input);
    }
    writer.overwrite16(at, static_cast<std::uint16_t>(n));
    next_frame = find(first + n);
    if (next_frame >= end) next_frame = 0;
    ++count;
    return next_frame == 0;
  }

  /// Sends what the slowest player lacks, or the rest of what a client lacks.
  void send_play(std::uint32_t to, Peer* client) {
    Message message = header(MessageKind::play, to);
    message.is_client = is_client;
    message.is_ready = is_client && is_loaded && behind() <= kReadyFrames &&
                       peers[host].frame - frame <= kPredictionMax && has_found_empty_seat();
    message.is_leaving = is_leaving;
    message.frame = frame;
    message.version = version;
    message.host_instance = host_instance;
    message.has_roster = is_host();
    message.dropping = static_cast<std::uint16_t>(dropping);
    message.instances = roster;
    for (int i = 0; i <= players; ++i) message.known[i] = streams[i].known;
    for (int i = 0; i < players; ++i)
      message.ahead[i] = static_cast<std::int8_t>(std::clamp(frame - peers[i].frame, -kAheadMax, kAheadMax));
    if (!is_client) message.checked_frame = last_checksum.frame, message.checksum = last_checksum.hash;
    message.request = request;
    Writer writer;
    write_message(writer, message);
    const std::size_t at = writer.size();
    writer.put(std::uint8_t{0});
    int count = 0;
    const auto add = [&](int i) {
      if (client == nullptr) return add_segment(writer, i, acknowledged(i), streams[i].known, unsent[i], count);
      const int first = client->known[i];
      return add_segment(writer, i, first, end_of_turn(i, first), client->unsent[i], count);
    };
    if (client != nullptr || (!is_client && (is_host() || is_taking_over()))) add(seats_stream());
    if (client != nullptr) {
      for (; client->rest > 0 && add(client->turn); --client->rest) client->turn = (client->turn + 1) % players;
    } else if (!is_client) {
      add(options.local);
      for (int i = 0; i < players; ++i) {
        const bool is_relayed =
            is_dropping(i) ||
            (is_host() && acknowledged(i) < std::max(filled_until[i], streams[i].known - kRelayFrames));
        if (i != options.local && is_relayed) add(i);
      }
    }
    writer.overwrite(at, static_cast<std::uint8_t>(count));
    emit(writer, to);
  }

  const WrittenState* written_state(const Request& wanted) {
    const bool is_join = wanted.purpose == Purpose::join;
    WrittenState& kept = is_join ? join_state : desync_state;
    const int age = frame - kept.frame;
    if (is_join ? kept.frame >= 0 && age <= (wanted.frame == kept.frame ? kWindow / 2 : kStateFrames)
                : kept.frame == wanted.frame) {
      return &kept;
    }
    if (now - kept.written_at < kWriteTicks) return nullptr;
    int slot = -1, at = wanted.frame;
    if (is_join) {
      at = final_frame();
      if (at == frame)
        game.save(slot_of(at));
      else if (saved[slot_of(at)].frame != at)
        return nullptr;
      slot = slot_of(at);
    }
    for (int i = 0; !is_join && i < checkpoint_count; ++i) {
      if (checkpoints[i].frame == at && checkpoints[i].is_final) slot = checkpoint_slot(i);
    }
    if (slot < 0) throw Error("the state is not kept any more");
    kept.written_at = now;
    const std::vector<std::byte> state = game.write(slot);
    kept = {.written_at = now,
            .frame = at,
            .state_bytes = static_cast<std::uint32_t>(state.size()),
            .bytes = compress(state)};
    return &kept;
  }

  void send_chunks(Peer& peer) {
    Request wanted = std::exchange(peer.request, {});
    if (wanted.purpose == Purpose::none || wanted.from != instance) return;
    const WrittenState* kept = nullptr;
    try {
      kept = written_state(wanted);
    } catch (const std::exception& error) {
      return refuse(peer.instance, error.what());
    }
    if (kept == nullptr) return;
    if (wanted.frame != kept->frame && wanted.purpose == Purpose::join) wanted.next = wanted.further = 0;
    const auto count = static_cast<std::uint32_t>((kept->bytes.size() + kChunkBytes - 1) / kChunkBytes);
    std::array<std::uint32_t, 33> missing;
    std::size_t missing_count = 0;
    for (std::uint32_t i = 0; i <= 32 && wanted.next < count && i < count - wanted.next; ++i) {
      if (i == 0 || (wanted.further >> (i - 1) & 1u) == 0) missing[missing_count++] = wanted.next + i;
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(kChunksPerTick, missing_count); ++i, ++peer.sent) {
      Message message = header(MessageKind::chunk, peer.instance);
      message.purpose = wanted.purpose;
      message.frame = kept->frame;
      message.total_bytes = static_cast<std::uint32_t>(kept->bytes.size());
      message.state_bytes = kept->state_bytes;
      message.index = missing[peer.sent % missing_count];
      message.chunk = std::string_view(kept->bytes).substr(std::size_t{message.index} * kChunkBytes, kChunkBytes);
      Writer writer;
      write_message(writer, message);
      emit(writer, peer.instance);
    }
  }

  void send_all() {
    if (is_client && is_leaving) return;
    update_request();
    send_play(is_client && is_loaded ? host_instance : 0, nullptr);
    if (is_client) return;
    for (Peer& client : clients) {
      if (!is_host() || client.instance == 0) continue;
      client.rest = client.request.purpose == Purpose::none ? players : 0;
      for (int i = 0; client.rest > 0 && i < kMessagesPerTick; ++i) send_play(client.instance, &client);
      send_chunks(client);
    }
    for (Peer& peer : peers) send_chunks(peer);
  }

  void update_request() {
    const bool is_late = now - progress_at > kRequestTicks;
    if (is_client) {
      if (is_late) arrival = {}, is_loaded = false, progress_at = now;
      request = is_loaded || host_instance == 0 ? Request{} : Request{.purpose = Purpose::join, .from = host_instance};
    } else if (request.purpose != Purpose::none && is_late) {
      end_request();
    }
    if (request.purpose == Purpose::none) return;
    if (request.purpose == Purpose::join) request.frame = arrival.frame;
    request.next = arrival.next;
    request.further = 0;
    for (std::uint32_t i = 0; i < 32 && arrival.next + 1 + i < arrival.has.size(); ++i) {
      if (arrival.has[arrival.next + 1 + i] != 0) request.further |= 1u << i;
    }
  }

  // Ticks ----------------------------------------------------------------------------------------------------------

  [[nodiscard]] Wait reason_to_wait() {
    waiting_for = 0;
    const auto wait_for = [&](auto is_slow) {
      for (int i = 0; i < players; ++i) {
        if (i != options.local && is_slow(i)) waiting_for |= 1u << i;
      }
    };
    if (is_leaving) {
      wait_for([&](int i) { return is_host() ? is_bound(i) : i == host; });
      return Wait::joining;
    }
    const int end = frame - options.prediction;
    const bool lacks_seats = streams[seats_stream()].known <= end;
    wait_for([&](int i) { return streams[i].known <= end || (lacks_seats && i == host); });
    if (waiting_for != 0 || lacks_seats) {
      wait_for([&](int i) { return is_host() ? has_not_agreed(i) : dropping != 0 && i == host; });
      return Wait::inputs;
    }
    const int unacknowledged = streams[options.local].known - options.delay - options.prediction - kMarginFrames;
    wait_for([&](int i) { return is_in_touch(i) && peers[i].known[options.local] < unacknowledged; });
    if (waiting_for != 0) return Wait::acknowledgement;
    double ahead = 0;
    for (int i = 0; i < players; ++i) {
      Peer& peer = peers[i];
      if (!is_in_touch(i)) continue;
      const int ours = std::clamp(frame - peer.frame, -kAheadMax, kAheadMax);
      peer.advantage += ((ours - peer.ahead) * 0.5 - peer.advantage) * kPaceWeight;
      ahead = std::max(ahead, peer.advantage);
    }
    if (ahead < kPaceFrames || now - paced_at < kPaceTicks) return Wait::none;
    paced_at = now;
    wait_for([&](int i) { return peers[i].advantage >= kPaceFrames; });
    for (Peer& peer : peers) peer.advantage -= 1;
    return Wait::pace;
  }

  bool play(std::string_view input) {
    roll_back();
    wait = reason_to_wait();
    if (wait != Wait::none) {
      ++stats.stalls;
      return false;
    }
    Stream& own = streams[options.local];
    Stream& seats = streams[seats_stream()];
    const int own_known = own.known, seats_known = seats.known;
    put_own_inputs(input);
    try {
      simulate();
    } catch (...) {
      own.cut(own_known);
      if (is_host()) seats.cut(seats_known);
      for (int i = 0; is_host() && i < players; ++i) {
        if ((present_next >> i & 1u) == 0)
          streams[i].known = std::min(streams[i].known, std::max(seats_known, filled_until[i]));
      }
      throw;
    }
    return true;
  }

  bool follow() {
    stats.rolled_back = 0;
    wait = Wait::joining;
    waiting_for = 1u << host;
    if (!is_loaded) return false;
    int count = behind() - (is_spectator() ? options.delay : 0);
    if (count <= 0) {
      wait = Wait::inputs;
      // If the host knows no more, a new state would not help.
      if (confirmed_by(host) <= frame + behind()) progress_at = std::max(progress_at, peers[host].heard_at);
      return false;
    }
    if (is_spectator() && count <= 2) count = 1;
    for (int i = 0; i < std::min(count, kCatchUpFrames); ++i) {
      simulate();
      confirm_events();  // before the ring overwrites them
    }
    find_known();
    progress_at = now;
    wait = Wait::none;
    waiting_for = 0;
    return true;
  }

  bool tick(std::string_view input) {
    check_input(input);
    ++now;
    if (slot_to_restore >= 0) restore(slot_to_restore);
    find_known();
    const bool has_advanced = is_client ? follow() : play(input);
    confirm_events();
    check();
    watch_seats();
    send_all();
    return has_advanced;
  }

  void refuse_in_callback() const {
    if (is_running) throw Error("RollbackSession: it was called in one of its own callbacks; call it after tick()");
  }

  template <typename Call>
  bool run(Call call) {
    refuse_in_callback();
    is_running = true;
    bool result = false;
    try {
      result = call();
    } catch (...) {
      is_running = false;
      throw;
    }
    is_running = false;
    deliver();
    return result;
  }
};

RollbackSession::RollbackSession(RollbackGame& game, RollbackOptions options, Send send, Tell tell)
    : implementation_(std::make_unique<Implementation>(game, std::move(options), std::move(send), std::move(tell))) {}
RollbackSession::~RollbackSession() = default;
RollbackSession::RollbackSession(RollbackSession&&) noexcept = default;
RollbackSession& RollbackSession::operator=(RollbackSession&&) noexcept = default;

RollbackSession::Implementation& RollbackSession::implementation() const {
  if (implementation_ == nullptr) throw Error("RollbackSession: it was moved from; use the session that it became");
  return *implementation_;
}

bool RollbackSession::tick(std::string_view input) {
  Implementation& own = implementation();
  return own.run([&] { return own.tick(input); });
}

bool RollbackSession::receive(std::span<const std::byte> message) {
  Implementation& own = implementation();
  return own.run([&] { return own.receive({reinterpret_cast<const char*>(message.data()), message.size()}); });
}

void RollbackSession::event(int kind, std::string_view data) {
  Implementation& own = implementation();
  if (own.events == nullptr) throw Error("RollbackSession::event(): it was called outside of advance()");
  if (own.events->size() >= kEventsMax || data.size() > kEventBytesMax - own.event_bytes) {
    throw Error("RollbackSession::event(): a frame has more than 256 events or 64 KiB of them");
  }
  own.event_bytes += data.size();
  own.events->push_back({kind, std::string(data)});
}

void RollbackSession::set_delay(int frames) {
  require(frames >= 0 && frames <= kDelayMax, "delay", frames, "0 to 64");
  implementation().options.delay = frames;
}

void RollbackSession::drop(int player) {
  Implementation& own = implementation();
  own.refuse_in_callback();
  require(player >= 0 && player < own.players, "player", player, "a number below players");
  if (own.is_host() && player != own.options.local)
    own.begin_drop(player);
  else if (own.is_successor() && player == own.host)
    own.take_over();
  else if (own.is_left_alone(0) && player == own.host)
    own.go_on_alone();
  else
    throw Error(
        "RollbackSession::drop(): only the host may empty another seat, and the next player the host's; "
        "a player empties its own by leave()");
}

void RollbackSession::leave() { implementation().is_leaving = true; }
int RollbackSession::frame() const { return implementation().frame; }
int RollbackSession::confirmed_frame() const { return implementation().final_frame(); }
int RollbackSession::delay() const { return implementation().options.delay; }
bool RollbackSession::is_playing() const { return !implementation().is_client && implementation().is_mine(); }
bool RollbackSession::is_host() const { return implementation().is_host(); }
RollbackSession::Wait RollbackSession::wait() const { return implementation().wait; }
unsigned int RollbackSession::waiting_for() const { return implementation().waiting_for; }
const Notice* RollbackSession::desync() const {
  const std::optional<Notice>& found = implementation().desync;
  return found.has_value() ? &*found : nullptr;
}
const RollbackSession::Stats& RollbackSession::stats() const { return implementation().stats; }

int RollbackSession::saved_slot(int frame) const {
  const Implementation& own = implementation();
  const bool is_advancing = own.events != nullptr;
  const int end = own.frame + (is_advancing ? 1 : 0);
  // A rollback saves the present state over the oldest one. Each simulation of a frame shall find the same states.
  const int most = is_advancing ? own.options.history : std::max(own.options.prediction, own.options.history);
  const bool is_near = frame >= 0 && frame < end && own.frame - frame <= most;
  return is_near && own.saved[own.slot_of(frame)].frame == frame ? own.slot_of(frame) : -1;
}

std::size_t RollbackSession::memory_bytes() const {
  const Implementation& own = implementation();
  std::size_t bytes =
      sizeof own + own.arrival.bytes.capacity() + own.join_state.bytes.capacity() + own.desync_state.bytes.capacity();
  for (const Stream& stream : own.streams) bytes += stream.memory_bytes();
  for (const Saved& each : own.saved) {
    for (const std::string& input : each.used) bytes += input.capacity();
    for (const GameEvent& event : each.events) bytes += sizeof event + event.data.capacity();
  }
  return bytes;
}

std::uint32_t RollbackSession::sender_of(std::span<const std::byte> bytes) noexcept {
  Reader reader({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (reader.get<std::uint16_t>() != kMagic) return 0;
  reader.get_bytes(10);  // up to the instance
  return reader.get<std::uint32_t>();
}

}  // namespace forkmunk::FORKMUNK_SPACE
