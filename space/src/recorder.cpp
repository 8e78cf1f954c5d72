// SPDX-License-Identifier: MIT
#include "scene_table.h"
#include "space_arena.h"

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/base/error.h>
#include <forkmunk/base/hasher.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/chipmunk_layout.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#if defined(__SSE2__) && !defined(__EMSCRIPTEN__)
#define FORKMUNK_STREAMS
#include <emmintrin.h>
#endif

namespace forkmunk::FORKMUNK_SPACE {
namespace {

// The fields of a body that a program or a step changes.
constexpr std::size_t kBodyBytes = offsetof(cpBody, t) + sizeof(cpFloat);
constexpr std::size_t kFixedBytes = offsetof(cpBody, p);  // functions, mass, moment, centre of gravity
static_assert(offsetof(cpBody, velocity_func) == 0);
constexpr std::size_t kSettingsBytes = offsetof(cpSpace, userData);  // iterations to collision persistence

bool has_bytes(const void* object, std::size_t offset, const auto& bytes) noexcept {
  return std::memcmp(static_cast<const std::byte*>(object) + offset, &bytes, sizeof bytes) == 0;
}
void read_bytes(const void* object, std::size_t offset, auto& bytes) noexcept {
  std::memcpy(&bytes, static_cast<const std::byte*>(object) + offset, sizeof bytes);
}

struct BodyState {
  std::byte bytes[kBodyBytes];
  cpFloat idle_seconds;
  bool is_sleeping;
  cpDataPointer user_data;

  void read(const cpBody& body) noexcept {
    read_bytes(&body, 0, bytes);
    user_data = body.userData;
    idle_seconds = body.sleeping.idleTime;
    is_sleeping = body.sleeping.root != nullptr;
  }
  [[nodiscard]] bool equals(const cpBody& body) const noexcept {
    return has_bytes(&body, 0, bytes) && has_bytes(&body.sleeping.idleTime, 0, idle_seconds) &&
           is_sleeping == (body.sleeping.root != nullptr) && !gives_other_data(body);
  }
  [[nodiscard]] bool gives_other_data(const cpBody& body) const noexcept {
    return user_data != body.userData &&
           (body.velocity_func != cpBodyUpdateVelocity || body.position_func != cpBodyUpdatePosition);
  }
};

/// Hashes the fields that no step changes.
std::uint64_t hash_of(const cpShape& shape) noexcept {
  Hasher hasher;
  const auto add = [&](const auto&... fields) { (hasher.add_bytes(std::as_bytes(std::span(&fields, 1))), ...); };
  add(shape.massInfo.m, shape.sensor, shape.e, shape.u, shape.surfaceV, shape.type, shape.filter);
  if (cpBodyGetType(shape.body) == CP_BODY_TYPE_STATIC) add(shape.bb);  // others move in a step
  if (shape.klass->type == CP_CIRCLE_SHAPE) {
    const auto& circle = reinterpret_cast<const cpCircleShape&>(shape);
    add(circle.c, circle.r);
  } else if (shape.klass->type == CP_SEGMENT_SHAPE) {
    const auto& segment = reinterpret_cast<const cpSegmentShape&>(shape);
    add(segment.a, segment.b, segment.r, segment.a_tangent, segment.b_tangent);
  } else {
    const auto& polygon = reinterpret_cast<const cpPolyShape&>(shape);
    add(polygon.r);
    for (int i = 0; i < polygon.count; ++i) add(polygon.planes[polygon.count + i].v0);
  }
  return hasher.value();
}

struct JointState {
  std::byte common[offsetof(cpConstraint, userData) - offsetof(cpConstraint, maxForce)];
  cpFloat numbers[kJointNumbersMax];

  JointState(const cpConstraint& joint, std::span<const cpFloat> of_kind) noexcept {
    read_bytes(&joint, offsetof(cpConstraint, maxForce), common);
    std::copy(of_kind.begin(), of_kind.end(), numbers);
  }
};

constexpr std::size_t kStreamedWords = 4;

/// Objects between the prefetched and the read one.
constexpr std::size_t kPrefetched = 6;

using Pair = cpFloat __attribute__((vector_size(2 * sizeof(cpFloat))));
Pair pair_of(cpVect v) noexcept { return Pair{v.x, v.y}; }
void write_floats(std::uint32_t* to, Pair pair) noexcept {
  using Floats = float __attribute__((vector_size(2 * sizeof(float))));
  const Floats floats = __builtin_convertvector(pair, Floats);
  std::memcpy(to, &floats, sizeof floats);
}

/// Copies words to a multiple of 16 bytes, up to the next multiple after the last word. A plain copy would first read
/// the memory, which is most of the time of a recorded step.
void copy_past_cache(std::uint32_t* to, const std::uint32_t* from, std::size_t words) noexcept {
#ifdef FORKMUNK_STREAMS
  for (std::size_t i = 0; i < words; i += kStreamedWords) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
  }
  _mm_sfence();
#else
  std::memcpy(to, from, words * sizeof(std::uint32_t));
#endif
}

std::uint32_t checked_id(std::uint32_t id) {
  if (id != 0) return id;
  throw Error("Recorder: found another object than a body, shape or joint of the recorded Space; give one of those");
}

template <typename Object>
std::uint32_t own_id(const arena_alloc::Arena* arena, const Object* object) {
  return checked_id(arena != nullptr && arena->contains(object) ? Recording::id_of(object) : 0);
}

}  // namespace

/// The last state, with which the next step compares.
struct Recorder::Watch {
  std::optional<SceneTable> table;
  std::uint32_t scene = 0;  // of `table`
  std::uint32_t scene_count = 0;
  Signature signature;
  std::vector<BodyState> bodies, fixed;
  std::vector<const void*> awake;     // in Chipmunk's order
  std::vector<std::uint64_t> shapes;  // hashes
  std::vector<JointState> joints;
  std::span<const std::byte> whole;  // of the last whole keyframe, in this block
  std::shared_ptr<Recording::Block> block_of_whole;
  std::size_t changes_bytes = 0;  // of keyframes since
  std::vector<std::uint32_t> staging;
  std::vector<std::uint32_t> contacts, contacts_before;  // of the last two states
  std::byte settings[kSettingsBytes] = {};
  std::vector<cpCollisionHandler> handlers;  // and last the default one

  bool was_replaced = true;  // no address is good
  bool had_shape_call = false, was_reindexed = false;
  bool is_in_step = false;
  double dt = 0, last_dt = 0;
  std::vector<std::uint32_t> edits;
  std::vector<std::size_t> changed, woken;  // bodies, for find_changed_bodies()
  std::optional<std::uint64_t> failed_after;
  std::size_t written = 0;  // up to this state, by write_to()
  std::vector<std::byte> written_whole;
  std::uint32_t scenes_written = 0;

  static void for_each_handler(const cpSpace& space, auto visit) {
    const auto visit_bin = [&](const cpCollisionHandler& handler, const auto&) { visit(handler); };
    chipmunk::layout::for_each<cpCollisionHandler>(chipmunk::layout::set_of(space.collisionHandlers), visit_bin);
    visit(space.defaultHandler);
  }
  void read_settings(const cpSpace& space) {
    read_bytes(&space, 0, settings);
    handlers.clear();
    for_each_handler(space, [&](const cpCollisionHandler& handler) { handlers.push_back(handler); });
  }
  void read_objects() {
    fixed.resize(table->fixed.size());
    for (std::size_t i = 0; i < fixed.size(); ++i) fixed[i].read(*table->fixed[i]);
    shapes.clear();
    for (const cpShape* shape : table->shapes) shapes.push_back(hash_of(*shape));
    had_shape_call = was_reindexed = false;
    joints.clear();
    for (std::size_t i = 0; i < table->joints.size(); ++i) {
      joints.emplace_back(*table->joints[i], joint_numbers(*table->joints[i], table->joint_kinds[i]));
    }
  }

  /// Returns memory for keep_staged().
  std::uint32_t* stage(std::size_t words) {
    if (staging.size() < words + kStreamedWords) staging.resize(words + kStreamedWords);
    return staging.data();
  }

  /// \return a change that is no edit, or null.
  const char* find_edits(const cpSpace& space) {
    edits.clear();
    if (!has_bytes(&space, 0, settings)) return "settings of the space were changed";
    std::size_t handler_count = 0;
    bool has_handlers = true;
    for_each_handler(space, [&](const cpCollisionHandler& handler) {
      has_handlers = has_handlers && handler_count < handlers.size() && has_bytes(&handler, 0, handlers[handler_count]);
      ++handler_count;
    });
    if (!has_handlers || handler_count != handlers.size()) return "a collision handler was added or changed";
    for (std::size_t i = 0; i < fixed.size(); ++i) {
      if (!fixed[i].equals(*table->fixed[i])) return "a static body was changed";
    }
    // To compare all shapes in every step would take 2 % of it.
    for (std::size_t i = 0; had_shape_call && i < shapes.size(); ++i) {
      if (shapes[i] != hash_of(*table->shapes[i])) return "a shape was changed";
    }
    had_shape_call = false;
    if (const char* const problem = find_changed_bodies(space)) return problem;
    if (was_reindexed) return "shapes were reindexed";
    for (const std::size_t i : changed) add_body_edit(i);
    return add_joint_edits();
  }

  /// Sets `changed`. \return a change that is no edit, or null.
  const char* find_changed_bodies(const cpSpace& space) {
    changed.clear();
    woken.clear();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const cpBody& body = *table->moving[i];
      if (bodies[i].equals(body)) continue;
      if (std::memcmp(bodies[i].bytes, &body, kFixedBytes) != 0 || bodies[i].gives_other_data(body) ||
          std::isinf(bodies[i].idle_seconds) != std::isinf(body.sleeping.idleTime)) {  // static bodies idle for ever
        return "mass, moment, centre of gravity, type or a function of a body was changed";
      }
      (bodies[i].is_sleeping && body.sleeping.root == nullptr ? woken : changed).push_back(i);
    }
    const auto awake_count = static_cast<std::size_t>(space.dynamicBodies->num);
    if (awake_count < awake.size() || !std::equal(awake.begin(), awake.end(), space.dynamicBodies->arr)) {
      return "a body was put to sleep";
    }
    // The next steps depend on the order in which bodies woke.
    for (int place = 0; !woken.empty() && place < space.dynamicBodies->num; ++place) {
      const auto is_here = [&](std::size_t i) { return table->moving[i] == space.dynamicBodies->arr[place]; };
      const auto found = std::find_if(woken.begin(), woken.end(), is_here);
      if (found == woken.end()) continue;
      changed.push_back(*found);
      woken.erase(found);
    }
    return nullptr;
  }

  void add_number(double number) {
    std::uint32_t words[2];
    std::memcpy(words, &number, sizeof words);
    edits.insert(edits.end(), words, words + 2);
  }

  void add_body_edit(std::size_t i) {
    const cpBody& body = *table->moving[i];
    const BodyState& before = bodies[i];
    const auto* const now = reinterpret_cast<const std::byte*>(&body);
    const std::size_t begin = edits.size();
    std::uint32_t bits = 0;
    edits.insert(edits.end(), {0, static_cast<std::uint32_t>(i)});
    const auto compare = [&](std::uint32_t bit, const cpFloat* field, std::size_t count) {
      const auto offset = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(field) - now);
      if (std::memcmp(before.bytes + offset, field, count * sizeof(cpFloat)) == 0) return;
      bits |= bit;
      for (std::size_t k = 0; k < count; ++k) add_number(field[k]);
    };
    compare(kEditPosition, &body.p.x, 2), compare(kEditVelocity, &body.v.x, 2), compare(kEditForce, &body.f.x, 2);
    compare(kEditAngle, &body.a, 1), compare(kEditAngularVelocity, &body.w, 1), compare(kEditTorque, &body.t, 1);
    if (before.idle_seconds != body.sleeping.idleTime) bits |= kEditIdleTime, add_number(body.sleeping.idleTime);
    if (before.is_sleeping && body.sleeping.root == nullptr) bits |= kEditWakes;
    edits[begin] = bits;
  }

  const char* add_joint_edits() {
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const cpConstraint& joint = *table->joints[i];
      const std::span<const cpFloat> numbers = joint_numbers(joint, table->joint_kinds[i]);
      const bool has_common = has_bytes(&joint, offsetof(cpConstraint, maxForce), joints[i].common);
      if (has_common && std::memcmp(joints[i].numbers, numbers.data(), numbers.size_bytes()) == 0) continue;
      if (!has_common || table->joint_kinds[i] != kMotorKind) return "a joint was changed";
      edits.insert(edits.end(), {kEditMotor, static_cast<std::uint32_t>(i)});
      add_number(numbers[0]);
    }
    return nullptr;
  }

  /// Cuts `contacts`, which has room for all.
  void read_contacts(const cpSpace& space) {
    std::uint32_t* at = contacts.data();
    for (int i = 0; i < space.arbiters->num; ++i) {
      const auto& arbiter = *static_cast<const cpArbiter*>(space.arbiters->arr[i]);
      if (i + static_cast<int>(kPrefetched) < space.arbiters->num) {
        prefetch(space.arbiters->arr[i + static_cast<int>(kPrefetched)], sizeof(cpArbiter) + 2 * sizeof(cpContact));
      }
      if (arbiter.state == CP_ARBITER_STATE_IGNORE) continue;
      const Pair normal = pair_of(arbiter.n), turned = pair_of(cpvperp(arbiter.n)), origin = pair_of(arbiter.body_a->p);
      const std::span of_arbiter(arbiter.contacts, static_cast<std::size_t>(arbiter.count));
      for (const cpContact& contact : of_arbiter) {
        write_floats(at, origin + pair_of(contact.r1));
        write_floats(at + 2, normal * contact.jnAcc + turned * contact.jtAcc);
        at += kContactWords;
      }
    }
    contacts.resize(static_cast<std::size_t>(at - contacts.data()));
  }
};

Recorder::Recorder(Space& space, const RecorderOptions& options)
    : options_(options), arena_(arena_alloc::Arena::containing(space.space())), watch_(std::make_unique<Watch>()) {
  if (arena_ == nullptr) throw Error("Recorder: the Space has no space()");
  if (space.is_in_call()) throw Error("Recorder: made in a callback of the Space; make it between steps");
  if (arena_->attachment() != nullptr) throw Error("Recorder: the Space is recorded already");
  constexpr std::size_t kBlockBytesMax = std::size_t{1} << 21, kBlockBytesMin = std::size_t{1} << 14;
  recording_.block_bytes_ = std::clamp(std::bit_floor(options.memory_bytes_max / 32), kBlockBytesMin, kBlockBytesMax);
  if (options.keyframe_steps == 0) throw Error("Recorder: found 0 steps between keyframes, expected at least 1");
  arena_->attachment() = static_cast<StepObserver*>(this);
}

Recorder::~Recorder() {
  try {
    close();
  } catch (const Error&) {  // close() reports what a destructor cannot
  }
  if (arena_ != nullptr) arena_->attachment() = nullptr;
}

Recorder* Recorder::of(const Space& space) {
  auto* const arena = arena_alloc::Arena::containing(space.space());
  auto* const observer = arena == nullptr ? nullptr : static_cast<StepObserver*>(arena->attachment());
  return observer == nullptr ? nullptr : observer->recorder();
}

void Recorder::note_failure() {
  if (!failure() && state() > 0) watch_->failed_after = state() - 1;
}

void Recorder::note_handlers() noexcept { watch_->handlers.clear(); }

std::uint64_t Recorder::state() const { return recording_.empty() ? 0 : recording_.last(); }

void Recorder::note_restore() noexcept {
  watch_->was_replaced = true;
  watch_->is_in_step = false;
  watch_->failed_after.reset();
}

void Recorder::note_shape_call(bool reindexes) noexcept {
  watch_->had_shape_call = true;
  watch_->was_reindexed = watch_->was_reindexed || (reindexes && !watch_->is_in_step);
}

void Recorder::begin_step(double dt) {
  Watch& watch = *watch_;
  const cpSpace& space = *chipmunk::root_of(*arena_)->main_space;
  if (arena_->is_in_call() || arena_->is_overflowed()) return;
  watch.dt = dt;
  watch.edits.clear();
  if (recording_.empty()) {
    add_keyframe("");
  } else if (watch.was_replaced) {
    add_keyframe("the state was restored or its memory was moved");
  } else if (watch.is_in_step) {
    add_keyframe("the step before failed");
  } else {
    const Signature now = Signature::of(*arena_, space);
    Signature before = std::exchange(watch.signature, now);
    before.stamp = now.stamp;  // objects of the game, or in no space yet
    before.static_bodies = now.static_bodies;
    const char* const intervention = before == now ? watch.find_edits(space) : "objects were added or removed";
    Recording::Segment& segment = *recording_.segments_.back();
    // A ring drops whole segments.
    const bool is_long = segment.blocks.size() > 8 && segment.block_bytes >= options_.memory_bytes_max / 4;
    const bool is_due = segment.states.size() > options_.keyframe_steps || is_long;
    if (intervention != nullptr) {
      add_keyframe(intervention);
    } else if (is_due) {
      segment.end_edits = watch.edits;
      watch.edits.clear();
      add_keyframe("");
    }
  }
  watch.is_in_step = true;
}

void Recorder::end_step() {
  Watch& watch = *watch_;
  if (!watch.is_in_step || arena_->is_overflowed() || watch.was_replaced) return;
  watch.is_in_step = false;
  const cpSpace& space = *chipmunk::root_of(*arena_)->main_space;
  const Signature now = Signature::of(*arena_, space);
  if (!(now == watch.signature)) {
    watch.signature = now;
    watch.scene = enter_scene();
    watch.read_objects();
  }
  add_state(watch.dt, watch.edits);
}

std::uint32_t Recorder::enter_scene() {
  Watch& watch = *watch_;
  const cpSpace& space = *chipmunk::root_of(*arena_)->main_space;
  watch.table.emplace(space);
  std::vector<std::uint32_t> words = watch.table->words(space);
  if (!recording_.scenes_.empty() && recording_.scenes_.rbegin()->second == words)
    return recording_.scenes_.rbegin()->first;
  recording_.memory_bytes_ += words.capacity() * sizeof(std::uint32_t);
  recording_.scenes_.emplace(watch.scene_count, std::move(words));
  return watch.scene_count++;
}

void Recorder::add_keyframe(std::string intervention) {
  Watch& watch = *watch_;
  const std::uint64_t first = state();
  const cpSpace& space = *chipmunk::root_of(*arena_)->main_space;
  if (!recording_.empty()) {
    Recording::Segment& last = *recording_.segments_.back();
    last.ends_in_intervention = !intervention.empty();
    if (!intervention.empty()) recording_.interventions_.push_back({first, std::move(intervention)});
    if (last.states.size() == 1) recording_.segments_.pop_back();  // no step: the new keyframe takes its place
  }
  make_room();
  auto segment = std::make_unique<Recording::Segment>();
  segment->first = first;
  segment->states.reserve(options_.keyframe_steps + 2);
  save_state(*segment);
  if (companion_) segment->companion = companion_();
  recording_.segments_.push_back(std::move(segment));
  watch.was_replaced = false;
  watch.signature = Signature::of(*arena_, space);
  watch.scene = enter_scene();
  watch.read_settings(space);
  watch.read_objects();
  add_state(watch.last_dt, {});
}

std::span<const std::uint32_t> Recorder::keep_staged(Recording::Segment& segment, const std::uint32_t* end) {
  const std::uint32_t* const begin = watch_->staging.data();
  const auto words = static_cast<std::size_t>(end - begin);
  std::uint32_t* const place = recording_.allocate(segment, words);
  copy_past_cache(place, begin, words);
  return {place, words};
}

void Recorder::save_state(Recording::Segment& segment) {
  constexpr std::size_t kStatesMax = 5;  // the whole state then is a fifth
  Watch& watch = *watch_;
  segment.state_bytes = arena_->live_bytes();
  segment.arena_base = arena_->base();
  segment.arena_capacity_bytes = arena_->capacity_bytes();
  if (watch.whole.empty() || watch.whole.size() + watch.changes_bytes > kStatesMax * segment.state_bytes) {
    auto* const whole = reinterpret_cast<std::byte*>(recording_.allocate(segment, (segment.state_bytes + 3) / 4));
    arena_->save_live(whole);
    watch.whole = {whole, segment.state_bytes};
    watch.block_of_whole = segment.blocks.front();
    segment.block_bytes = 0;
    watch.changes_bytes = 0;
  } else {
    std::uint32_t* end = watch.stage(segment.state_bytes / 4 + segment.state_bytes / 256 + 2);
    arena_->read_live([&](std::span<const std::byte> state) { end = pack_changes(end, state, watch.whole); });
    segment.blocks.push_back(watch.block_of_whole);
    segment.changes = keep_staged(segment, end);
    watch.changes_bytes += segment.changes.size_bytes();
  }
  segment.whole = watch.whole;
}

void Recorder::add_state(double dt, std::span<const std::uint32_t> edits) {
  Watch& watch = *watch_;
  const cpSpace& space = *chipmunk::root_of(*arena_)->main_space;
  Recording::Segment& segment = *recording_.segments_.back();
  const std::vector<cpBody*>& moving = watch.table->moving;

  constexpr std::size_t kContactsOfArbiterMax = 2;
  const std::size_t sleep_words = (moving.size() + 31) / 32;
  const std::size_t contacts_max =
      options_.contacts ? kContactsOfArbiterMax * static_cast<std::size_t>(space.arbiters->num) : 0;
  std::uint32_t* const begin =
      watch.stage(kHeaderWords + edits.size() + 3 * moving.size() + sleep_words + (kContactWords + 1) * contacts_max);
  std::uint32_t* at = begin + kHeaderWords;
  if (!edits.empty()) std::memcpy(at, edits.data(), edits.size_bytes());
  at += edits.size();

  watch.awake.assign(space.dynamicBodies->arr, space.dynamicBodies->arr + space.dynamicBodies->num);
  watch.bodies.resize(moving.size());
  std::uint32_t* const sleeping = at + 3 * moving.size();
  std::fill_n(sleeping, sleep_words, 0u);
  BodyChecksum checksum;
  double not_finite = 0;
  for (std::size_t i = 0; i < moving.size(); ++i) {
    const cpBody& body = *moving[i];
    if (i + kPrefetched < moving.size()) prefetch(moving[i + kPrefetched], sizeof(cpBody));
    // An array of floats would be read back in longer words, which stalls.
    for (const cpFloat number : {body.transform.tx, body.transform.ty, body.a}) {
      *at++ = std::bit_cast<std::uint32_t>(static_cast<float>(number));
    }
    checksum.add(body);
    watch.bodies[i].read(body);
    sleeping[i / 32] |= static_cast<std::uint32_t>(watch.bodies[i].is_sleeping) << i % 32;
    not_finite += 0 * (body.p.x + body.p.y + body.v.x + body.v.y + body.a + body.w);
  }
  at += sleep_words;
  watch.contacts.resize(kContactWords * contacts_max);
  if (options_.contacts) watch.read_contacts(space);
  auto contact_count = static_cast<std::uint32_t>(watch.contacts.size() / kContactWords);
  if (segment.states.size() % kStatesPerPlainContacts == 0) {
    at = std::copy(watch.contacts.begin(), watch.contacts.end(), at);
  } else {
    at = pack_changes(at, std::as_bytes(std::span(watch.contacts)), std::as_bytes(std::span(watch.contacts_before)));
    contact_count |= kPackedContacts;
  }
  std::swap(watch.contacts, watch.contacts_before);
  const StateHeader header{dt,
                           checksum.value(),
                           watch.scene,
                           static_cast<std::uint32_t>(moving.size()),
                           contact_count,
                           static_cast<std::uint32_t>(edits.size())};
  std::memcpy(begin, &header, sizeof header);
  segment.states.push_back(keep_staged(segment, at).data());
  watch.last_dt = dt;
  if (not_finite == 0) {
    watch.failed_after.reset();
  } else if (!watch.failed_after) {
    watch.failed_after = state() == 0 ? 0 : state() - 1;
  }
}

void Recorder::make_room() {
  auto& segments = recording_.segments_;
  if (segments.empty()) return;
  if (out_ != nullptr && segments.back()->first >= watch_->written) write_segment(out_, *segments.back());
  // The next segment may need as much room as the last one, and a whole state.
  const std::size_t wanted = segments.back()->block_bytes + 2 * recording_.block_bytes_ + arena_->live_bytes();
  const auto is_full = [&] {
    return recording_.memory_bytes_ - recording_.free_unused(0) + wanted > options_.memory_bytes_max ||
           state() - segments[1]->first >= options_.steps_max;
  };
  while (segments.size() > 1 && is_full()) segments.pop_front();
  const std::uint64_t first = segments.front()->first;
  auto& events = recording_.events_;
  while (!events.empty() && events.front().step < first) {
    recording_.memory_bytes_ -= sizeof(RecordedEvent) + events.front().name.size() + events.front().text.size();
    events.pop_front();
  }
  auto& interventions = recording_.interventions_;
  while (!interventions.empty() && interventions.front().step < first) interventions.pop_front();
  const std::uint32_t scene = recording_.step(first).scene;
  auto& scenes = recording_.scenes_;
  while (!scenes.empty() && scenes.begin()->first < scene) {
    recording_.memory_bytes_ -= scenes.begin()->second.capacity() * sizeof(std::uint32_t);
    scenes.erase(scenes.begin());
  }
  recording_.free_unused(recording_.memory_bytes_ - std::min(recording_.memory_bytes_, options_.memory_bytes_max));
}

void Recorder::add_event(RecordedEvent::Kind kind, std::string name, double number, std::string text) {
  recording_.memory_bytes_ += sizeof(RecordedEvent) + name.size() + text.size();
  recording_.events_.push_back({state(), kind, std::move(name), number, std::move(text)});
}

void Recorder::mark(std::string name) { add_event(RecordedEvent::Kind::mark, std::move(name), 0, {}); }
void Recorder::log(std::string name, double value) {
  add_event(RecordedEvent::Kind::number, std::move(name), value, {});
}
void Recorder::log(std::string name, std::string value) {
  add_event(RecordedEvent::Kind::text, std::move(name), 0, std::move(value));
}
void Recorder::input(std::string name, std::string value) {
  add_event(RecordedEvent::Kind::input, std::move(name), 0, std::move(value));
}
void Recorder::name(const cpBody* body, std::string name) { this->name(own_id(arena_, body), std::move(name)); }
void Recorder::name(const cpShape* shape, std::string name) { this->name(own_id(arena_, shape), std::move(name)); }
void Recorder::name(const cpConstraint* joint, std::string name) { this->name(own_id(arena_, joint), std::move(name)); }
void Recorder::name(std::uint32_t id, std::string name) { recording_.names_[checked_id(id)] = std::move(name); }
void Recorder::color(const cpShape* shape, std::uint32_t rgba) { recording_.colors_[own_id(arena_, shape)] = rgba; }

std::shared_ptr<const void> Recorder::companion(std::uint64_t state) const {
  return recording_.segment_of(state).companion;
}

void Recorder::write_to(std::ostream& out) {
  if (out_ != nullptr) throw Error("Recorder::write_to() was called before; close() first");
  out_ = Recording::sink_of(out);
  watch_->written = recording_.empty() ? 0 : recording_.first();
  watch_->scenes_written = 0;
  watch_->written_whole.clear();
  Recording::write_head(out_);
  for (const auto& segment : recording_.segments_) {
    if (segment != recording_.segments_.back()) write_segment(out_, *segment);
  }
}

void Recorder::write_segment(const Recording::Sink& out, const Recording::Segment& segment) {
  for (const auto& [number, words] : recording_.scenes_) {
    if (number >= watch_->scenes_written) Recording::write_scene(out, number, words);
  }
  watch_->scenes_written = watch_->scene_count;
  recording_.write_segment(out, segment, true, watch_->written_whole);
  watch_->written = segment.first + segment.states.size() - 1;
}

void Recorder::close() {
  if (out_ == nullptr) return;
  const Recording::Sink closing = std::exchange(out_, nullptr);
  if (!recording_.empty()) write_segment(closing, *recording_.segments_.back());
  recording_.write_end(closing);
}

std::optional<std::uint64_t> Recorder::failure() const noexcept {
  if (recording_.empty() || !watch_->is_in_step) return watch_->failed_after;
  return state();
}

namespace {

std::string name_of_body(const std::map<std::uint32_t, std::string>& names, const cpBody* body) {
  const std::uint32_t id = Recording::id_of(body);
  const auto name = names.find(id);
  return name == names.end() ? concat("body ", id) : concat("body ", id, " (", name->second, ")");
}

bool is_finite(const cpBody& body) {
  return std::isfinite(body.p.x + body.p.y) && std::isfinite(body.v.x + body.v.y) && std::isfinite(body.a) &&
         std::isfinite(body.w);
}

bool passes(Space& space, double dt, int count) {
  try {
    for (int i = 0; i < count; ++i) space.step(dt);
  } catch (...) {
    return false;
  }
  const SceneTable table(*space.space());
  return std::all_of(table.moving.begin(), table.moving.end(), [](const cpBody* body) { return is_finite(*body); });
}

std::string find_culprit(const Space& before, double dt, const std::map<std::uint32_t, std::string>& names) {
  Space after = before.fork();
  try {
    after.step(dt);
  } catch (...) {
    return "the step throws";
  }
  const cpBody* culprit = nullptr;
  double change_max = -1;
  const SceneTable table(*before.space());
  for (const cpBody* body : table.moving) {
    const cpBody* const later = after.twin_of(before, body);
    if (Recording::id_of(later) != Recording::id_of(body)) continue;  // a callback freed it
    if (!is_finite(*later)) {
      return concat(name_of_body(names, body), " has numbers that are not finite; before the step its speed was ",
                    chipmunk::number_text(cpvlength(body->v), 6), " and its mass ", chipmunk::number_text(body->m, 6));
    }
    const double change = cpvlength(cpvsub(later->v, body->v)) + std::abs(later->w - body->w);
    if (change > change_max) culprit = body, change_max = change;
  }
  return culprit == nullptr ? "nothing moves"
                            : concat(name_of_body(names, culprit), " changes most: its speed by ",
                                     chipmunk::number_text(change_max, 6));
}

}  // namespace

void Recorder::restore_before_failure(const ReplayHost& host) const {
  recording_.restore(host, failure().value());
  if (watch_->is_in_step) apply_edits(SceneTable(*host.space.space()), watch_->edits);
}

Space Recorder::before_failure() const {
  Space before;
  restore_before_failure(recording_.host_of(before));
  return before;
}

StepFailure Recorder::describe_failure() const {
  const std::optional<std::uint64_t> good = failure();
  if (!good) throw Error("Recorder::describe_failure(): no step failed");
  const double dt = watch_->is_in_step ? watch_->dt : recording_.step(*good + 1).dt;
  const Space before = before_failure();
  StepFailure failure{*good, find_culprit(before, dt, recording_.names_), std::nullopt};
  for (int n = 1; n <= 10 && !failure.dt_that_passes; ++n) {
    Space attempt = before.fork();
    const double part = std::ldexp(dt, -n);
    if (passes(attempt, part, 1 << n)) failure.dt_that_passes = part;
  }
  return failure;
}

std::optional<StepFailure> Recorder::recover(Space& space) {
  if (arena_ == nullptr || arena_alloc::Arena::containing(space.space()) != arena_) {
    throw Error("Recorder::recover(): found another Space than the recorded one");
  }
  if (!has_failed()) return std::nullopt;
  StepFailure failure = describe_failure();
  if (!space.restore(before_failure().save()))
    throw Error("Recorder::recover(): the Space has no room for its own state");
  return failure;
}

}  // namespace forkmunk::FORKMUNK_SPACE
