// SPDX-License-Identifier: MIT
/* Calls everything in forkmunk/space.h and rollback.h from C. */
#include <forkmunk/rollback.h>
#include <forkmunk/space.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failure_count = 0;

#define EXPECT(condition)                                                                                     \
  do {                                                                                                        \
    if (!(condition)) {                                                                                       \
      ++failure_count;                                                                                        \
      fprintf(stderr, "%s:%d: %s (last error: %s)\n", __FILE__, __LINE__, #condition, forkmunk_last_error()); \
    }                                                                                                         \
  } while (0)

#define EXPECT_REFUSED(result, words)                       \
  do {                                                      \
    EXPECT((result) == FORKMUNK_REFUSED);                   \
    EXPECT(strstr(forkmunk_last_error(), (words)) != NULL); \
  } while (0)

typedef struct Score {
  cpBody* leader;
  int hit_count;
} Score;

static const double kStepSeconds = 1.0 / 60;
static forkmunk_space* stepping = NULL;
static int refusals_in_callback = 0;

static cpBool on_hit(cpArbiter* arbiter, cpSpace* space, cpDataPointer score) {
  (void)arbiter;
  (void)space;
  ++((Score*)score)->hit_count;
  if (stepping != NULL) {
    if (forkmunk_space_save(stepping) == NULL) ++refusals_in_callback;
    if (forkmunk_space_step(stepping, kStepSeconds) == FORKMUNK_REFUSED) ++refusals_in_callback;
    if (forkmunk_space_free(stepping) == FORKMUNK_REFUSED) ++refusals_in_callback;
    stepping = NULL;
  }
  return cpTrue;
}

static Score* build(forkmunk_space* world) {
  EXPECT(forkmunk_space_enter(world) == FORKMUNK_OK);
  cpSpace* space = forkmunk_space_space(world);
  cpSpaceSetGravity(space, cpv(0, -100));
  cpShape* floor = cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-300, 0), cpv(300, 0), 1);
  cpShapeSetFriction(cpSpaceAddShape(space, floor), 1);
  cpShapeSetCollisionType(floor, 7);
  Score* score = forkmunk_space_make(world, sizeof *score);
  for (int i = 0; i < 12; ++i) {
    cpBody* box = cpSpaceAddBody(space, cpBodyNew(1, cpMomentForBox(1, 30, 30)));
    cpBodySetPosition(box, cpv((i % 3) * 34 + i, 40 + (i / 3) * 40)); /* NOLINT */
    cpShapeSetFriction(cpSpaceAddShape(space, cpBoxShapeNew(box, 30, 30, 0)), 0.5);
    score->leader = box;
  }
  cpCollisionHandler* handler = cpSpaceAddWildcardHandler(space, 7);
  handler->beginFunc = on_hit;
  handler->userData = score;
  EXPECT(forkmunk_space_leave(world) == FORKMUNK_OK);
  return score;
}

static void step(forkmunk_space* world, int count) {
  for (int i = 0; i < count; ++i) EXPECT(forkmunk_space_step(world, kStepSeconds) == FORKMUNK_OK);
}

static void chooses_defects(void) {
  forkmunk_space* world = forkmunk_space_new(0, 0);
  const uint64_t hash = forkmunk_space_hash(world);
  EXPECT(forkmunk_space_set_defects(world, FORKMUNK_DEFECT_SET_STOCK) == FORKMUNK_OK);
  EXPECT(forkmunk_space_hash(world) != hash);
  EXPECT_REFUSED(forkmunk_space_set_defects(world, 7), "forkmunk_defect_set");
  EXPECT(forkmunk_space_defects(world) == FORKMUNK_DEFECT_SET_STOCK);
  EXPECT(forkmunk_space_set_defects(world, FORKMUNK_DEFECT_SET_NONE) == FORKMUNK_OK);
  EXPECT(forkmunk_space_hash(world) == hash);
  EXPECT(forkmunk_space_step_checked(world, kStepSeconds) == FORKMUNK_OK);
  EXPECT_REFUSED(forkmunk_space_step(world, -1), "0 or more");
  EXPECT(forkmunk_space_enter(world) == FORKMUNK_OK);
  cpBody* body = cpSpaceAddBody(forkmunk_space_space(world), cpBodyNew(1, 1));
  cpBodySetVelocity(body, cpv(1e308, 0));
  cpBodySetForce(body, cpv(1e308, 0));
  EXPECT(forkmunk_last_error_object() == NULL);
  EXPECT_REFUSED(forkmunk_space_step_checked(world, 1), "is not finite");
  EXPECT(forkmunk_last_error_object() == body);
  EXPECT(cpBodyGetPosition(body).x == 0);
  EXPECT(forkmunk_space_leave(world) == FORKMUNK_OK);
  EXPECT(forkmunk_space_free(world) == FORKMUNK_OK);
}

static void saves_restores_and_forks(void) {
  forkmunk_space* world = forkmunk_space_new(0, 0);
  EXPECT(world != NULL);
  Score* score = build(world);
  step(world, 20);

  forkmunk_snapshot* saved = forkmunk_space_save(world);
  EXPECT(forkmunk_snapshot_size_bytes(saved) == forkmunk_space_live_bytes(world));
  const uint64_t hash_then = forkmunk_space_hash(world);
  const int hits_then = score->hit_count;
  forkmunk_space* twin = forkmunk_space_fork(world);
  EXPECT(twin != NULL && forkmunk_space_hash(twin) == hash_then);
  Score* twins = forkmunk_space_twin_of(twin, world, score);
  EXPECT(twins != score && twins->leader == forkmunk_space_twin_of(twin, world, score->leader));
  EXPECT(forkmunk_space_twin_of(twin, world, NULL) == NULL);
  for (int i = 0; i < 100; ++i) {
    step(world, 1);
    step(twin, 1);
    EXPECT(forkmunk_space_hash(twin) == forkmunk_space_hash(world));
  }
  EXPECT(score->hit_count > hits_then && twins->hit_count == score->hit_count);

  char text[200];
  EXPECT(forkmunk_space_first_difference(world, twin, text, sizeof text) == 0 && text[0] == '\0');
  ++twins->hit_count;
  EXPECT(forkmunk_space_first_difference(world, twin, text, sizeof text) == 1 && strstr(text, "differs") != NULL);
  char cut[8];
  EXPECT(forkmunk_space_first_difference(world, twin, cut, sizeof cut) == 1 && strncmp(cut, text, 7) == 0 &&
         cut[7] == 0);
  EXPECT(forkmunk_space_first_difference(world, twin, NULL, 0) == 1);

  EXPECT(forkmunk_space_restore(world, saved) == FORKMUNK_OK);
  EXPECT(forkmunk_space_hash(world) == hash_then && score->hit_count == hits_then);
  EXPECT(forkmunk_space_restore(twin, saved) == FORKMUNK_OK && forkmunk_space_hash(twin) == hash_then);
  step(world, 5);
  EXPECT(forkmunk_space_save_into(world, saved) == FORKMUNK_OK);
  EXPECT(forkmunk_snapshot_size_bytes(saved) == forkmunk_space_live_bytes(world));
  forkmunk_snapshot_free(saved);
  EXPECT(forkmunk_space_free(twin) == FORKMUNK_OK);
  EXPECT(forkmunk_space_free(world) == FORKMUNK_OK);
}

static void travels(const char* path) {
  forkmunk_space* world = forkmunk_space_new(0, 0);
  build(world);
  step(world, 30);
  forkmunk_snapshot* saved = forkmunk_space_save(world);
  EXPECT(forkmunk_snapshot_write(saved, NULL, 0) == 0); /* on_hit has no name yet */
  EXPECT_REFUSED(forkmunk_snapshot_write_file(saved, path), "name_code");
  EXPECT(forkmunk_snapshot_read_file(path) == NULL); /* no file was begun */
  EXPECT(strstr(forkmunk_last_error(), "cannot be opened") != NULL);
  EXPECT(forkmunk_snapshot_write(saved, NULL, 0) == 0);
  EXPECT(strstr(forkmunk_last_error(), "name_code") != NULL);
  EXPECT(forkmunk_name_code("on hit", (void (*)(void))on_hit) == FORKMUNK_OK);
  const uint64_t hash = forkmunk_space_hash(world);

  const size_t bytes = forkmunk_snapshot_write(saved, NULL, 0);
  EXPECT(bytes > forkmunk_snapshot_size_bytes(saved));
  unsigned char* buffer = malloc(bytes);
  buffer[0] = 1;
  EXPECT(forkmunk_snapshot_write(saved, buffer, bytes - 1) == bytes && buffer[0] == 1); /* no room */
  EXPECT(forkmunk_space_write(world, buffer, bytes - 1) == bytes && buffer[0] == 1);
  EXPECT(forkmunk_snapshot_write(saved, buffer, bytes) == bytes);
  unsigned char* written = malloc(bytes);
  EXPECT(forkmunk_space_write(world, written, bytes) == bytes && memcmp(written, buffer, bytes) == 0);
  free(written);
  EXPECT(forkmunk_snapshot_write_file(saved, path) == FORKMUNK_OK);
  forkmunk_snapshot* copies[2] = {forkmunk_snapshot_read(buffer, bytes), forkmunk_snapshot_read_file(path)};
  for (int i = 0; i < 2; ++i) {
    forkmunk_space* other = forkmunk_space_new(0, 0);
    EXPECT(copies[i] != NULL && forkmunk_space_restore(other, copies[i]) == FORKMUNK_OK);
    EXPECT(forkmunk_space_hash(other) == hash);
    EXPECT(forkmunk_space_free(other) == FORKMUNK_OK);
    forkmunk_snapshot_free(copies[i]);
  }

  buffer[bytes / 2] ^= 1;
  EXPECT(forkmunk_snapshot_read(buffer, bytes) == NULL && strstr(forkmunk_last_error(), "damaged") != NULL);
  EXPECT(forkmunk_snapshot_read(buffer, 3) == NULL);
  EXPECT(forkmunk_snapshot_read_file("/") == NULL && strncmp(forkmunk_last_error(), "/:", 2) == 0);
  EXPECT_REFUSED(forkmunk_name_code("", (void (*)(void))on_hit), "empty");
  EXPECT_REFUSED(forkmunk_name_code(NULL, (void (*)(void))on_hit), "null");
  EXPECT_REFUSED(forkmunk_name_code("chipmunk polygon", (void (*)(void))on_hit), "taken");
  EXPECT(forkmunk_snapshot_read_file("/no/such/file") == NULL);
  EXPECT(strstr(forkmunk_last_error(), "/no/such/file") != NULL);
  EXPECT_REFUSED(forkmunk_snapshot_write_file(saved, "/no/such/file"), "/no/such/file");
  free(buffer);
  remove(path);
  forkmunk_snapshot_free(saved);
  EXPECT(forkmunk_space_free(world) == FORKMUNK_OK);
}

static void translates_what_is_asked(void) {
  forkmunk_space* world = forkmunk_space_new(0, 0);
  void** pointing = forkmunk_space_make(world, 2 * sizeof(void*));
  void** plain = forkmunk_space_make_plain(world, 2 * sizeof(void*));
  EXPECT(pointing != NULL && plain != NULL && pointing[1] == NULL && plain[1] == NULL);
  pointing[0] = plain[0] = pointing;
  forkmunk_space* twin = forkmunk_space_fork(world);
  void** pointing_twin = forkmunk_space_twin_of(twin, world, pointing);
  void** plain_twin = forkmunk_space_twin_of(twin, world, plain);
  EXPECT(pointing_twin[0] == (void*)pointing_twin && plain_twin[0] == (void*)pointing);

  cpSpace* spaces[3] = {NULL, NULL, NULL};
  EXPECT(forkmunk_space_enter(world) == FORKMUNK_OK);
  cpSpace* second = cpSpaceNew();
  EXPECT(forkmunk_space_leave(world) == FORKMUNK_OK);
  EXPECT(forkmunk_space_spaces(world, NULL, 0) == 2);
  EXPECT(forkmunk_space_spaces(world, spaces, 3) == 2);
  EXPECT(spaces[0] == forkmunk_space_space(world) && spaces[1] == second && spaces[2] == NULL);

  EXPECT_REFUSED(forkmunk_space_release(world, plain + 1), "not an object's");
  EXPECT(forkmunk_space_release(world, plain) == FORKMUNK_OK);
  EXPECT_REFUSED(forkmunk_space_release(world, plain), "released before");
  EXPECT(forkmunk_space_release(world, NULL) == FORKMUNK_OK);
  EXPECT_REFUSED(forkmunk_space_release(world, spaces), "not in this space's memory");
  EXPECT(forkmunk_space_twin_of(twin, world, spaces) == NULL);
  EXPECT(forkmunk_space_free(world) == FORKMUNK_OK);
  EXPECT(forkmunk_space_free(twin) == FORKMUNK_OK);
}

static void refuses(void) {
  EXPECT(forkmunk_space_new((size_t)-1, 0) == NULL);
  EXPECT(strstr(forkmunk_last_error(), "expected at most") != NULL);

  forkmunk_space* one = forkmunk_space_new(0, 0);
  forkmunk_space* other = forkmunk_space_new(0, 0);
  EXPECT_REFUSED(forkmunk_space_leave(one), "innermost scope");
  EXPECT(forkmunk_space_enter(one) == FORKMUNK_OK && forkmunk_space_enter(other) == FORKMUNK_OK);
  EXPECT_REFUSED(forkmunk_space_leave(one), "innermost scope");
  EXPECT_REFUSED(forkmunk_space_free(one), "leave it first");
  EXPECT(forkmunk_space_leave(other) == FORKMUNK_OK);
  const size_t before = forkmunk_space_live_bytes(one);
  cpBodyNew(1, 1);
  EXPECT(forkmunk_space_live_bytes(one) > before);
  EXPECT(forkmunk_space_leave(one) == FORKMUNK_OK);

  forkmunk_snapshot* empty = forkmunk_snapshot_new();
  EXPECT(forkmunk_snapshot_size_bytes(empty) == 0);
  EXPECT(forkmunk_space_restore(one, empty) == FORKMUNK_REFUSED);
  EXPECT(forkmunk_snapshot_write(empty, NULL, 0) == 0);
  forkmunk_snapshot_free(empty);

  size_t counts[4];
  cpSpaceFree(forkmunk_space_space(one));
  EXPECT(forkmunk_space_scene(one, NULL, 0, counts) == 0 && strstr(forkmunk_last_error(), "was freed") != NULL);

  build(other);
  stepping = other;
  step(other, 60);
  EXPECT(refusals_in_callback == 3 && strstr(forkmunk_last_error(), "callback") != NULL);
  EXPECT(forkmunk_space_free(one) == FORKMUNK_OK && forkmunk_space_free(other) == FORKMUNK_OK);
  EXPECT(forkmunk_space_free(NULL) == FORKMUNK_OK);
  forkmunk_snapshot_free(NULL);
}

static void outgrows_its_memory(void) {
  const size_t small = (size_t)1 << 16;
  forkmunk_space* world = forkmunk_space_new(small, small);
  forkmunk_snapshot* saved = forkmunk_space_save(world);
  EXPECT(saved != NULL && !forkmunk_space_is_overflowed(world) && forkmunk_space_capacity_bytes(world) >= small);
  EXPECT(forkmunk_space_make(world, 2 * forkmunk_space_capacity_bytes(world)) == NULL);
  EXPECT(forkmunk_space_restore(world, saved) == FORKMUNK_OK);
  EXPECT(forkmunk_space_enter(world) == FORKMUNK_OK);
  for (int i = 0; i < 2000; ++i) cpBodyNew(1, 1);
  EXPECT(forkmunk_space_leave(world) == FORKMUNK_OK);
  EXPECT(forkmunk_space_is_overflowed(world));
  EXPECT_REFUSED(forkmunk_space_step(world, kStepSeconds), "outgrown");
  EXPECT(forkmunk_space_fork(world) == NULL && forkmunk_space_save(world) == NULL);
  EXPECT(forkmunk_space_restore(world, saved) == FORKMUNK_OK && !forkmunk_space_is_overflowed(world));
  step(world, 1);

  forkmunk_space* large = forkmunk_space_new(0, 0);
  EXPECT(forkmunk_space_make_plain(large, 4 * small) != NULL);
  EXPECT(forkmunk_space_save_into(large, saved) == FORKMUNK_OK);
  EXPECT(forkmunk_space_restore(world, saved) == FORKMUNK_NO_ROOM);
  forkmunk_snapshot_free(saved);
  EXPECT(forkmunk_space_free(world) == FORKMUNK_OK && forkmunk_space_free(large) == FORKMUNK_OK);
}

static void refuses_null_arrays(void) {
  forkmunk_space* world = forkmunk_space_new(0, 0);
  const cpBody* leader = build(world)->leader;
  forkmunk_space* other = forkmunk_space_new(0, 0);
  forkmunk_snapshot* here = forkmunk_space_save(world);
  forkmunk_batch* batch = forkmunk_batch_new(world, 2, 1);
  cpBody* body = (cpBody*)leader;
  double number[4] = {0};
  size_t counts[4];
  char text[8];
#define EXPECT_NULL_REFUSED(failure) EXPECT((failure) && strstr(forkmunk_last_error(), "found null") != NULL)
#define EXPECT_NULL_TEXT_REFUSED(failure) EXPECT((failure) && strstr(forkmunk_last_error(), "found a null") != NULL)
  EXPECT_NULL_REFUSED(forkmunk_space_spaces(world, NULL, 1) == 0);
  EXPECT_NULL_REFUSED(forkmunk_space_write(world, NULL, 1000000) == 0);
  EXPECT_NULL_REFUSED(forkmunk_snapshot_write(here, NULL, 1000000) == 0);
  EXPECT_NULL_REFUSED(forkmunk_snapshot_read(NULL, 100) == NULL);
  EXPECT_NULL_REFUSED(forkmunk_recording_read(NULL, 100) == NULL);
  EXPECT_NULL_REFUSED(forkmunk_space_first_difference(world, other, NULL, 8) == -1);
  EXPECT_NULL_REFUSED(forkmunk_space_differences(world, other, NULL, 8) == 0);
  EXPECT_NULL_REFUSED(forkmunk_space_scene(world, NULL, 1, counts) == 0);
  EXPECT_NULL_REFUSED(forkmunk_space_scene(world, NULL, 0, NULL) == 0);
  EXPECT_NULL_REFUSED(forkmunk_preview(world, NULL, 1, 1, 0.1, NULL, NULL, number, NULL, 0) == SIZE_MAX);
  EXPECT_NULL_REFUSED(forkmunk_preview(world, &leader, 1, 1, 0.1, NULL, NULL, NULL, NULL, 0) == SIZE_MAX);
  EXPECT_NULL_REFUSED(forkmunk_batch_read(batch, FORKMUNK_ANGLE, NULL, 1, number, 2) == FORKMUNK_REFUSED);
  EXPECT_NULL_REFUSED(forkmunk_batch_read(batch, FORKMUNK_ANGLE, &body, 1, NULL, 2) == FORKMUNK_REFUSED);
  EXPECT_NULL_REFUSED(forkmunk_batch_write(batch, FORKMUNK_ANGLE, &body, 1, NULL, 2) == FORKMUNK_REFUSED);
  EXPECT_NULL_REFUSED(forkmunk_batch_hashes(batch, NULL) == FORKMUNK_REFUSED);
  EXPECT_NULL_REFUSED(forkmunk_session_new(world, NULL, NULL) == NULL);
  EXPECT_NULL_REFUSED(forkmunk_sync_test_new(world, 2, 2, NULL) == NULL);
  EXPECT_NULL_TEXT_REFUSED(forkmunk_snapshot_write_file(here, NULL) == FORKMUNK_REFUSED);
  EXPECT_NULL_TEXT_REFUSED(forkmunk_snapshot_read_file(NULL) == NULL);
  EXPECT(forkmunk_space_first_difference(world, other, text, sizeof text) == 1 && strlen(text) == 7);
  forkmunk_batch_free(batch);
  forkmunk_snapshot_free(here);
  EXPECT(forkmunk_space_free(world) == FORKMUNK_OK && forkmunk_space_free(other) == FORKMUNK_OK);
}

static void batches(void) {
  enum { worlds = 3 };
  forkmunk_space* origin = forkmunk_space_new(0, 0);
  Score* score = build(origin);
  cpBody* bodies[1] = {score->leader};
  double numbers[2 * worlds], found[2 * worlds];
  uint64_t hashes[worlds];
  const uint8_t last[worlds] = {0, 0, 1};
  forkmunk_snapshot* saved = forkmunk_space_save(origin);
  forkmunk_batch* batch = forkmunk_batch_new(origin, worlds, 2);
  EXPECT(batch != NULL && forkmunk_batch_size(batch) == worlds);
  for (int i = 0; i < 2 * worlds; ++i) numbers[i] = i;
  EXPECT(forkmunk_batch_write(batch, FORKMUNK_VELOCITY, bodies, 1, numbers, 2 * worlds) == FORKMUNK_OK);
  EXPECT(forkmunk_batch_read(batch, FORKMUNK_VELOCITY, bodies, 1, found, 2 * worlds) == FORKMUNK_OK);
  EXPECT(memcmp(numbers, found, sizeof numbers) == 0);
  const cpBody* twin = forkmunk_batch_twin_of(batch, 2, score->leader);
  EXPECT(twin != NULL && cpBodyGetVelocity(twin).y == 5);
  EXPECT(forkmunk_batch_step(batch, kStepSeconds, 4) == FORKMUNK_OK);
  cpBodySetVelocity(score->leader, cpv(4, 5));
  step(origin, 4);
  EXPECT(forkmunk_batch_hashes(batch, hashes) == FORKMUNK_OK);
  EXPECT(hashes[2] == forkmunk_space_hash(origin) && hashes[1] != hashes[2]);
  EXPECT(forkmunk_batch_fork(batch, 1, last) == FORKMUNK_OK && forkmunk_batch_hashes(batch, hashes) == FORKMUNK_OK);
  EXPECT(hashes[2] == hashes[1] && hashes[0] != hashes[1]);
  EXPECT(forkmunk_batch_restore(batch, saved, NULL) == FORKMUNK_OK);
  EXPECT(forkmunk_batch_save_into(batch, 1, saved) == FORKMUNK_OK);
  EXPECT(forkmunk_batch_restore(batch, saved, last) == FORKMUNK_OK);

  EXPECT(forkmunk_batch_new(origin, 0, 1) == NULL && forkmunk_batch_twin_of(batch, 0, &batch) == NULL);
  EXPECT_REFUSED(forkmunk_batch_read(batch, FORKMUNK_ANGLE, bodies, 1, found, 2), "expected 3");
  EXPECT_REFUSED(forkmunk_batch_read(batch, 256, bodies, 1, found, 3), "field 256");
  EXPECT_REFUSED(forkmunk_batch_read_motors(batch, NULL, 0, found, 1), "expected 0");
  EXPECT(forkmunk_batch_write_motors(batch, NULL, 0, found, 0) == FORKMUNK_OK);
  EXPECT_REFUSED(forkmunk_batch_step(batch, -1, 1), "dt");
  forkmunk_snapshot_free(saved);
  forkmunk_batch_free(batch);
  forkmunk_batch_free(NULL);
  EXPECT(forkmunk_space_free(origin) == FORKMUNK_OK);
}

typedef struct Player {
  forkmunk_session* session;
  struct Player* other;
  forkmunk_space* world;
  uint64_t number;
  uint64_t slots[64];
  unsigned char queue[64][2048];
  size_t queue_bytes[64];
  int is_second, queued, confirmed_events, desyncs, fails_at;
  char text[128];
} Player;

static int player_advance(void* user, const forkmunk_input* inputs, size_t count, int frame) {
  Player* player = user;
  for (size_t i = 0; i < count; ++i) {
    const unsigned char* bytes = inputs[i].bytes;
    player->number = player->number * 31 + (inputs[i].size > 0 ? bytes[0] : 7u) + (unsigned int)inputs[i].is_present;
  }
  if (frame % 20 == 0 && player->session != NULL) {
    EXPECT(forkmunk_session_event(player->session, 3, "goal", 4) == FORKMUNK_OK);
  }
  if (player->world != NULL && forkmunk_space_step(player->world, kStepSeconds) != FORKMUNK_OK) return 1;
  return frame == player->fails_at ? forkmunk_game_failed("asked to") : 0;
}
static void player_send(void* user, const void* message, size_t size, uint32_t to) {
  Player* other = ((Player*)user)->other;
  (void)to;
  if (other->queued == 64 || size > sizeof other->queue[0]) return; /* lost */
  memcpy(other->queue[other->queued], message, size);
  other->queue_bytes[other->queued++] = size;
  EXPECT(forkmunk_session_sender_of(message, size) == (other->is_second ? 1u : 2u));
}
static void player_notice(void* user, const forkmunk_notice* notice) {
  Player* player = user;
  if (notice->kind == FORKMUNK_EVENT_CONFIRMED && notice->event == 3 && strcmp(notice->text, "goal") == 0) {
    ++player->confirmed_events;
  }
  if (notice->kind == FORKMUNK_DESYNC) {
    ++player->desyncs;
    strncpy(player->text, notice->text, sizeof player->text - 1);
  }
}
static int player_save(void* user, int slot) {
  ((Player*)user)->slots[slot] = ((Player*)user)->number;
  return slot < 64 ? 0 : 1;
}
static int player_restore(void* user, int slot) {
  ((Player*)user)->number = ((Player*)user)->slots[slot];
  return 0;
}
static int player_hash(void* user, uint64_t* hash) {
  *hash = ((Player*)user)->number;
  return 0;
}
static int player_write(void* user, int slot, void* writer) {
  forkmunk_session_write_bytes(writer, &((Player*)user)->slots[slot], sizeof(uint64_t));
  return 0;
}
static int player_read(void* user, int slot, const void* bytes, size_t size) {
  if (size != sizeof(uint64_t)) return 1;
  memcpy(&((Player*)user)->slots[slot], bytes, size);
  return 0;
}
static int player_differences(void* user, int one, int other, void* writer) {
  (void)user;
  (void)one;
  (void)other;
  forkmunk_session_write_bytes(writer, NULL, 4);
  EXPECT_NULL_REFUSED(1);
  forkmunk_session_write_bytes(writer, "the number", 10);
  return 0;
}

static void play_sessions(int with_space) {
  static Player players[2];
  memset(players, 0, sizeof players);
  forkmunk_session_options options = forkmunk_session_defaults();
  options.check_every = 10;
  options.prediction = 8;
  for (int i = 0; i < 2; ++i) {
    Player* player = &players[i];
    player->other = &players[1 - i];
    player->is_second = i;
    player->fails_at = -1;
    forkmunk_game game = {0};
    game.user = player;
    game.advance = &player_advance;
    game.send = &player_send;
    game.notice = &player_notice;
    options.local = i;
    EXPECT(forkmunk_session_new(NULL, &options, &game) == NULL);
    if (with_space) {
      player->world = forkmunk_space_new(0, 0);
      build(player->world);
    } else {
      game.save = &player_save, game.restore = &player_restore, game.hash = &player_hash;
      game.write = &player_write, game.read = &player_read, game.differences = &player_differences;
    }
    forkmunk_session_options wrong = options;
    wrong.input = NULL;
    wrong.input_bytes = 4;
    EXPECT(forkmunk_session_new(player->world, &wrong, &game) == NULL);
    EXPECT(strstr(forkmunk_last_error(), "found null, expected an array of 4 elements") != NULL);
    EXPECT(forkmunk_sync_test_new(player->world, 2, 65, &game) == NULL);
    EXPECT(strstr(forkmunk_last_error(), "a distance of 1 to 64") != NULL);
    player->session = forkmunk_session_new(player->world, &options, &game);
    EXPECT(player->session != NULL);
  }
  for (int tick = 0; tick < 200; ++tick) {
    for (int i = 0; i < 2; ++i) {
      Player* player = &players[i];
      if (tick % 4 == 0) {
        const int count = player->queued;
        player->queued = 0;
        for (int k = 0; k < count; ++k) {
          EXPECT(forkmunk_session_receive(player->session, player->queue[k], player->queue_bytes[k]) == 1);
        }
      }
      const unsigned char input = (unsigned char)(tick / (5 + i));
      if (tick == 100 && i == 0) {
        const int frame = forkmunk_session_frame(player->session);
        player->fails_at = frame;
        EXPECT(forkmunk_session_tick(player->session, &input, 1) == -1);
        EXPECT(strstr(forkmunk_last_error(), "the game's advance() failed: asked to") != NULL);
        EXPECT(forkmunk_session_frame(player->session) == frame);
        player->fails_at = -1;
      }
      if (tick == 150 && i == 1) {
        player->number ^= 1;
        if (with_space) cpSpaceSetGravity(forkmunk_space_space(player->world), cpv(1, 1));
      }
      EXPECT(forkmunk_session_tick(player->session, &input, 1) >= 0);
    }
  }
  for (int i = 0; i < 2; ++i) {
    Player* player = &players[i];
    const forkmunk_session_stats stats = forkmunk_session_statistics(player->session);
    EXPECT(stats.rollbacks > 10 && stats.checksums > 5 && stats.bad_messages == 0);
    EXPECT(forkmunk_session_frame(player->session) > 150 && forkmunk_session_confirmed_frame(player->session) > 150);
    EXPECT(player->confirmed_events == (forkmunk_session_confirmed_frame(player->session) + 19) / 20);
    EXPECT(player->desyncs == 1 && strstr(player->text, with_space ? "gravity" : "the number") != NULL);
    EXPECT(forkmunk_session_is_playing(player->session) == 1 && forkmunk_session_is_host(player->session) == (i == 0));
    EXPECT(forkmunk_session_wait(player->session) >= FORKMUNK_WAIT_NONE);
    const int last = forkmunk_session_frame(player->session) - 1;
    EXPECT(forkmunk_session_saved_slot(player->session, last) >= 0);
    EXPECT(forkmunk_session_saved_slot(player->session, last + 1) == -1);
    const forkmunk_space* past = forkmunk_session_at(player->session, last + 0.5);
    EXPECT((past != NULL) == with_space);
    if (past != NULL) EXPECT(forkmunk_session_at(player->session, last + 2) == NULL);
    EXPECT(forkmunk_session_receive(player->session, "garbage", 7) == 0);
    EXPECT_REFUSED(forkmunk_session_set_delay(player->session, 1000), "delay");
    EXPECT(forkmunk_session_delay(player->session) == 2);
    EXPECT_REFUSED(forkmunk_session_event(player->session, 1, NULL, 0), "advance");
    EXPECT_REFUSED(forkmunk_session_drop(player->session, 7), "player");
    EXPECT(forkmunk_session_tick(player->session, player->queue, 100) == -1);
    forkmunk_session_leave(player->session);
    forkmunk_session_free(player->session);
    if (with_space) EXPECT(forkmunk_space_free(player->world) == FORKMUNK_OK);
  }
  forkmunk_session_free(NULL);
}

static void tests_a_game(void) {
  Player player;
  memset(&player, 0, sizeof player);
  player.world = forkmunk_space_new(0, 0);
  player.fails_at = 12;
  build(player.world);
  forkmunk_game game = {0};
  game.user = &player;
  game.advance = &player_advance;
  forkmunk_sync_test* test = forkmunk_sync_test_new(player.world, 2, 3, &game);
  const forkmunk_input inputs[2] = {{"a", 1, 1}, {"b", 1, 1}};
  for (int i = 0; i < 12; ++i) {
    EXPECT(forkmunk_sync_test_tick(test, inputs, 2) == FORKMUNK_OK);
  }
  EXPECT(forkmunk_sync_test_frame(test) == 12);
  EXPECT_REFUSED(forkmunk_sync_test_tick(test, inputs, 2), "advance");
  EXPECT(forkmunk_sync_test_frame(test) == 12);
  EXPECT(forkmunk_sync_test_desync_frame(test) == -1);
  EXPECT_REFUSED(forkmunk_sync_test_tick(test, inputs, 1), "an input");
  forkmunk_sync_test_free(test);
  EXPECT(forkmunk_space_free(player.world) == FORKMUNK_OK);
}

static void push(forkmunk_space* twin, size_t at, void* user) {
  (void)at;
  ++*(int*)user;
  EXPECT(forkmunk_space_live_bytes(twin) > 0);
}

static void records_and_looks_ahead(void) {
  forkmunk_space* world = forkmunk_space_new(0, 0);
  Score* score = build(world);
  forkmunk_recorder* recorder = forkmunk_recorder_new(world, 0, 0, 8);
  const forkmunk_recording* recording = forkmunk_recorder_recording(recorder);
  EXPECT(forkmunk_recording_first(recording) == SIZE_MAX);
  step(world, 20);
  EXPECT(forkmunk_recorder_mark(recorder, "half") == FORKMUNK_OK);
  EXPECT(forkmunk_recorder_log(recorder, "score", 2.5) == FORKMUNK_OK);
  EXPECT(forkmunk_recorder_name(recorder, score->leader, "leader") == FORKMUNK_OK);
  EXPECT_REFUSED(forkmunk_recorder_mark(recorder, NULL), "null");
  EXPECT_REFUSED(forkmunk_recorder_log_text(recorder, "weapon", NULL), "null");
  EXPECT_REFUSED(forkmunk_recorder_input(recorder, "keys", NULL), "null");
  EXPECT_REFUSED(forkmunk_recorder_name(recorder, NULL, "nothing"), "of the recorded Space");
  EXPECT_REFUSED(forkmunk_recorder_name(recorder, &score, "mine"), "of the recorded Space");
  EXPECT_REFUSED(forkmunk_recorder_color(recorder, NULL, 0xff0000ffu), "of the recorded Space");
  EXPECT(forkmunk_recording_last(recording) == 20);
  forkmunk_recorded_step drawn;
  EXPECT(forkmunk_recording_step(recording, 20, &drawn) == FORKMUNK_OK);
  EXPECT(drawn.moving_count == 12 && drawn.poses[34] == (float)cpBodyGetPosition(score->leader).y);
  EXPECT_REFUSED(forkmunk_recording_step(recording, 21, &drawn), "21");
  EXPECT_NULL_REFUSED(forkmunk_recording_step(recording, 20, NULL) == FORKMUNK_REFUSED);
  char text[4096];
  EXPECT(forkmunk_recording_describe(recording, text, sizeof text) == strlen(text) + 1);
  EXPECT(strstr(text, "\"score\",\"value\":2.5") != NULL && strstr(text, "\"leader\"") != NULL);
  forkmunk_space* earlier = forkmunk_recording_at(recording, 20);
  EXPECT(forkmunk_space_hash(earlier) == forkmunk_space_hash(world));

  EXPECT(forkmunk_space_differences(world, earlier, text, sizeof text) == 3 && strcmp(text, "[]") == 0);
  cpBodySetAngularVelocity(score->leader, 3);
  EXPECT(forkmunk_space_differences(world, earlier, text, sizeof text) == strlen(text) + 1);
  EXPECT(strstr(text, "\"object\":\"body 11\"") != NULL && strstr(text, "\"field\":\"w\",\"one\":\"3\"") != NULL);
  EXPECT(forkmunk_space_free(earlier) == FORKMUNK_OK);

  double paths[2 * 41 * 3];
  forkmunk_preview_contact contacts[1];
  const cpBody* bodies[] = {score->leader, score->leader};
  int calls = 0;
  const size_t contact_count = forkmunk_preview(world, bodies, 2, 40, kStepSeconds, &push, &calls, paths, contacts, 1);
  EXPECT(contact_count > 0 && contact_count != SIZE_MAX && contacts[0].step > 0 && contacts[0].body < 2);
  EXPECT(calls == 40);
  EXPECT(forkmunk_preview(world, bodies, 1, 1, -1, NULL, NULL, paths, NULL, 0) == SIZE_MAX);
  forkmunk_preview(world, bodies, 2, 40, kStepSeconds, NULL, NULL, paths, NULL, 0);
  step(world, 40);
  EXPECT(paths[120] == cpBodyGetPosition(score->leader).x && paths[122] == cpBodyGetAngle(score->leader));

  size_t at = 0;
  double passes = 0;
  EXPECT_NULL_REFUSED(forkmunk_recording_verify(recording, 20, NULL, &at, NULL, 0) == -1);
  EXPECT_NULL_REFUSED(forkmunk_recording_verify(recording, 20, &at, NULL, NULL, 0) == -1);
  EXPECT(forkmunk_recorder_recover(recorder, world, &at, &passes, text, sizeof text) == 0);
  cpBodySetForce(score->leader, cpv(1e308, 1e308));
  const uint64_t before = forkmunk_space_hash(world);
  EXPECT(forkmunk_space_step(world, 60) == FORKMUNK_OK);
  EXPECT_NULL_REFUSED(forkmunk_recorder_recover(recorder, world, NULL, &passes, text, sizeof text) == -1);
  EXPECT_NULL_REFUSED(forkmunk_recorder_recover(recorder, world, &at, NULL, text, sizeof text) == -1);
  EXPECT_NULL_REFUSED(forkmunk_recorder_recover(recorder, world, &at, &passes, NULL, sizeof text) == -1);
  EXPECT(forkmunk_recorder_recover(recorder, world, &at, &passes, text, sizeof text) == 1);
  EXPECT(at == 60 && strstr(text, "(leader) has numbers that are not finite") != NULL);
  EXPECT(forkmunk_space_hash(world) == before);

  const size_t size = forkmunk_recording_write(recording, NULL, 0);
  void* bytes = malloc(size);
  EXPECT(forkmunk_recording_write(recording, bytes, size) == size);
  forkmunk_recording* read = forkmunk_recording_read(bytes, size);
  EXPECT(read != NULL && forkmunk_recording_last(read) == forkmunk_recording_last(recording));
  EXPECT(forkmunk_recording_read(bytes, size - 1) == NULL);
  free(bytes);
  forkmunk_recording_free(read);
  forkmunk_recorder_free(recorder);
  EXPECT(forkmunk_space_free(world) == FORKMUNK_OK);
}

int main(int argc, char** argv) {
  EXPECT(strcmp(forkmunk_last_error(), "") == 0);
  chooses_defects();
  saves_restores_and_forks();
  travels(argc > 1 ? argv[1] : "c_interface_test.snapshot");
  translates_what_is_asked();
  refuses();
  refuses_null_arrays();
  outgrows_its_memory();
  batches();
  play_sessions(0);
  play_sessions(1);
  tests_a_game();
  records_and_looks_ahead();
  if (failure_count == 0) puts("all of forkmunk/space.h works as documented");
  return failure_count == 0 ? 0 : 1;
}
