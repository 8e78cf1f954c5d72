// SPDX-License-Identifier: MIT
#include "c_handles.h"
#include "scene_table.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/per_thread.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/space.h>
#include <forkmunk/space/batch.h>
#include <forkmunk/space/differences.h>
#include <forkmunk/space/preview.h>
#include <forkmunk/space/recorder.h>
#include <forkmunk/space/space.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <forward_list>
#include <fstream>
#include <iterator>
#include <new>
#include <span>
#include <string>
#include <vector>

using forkmunk::concat;
using forkmunk::Error;
using forkmunk::space::Batch;
using forkmunk::space::failed;
using forkmunk::space::Field;
using forkmunk::space::guarded;
using forkmunk::space::guarded_pointer;
using forkmunk::space::guarded_value;
using forkmunk::space::Snapshot;
using forkmunk::space::Space;
using forkmunk::space::span_of;

namespace {

// There may be no memory for a longer message.
thread_local char last_error[512] = "";
thread_local const void* last_error_object = nullptr;

/// For forkmunk_space_make_plain().
struct PlainByte {
  unsigned char value;
};

struct OpenScope {
  forkmunk_space* world;
  forkmunk::space::Scope scope;
  explicit OpenScope(forkmunk_space* w) : world(w), scope(w->space.enter()) {}
};
// The innermost scope is first.
std::forward_list<OpenScope>& open_scopes() { return forkmunk::per_thread<std::forward_list<OpenScope>>(); }

template <typename Byte>
void* make_bytes(forkmunk_space* world, std::size_t bytes) noexcept {
  return guarded_pointer([&] { return world->space.make_array<Byte>(bytes).data(); });
}

// Copies the bytes if there is room. \return their number.
std::size_t put_bytes(std::span<const std::byte> bytes, void* buffer, std::size_t buffer_bytes) {
  const std::span room = span_of(static_cast<std::byte*>(buffer), buffer_bytes);
  if (bytes.size() <= room.size()) std::memcpy(room.data(), bytes.data(), bytes.size());
  return bytes.size();
}

void put_text(const std::string& from, char* text, std::size_t text_bytes) {
  if (text_bytes == 0) return;
  const std::span room = span_of(text, text_bytes);
  room[from.copy(room.data(), room.size() - 1)] = '\0';
}

std::string text_of(const char* text) {
  if (text == nullptr) throw Error("found a null name, path or text, expected a string");
  return text;
}

}  // namespace

forkmunk_result forkmunk::space::failed(forkmunk_result result, const char* what, const void* object) noexcept {
  last_error_object = object;
  const std::size_t length = std::min(std::strlen(what), sizeof last_error - 1);
  std::memcpy(last_error, what, length);
  last_error[length] = '\0';
  return result;
}

forkmunk_result forkmunk::space::guarded_call(void (*run)(void*), void* context) noexcept {
  try {
    run(context);
    return FORKMUNK_OK;
  } catch (const std::bad_alloc& error) {
    return failed(FORKMUNK_NO_MEMORY, error.what());
  } catch (const NonFiniteError& error) {
    const void* const shape_or_joint = error.joint != nullptr ? static_cast<const void*>(error.joint) : error.shape;
    return failed(FORKMUNK_REFUSED, error.what(), error.body != nullptr ? error.body : shape_or_joint);
  } catch (const std::exception& error) {
    return failed(FORKMUNK_REFUSED, error.what());
  } catch (...) {
    return failed(FORKMUNK_REFUSED, "a failure without a name");
  }
}

template <>
inline constexpr auto forkmunk::space::pointer_policy<PlainByte> = forkmunk::space::PointerPolicy::none;

const char* forkmunk_last_error(void) { return last_error; }
const void* forkmunk_last_error_object(void) { return last_error_object; }

forkmunk_space* forkmunk_space_new(size_t capacity_bytes, size_t capacity_bytes_max) {
  return guarded_pointer([&] {
    return new forkmunk_space{Space(capacity_bytes == 0 ? Space::kCapacityBytesDefault : capacity_bytes,
                                    capacity_bytes_max == 0 ? Space::kGrowthBytesMax : capacity_bytes_max)};
  });
}

forkmunk_result forkmunk_space_free(forkmunk_space* world) {
  if (std::ranges::any_of(open_scopes(), [&](const OpenScope& open) { return open.world == world; })) {
    return failed(FORKMUNK_REFUSED, "forkmunk_space_free(): this thread is in a scope of the space; leave it first");
  }
  if (world != nullptr && world->space.is_in_call()) {
    return failed(FORKMUNK_REFUSED,
                  "forkmunk_space_free() was called in a callback of the space; call it between steps");
  }
  delete world;
  return FORKMUNK_OK;
}

forkmunk_result forkmunk_space_enter(forkmunk_space* world) {
  return guarded([&] { open_scopes().emplace_front(world); });
}

forkmunk_result forkmunk_space_leave(forkmunk_space* world) {
  if (open_scopes().empty() || open_scopes().front().world != world) {
    return failed(FORKMUNK_REFUSED, "forkmunk_space_leave(): this thread's innermost scope is not one of the space's");
  }
  open_scopes().pop_front();
  return FORKMUNK_OK;
}

cpSpace* forkmunk_space_space(const forkmunk_space* world) {
  return guarded_pointer([&] { return world->space.space(); });
}

size_t forkmunk_space_spaces(const forkmunk_space* world, cpSpace** spaces, size_t count) {
  return guarded_value<size_t>(0, [&] {
    const std::vector<cpSpace*> all = world->space.spaces();
    std::copy_n(all.begin(), std::min(count, all.size()), span_of(spaces, count).data());
    return all.size();
  });
}

forkmunk_result forkmunk_space_set_defects(forkmunk_space* world, int defects) {
  if (defects < FORKMUNK_DEFECT_SET_NONE || defects > FORKMUNK_DEFECT_SET_STOCK) {
    return failed(FORKMUNK_REFUSED, "forkmunk_space_set_defects(): expected a value of forkmunk_defect_set");
  }
  return guarded([&] { world->space.set_defects(static_cast<forkmunk::space::Defects>(defects)); });
}

int forkmunk_space_defects(const forkmunk_space* world) {
  return guarded_value<int>(-1, [&] { return static_cast<int>(world->space.defects()); });
}

forkmunk_result forkmunk_space_step(forkmunk_space* world, double dt) {
  return guarded([&] { world->space.step(dt); });
}

forkmunk_result forkmunk_space_step_checked(forkmunk_space* world, double dt) {
  return guarded([&] { world->space.step_checked(dt); });
}

void* forkmunk_space_make(forkmunk_space* world, size_t bytes) { return make_bytes<unsigned char>(world, bytes); }
void* forkmunk_space_make_plain(forkmunk_space* world, size_t bytes) { return make_bytes<PlainByte>(world, bytes); }

forkmunk_result forkmunk_space_release(forkmunk_space* world, void* object) {
  return guarded([&] { world->space.release(object); });
}

forkmunk_snapshot* forkmunk_space_save(const forkmunk_space* world) {
  return guarded_pointer([&] { return new forkmunk_snapshot{world->space.save()}; });
}

forkmunk_result forkmunk_space_save_into(const forkmunk_space* world, forkmunk_snapshot* snapshot) {
  return guarded([&] { world->space.save(snapshot->snapshot); });
}

forkmunk_result forkmunk_space_restore(forkmunk_space* world, const forkmunk_snapshot* snapshot) {
  if (snapshot->snapshot.empty()) {
    return failed(FORKMUNK_REFUSED, "forkmunk_space_restore(): the snapshot is empty; save a space into it first");
  }
  bool restored = false;
  const forkmunk_result result = guarded([&] { restored = world->space.restore(snapshot->snapshot); });
  if (result != FORKMUNK_OK || restored) return result;
  return failed(FORKMUNK_NO_ROOM, "forkmunk_space_restore(): the space cannot grow to hold the snapshot");
}

forkmunk_space* forkmunk_space_fork(const forkmunk_space* world) {
  return guarded_pointer([&] { return new forkmunk_space{world->space.fork()}; });
}

void* forkmunk_space_twin_of(const forkmunk_space* world, const forkmunk_space* other, const void* object) {
  return guarded_pointer([&] { return world->space.twin_of(other->space, const_cast<void*>(object)); });
}

uint64_t forkmunk_space_hash(const forkmunk_space* world) {
  return guarded_value<uint64_t>(0, [&] { return world->space.hash(); });
}

int forkmunk_space_first_difference(const forkmunk_space* one, const forkmunk_space* other, char* text,
                                    size_t text_bytes) {
  return guarded_value(-1, [&] {
    const std::optional<std::string> difference = forkmunk::space::first_difference(one->space, other->space);
    put_text(difference.value_or(""), text, text_bytes);
    return difference ? 1 : 0;
  });
}

size_t forkmunk_space_live_bytes(const forkmunk_space* world) {
  return guarded_value<size_t>(0, [&] { return world->space.live_bytes(); });
}
size_t forkmunk_space_capacity_bytes(const forkmunk_space* world) {
  return guarded_value<size_t>(0, [&] { return world->space.capacity_bytes(); });
}
int forkmunk_space_is_overflowed(const forkmunk_space* world) {
  return guarded_value(0, [&] { return world->space.is_overflowed() ? 1 : 0; });
}

forkmunk_snapshot* forkmunk_snapshot_new(void) {
  return guarded_pointer([] { return new forkmunk_snapshot{}; });
}
void forkmunk_snapshot_free(forkmunk_snapshot* snapshot) { delete snapshot; }
size_t forkmunk_snapshot_size_bytes(const forkmunk_snapshot* snapshot) { return snapshot->snapshot.size_bytes(); }

size_t forkmunk_space_write(const forkmunk_space* world, void* buffer, size_t buffer_bytes) {
  return guarded_value<size_t>(0, [&] { return put_bytes(world->space.to_bytes(), buffer, buffer_bytes); });
}
size_t forkmunk_snapshot_write(const forkmunk_snapshot* snapshot, void* buffer, size_t buffer_bytes) {
  return guarded_value<size_t>(0, [&] { return put_bytes(snapshot->snapshot.to_bytes(), buffer, buffer_bytes); });
}

forkmunk_result forkmunk_snapshot_write_file(const forkmunk_snapshot* snapshot, const char* path) {
  return guarded([&] {
    const std::vector<std::byte> bytes = snapshot->snapshot.to_bytes();  // throws before the file is touched
    std::ofstream out(text_of(path), std::ios::binary);
    if (!out) throw Error(path, ": cannot be opened for writing");
    if (!out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())).flush()) {
      throw Error(path, ": could not be written to its end");
    }
  });
}

forkmunk_snapshot* forkmunk_snapshot_read(const void* bytes, size_t size_bytes) {
  return guarded_pointer([&] {
    return new forkmunk_snapshot{Snapshot::from_bytes(span_of(static_cast<const std::byte*>(bytes), size_bytes))};
  });
}

forkmunk_snapshot* forkmunk_snapshot_read_file(const char* path) {
  return guarded_pointer([&] {
    std::ifstream in(text_of(path), std::ios::binary);
    if (!in) throw Error(path, ": cannot be opened for reading");
    try {
      Snapshot snapshot = Snapshot::read(in);
      if (in.peek() == std::istream::traits_type::eof()) return new forkmunk_snapshot{std::move(snapshot)};
      throw Error("a state of a space: found more bytes after its end");
    } catch (const Error& error) {
      throw Error(path, ": ", error.what());
    } catch (const std::ios_base::failure&) {
      throw Error(path, ": could not be read; is it a file?");
    }
  });
}

forkmunk_result forkmunk_name_code(const char* name, void (*function)(void)) {
  return guarded([&] { forkmunk::space::name_code(text_of(name), function); });
}

struct forkmunk_recording {
  const forkmunk::space::Recording* recording;
  forkmunk::space::Recording own;
};
struct forkmunk_recorder {
  forkmunk_recorder(Space& space, const forkmunk::space::RecorderOptions& options) : recorder(space, options) {}
  forkmunk::space::Recorder recorder;
  forkmunk_recording recording{&recorder.recording(), {}};
};

namespace {

using forkmunk::space::Recorder;
using forkmunk::space::Recording;

/// Bytes that are not UTF-8 become U+FFFD.
std::string quoted(const std::string& text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : forkmunk::utf8(text)) {
    if (static_cast<unsigned char>(c) < 0x20) {
      out += concat("\\u00", kDigits[c >> 4], kDigits[c & 15]);
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// JSON has no other numbers.
std::string json_of(double number) { return std::isfinite(number) ? forkmunk::chipmunk::number_text(number) : "null"; }

std::string describe(const Recording& recording) {
  std::string out;
  const auto add = [&out](const char* begin, const auto& items, const auto& text_of) {
    out += begin;
    for (const auto& item : items) {
      if (out.back() != '[' && out.back() != '{') out += ',';
      out += text_of(item);
    }
  };
  add("{\"events\":[", recording.events(), [](const auto& event) {
    using Kind = forkmunk::space::RecordedEvent::Kind;
    static constexpr const char* kKinds[] = {"mark", "number", "text", "input"};
    return concat("{\"step\":", event.step, ",\"kind\":\"", kKinds[static_cast<int>(event.kind)],
                  "\",\"name\":", quoted(event.name),
                  ",\"value\":", event.kind == Kind::number ? json_of(event.number) : quoted(event.text), '}');
  });
  add("],\"interventions\":[", recording.interventions(), [](const auto& intervention) {
    return concat("{\"step\":", intervention.step, ",\"what\":", quoted(intervention.what), '}');
  });
  add("],\"names\":{", recording.names(),
      [](const auto& named) { return concat('"', named.first, "\":", quoted(named.second)); });
  add("},\"colors\":{", recording.colors(),
      [](const auto& colored) { return concat('"', colored.first, "\":", colored.second); });
  add("},\"keyframes\":[", recording.keyframes(), [](std::uint64_t step) { return std::to_string(step); });
  return out + "]}";
}

}  // namespace

forkmunk_recorder* forkmunk_recorder_new(forkmunk_space* world, size_t steps_max, size_t memory_bytes_max,
                                         uint32_t keyframe_steps) {
  return guarded_pointer([&] {
    forkmunk::space::RecorderOptions options;
    if (steps_max != 0) options.steps_max = steps_max;
    if (memory_bytes_max != 0) options.memory_bytes_max = memory_bytes_max;
    if (keyframe_steps != 0) options.keyframe_steps = keyframe_steps;
    return new forkmunk_recorder(world->space, options);
  });
}
void forkmunk_recorder_free(forkmunk_recorder* recorder) { delete recorder; }
const forkmunk_recording* forkmunk_recorder_recording(const forkmunk_recorder* recorder) {
  return &recorder->recording;
}
forkmunk_result forkmunk_recorder_mark(forkmunk_recorder* recorder, const char* name) {
  return guarded([&] { recorder->recorder.mark(text_of(name)); });
}
forkmunk_result forkmunk_recorder_log(forkmunk_recorder* recorder, const char* name, double value) {
  return guarded([&] { recorder->recorder.log(text_of(name), value); });
}
forkmunk_result forkmunk_recorder_log_text(forkmunk_recorder* recorder, const char* name, const char* value) {
  return guarded([&] { recorder->recorder.log(text_of(name), text_of(value)); });
}
forkmunk_result forkmunk_recorder_input(forkmunk_recorder* recorder, const char* name, const char* value) {
  return guarded([&] { recorder->recorder.input(text_of(name), text_of(value)); });
}
forkmunk_result forkmunk_recorder_name(forkmunk_recorder* recorder, const void* object, const char* name) {
  return guarded([&] { recorder->recorder.name(static_cast<const cpBody*>(object), text_of(name)); });
}
forkmunk_result forkmunk_recorder_color(forkmunk_recorder* recorder, const cpShape* shape, uint32_t rgba) {
  return guarded([&] { recorder->recorder.color(shape, rgba); });
}

forkmunk_recording* forkmunk_recording_read(const void* bytes, size_t size_bytes) {
  return guarded_pointer([&] {
    const std::span read_bytes = span_of(static_cast<const std::byte*>(bytes), size_bytes);
    auto* const read = new forkmunk_recording{nullptr, Recording::from_bytes(read_bytes)};
    read->recording = &read->own;
    return read;
  });
}
void forkmunk_recording_free(forkmunk_recording* recording) { delete recording; }
size_t forkmunk_recording_write(const forkmunk_recording* recording, void* buffer, size_t buffer_bytes) {
  return guarded_value<size_t>(0, [&] { return put_bytes(recording->recording->to_bytes(), buffer, buffer_bytes); });
}
size_t forkmunk_recording_first(const forkmunk_recording* recording) {
  return recording->recording->empty() ? SIZE_MAX : static_cast<size_t>(recording->recording->first());
}
size_t forkmunk_recording_last(const forkmunk_recording* recording) {
  return recording->recording->empty() ? SIZE_MAX : static_cast<size_t>(recording->recording->last());
}
forkmunk_result forkmunk_recording_step(const forkmunk_recording* recording, size_t state,
                                        forkmunk_recorded_step* step) {
  return guarded([&] {
    const forkmunk::space::RecordedStep found = recording->recording->step(state);
    const std::span<const std::uint32_t> scene = recording->recording->scene_words(found.scene);
    span_of(step, 1).front() = {found.dt,     found.poses.data(),     found.contacts.data(),     found.sleeping.data(),
                                scene.data(), found.poses.size() / 3, found.contacts.size() / 4, scene.size()};
  });
}
forkmunk_space* forkmunk_recording_at(const forkmunk_recording* recording, size_t state) {
  return guarded_pointer([&] { return new forkmunk_space{recording->recording->at(state)}; });
}
int forkmunk_recording_verify(const forkmunk_recording* recording, size_t state, size_t* last, size_t* step, char* text,
                              size_t text_bytes) {
  return guarded_value<int>(-1, [&] {
    const forkmunk::space::Verdict verdict = recording->recording->verify(state);
    span_of(last, 1).front() = verdict.last;
    span_of(step, 1).front() = verdict.step;
    put_text(verdict.reason, text, text_bytes);
    return 1 - static_cast<int>(verdict.kind);  // exact, differs, not replayable
  });
}
size_t forkmunk_recording_describe(const forkmunk_recording* recording, char* text, size_t text_bytes) {
  return guarded_value<size_t>(0, [&] {
    const std::string found = describe(*recording->recording);
    put_text(found, text, text_bytes);
    return found.size() + 1;
  });
}
int forkmunk_recorder_recover(forkmunk_recorder* recorder, forkmunk_space* world, size_t* step, double* dt_that_passes,
                              char* culprit, size_t text_bytes) {
  return guarded_value<int>(-1, [&] {
    std::size_t& failed_step = span_of(step, 1).front();
    double& passing_dt = span_of(dt_that_passes, 1).front();
    put_text("", culprit, text_bytes);
    const auto failure = recorder->recorder.recover(world->space);
    if (!failure) return 0;
    failed_step = failure->step;
    passing_dt = failure->dt_that_passes.value_or(0);
    put_text(failure->culprit, culprit, text_bytes);
    return 1;
  });
}

size_t forkmunk_space_differences(const forkmunk_space* one, const forkmunk_space* other, char* text,
                                  size_t text_bytes) {
  return guarded_value<size_t>(0, [&] {
    std::string out = "[";
    for (const forkmunk::space::Difference& each : forkmunk::space::differences(one->space, other->space)) {
      if (out.size() > 1) out += ',';
      out += concat("{\"object\":", quoted(each.object), ",\"id\":", each.id, ",\"otherId\":", each.other_id,
                    ",\"field\":", quoted(each.field), ",\"one\":", quoted(each.one), ",\"other\":", quoted(each.other),
                    '}');
    }
    out += ']';
    put_text(out, text, text_bytes);
    return out.size() + 1;
  });
}

size_t forkmunk_preview(const forkmunk_space* world, const cpBody* const* bodies, size_t body_count, size_t steps,
                        double dt, void (*control)(forkmunk_space* twin, size_t step, void* user), void* user,
                        double* paths, forkmunk_preview_contact* contacts, size_t contact_count_max) {
  return guarded_value<size_t>(SIZE_MAX, [&] {
    forkmunk_space twin{world->space.fork()};
    std::vector<const cpBody*> twins;
    for (const cpBody* body : span_of(bodies, body_count)) twins.push_back(twin.space.twin_of(world->space, body));
    const forkmunk::space::Preview found = forkmunk::space::preview(twins, steps, [&](size_t step) {
      if (control != nullptr) control(&twin, step, user);
      twin.space.step(dt);
    });
    std::ranges::copy(found.paths, span_of(paths, found.paths.size()).begin());
    const std::span room = span_of(contacts, contact_count_max);
    for (size_t i = 0; i < std::min(room.size(), found.contacts.size()); ++i) {
      const auto& [step, body, shape, other_shape] = found.contacts[i];
      room[i] = {step, body, shape, other_shape};
    }
    return found.contacts.size();
  });
}

size_t forkmunk_space_scene(const forkmunk_space* world, void** objects, size_t count, size_t counts[4]) {
  return guarded_value<size_t>(0, [&] {
    const cpSpace* const space = world->space.space();
    if (space == nullptr) throw Error("forkmunk_space_scene(): the space() was freed");
    const forkmunk::space::SceneTable table(*space);
    std::vector<void*> all(table.moving.begin(), table.moving.end());
    all.insert(all.end(), table.fixed.begin(), table.fixed.end());
    all.insert(all.end(), table.shapes.begin(), table.shapes.end());
    all.insert(all.end(), table.joints.begin(), table.joints.end());
    const size_t sizes[] = {table.moving.size(), table.fixed.size(), table.shapes.size(), table.joints.size()};
    std::ranges::copy(sizes, span_of(counts, std::size(sizes)).begin());
    std::copy_n(all.begin(), std::min(count, all.size()), span_of(objects, count).data());
    return all.size();
  });
}

namespace {

static_assert(static_cast<int>(Field::motor_rate) == FORKMUNK_MOTOR_RATE);
static_assert(static_cast<int>(Field::force) == FORKMUNK_FORCE);

Field field_of(const char* function, int field) {
  if (field >= 0 && field <= FORKMUNK_MOTOR_RATE) return static_cast<Field>(field);
  throw forkmunk::Error(function, "(): found field ", field, ", expected a forkmunk_field");
}

std::span<const std::uint8_t> mask_of(const forkmunk_batch* batch, const uint8_t* mask) {
  return {mask, mask == nullptr ? 0 : batch->batch.size()};
}

}  // namespace

forkmunk_batch* forkmunk_batch_new(const forkmunk_space* origin, size_t count, size_t threads) {
  return guarded_pointer([&] { return new forkmunk_batch{Batch(origin->space, count, threads)}; });
}

void forkmunk_batch_free(forkmunk_batch* batch) { delete batch; }
size_t forkmunk_batch_size(const forkmunk_batch* batch) { return batch->batch.size(); }

forkmunk_result forkmunk_batch_step(forkmunk_batch* batch, double dt, size_t count) {
  return guarded([&] { batch->batch.step(dt, count); });
}

void* forkmunk_batch_twin_of(const forkmunk_batch* batch, size_t index, const void* object) {
  return guarded_pointer([&] { return batch->batch.twin_of(index, const_cast<void*>(object)); });
}

forkmunk_result forkmunk_batch_read(const forkmunk_batch* batch, int field, cpBody* const* bodies, size_t body_count,
                                    double* numbers, size_t number_count) {
  return guarded([&] {
    batch->batch.read(field_of("forkmunk_batch_read", field), span_of(bodies, body_count),
                      span_of(numbers, number_count));
  });
}

forkmunk_result forkmunk_batch_write(forkmunk_batch* batch, int field, cpBody* const* bodies, size_t body_count,
                                     const double* numbers, size_t number_count) {
  return guarded([&] {
    batch->batch.write(field_of("forkmunk_batch_write", field), span_of(bodies, body_count),
                       span_of(numbers, number_count));
  });
}

forkmunk_result forkmunk_batch_read_motors(const forkmunk_batch* batch, cpConstraint* const* motors, size_t motor_count,
                                           double* numbers, size_t number_count) {
  return guarded(
      [&] { batch->batch.read(Field::motor_rate, span_of(motors, motor_count), span_of(numbers, number_count)); });
}

forkmunk_result forkmunk_batch_write_motors(forkmunk_batch* batch, cpConstraint* const* motors, size_t motor_count,
                                            const double* numbers, size_t number_count) {
  return guarded(
      [&] { batch->batch.write(Field::motor_rate, span_of(motors, motor_count), span_of(numbers, number_count)); });
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
  return guarded([&] { batch->batch.hashes(span_of(hashes, batch->batch.size())); });
}
