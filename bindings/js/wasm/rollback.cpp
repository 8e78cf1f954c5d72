// SPDX-License-Identifier: MIT

#include <forkmunk/rollback.h>

#include <cstdint>

#include <emscripten.h>

// JavaScript catches what a function throws: an exception must not pass the core. \return 0, or not for a failure.
extern "C" __attribute__((import_module("env"), import_name("fm_session_call"))) int fm_session_call(
    int id, int function, const void* a, std::uintptr_t b, int c, int d);

namespace {

enum Function : int { kAdvance, kSend, kNotice, kPredict, kSave, kRestore, kHash, kWrite, kRead, kDifferences };

int id_of(void* user) { return static_cast<int>(reinterpret_cast<std::uintptr_t>(user)); }

forkmunk_game game_of(int id, bool predicts) {
  forkmunk_game game{};
  game.user = reinterpret_cast<void*>(static_cast<std::uintptr_t>(id));
  game.advance = [](void* user, const forkmunk_input* inputs, size_t count, int frame) {
    return fm_session_call(id_of(user), kAdvance, inputs, count, frame, 0);
  };
  game.send = [](void* user, const void* message, size_t size, uint32_t to) {
    fm_session_call(id_of(user), kSend, message, size, static_cast<int>(to), 0);
  };
  game.notice = [](void* user, const forkmunk_notice* notice) {
    fm_session_call(id_of(user), kNotice, notice, 0, 0, 0);
  };
  if (predicts) {
    game.predict = [](void* user, void* input, size_t size, int player, int frame) {
      return static_cast<size_t>(fm_session_call(id_of(user), kPredict, input, size, player, frame));
    };
  }
  game.save = [](void* user, int slot) { return fm_session_call(id_of(user), kSave, nullptr, 0, slot, 0); };
  game.restore = [](void* user, int slot) { return fm_session_call(id_of(user), kRestore, nullptr, 0, slot, 0); };
  game.hash = [](void* user, uint64_t* hash) { return fm_session_call(id_of(user), kHash, hash, 0, 0, 0); };
  game.write = [](void* user, int slot, void* writer) {
    return fm_session_call(id_of(user), kWrite, writer, 0, slot, 0);
  };
  game.read = [](void* user, int slot, const void* bytes, size_t size) {
    return fm_session_call(id_of(user), kRead, bytes, size, slot, 0);
  };
  game.differences = [](void* user, int one, int other, void* writer) {
    return fm_session_call(id_of(user), kDifferences, writer, 0, one, other);
  };
  return game;
}

}  // namespace

extern "C" {

/// \param numbers  the options, in the order of forkmunk_session_options up to `seats`, then game and instance
EMSCRIPTEN_KEEPALIVE forkmunk_session* fm_session_new(int id, int predicts, const int* numbers, const void* input,
                                                      int input_bytes, uint64_t session) {
  forkmunk_session_options options = forkmunk_session_defaults();
  int* const fields[] = {&options.players,    &options.local,           &options.delay,
                         &options.prediction, &options.check_every,     &options.input_bytes_max,
                         &options.silence,    &options.state_bytes_max, &options.history};
  for (int* field : fields) *field = *numbers++;
  options.seats = static_cast<unsigned int>(*numbers++);
  options.game = static_cast<uint32_t>(*numbers++);
  options.instance = static_cast<uint32_t>(*numbers);
  options.input = input;
  options.input_bytes = static_cast<size_t>(input_bytes);
  options.session = session;
  const forkmunk_game game = game_of(id, predicts != 0);
  return forkmunk_session_new(nullptr, &options, &game);
}

EMSCRIPTEN_KEEPALIVE forkmunk_sync_test* fm_sync_test_new(int id, int players, int distance) {
  const forkmunk_game game = game_of(id, false);
  return forkmunk_sync_test_new(nullptr, players, distance, &game);
}

EMSCRIPTEN_KEEPALIVE void fm_session_stats(const forkmunk_session* session, double* numbers) {
  const forkmunk_session_stats stats = forkmunk_session_statistics(session);
  for (const int64_t each : {stats.rolled_back, stats.rollbacks, stats.frames_rolled_back, stats.longest, stats.stalls,
                             stats.checksums, stats.bad_messages}) {
    *numbers++ = static_cast<double>(each);
  }
}

}  // extern "C"
