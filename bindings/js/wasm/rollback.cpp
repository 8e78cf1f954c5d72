// SPDX-License-Identifier: MIT

#include "exports.h"

#include <forkmunk/rollback.h>

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

/// Returns the functions of a game, good until the next call.
EMSCRIPTEN_KEEPALIVE const forkmunk_game* fm_game(void* user, int predicts) {
  static forkmunk_game game;
  game = {.user = user,
          .advance = &fm_game_advance,
          .send = &fm_game_send,
          .notice = &fm_game_notice,
          .predict = predicts != 0 ? &fm_game_predict : nullptr,
          .save = &fm_game_save,
          .restore = &fm_game_restore,
          .hash = &fm_game_hash,
          .write = &fm_game_write,
          .read = &fm_game_read,
          .differences = &fm_game_differences};
  return &game;
}

}  // extern "C"
