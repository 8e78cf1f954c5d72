// SPDX-License-Identifier: MIT

#include "exports.h"

#include <forkmunk/rollback.h>

#include <cstdint>

// Functions of bindings/js/src/rollback.mjs, by the number of the game that `user` is. JavaScript catches what a game
// throws: an exception must not pass the core.
extern "C" {
int FORKMUNK_JS_IMPORT(fm_game_advance)(void* user, const forkmunk_input* inputs, size_t count, int frame);
void FORKMUNK_JS_IMPORT(fm_game_send)(void* user, const void* message, size_t size, uint32_t to);
void FORKMUNK_JS_IMPORT(fm_game_notice)(void* user, const forkmunk_notice* notice);
size_t FORKMUNK_JS_IMPORT(fm_game_predict)(void* user, void* input, size_t size, int player, int frame);
int FORKMUNK_JS_IMPORT(fm_game_save)(void* user, int slot);
int FORKMUNK_JS_IMPORT(fm_game_restore)(void* user, int slot);
int FORKMUNK_JS_IMPORT(fm_game_hash)(void* user, uint64_t* hash);
int FORKMUNK_JS_IMPORT(fm_game_write)(void* user, int slot, void* writer);
int FORKMUNK_JS_IMPORT(fm_game_read)(void* user, int slot, const void* bytes, size_t size);
int FORKMUNK_JS_IMPORT(fm_game_differences)(void* user, int one, int other, void* writer);
}

namespace {

forkmunk_game game_of(void* user, bool predicts) {
  return {.user = user,
          .advance = &fm_game_advance,
          .send = &fm_game_send,
          .notice = &fm_game_notice,
          .predict = predicts ? &fm_game_predict : nullptr,
          .save = &fm_game_save,
          .restore = &fm_game_restore,
          .hash = &fm_game_hash,
          .write = &fm_game_write,
          .read = &fm_game_read,
          .differences = &fm_game_differences};
}

}  // namespace

extern "C" {

/// \param numbers  the options, in the order of forkmunk_session_options up to `seats`, then game and instance
EMSCRIPTEN_KEEPALIVE forkmunk_session* fm_session_new(void* id, int predicts, const int* numbers, const void* input,
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

EMSCRIPTEN_KEEPALIVE forkmunk_sync_test* fm_sync_test_new(void* id, int players, int distance) {
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
