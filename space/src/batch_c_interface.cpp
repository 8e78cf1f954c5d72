#include "c_handles.h"

#include <forkmunk/base/error.h>
#include <forkmunk/space/batch.h>

#include <string>

using forkmunk::space::Batch;
using forkmunk::space::Field;
using forkmunk::space::guarded;
using forkmunk::space::guarded_value;

struct forkmunk_batch {
  Batch batch;
};

namespace {

static_assert(static_cast<int>(Field::motor_rate) == FORKMUNK_MOTOR_RATE);
static_assert(static_cast<int>(Field::force) == FORKMUNK_FORCE);

Field field_of(int field) {
  if (field >= 0 && field <= FORKMUNK_MOTOR_RATE) return static_cast<Field>(field);
  throw forkmunk::Error("found field " + std::to_string(field) + ", expected a forkmunk_field");
}

std::span<const std::uint8_t> mask_of(const forkmunk_batch* batch, const uint8_t* mask) {
  return {mask, mask == nullptr ? 0 : batch->batch.size()};
}

}  // namespace

forkmunk_batch* forkmunk_batch_new(const forkmunk_space* origin, size_t count, size_t threads) {
  return guarded_value<forkmunk_batch*>(nullptr,
                                        [&] { return new forkmunk_batch{Batch(origin->space, count, threads)}; });
}

void forkmunk_batch_free(forkmunk_batch* batch) { delete batch; }
size_t forkmunk_batch_size(const forkmunk_batch* batch) { return batch->batch.size(); }

forkmunk_result forkmunk_batch_step(forkmunk_batch* batch, double dt, size_t count) {
  return guarded([&] { batch->batch.step(dt, count); });
}

void* forkmunk_batch_twin_of(const forkmunk_batch* batch, size_t index, const void* object) {
  return guarded_value<void*>(nullptr, [&]() -> void* {
    return batch->batch.twin_of(index, static_cast<unsigned char*>(const_cast<void*>(object)));
  });
}

forkmunk_result forkmunk_batch_read(const forkmunk_batch* batch, int field, cpBody* const* bodies, size_t body_count,
                                    double* numbers, size_t number_count) {
  return guarded([&] { batch->batch.read(field_of(field), std::span(bodies, body_count), {numbers, number_count}); });
}

forkmunk_result forkmunk_batch_write(forkmunk_batch* batch, int field, cpBody* const* bodies, size_t body_count,
                                     const double* numbers, size_t number_count) {
  return guarded([&] { batch->batch.write(field_of(field), std::span(bodies, body_count), {numbers, number_count}); });
}

forkmunk_result forkmunk_batch_read_motors(const forkmunk_batch* batch, cpConstraint* const* motors, size_t motor_count,
                                           double* numbers, size_t number_count) {
  return guarded([&] {
    batch->batch.read(Field::motor_rate, std::span(motors, motor_count), {numbers, number_count});
  });
}

forkmunk_result forkmunk_batch_write_motors(forkmunk_batch* batch, cpConstraint* const* motors, size_t motor_count,
                                            const double* numbers, size_t number_count) {
  return guarded([&] {
    batch->batch.write(Field::motor_rate, std::span(motors, motor_count), {numbers, number_count});
  });
}

forkmunk_result forkmunk_batch_save_into(const forkmunk_batch* batch, size_t index, forkmunk_snapshot* snapshot) {
  return guarded([&] { batch->batch.world(index).save(snapshot->snapshot); });
}

forkmunk_result forkmunk_batch_restore(forkmunk_batch* batch, const forkmunk_snapshot* snapshot, const uint8_t* mask) {
  return guarded([&] { batch->batch.restore(snapshot->snapshot, mask_of(batch, mask)); });
}

forkmunk_result forkmunk_batch_fork(forkmunk_batch* batch, size_t from, const uint8_t* mask) {
  return guarded([&] { batch->batch.fork(from, mask_of(batch, mask)); });
}

forkmunk_result forkmunk_batch_hashes(const forkmunk_batch* batch, uint64_t* hashes) {
  return guarded([&] { batch->batch.hashes({hashes, batch->batch.size()}); });
}
