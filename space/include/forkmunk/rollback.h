// SPDX-License-Identifier: MIT
#ifndef FORKMUNK_ROLLBACK_H
#define FORKMUNK_ROLLBACK_H

/// Rollback sessions under the rules of <forkmunk/space.h>. <forkmunk/space/rollback_session.h> describes each type and
/// call in full.

#include <forkmunk/space.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct forkmunk_session forkmunk_session;
typedef struct forkmunk_sync_test forkmunk_sync_test;

/// A player's input, valid during the call.
typedef struct forkmunk_input {
  const void* bytes;
  size_t size;
  int is_present; /* 0: the seat is empty */
} forkmunk_input;

typedef enum forkmunk_notice_kind {
  FORKMUNK_EVENT_PREDICTED = 0,
  FORKMUNK_EVENT_UNDONE = 1,
  FORKMUNK_EVENT_CONFIRMED = 2,
  FORKMUNK_PLAYER_JOINED = 3,
  FORKMUNK_PLAYER_LEFT = 4,
  FORKMUNK_DESYNC = 5,
  FORKMUNK_SETTINGS_DIFFER = 6,
  FORKMUNK_SEAT_TAKEN = 7,
  FORKMUNK_REQUEST_REFUSED = 8,
  FORKMUNK_STATE_LOADED = 9,
  FORKMUNK_DROPPED = 10,
  FORKMUNK_BAD_MESSAGE = 11
} forkmunk_notice_kind;

/// `text` is valid during the call, and ends with a 0 after `text_bytes` bytes.
typedef struct forkmunk_notice {
  int kind; /* forkmunk_notice_kind */
  int player;
  int frame;
  int event;
  const char* text;
  size_t text_bytes;
  uint64_t ours, theirs;
} forkmunk_notice;

/// Functions of the game, whose first argument is `user`. A function that returns int returns 0; another number ends
/// the call of the session with FORKMUNK_REFUSED.
typedef struct forkmunk_game {
  void* user;
  int (*advance)(void* user, const forkmunk_input* inputs, size_t count, int frame);
  /// Sends a message to the program of instance `to`, as forkmunk_session_sender_of() tells, or to all others for 0.
  void (*send)(void* user, const void* message, size_t size, uint32_t to);
  /// May be null.
  void (*notice)(void* user, const forkmunk_notice* notice);
  /// Writes the expected input of a player to `input`, which contains the last one and has room for input_bytes_max
  /// bytes. Returns its size. Null: the same input again.
  size_t (*predict)(void* user, void* input, size_t size, int player, int frame);

  /// States other than a space need all of the following. A slot is a number.
  int (*save)(void* user, int slot);
  int (*restore)(void* user, int slot);
  int (*hash)(void* user, uint64_t* hash);
  /// Writes a slot's state by forkmunk_session_write_bytes().
  int (*write)(void* user, int slot, void* writer);
  int (*read)(void* user, int slot, const void* bytes, size_t size);
  /// Writes the differing fields of two slots by forkmunk_session_write_bytes().
  int (*differences)(void* user, int one, int other, void* writer);
} forkmunk_game;

typedef struct forkmunk_session_options {
  int players;
  int local; /* -1: a spectator */
  int delay, prediction, check_every, input_bytes_max, silence, state_bytes_max, history;
  unsigned int seats;
  const void* input;
  size_t input_bytes;
  uint64_t session;
  uint32_t game;
  uint32_t instance;
} forkmunk_session_options;

typedef struct forkmunk_session_stats {
  int64_t rolled_back; /* by the last tick */
  int64_t longest, rollbacks, frames_rolled_back, stalls, checksums, bad_messages;
} forkmunk_session_stats;

typedef enum forkmunk_wait {
  FORKMUNK_WAIT_NONE = 0,
  FORKMUNK_WAIT_INPUTS = 1,
  FORKMUNK_WAIT_ACKNOWLEDGEMENT = 2,
  FORKMUNK_WAIT_PACE = 3,
  FORKMUNK_WAIT_JOINING = 4
} forkmunk_wait;

/// Names the reason for which a function of a forkmunk_game fails, in the function, before it returns. The session's
/// error ends with the reason. \return 1, which the function may return.
int forkmunk_game_failed(const char* reason);

forkmunk_session_options forkmunk_session_defaults(void);
/// Creates a session for `world`, which must outlive the session, or, if `world` is null, for the state that the game's
/// functions save. Copies `options` and `game`.
forkmunk_session* forkmunk_session_new(forkmunk_space* world, const forkmunk_session_options* options,
                                       const forkmunk_game* game);
/// Ignores null. Must not be called in a callback of the session.
void forkmunk_session_free(forkmunk_session* session);

/// Simulates a frame. \param input  the local player's; null for a spectator. \return 1 for a simulated frame; 0 while
/// the session waits; -1 for a failure.
int forkmunk_session_tick(forkmunk_session* session, const void* input, size_t size);
/// \return 1 for a valid message; 0 for an ignored one; -1 for a failure.
int forkmunk_session_receive(forkmunk_session* session, const void* message, size_t size);
forkmunk_result forkmunk_session_event(forkmunk_session* session, int kind, const void* data, size_t size);
forkmunk_result forkmunk_session_set_delay(forkmunk_session* session, int frames);
forkmunk_result forkmunk_session_drop(forkmunk_session* session, int player);
void forkmunk_session_leave(forkmunk_session* session);

int forkmunk_session_frame(const forkmunk_session* session);
int forkmunk_session_confirmed_frame(const forkmunk_session* session);
int forkmunk_session_delay(const forkmunk_session* session);
int forkmunk_session_is_playing(const forkmunk_session* session);
int forkmunk_session_is_host(const forkmunk_session* session);
int forkmunk_session_wait(const forkmunk_session* session); /* forkmunk_wait */
unsigned int forkmunk_session_waiting_for(const forkmunk_session* session);
forkmunk_session_stats forkmunk_session_statistics(const forkmunk_session* session);
/// Returns what History::at() does. \pre the session has a space.
const forkmunk_space* forkmunk_session_at(forkmunk_session* session, double frame);
int forkmunk_session_saved_slot(const forkmunk_session* session, int frame);
/// Calls interpolate() of <forkmunk/space/history.h>.
forkmunk_result forkmunk_space_interpolate(forkmunk_space* world, const forkmunk_space* next, double part);
uint32_t forkmunk_session_sender_of(const void* message, size_t size);
/// Adds bytes to the result of write() or differences().
void forkmunk_session_write_bytes(void* writer, const void* bytes, size_t size);
/// Adds the fields that differ, a line for each, to the result of differences().
forkmunk_result forkmunk_session_write_differences(void* writer, const forkmunk_space* one,
                                                   const forkmunk_space* other);

forkmunk_sync_test* forkmunk_sync_test_new(forkmunk_space* world, int players, int distance, const forkmunk_game* game);
void forkmunk_sync_test_free(forkmunk_sync_test* test);
/// Simulates a frame. Refuses if the frame ends in another state when it is simulated again; forkmunk_last_error()
/// names the difference.
forkmunk_result forkmunk_sync_test_tick(forkmunk_sync_test* test, const forkmunk_input* inputs, size_t count);
int forkmunk_sync_test_frame(const forkmunk_sync_test* test);
int forkmunk_sync_test_desync_frame(const forkmunk_sync_test* test);

#ifdef __cplusplus
}
#endif

#endif
