// SPDX-License-Identifier: MIT
#ifndef FORKMUNK_SPACE_H
#define FORKMUNK_SPACE_H

/// forkmunk::space for C99, and for languages that bind C. <forkmunk/space/space.h> describes each call in full.
///
/// A function that refuses returns FORKMUNK_REFUSED. On failure, a handle or a pointer is null, a size or a hash 0, and
/// an int -1. forkmunk_last_error() has the message. No function throws. Handles must not be null, except where a
/// function says so. A `text` is cut to `text_bytes`, and its size includes the terminating 0.
///
/// A space belongs to one thread at a time. Different threads may use different spaces.

#include <chipmunk/chipmunk.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
static_assert(sizeof(cpHashValue) == sizeof(uint32_t),
              "compile with CP_HASH_VALUE_TYPE=uint32_t, as the CMake targets and pkg-config files do");
#else
/* C99 has no assertion. */
typedef char forkmunk_compile_with_CP_HASH_VALUE_TYPE_uint32_t[sizeof(cpHashValue) == sizeof(uint32_t) ? 1 : -1];
#endif

typedef struct forkmunk_space forkmunk_space;
typedef struct forkmunk_snapshot forkmunk_snapshot;
typedef struct forkmunk_batch forkmunk_batch;
typedef struct forkmunk_recorder forkmunk_recorder;
typedef struct forkmunk_recording forkmunk_recording;

typedef enum forkmunk_result {
  FORKMUNK_OK = 0,
  FORKMUNK_REFUSED = 1,   /* a call at the wrong time, a wrong argument, or bytes that are no snapshot */
  FORKMUNK_NO_MEMORY = 2, /* the system has no memory left */
  FORKMUNK_NO_ROOM = 3    /* forkmunk_space_restore(): the space cannot grow to hold the snapshot */
} forkmunk_result;

/// Returns the message of this thread's last failure, valid until the next; "" before the first.
const char* forkmunk_last_error(void);
/// Returns the object that made the last forkmunk_space_step_checked() of this thread fail, a shape for a contact; else
/// null.
const void* forkmunk_last_error_object(void);

/// Creates an empty space that grows. \param capacity_bytes  the minimum room; 0 means 1 MiB. \param capacity_bytes_max
/// the size to grow to if addresses suffice; 0 means the default.
forkmunk_space* forkmunk_space_new(size_t capacity_bytes, size_t capacity_bytes_max);
/// Ignores null. Refuses in a callback of the space, and in its scope on this thread.
forkmunk_result forkmunk_space_free(forkmunk_space* world);

/// Opens a scope: until forkmunk_space_leave(), Chipmunk allocates from this space on this thread. Scopes nest.
forkmunk_result forkmunk_space_enter(forkmunk_space* world);
/// Closes the thread's innermost scope. Refuses if the scope belongs to another space.
forkmunk_result forkmunk_space_leave(forkmunk_space* world);

cpSpace* forkmunk_space_space(const forkmunk_space* world);
/// Writes the first `count` Chipmunk spaces, in order of creation. `spaces` may be null for 0. \return the number
/// of Chipmunk spaces.
size_t forkmunk_space_spaces(const forkmunk_space* world, cpSpace** spaces, size_t count);

typedef enum forkmunk_defect_set {
  FORKMUNK_DEFECT_SET_NONE = 0,
  FORKMUNK_DEFECT_SET_PYMUNK = 1,
  FORKMUNK_DEFECT_SET_STOCK = 2
} forkmunk_defect_set;
/// Chooses a forkmunk_defect_set; a new space has none. Refuses other numbers, and refuses in a callback.
forkmunk_result forkmunk_space_set_defects(forkmunk_space* world, int defects);
int forkmunk_space_defects(const forkmunk_space* world);

/// Steps the first Chipmunk space by `dt` seconds. Refuses a `dt` that is not finite or, except with
/// FORKMUNK_DEFECT_SET_PYMUNK, negative.
forkmunk_result forkmunk_space_step(forkmunk_space* world, double dt);

/// Steps, but refuses, with the state before the step, if a body, a joint or a contact became non-finite: see
/// forkmunk_last_error_object().
forkmunk_result forkmunk_space_step_checked(forkmunk_space* world, double dt);

/// Allocates zeroed memory, aligned to 16 bytes, that is saved and forked with the physics. A fork translates every
/// aligned word that points into the space.
void* forkmunk_space_make(forkmunk_space* world, size_t bytes);
/// Does the same for data without pointers, which a fork copies as it is.
void* forkmunk_space_make_plain(forkmunk_space* world, size_t bytes);
/// Frees such memory. Ignores null. Refuses other pointers and freed memory.
forkmunk_result forkmunk_space_release(forkmunk_space* world, void* object);

/// Saves the state. Cost: one memcpy.
forkmunk_snapshot* forkmunk_space_save(const forkmunk_space* world);
forkmunk_result forkmunk_space_save_into(const forkmunk_space* world, forkmunk_snapshot* snapshot);
/// Restores a state of this or another space.
forkmunk_result forkmunk_space_restore(forkmunk_space* world, const forkmunk_snapshot* snapshot);
forkmunk_space* forkmunk_space_fork(const forkmunk_space* world);
/// Returns what corresponds to `object` of `other`; null for null. \pre `world` was forked or restored from `other`.
void* forkmunk_space_twin_of(const forkmunk_space* world, const forkmunk_space* other, const void* object);

/// Returns a hash of all that decides the future.
uint64_t forkmunk_space_hash(const forkmunk_space* world);
/// Writes the first field that differs, with both values. \return 1 if the spaces differ, or 0.
int forkmunk_space_first_difference(const forkmunk_space* one, const forkmunk_space* other, char* text,
                                    size_t text_bytes);

size_t forkmunk_space_live_bytes(const forkmunk_space* world);
/// Writes the state as forkmunk_snapshot_write() does. Twice forkmunk_space_live_bytes() and 64 KiB are nearly always
/// enough room.
size_t forkmunk_space_write(const forkmunk_space* world, void* buffer, size_t buffer_bytes);
size_t forkmunk_space_capacity_bytes(const forkmunk_space* world);
/// Returns 1 if the space outgrew its memory. Only restoring and freeing are allowed then.
int forkmunk_space_is_overflowed(const forkmunk_space* world);

forkmunk_snapshot* forkmunk_snapshot_new(void);
/// Ignores null.
void forkmunk_snapshot_free(forkmunk_snapshot* snapshot);
/// Returns 0 for an empty snapshot.
size_t forkmunk_snapshot_size_bytes(const forkmunk_snapshot* snapshot);

/// Writes the state, or nothing if `buffer` has too little room. \return the number of bytes. Fails, for example, for a
/// function without a name (forkmunk_name_code()).
size_t forkmunk_snapshot_write(const forkmunk_snapshot* snapshot, void* buffer, size_t buffer_bytes);
/// Writes a file, which stays untouched if the state cannot be written.
forkmunk_result forkmunk_snapshot_write_file(const forkmunk_snapshot* snapshot, const char* path);
/// Reads exactly one written state. The bytes may come from anyone, except that the memory of forkmunk_space_make() is
/// the author's.
forkmunk_snapshot* forkmunk_snapshot_read(const void* bytes, size_t size_bytes);
forkmunk_snapshot* forkmunk_snapshot_read_file(const char* path);

/// Position, velocity and force have 2 numbers, the others 1.
typedef enum forkmunk_field {
  FORKMUNK_POSITION = 0,
  FORKMUNK_ANGLE = 1,
  FORKMUNK_VELOCITY = 2,
  FORKMUNK_ANGULAR_VELOCITY = 3,
  FORKMUNK_FORCE = 4,
  FORKMUNK_TORQUE = 5,
  FORKMUNK_MOTOR_RATE = 6
} forkmunk_field;

/// Makes `count` forks of `origin` (<forkmunk/space/batch.h>), which may be freed. Calls name objects by their
/// addresses in `origin`. \param threads  includes the calling thread; 0 means one for each core.
forkmunk_batch* forkmunk_batch_new(const forkmunk_space* origin, size_t count, size_t threads);
/// Ignores null. Must not be called in a callback of the batch.
void forkmunk_batch_free(forkmunk_batch* batch);
size_t forkmunk_batch_size(const forkmunk_batch* batch);
forkmunk_result forkmunk_batch_step(forkmunk_batch* batch, double dt, size_t count);
/// Returns what corresponds to `object` of the origin in world `index`, until the next call of the batch; null for
/// null.
void* forkmunk_batch_twin_of(const forkmunk_batch* batch, size_t index, const void* object);

/// Reads a forkmunk_field of bodies in all worlds: `number_count` is worlds x body_count x (2 or 1).
forkmunk_result forkmunk_batch_read(const forkmunk_batch* batch, int field, cpBody* const* bodies, size_t body_count,
                                    double* numbers, size_t number_count);
/// Writes in the same order.
forkmunk_result forkmunk_batch_write(forkmunk_batch* batch, int field, cpBody* const* bodies, size_t body_count,
                                     const double* numbers, size_t number_count);
/// Reads the rates of motors in all worlds: worlds x motor_count numbers.
forkmunk_result forkmunk_batch_read_motors(const forkmunk_batch* batch, cpConstraint* const* motors, size_t motor_count,
                                           double* numbers, size_t number_count);
forkmunk_result forkmunk_batch_write_motors(forkmunk_batch* batch, cpConstraint* const* motors, size_t motor_count,
                                            const double* numbers, size_t number_count);

forkmunk_result forkmunk_batch_save_into(const forkmunk_batch* batch, size_t index, forkmunk_snapshot* snapshot);
/// Restores `snapshot`, of any space, in all worlds whose byte in `mask` is not 0; null selects all worlds.
forkmunk_result forkmunk_batch_restore(forkmunk_batch* batch, const forkmunk_snapshot* snapshot, const uint8_t* mask);
/// Makes the worlds that `mask` selects copies of world `from`.
forkmunk_result forkmunk_batch_fork(forkmunk_batch* batch, size_t from, const uint8_t* mask);
forkmunk_result forkmunk_batch_hashes(const forkmunk_batch* batch, uint64_t* hashes);

/// Records every step (<forkmunk/space/recorder.h>). A limit of 0 means the default. The space may be freed first.
forkmunk_recorder* forkmunk_recorder_new(forkmunk_space* world, size_t steps_max, size_t memory_bytes_max,
                                         uint32_t keyframe_steps);
/// Frees a recorder with its recording. Ignores null.
void forkmunk_recorder_free(forkmunk_recorder* recorder);
const forkmunk_recording* forkmunk_recorder_recording(const forkmunk_recorder* recorder);
/// Adds a mark, a value or an input to the present state.
forkmunk_result forkmunk_recorder_mark(forkmunk_recorder* recorder, const char* name);
forkmunk_result forkmunk_recorder_log(forkmunk_recorder* recorder, const char* name, double value);
forkmunk_result forkmunk_recorder_log_text(forkmunk_recorder* recorder, const char* name, const char* value);
forkmunk_result forkmunk_recorder_input(forkmunk_recorder* recorder, const char* name, const char* value);
forkmunk_result forkmunk_recorder_name(forkmunk_recorder* recorder, const void* object, const char* name);
/// \param rgba  0xrrggbbaa
forkmunk_result forkmunk_recorder_color(forkmunk_recorder* recorder, const cpShape* shape, uint32_t rgba);

/// Detects damage, not malice.
forkmunk_recording* forkmunk_recording_read(const void* bytes, size_t size_bytes);
/// Frees the result of forkmunk_recording_read(). Ignores null.
void forkmunk_recording_free(forkmunk_recording* recording);
/// Writes a recording, or nothing if `buffer` has too little room. \return the number of bytes.
size_t forkmunk_recording_write(const forkmunk_recording* recording, void* buffer, size_t buffer_bytes);
/// Return the first state that is left and the last; SIZE_MAX without any.
size_t forkmunk_recording_first(const forkmunk_recording* recording);
size_t forkmunk_recording_last(const forkmunk_recording* recording);
/// The arrays are valid until the next step, and `contacts` until another state is read.
typedef struct forkmunk_recorded_step {
  double dt;
  const float* poses;       /* x, y and angle of each body that moves */
  const float* contacts;    /* a point and an impulse each */
  const uint32_t* sleeping; /* a bit for each body that moves */
  const uint32_t* scene;    /* in the words of the file format */
  size_t moving_count, contact_count, scene_count;
} forkmunk_recorded_step;
forkmunk_result forkmunk_recording_step(const forkmunk_recording* recording, size_t state,
                                        forkmunk_recorded_step* step);
forkmunk_space* forkmunk_recording_at(const forkmunk_recording* recording, size_t state);
/// Replays the segment of a state. `text` gets the reason. \return 1 if all is exact; 0 if step `step` differs; -1 if
/// the keyframe cannot be replayed.
int forkmunk_recording_verify(const forkmunk_recording* recording, size_t state, size_t* last, size_t* step, char* text,
                              size_t text_bytes);
/// Writes all but the steps as JSON. \return the size of the text.
size_t forkmunk_recording_describe(const forkmunk_recording* recording, char* text, size_t text_bytes);
/// Writes the first `count` objects of a space as a recording lists them: bodies that move, static bodies, shapes,
/// joints. `counts` gets the number of each. \return the number of objects.
size_t forkmunk_space_scene(const forkmunk_space* world, void** objects, size_t count, size_t counts[4]);

/// Restores the last good state after a failed step. \param dt_that_passes  gets the largest dt / 2^n whose 2^n steps
/// pass, or 0. \param culprit  gets what became non-finite first, or changed most. \return 1 if a step had failed, else
/// 0.
int forkmunk_recorder_recover(forkmunk_recorder* recorder, forkmunk_space* world, size_t* step, double* dt_that_passes,
                              char* culprit, size_t text_bytes);

/// Writes all fields that differ, as a list in JSON of objects with "object", "id", "otherId", "field", "one" and
/// "other" (<forkmunk/space/differences.h>). \return the size of the text.
size_t forkmunk_space_differences(const forkmunk_space* one, const forkmunk_space* other, char* text,
                                  size_t text_bytes);

typedef struct forkmunk_preview_contact {
  size_t step, body;     /* the body's index in the list */
  uint32_t shape, other; /* ids, as in recordings: of the body's shape, and of the shape that it touches */
} forkmunk_preview_contact;
/// Computes the future in a fork (<forkmunk/space/preview.h>). \param control  unless null, is called before each step
/// with the fork, which must not be freed. \param paths  gets body_count x (steps + 1) x 3 numbers: x, y and angle.
/// \return the number of contacts, of which `contacts` gets the first; SIZE_MAX on failure.
size_t forkmunk_preview(const forkmunk_space* world, const cpBody* const* bodies, size_t body_count, size_t steps,
                        double dt, void (*control)(forkmunk_space* twin, size_t step, void* user), void* user,
                        double* paths, forkmunk_preview_contact* contacts, size_t contact_count_max);

/// Names a callback, cast to void (*)(void), so that it counts in hashes and can travel. Name callbacks before any
/// space is hashed or written. Refuses what name_code() refuses.
forkmunk_result forkmunk_name_code(const char* name, void (*function)(void));

#ifdef __cplusplus
}
#endif

#endif
