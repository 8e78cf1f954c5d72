#ifndef FORKMUNK_SPACE_H
#define FORKMUNK_SPACE_H

/// forkmunk::space for C, and for languages that bind C: opaque handles and the calls of <forkmunk/space/space.h>,
/// where each is described in full. C99 or C++.
///
/// Functions that return forkmunk_result return FORKMUNK_OK or the kind of failure; functions that return a handle or a
/// pointer return null then. forkmunk_last_error() is the message. No exception leaves them; handles must not be null.
/// Thread rule: a space belongs to one thread at a time; different spaces do not disturb each other.

#include <chipmunk/chipmunk.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
static_assert(sizeof(cpHashValue) == sizeof(uint32_t),
              "compile with CP_HASH_VALUE_TYPE=uint32_t, as the CMake targets and pkg-config files do");
#else
/* The same where there is no assertion: C99. */
typedef char forkmunk_compile_with_CP_HASH_VALUE_TYPE_uint32_t[sizeof(cpHashValue) == sizeof(uint32_t) ? 1 : -1];
#endif

typedef struct forkmunk_space forkmunk_space;
typedef struct forkmunk_snapshot forkmunk_snapshot;
typedef struct forkmunk_batch forkmunk_batch;

typedef enum forkmunk_result {
  FORKMUNK_OK = 0,
  FORKMUNK_REFUSED = 1, /* called at the wrong time or with what does not belong there; or bytes that are no snapshot */
  FORKMUNK_NO_MEMORY = 2, /* the system has none */
  FORKMUNK_NO_ROOM = 3    /* forkmunk_space_restore(): the space cannot grow to hold the snapshot */
} forkmunk_result;

/// The message of this thread's last call that failed; "" before the first. Valid until the next one fails.
const char* forkmunk_last_error(void);

/// An empty space that grows by itself. \param capacity_bytes  what it must have room for; 0: the default, 1 MiB.
/// \param capacity_bytes_max  what it may grow to where there are addresses; 0: the default.
forkmunk_space* forkmunk_space_new(size_t capacity_bytes, size_t capacity_bytes_max);
/// Null is ignored. Refused, with nothing freed, while this thread is in a scope of the space, and in its callbacks.
forkmunk_result forkmunk_space_free(forkmunk_space* world);

/// Until forkmunk_space_leave(), this thread's allocations of Chipmunk's are this space's. Scopes nest.
forkmunk_result forkmunk_space_enter(forkmunk_space* world);
/// Refused if the innermost scope of this thread is not one of this space's.
forkmunk_result forkmunk_space_leave(forkmunk_space* world);

/// The Chipmunk space that was there from the beginning.
cpSpace* forkmunk_space_space(const forkmunk_space* world);
/// All of them, in order of creation: the first `count` into `spaces`, which may be null for 0. \return how many there
/// are.
size_t forkmunk_space_spaces(const forkmunk_space* world, cpSpace** spaces, size_t count);

/// Sets of defects of Chipmunk 7.0.3 (docs/reference/defects.md), as forkmunk::space::Defects.
typedef enum forkmunk_defect_set {
  FORKMUNK_DEFECT_SET_NONE = 0,
  FORKMUNK_DEFECT_SET_PYMUNK = 1,
  FORKMUNK_DEFECT_SET_STOCK = 2
} forkmunk_defect_set;
/// Chooses which defects the space has: none in a new one. Refused in a callback, and for other numbers.
forkmunk_result forkmunk_space_set_defects(forkmunk_space* world, forkmunk_defect_set defects);

/// cpSpaceStep() of the first space in a scope. `dt` in seconds.
forkmunk_result forkmunk_space_step(forkmunk_space* world, double dt);

/// The same, which refuses a step that makes a body, joint or contact non-finite, and restores the state of before it.
forkmunk_result forkmunk_space_step_checked(forkmunk_space* world, double dt);

/// Zeroed memory for the game's own state, aligned to 16 bytes: saved, restored and forked with the physics. An aligned
/// word that points into the space's memory is taken for a pointer.
void* forkmunk_space_make(forkmunk_space* world, size_t bytes);
/// The same for what holds no pointers, whatever its words look like.
void* forkmunk_space_make_plain(forkmunk_space* world, size_t bytes);
/// Gives back what the two made. Null is ignored; refused for what they did not make, or was given back.
forkmunk_result forkmunk_space_release(forkmunk_space* world, void* object);

/// Copies the state away, into a new snapshot. Cost: one memcpy.
forkmunk_snapshot* forkmunk_space_save(const forkmunk_space* world);
/// The same into `snapshot`, whose buffer is reused when large enough.
forkmunk_result forkmunk_space_save_into(const forkmunk_space* world, forkmunk_snapshot* snapshot);
/// Puts the space back into the state that `snapshot` was taken from, of this space or another.
forkmunk_result forkmunk_space_restore(forkmunk_space* world, const forkmunk_snapshot* snapshot);
/// An independent twin in memory of its own.
forkmunk_space* forkmunk_space_fork(const forkmunk_space* world);
/// What `object` of `other` is in `world`, which was forked or restored from it. Null for null.
void* forkmunk_space_twin_of(const forkmunk_space* world, const forkmunk_space* other, const void* object);

/// Of all that decides the future; equal in forks and in other processes. 0 on failure.
uint64_t forkmunk_space_hash(const forkmunk_space* world);
/// The first field in which two spaces differ, with both values, as text that is cut to `text_bytes` with its 0.
/// \return 1 if they differ, 0 if not (the text is empty), -1 on failure.
int forkmunk_space_first_difference(const forkmunk_space* one, const forkmunk_space* other, char* text,
                                    size_t text_bytes);

/// Bytes that a save would copy now.
size_t forkmunk_space_live_bytes(const forkmunk_space* world);
/// Bytes that it can grow to.
size_t forkmunk_space_capacity_bytes(const forkmunk_space* world);
/// 1 if it outgrew its memory: restoring and freeing are left.
int forkmunk_space_is_overflowed(const forkmunk_space* world);

/// An empty snapshot, to be saved into.
forkmunk_snapshot* forkmunk_snapshot_new(void);
/// Null is ignored.
void forkmunk_snapshot_free(forkmunk_snapshot* snapshot);
/// Bytes held; 0 if it is empty.
size_t forkmunk_snapshot_size_bytes(const forkmunk_snapshot* snapshot);

/// Writes it for another process, on a machine with the same layouts, to `buffer` if it has room; else nothing.
/// \return the bytes that it takes; 0 on failure: a function without a name (forkmunk_name_code()) would have to
/// travel.
size_t forkmunk_snapshot_write(const forkmunk_snapshot* snapshot, void* buffer, size_t buffer_bytes);
/// The same to a file, which is not touched if the snapshot cannot travel.
forkmunk_result forkmunk_snapshot_write_file(const forkmunk_snapshot* snapshot, const char* path);
/// Reads what was written, one snapshot and nothing after it. Checked for being whole, not for being meant well.
forkmunk_snapshot* forkmunk_snapshot_read(const void* bytes, size_t size_bytes);
forkmunk_snapshot* forkmunk_snapshot_read_file(const char* path);

/// Quantities of bodies and motors that a batch reads and writes: 2 numbers each for position, velocity and force, else
/// 1. See <forkmunk/space/batch.h>.
typedef enum forkmunk_field {
  FORKMUNK_POSITION = 0,
  FORKMUNK_ANGLE = 1,
  FORKMUNK_VELOCITY = 2,
  FORKMUNK_ANGULAR_VELOCITY = 3,
  FORKMUNK_FORCE = 4,
  FORKMUNK_TORQUE = 5,
  FORKMUNK_MOTOR_RATE = 6
} forkmunk_field;

/// `count` forks of `origin` that are stepped together. \param threads  that work, including the calling one; 0: one
/// for each core. Objects are named by their addresses in the origin, which need not live on.
forkmunk_batch* forkmunk_batch_new(const forkmunk_space* origin, size_t count, size_t threads);
/// Null is ignored. Not in its callbacks.
void forkmunk_batch_free(forkmunk_batch* batch);
/// Worlds.
size_t forkmunk_batch_size(const forkmunk_batch* batch);
/// `count` steps of `dt` seconds in every world.
forkmunk_result forkmunk_batch_step(forkmunk_batch* batch, double dt, size_t count);
/// What `object` of the origin is in world `index`, to be used between the batch's calls. Null for null.
void* forkmunk_batch_twin_of(const forkmunk_batch* batch, size_t index, const void* object);

/// A field (forkmunk_field) of bodies in all worlds: worlds x body_count x (2 or 1) numbers; `number_count` is how many
/// `numbers` has.
forkmunk_result forkmunk_batch_read(const forkmunk_batch* batch, int field, cpBody* const* bodies, size_t body_count,
                                    double* numbers, size_t number_count);
/// Sets it.
forkmunk_result forkmunk_batch_write(forkmunk_batch* batch, int field, cpBody* const* bodies, size_t body_count,
                                     const double* numbers, size_t number_count);
/// The same for the rates of motors: worlds x motor_count numbers.
forkmunk_result forkmunk_batch_read_motors(const forkmunk_batch* batch, cpConstraint* const* motors, size_t motor_count,
                                           double* numbers, size_t number_count);
forkmunk_result forkmunk_batch_write_motors(forkmunk_batch* batch, cpConstraint* const* motors, size_t motor_count,
                                            const double* numbers, size_t number_count);

/// Copies the state of world `index` into `snapshot`.
forkmunk_result forkmunk_batch_save_into(const forkmunk_batch* batch, size_t index, forkmunk_snapshot* snapshot);
/// Restores `snapshot`, of any space, in all worlds whose byte in `mask` (one for each world) is not 0; null: in all.
forkmunk_result forkmunk_batch_restore(forkmunk_batch* batch, const forkmunk_snapshot* snapshot, const uint8_t* mask);
/// Makes these worlds copies of world `from`.
forkmunk_result forkmunk_batch_fork(forkmunk_batch* batch, size_t from, const uint8_t* mask);
/// forkmunk_space_hash() of every world.
forkmunk_result forkmunk_batch_hashes(const forkmunk_batch* batch, uint64_t* hashes);

/// Gives a callback a name, so that it counts in hashes and can travel with a snapshot: (void (*)(void))function. Do so
/// before any space is hashed or written. Refused as name_code() does.
forkmunk_result forkmunk_name_code(const char* name, void (*function)(void));

#ifdef __cplusplus
}
#endif

#endif
