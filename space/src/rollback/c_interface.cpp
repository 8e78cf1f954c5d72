// SPDX-License-Identifier: MIT
#include "../c_handles.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/per_thread.h>
#include <forkmunk/rollback.h>
#include <forkmunk/space/history.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using forkmunk::Error;
using forkmunk::space::failed;
using forkmunk::space::FrameInputs;
using forkmunk::space::guarded;
using forkmunk::space::guarded_value;
using forkmunk::space::Notice;
using forkmunk::space::RollbackGame;
using forkmunk::space::RollbackOptions;
using forkmunk::space::RollbackSession;
using forkmunk::space::SpaceGame;
using forkmunk::space::span_of;
using forkmunk::space::SyncTest;

namespace {

static_assert(static_cast<int>(Notice::Kind::bad_message) == FORKMUNK_BAD_MESSAGE);
static_assert(static_cast<int>(RollbackSession::Wait::joining) == FORKMUNK_WAIT_JOINING);

/// The text of forkmunk_game_failed().
struct Reason {
  std::string text;
};

void require_success(int result, const char* function) {
  const std::string reason = std::exchange(forkmunk::per_thread<Reason>().text, {});
  if (result == 0) return;
  throw Error("the game's ", function, "() failed", (reason.empty() ? "" : ": " + reason));
}

/// A game with states of its own or those of a space.
class FunctionGame : public RollbackGame {
 public:
  FunctionGame(forkmunk_space* world, const forkmunk_game& game) : own_(game) {
    if (game.advance == nullptr) throw Error("the game has no function advance");
    if (world != nullptr) {
#ifndef __EMSCRIPTEN__  // where JavaScript saves: its states have handles to objects
      space_ = std::make_unique<SpaceGame>(world->space, nullptr);
#endif
    } else if (!game.save || !game.restore || !game.hash || !game.write || !game.read || !game.differences) {
      throw Error("the game has neither a space nor all functions of a state");
    }
  }
  void save(int slot) override { space_ ? space_->save(slot) : require_success(own_.save(own_.user, slot), "save"); }
  void restore(int slot) override {
    space_ ? space_->restore(slot) : require_success(own_.restore(own_.user, slot), "restore");
  }
  void advance(const FrameInputs& inputs, int frame) override {
    std::array<forkmunk_input, 16> given{};
    for (std::size_t i = 0; i < inputs.size(); ++i)
      given[i] = {inputs[i].data(), inputs[i].size(), inputs.is_present(i)};
    require_success(own_.advance(own_.user, given.data(), inputs.size(), frame), "advance");
  }
  std::uint64_t hash() override {
    if (space_) return space_->hash();
    std::uint64_t hash = 0;
    require_success(own_.hash(own_.user, &hash), "hash");
    return hash;
  }
  std::vector<std::byte> write(int slot) override {
    if (space_) return space_->write(slot);
    std::string bytes;
    require_success(own_.write(own_.user, slot, &bytes), "write");
    const auto* const first = reinterpret_cast<const std::byte*>(bytes.data());
    return {first, first + bytes.size()};
  }
  void read(int slot, std::span<const std::byte> bytes) override {
    if (space_) return space_->read(slot, bytes);
    require_success(own_.read(own_.user, slot, bytes.data(), bytes.size()), "read");
  }
  std::string differences(int one, int other) override {
    if (space_) return space_->differences(one, other);
    std::string text;
    require_success(own_.differences(own_.user, one, other, &text), "differences");
    return text;
  }
  void predict(std::string& input, int player, int frame) override {
    if (own_.predict == nullptr) return;
    std::array<char, 1024> bytes;
    std::copy(input.begin(), input.end(), bytes.begin());
    const std::size_t size = own_.predict(own_.user, bytes.data(), input.size(), player, frame);
    if (size > bytes.size()) throw Error("the game's predict() returned ", size, " bytes");
    input.assign(bytes.data(), size);
  }

  [[nodiscard]] SpaceGame& space() const {
    if (!space_) throw Error("the session has no space, but a state of its own");
    return static_cast<SpaceGame&>(*space_);
  }

 private:
  forkmunk_game own_;
  std::unique_ptr<RollbackGame> space_;  // a SpaceGame
};

std::span<const std::byte> bytes_of(const void* bytes, size_t size) {
  return span_of(static_cast<const std::byte*>(bytes), size);
}
std::string_view text_of(const void* bytes, size_t size) {
  return {reinterpret_cast<const char*>(bytes_of(bytes, size).data()), size};
}

RollbackOptions options_of(const forkmunk_session_options& given) {
  return {.players = given.players,
          .local = given.local,
          .delay = given.delay,
          .prediction = given.prediction,
          .check_every = given.check_every,
          .input_bytes_max = given.input_bytes_max,
          .silence = given.silence,
          .state_bytes_max = given.state_bytes_max,
          .history = given.history,
          .seats = given.seats,
          .input = std::string(text_of(given.input, given.input_bytes)),
          .session = given.session,
          .game = given.game,
          .instance = given.instance};
}

}  // namespace

struct forkmunk_session {
  FunctionGame game;
  RollbackSession session;
  std::unique_ptr<forkmunk::space::History> history;
  std::unique_ptr<forkmunk_space> past;
  forkmunk_session(forkmunk_space* world, const forkmunk_session_options& options, const forkmunk_game& given)
      : game(world, given), session(game, options_of(options), sender(given), teller(given)) {}

  static RollbackSession::Send sender(const forkmunk_game& game) {
    if (game.send == nullptr) return nullptr;
    return [send = game.send, user = game.user](std::span<const std::byte> message, std::uint32_t to) {
      send(user, message.data(), message.size(), to);
    };
  }
  static RollbackSession::Tell teller(const forkmunk_game& game) {
    if (game.notice == nullptr) return nullptr;
    return [tell = game.notice, user = game.user](const Notice& notice) {
      const forkmunk_notice told{static_cast<int>(notice.kind), notice.player,      notice.frame, notice.event,
                                 notice.text.c_str(),           notice.text.size(), notice.ours,  notice.theirs};
      tell(user, &told);
    };
  }
};

struct forkmunk_sync_test {
  FunctionGame game;
  SyncTest test;
  forkmunk_sync_test(forkmunk_space* world, int players, int distance, const forkmunk_game& given)
      : game(world, given), test(game, players, distance) {}
};

int forkmunk_game_failed(const char* reason) {
  guarded([&] { forkmunk::per_thread<Reason>().text = reason == nullptr ? "" : reason; });
  return 1;
}

forkmunk_session_options forkmunk_session_defaults(void) {
  const RollbackOptions own;
  return {own.players,     own.local,
          own.delay,       own.prediction,
          own.check_every, own.input_bytes_max,
          own.silence,     own.state_bytes_max,
          own.history,     own.seats,
          nullptr,         0,
          own.session,     own.game,
          own.instance};
}

forkmunk_session* forkmunk_session_new(forkmunk_space* world, const forkmunk_session_options* options,
                                       const forkmunk_game* game) {
  return guarded_value<forkmunk_session*>(
      nullptr, [&] { return new forkmunk_session(world, span_of(options, 1).front(), span_of(game, 1).front()); });
}
void forkmunk_session_free(forkmunk_session* session) { delete session; }

int forkmunk_session_tick(forkmunk_session* session, const void* input, size_t size) {
  return guarded_value(-1, [&] { return session->session.tick(text_of(input, size)) ? 1 : 0; });
}
int forkmunk_session_receive(forkmunk_session* session, const void* message, size_t size) {
  return guarded_value(-1, [&] { return session->session.receive(bytes_of(message, size)) ? 1 : 0; });
}
forkmunk_result forkmunk_session_event(forkmunk_session* session, int kind, const void* data, size_t size) {
  return guarded([&] { session->session.event(kind, text_of(data, size)); });
}
forkmunk_result forkmunk_session_set_delay(forkmunk_session* session, int frames) {
  return guarded([&] { session->session.set_delay(frames); });
}
forkmunk_result forkmunk_session_drop(forkmunk_session* session, int player) {
  return guarded([&] { session->session.drop(player); });
}
void forkmunk_session_leave(forkmunk_session* session) { session->session.leave(); }

int forkmunk_session_frame(const forkmunk_session* session) { return session->session.frame(); }
int forkmunk_session_confirmed_frame(const forkmunk_session* session) { return session->session.confirmed_frame(); }
int forkmunk_session_delay(const forkmunk_session* session) { return session->session.delay(); }
int forkmunk_session_is_playing(const forkmunk_session* session) { return session->session.is_playing() ? 1 : 0; }
int forkmunk_session_is_host(const forkmunk_session* session) { return session->session.is_host() ? 1 : 0; }
int forkmunk_session_wait(const forkmunk_session* session) { return static_cast<int>(session->session.wait()); }
unsigned int forkmunk_session_waiting_for(const forkmunk_session* session) { return session->session.waiting_for(); }
forkmunk_session_stats forkmunk_session_statistics(const forkmunk_session* session) {
  const RollbackSession::Stats& own = session->session.stats();
  return {own.rolled_back, own.longest,   own.rollbacks,   own.frames_rolled_back,
          own.stalls,      own.checksums, own.bad_messages};
}
const forkmunk_space* forkmunk_session_at(forkmunk_session* session, double frame) {
  return guarded_value<const forkmunk_space*>(nullptr, [&] {
    SpaceGame& game = session->game.space();
    if (!session->history) session->history = std::make_unique<forkmunk::space::History>(session->session, game);
    if (!session->past) session->past.reset(new forkmunk_space{game.space().fork()});
    session->history->restore(session->past->space, frame);
    return session->past.get();
  });
}
int forkmunk_session_saved_slot(const forkmunk_session* session, int frame) {
  return session->session.saved_slot(frame);
}
forkmunk_result forkmunk_space_interpolate(forkmunk_space* world, const forkmunk_space* next, double part) {
  return guarded([&] { forkmunk::space::interpolate(world->space, next->space, part); });
}
uint32_t forkmunk_session_sender_of(const void* message, size_t size) {
  return guarded_value<uint32_t>(0, [&] { return RollbackSession::sender_of(bytes_of(message, size)); });
}
void forkmunk_session_write_bytes(void* writer, const void* bytes, size_t size) {
  guarded([&] { *static_cast<std::string*>(writer) += text_of(bytes, size); });
}
forkmunk_result forkmunk_session_write_differences(void* writer, const forkmunk_space* one,
                                                   const forkmunk_space* other) {
  return guarded(
      [&] { *static_cast<std::string*>(writer) += forkmunk::space::difference_text(one->space, other->space); });
}

forkmunk_sync_test* forkmunk_sync_test_new(forkmunk_space* world, int players, int distance,
                                           const forkmunk_game* game) {
  return guarded_value<forkmunk_sync_test*>(
      nullptr, [&] { return new forkmunk_sync_test(world, players, distance, span_of(game, 1).front()); });
}
void forkmunk_sync_test_free(forkmunk_sync_test* test) { delete test; }
forkmunk_result forkmunk_sync_test_tick(forkmunk_sync_test* test, const forkmunk_input* inputs, size_t count) {
  return guarded([&] {
    std::vector<std::string> given;
    for (const forkmunk_input& input : span_of(inputs, count)) given.emplace_back(text_of(input.bytes, input.size));
    test->test.tick(given);
  });
}
int forkmunk_sync_test_frame(const forkmunk_sync_test* test) { return test->test.frame(); }
int forkmunk_sync_test_desync_frame(const forkmunk_sync_test* test) { return test->test.desync_frame(); }
