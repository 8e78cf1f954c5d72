// SPDX-License-Identifier: MIT
#include "scene_table.h"

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/arena_alloc/chunk.h>
#include <forkmunk/base/error.h>
#include <forkmunk/base/hasher.h>
#include <forkmunk/chipmunk/allocation_kinds.h>
#include <forkmunk/space/recorder.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <istream>
#include <new>
#include <ostream>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace forkmunk::FORKMUNK_SPACE {
namespace {

static_assert(std::endian::native == std::endian::little, "a recording is a file in the order of memory");
static_assert(offsetof(cpBody, t) + sizeof(cpFloat) == offsetof(cpBody, p) + kBodyNumbers * sizeof(cpFloat));

[[noreturn]] void throw_damage(const std::string& what) {
  throw Error("a recording: ", what, "; it is damaged, or no recording");
}

std::uint32_t id_at(const void* object) noexcept {
  const auto* arena = arena_alloc::Arena::containing(object);
  return arena != nullptr && arena->has_payload_at(object) ? arena_alloc::Chunk::of(object).stamp() : 0;
}

/// Objects without an id stay in their order; each is listed once.
template <typename Object>
void sort_by_id(std::vector<Object*>& objects) {
  std::vector<std::pair<std::uint32_t, Object*>> by_id;
  by_id.reserve(objects.size());
  for (Object* object : objects) by_id.emplace_back(id_at(object), object);
  std::stable_sort(by_id.begin(), by_id.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  objects.clear();
  std::size_t first_of_id = 0;
  for (std::size_t i = 0; i < by_id.size(); ++i) {
    if (i > 0 && by_id[i].first != by_id[i - 1].first) first_of_id = objects.size();
    const auto begin = objects.begin() + static_cast<std::ptrdiff_t>(first_of_id);
    if (std::find(begin, objects.end(), by_id[i].second) == objects.end()) objects.push_back(by_id[i].second);
  }
}

using IsKind = cpBool (*)(const cpConstraint*);
constexpr IsKind kIsKind[] = {
#define FORKMUNK_IS(kind, type, text, table) cpConstraintIs##type,
    FORKMUNK_EACH_JOINT(FORKMUNK_IS)
#undef FORKMUNK_IS
};
constexpr std::size_t kJointNumbers[] = {5, 6, 4, 8, 7, 3, 2, 3, 3, 1};

std::uint32_t kind_of(const cpConstraint* joint) {
  std::uint32_t kind = 0;
  while (kind < std::size(kIsKind) && kIsKind[kind](joint) == cpFalse) ++kind;
  return kind;
}

class Words {
 public:
  explicit Words(std::vector<std::uint32_t>& words) : words_(words) {}
  void add(std::uint32_t word) { words_.push_back(word); }
  void add(float number) { words_.push_back(std::bit_cast<std::uint32_t>(number)); }
  void add(cpVect v) { add(static_cast<float>(v.x)), add(static_cast<float>(v.y)); }

 private:
  std::vector<std::uint32_t>& words_;
};

}  // namespace

std::uint32_t Recording::id_of(const cpBody* body) { return id_at(body); }
std::uint32_t Recording::id_of(const cpShape* shape) { return id_at(shape); }
std::uint32_t Recording::id_of(const cpConstraint* joint) { return id_at(joint); }

SceneTable::SceneTable(const cpSpace& space) {
  const auto add_body = [&](cpBody* body) {
    (cpBodyGetType(body) == CP_BODY_TYPE_STATIC ? fixed : moving).push_back(body);
  };
  const auto add_shape = [](void* shape, void* list) {
    static_cast<std::vector<cpShape*>*>(list)->push_back(static_cast<cpShape*>(shape));
  };
  fixed.push_back(space.staticBody);
  for_each_body_and_joint(space, add_body, [&](cpConstraint* joint) { joints.push_back(joint); });
  cpSpatialIndexEach(space.staticShapes, add_shape, &shapes);
  cpSpatialIndexEach(space.dynamicShapes, add_shape, &shapes);
  // A body with a shape or a joint in the space may be in no space.
  for (const cpShape* shape : shapes) {
    if (shape->body->space == nullptr) add_body(shape->body);
  }
  for (const cpConstraint* joint : joints) {
    for (cpBody* body : {joint->a, joint->b}) {
      if (body->space == nullptr) add_body(body);
    }
  }
  sort_by_id(moving), sort_by_id(fixed), sort_by_id(shapes), sort_by_id(joints);
  for (const cpConstraint* joint : joints) joint_kinds.push_back(kind_of(joint));
}

std::span<const cpFloat> joint_numbers(const cpConstraint& joint, std::uint32_t kind) noexcept {
  return {reinterpret_cast<const cpFloat*>(&joint + 1), kind < std::size(kJointNumbers) ? kJointNumbers[kind] : 0};
}

std::vector<std::uint32_t> SceneTable::words(const cpSpace& space) const {
  std::vector<std::uint32_t> result;
  Words out(result);
  const auto size = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
  out.add(size(moving) + size(fixed)), out.add(size(moving)), out.add(size(shapes)), out.add(size(joints));
  out.add(space.gravity);
  std::map<const cpBody*, std::uint32_t> index;
  for (const auto* list : {&moving, &fixed}) {
    for (const cpBody* body : *list) {
      index.emplace(body, size(index));
      out.add(Recording::id_of(body)), out.add(static_cast<std::uint32_t>(cpBodyGetType(const_cast<cpBody*>(body))));
      // Bodies that move have their poses in the states.
      const bool is_fixed = list == &fixed;
      out.add(is_fixed ? cpv(body->transform.tx, body->transform.ty) : cpvzero);
      out.add(is_fixed ? static_cast<float>(body->a) : 0.0F);
    }
  }
  for (const cpShape* shape : shapes) {
    out.add(Recording::id_of(shape)), out.add(index.at(shape->body));
    const bool is_sensor = shape->sensor != cpFalse;
    const auto add_kind = [&](std::uint32_t kind, int point_count, double radius) {
      out.add(kind | (is_sensor ? 256u : 0u)), out.add(static_cast<std::uint32_t>(point_count));
      out.add(static_cast<float>(radius));
    };
    switch (shape->klass->type) {
      case CP_CIRCLE_SHAPE:
        add_kind(0, 1, cpCircleShapeGetRadius(shape)), out.add(cpCircleShapeGetOffset(shape));
        break;
      case CP_SEGMENT_SHAPE:
        add_kind(1, 2, cpSegmentShapeGetRadius(shape)), out.add(cpSegmentShapeGetA(shape));
        out.add(cpSegmentShapeGetB(shape));
        break;
      default: {
        const int count = cpPolyShapeGetCount(shape);
        add_kind(2, count, cpPolyShapeGetRadius(shape));
        for (int i = 0; i < count; ++i) out.add(cpPolyShapeGetVert(shape, i));
      }
    }
  }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const cpConstraint& joint = *joints[i];
    out.add(Recording::id_of(&joint)), out.add(index.at(joint.a)), out.add(index.at(joint.b)), out.add(joint_kinds[i]);
    const std::span<const cpFloat> numbers = joint_numbers(joint, joint_kinds[i]);
    const std::size_t from = joint_kinds[i] == 3 ? 2 : 0;  // a groove has its normal first
    const bool has_anchors = joint_kinds[i] <= 4;
    out.add(has_anchors ? cpv(numbers[from], numbers[from + 1]) : cpvzero);
    out.add(joint_kinds[i] == 3 ? cpv(numbers[6], numbers[7]) : has_anchors ? cpv(numbers[2], numbers[3]) : cpvzero);
  }
  return result;
}

std::uint64_t BodyChecksum::value() const noexcept {
  Hasher hasher;
  for (const std::uint64_t sum : sums_) hasher.add(sum);
  return hasher.value();
}

std::uint64_t checksum_of_bodies(std::span<cpBody* const> moving) noexcept {
  BodyChecksum checksum;
  for (const cpBody* body : moving) checksum.add(*body);
  return checksum.value();
}

// Functions such as cpBodySetVelocity() also affect neighbours.
void apply_edits(const SceneTable& table, std::span<const std::uint32_t> edits) {
  constexpr std::uint32_t kHasOne = kEditAngle | kEditAngularVelocity | kEditTorque | kEditIdleTime | kEditMotor;
  constexpr std::uint32_t kHasTwo = kEditPosition | kEditVelocity | kEditForce;
  constexpr auto* kNoObject = "a recording: an edit has no object: its replay differs (verify()), or it is damaged";
  struct Edit {
    std::uint32_t bits;
    cpBody* body;
    cpConstraint* motor;
    double numbers[10];
  };
  std::vector<Edit> list;
  for (std::size_t at = 0; at < edits.size();) {
    if (at + 2 > edits.size()) throw_damage("an edit is cut off");
    Edit edit{edits[at], nullptr, nullptr, {}};
    const std::uint32_t index = edits[at + 1];
    const auto count =
        static_cast<std::size_t>(std::popcount(edit.bits & kHasOne) + 2 * std::popcount(edit.bits & kHasTwo));
    if (edit.bits > kEditMotor || at + 2 + 2 * count > edits.size()) throw_damage("an edit is cut off");
    std::memcpy(edit.numbers, edits.data() + at + 2, count * sizeof(double));
    at += 2 + 2 * count;
    if ((edit.bits & kEditMotor) != 0) {
      if (index >= table.joints.size() || table.joint_kinds[index] != kMotorKind) throw Error(kNoObject);
      edit.motor = table.joints[index];
    } else {
      if (index >= table.moving.size()) throw Error(kNoObject);
      edit.body = table.moving[index];
    }
    list.push_back(edit);
  }
  for (const Edit& edit : list) {
    if ((edit.bits & kEditWakes) != 0) cpBodyActivate(edit.body);
  }
  for (const Edit& edit : list) {
    if (edit.motor != nullptr) {
      reinterpret_cast<cpSimpleMotor*>(edit.motor)->rate = static_cast<cpFloat>(edit.numbers[0]);
      continue;
    }
    cpBody& body = *edit.body;
    const double* number = edit.numbers;
    const auto next = [&] { return static_cast<cpFloat>(*number++); };
    const auto next_vector = [&] {
      const cpFloat x = next();
      return cpv(x, next());
    };
    if ((edit.bits & kEditPosition) != 0) body.p = next_vector();
    if ((edit.bits & kEditVelocity) != 0) body.v = next_vector();
    if ((edit.bits & kEditForce) != 0) body.f = next_vector();
    const cpFloat angle = (edit.bits & kEditAngle) != 0 ? next() : body.a;
    if ((edit.bits & (kEditPosition | kEditAngle)) != 0) cpBodySetAngle(&body, angle);  // also moves the frame
    if ((edit.bits & kEditAngularVelocity) != 0) body.w = next();
    if ((edit.bits & kEditTorque) != 0) body.t = next();
  }
  for (const Edit& edit : list) {
    if ((edit.bits & kEditIdleTime) == 0) continue;
    const int count = std::popcount(edit.bits & kHasOne) + 2 * std::popcount(edit.bits & kHasTwo);
    const double seconds = edit.numbers[count - 1];
    if (!std::isfinite(seconds)) throw_damage("an edit gives a body another type");
    edit.body->sleeping.idleTime = static_cast<cpFloat>(seconds);
  }
}

/// Large pieces, because new pages cost more than what is written to them.
struct Recording::Block {
  static constexpr std::size_t kHugePageBytes = std::size_t{1} << 21;
  explicit Block(std::size_t bytes) : size_bytes(bytes) {
    const std::size_t alignment = bytes % kHugePageBytes == 0 ? kHugePageBytes : 64;
    data = static_cast<std::byte*>(::operator new (bytes, std::align_val_t{alignment}));
    alignment_bytes = alignment;
#ifdef __linux__
    if (alignment == kHugePageBytes) static_cast<void>(madvise(data, bytes, MADV_HUGEPAGE));
#endif
  }
  ~Block() { ::operator delete (data, std::align_val_t{alignment_bytes}); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  std::byte* data;
  std::size_t size_bytes, alignment_bytes, used_bytes = 0;
};

std::size_t Recording::free_unused(std::size_t bytes) {
  std::size_t freed = 0, left = 0;
  std::erase_if(blocks_, [&](const auto& block) {
    if (block.use_count() > 1) return false;
    const bool is_freed = freed < bytes;
    (is_freed ? freed : left) += block->size_bytes;
    return is_freed;
  });
  memory_bytes_ -= freed;
  return left;
}

std::uint32_t* Recording::allocate(Segment& segment, std::size_t words) {
  const std::size_t bytes = (words * sizeof(std::uint32_t) + 15) / 16 * 16;
  const auto has_room = [&](const std::shared_ptr<Block>& block) {
    return block->used_bytes + bytes <= block->size_bytes;
  };
  // The block before the last may have been too small for a keyframe.
  std::size_t at = blocks_.size();
  if (at >= 2 && blocks_[at - 2].use_count() > 1 && has_room(blocks_[at - 2])) {
    at -= 2;
  } else if (at >= 1 && has_room(blocks_[at - 1])) {
    at -= 1;
  } else {
    const std::size_t size = (bytes + block_bytes_ - 1) / block_bytes_ * block_bytes_;
    const auto unused = std::find_if(blocks_.begin(), blocks_.end(), [&](const auto& block) {
      return block.use_count() == 1 && block->size_bytes == size;
    });
    if (unused != blocks_.end()) {
      std::rotate(unused, unused + 1, blocks_.end());
      blocks_.back()->used_bytes = 0;
    } else {
      free_unused(size);
      blocks_.push_back(std::make_shared<Block>(size));
      memory_bytes_ += size;
    }
    at = blocks_.size() - 1;
  }
  const std::shared_ptr<Block>& block = blocks_[at];
  if (std::find(segment.blocks.begin(), segment.blocks.end(), block) == segment.blocks.end()) {
    segment.blocks.push_back(block);
    segment.block_bytes += block->size_bytes;
  }
  return reinterpret_cast<std::uint32_t*>(block->data + std::exchange(block->used_bytes, block->used_bytes + bytes));
}

Recording::Recording() = default;
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;
Recording::~Recording() = default;

std::uint64_t Recording::first() const {
  if (empty()) throw Error("the recording is empty: step the Space first");
  return segments_.front()->first;
}

std::uint64_t Recording::last() const {
  if (empty()) throw Error("the recording is empty: step the Space first");
  return segments_.back()->first + segments_.back()->states.size() - 1;
}

const Recording::Segment& Recording::segment_of(std::uint64_t state) const {
  if (state < first() || state > last()) {
    throw Error("a recording: found state ", state, ", expected one from ", first(), " to ", last());
  }
  auto after = std::upper_bound(segments_.begin(), segments_.end(), state,
                                [](std::uint64_t wanted, const auto& segment) { return wanted < segment->first; });
  return **--after;
}

namespace {

struct StateView {
  StateHeader header;
  std::span<const std::uint32_t> edits;
  std::span<const float> poses;
  std::span<const std::uint32_t> sleeping;
  const std::uint32_t* contacts;
  bool has_packed_contacts;

  explicit StateView(const std::uint32_t* words) {
    std::memcpy(&header, words, sizeof header);
    words += kHeaderWords;
    const auto next = [&](std::size_t count) { return std::span(std::exchange(words, words + count), count); };
    const auto floats = [](std::span<const std::uint32_t> part) {
      return std::span(reinterpret_cast<const float*>(part.data()), part.size());
    };
    edits = next(header.edit_words);
    poses = floats(next(std::size_t{3} * header.moving_count));
    sleeping = next((std::size_t{header.moving_count} + 31) / 32);
    contacts = words;
    has_packed_contacts = (header.contact_count & kPackedContacts) != 0;
    header.contact_count &= ~kPackedContacts;
  }
  void read_contacts(std::vector<float>& of_before) const {
    of_before.resize(kContactWords * header.contact_count);
    const std::span bytes = std::as_writable_bytes(std::span(of_before));
    if (has_packed_contacts) return unpack_changes(contacts, bytes);
    if (!bytes.empty()) std::memcpy(bytes.data(), contacts, bytes.size());
  }
  [[nodiscard]] static std::size_t size(const StateHeader& header) {
    return kHeaderWords + header.edit_words + std::size_t{3} * header.moving_count +
           (std::size_t{header.moving_count} + 31) / 32 + kContactWords * header.contact_count;
  }
};

}  // namespace

constexpr std::size_t kWordBytes = sizeof(std::uint64_t), kMaskedBytes = 64 * kWordBytes;

std::uint32_t* pack_changes(std::uint32_t* to, std::span<const std::byte> bytes,
                            std::span<const std::byte> before) noexcept {
  for (std::size_t begin = 0; begin < bytes.size(); begin += kMaskedBytes) {
    const std::size_t end = std::min(begin + kMaskedBytes, bytes.size());
    const bool is_equal = end <= before.size() && std::memcmp(&bytes[begin], &before[begin], end - begin) == 0;
    std::uint32_t* const place_of_mask = std::exchange(to, to + 2);
    std::uint64_t mask = 0;
    for (std::size_t at = begin; !is_equal && at < end; at += kWordBytes) {
      std::uint64_t now, last = 0;
      std::memcpy(&now, &bytes[at], kWordBytes);
      if (at < before.size()) std::memcpy(&last, &before[at], kWordBytes);
      std::memcpy(to, &now, kWordBytes);
      const std::uint64_t differs = now != last ? 1 : 0;
      to += 2 * differs;
      mask |= differs << (at - begin) / kWordBytes;
    }
    std::memcpy(place_of_mask, &mask, sizeof mask);
  }
  return to;
}

void unpack_changes(const std::uint32_t* from, std::span<std::byte> before) noexcept {
  for (std::size_t begin = 0; begin < before.size(); begin += kMaskedBytes) {
    std::uint64_t mask;
    std::memcpy(&mask, std::exchange(from, from + 2), sizeof mask);
    for (; mask != 0; mask &= mask - 1) {
      const auto word = static_cast<std::size_t>(std::countr_zero(mask));
      std::memcpy(&before[begin + word * kWordBytes], std::exchange(from, from + 2), kWordBytes);
    }
  }
}

std::span<const float> Recording::contacts_of(const Segment& segment, std::size_t i) const {
  std::size_t from = i;
  while (StateView(segment.states[from]).has_packed_contacts) --from;
  for (; from <= i; ++from) StateView(segment.states[from]).read_contacts(contacts_);
  return contacts_;
}

RecordedStep Recording::step(std::uint64_t state) const {
  const Segment& segment = segment_of(state);
  const std::size_t i = state - segment.first;
  const StateView view(segment.states[i]);
  return {view.header.dt, view.header.checksum,    view.header.scene, view.edits,
          view.poses,     contacts_of(segment, i), view.sleeping};
}

std::span<const std::uint32_t> Recording::scene_words(std::uint32_t number) const {
  const auto found = scenes_.find(number);
  if (found == scenes_.end()) throw Error("a recording: found no scene ", number);
  return found->second;
}

Scene Recording::scene(std::uint32_t number) const {
  const std::span<const std::uint32_t> words = scene_words(number);
  std::size_t at = 0;
  const auto word = [&] {
    if (at >= words.size()) throw_damage("a scene is cut off");
    return words[at++];
  };
  const auto real = [&] { return std::bit_cast<float>(word()); };
  Scene scene;
  const std::uint32_t body_count = word();
  scene.moving_count = word();
  const std::uint32_t shape_count = word(), joint_count = word();
  at += 2;
  if (scene.moving_count > body_count) throw_damage("a scene has too few bodies");
  const auto body_index = [&] {
    const std::uint32_t index = word();
    if (index >= body_count) throw_damage(concat("a scene has no body ", index));
    return index;
  };
  for (std::uint32_t i = 0; i < body_count; ++i) {
    const std::uint32_t id = word(), type = word();
    const float x = real(), y = real(), angle = real();
    scene.bodies.push_back({id, static_cast<cpBodyType>(type), x, y, angle});
  }
  for (std::uint32_t i = 0; i < shape_count; ++i) {
    const std::uint32_t id = word(), body = body_index(), kind = word(), points = word();
    Scene::Shape shape{id, body, kind & 255u, (kind & 256u) != 0, real(), {}};
    if (points > words.size()) throw_damage("a scene is cut off");
    for (std::uint32_t k = 0; k < 2 * points; ++k) shape.points.push_back(real());
    scene.shapes.push_back(std::move(shape));
  }
  for (std::uint32_t i = 0; i < joint_count; ++i) {
    const std::uint32_t id = word(), a = body_index(), b = body_index(), kind = word();
    const float ax = real(), ay = real(), bx = real(), by = real();
    scene.joints.push_back({id, a, b, kind, {ax, ay}, {bx, by}});
  }
  return scene;
}

std::vector<std::uint64_t> Recording::keyframes() const {
  std::vector<std::uint64_t> states;
  for (const auto& segment : segments_) states.push_back(segment->first);
  return states;
}

Snapshot Recording::keyframe(std::uint64_t state) const { return key_of(segment_of(state)); }

std::optional<std::uint64_t> Recording::keyframe_hash(std::uint64_t state) const {
  const Segment& segment = segment_of(state);
  if (segment.first != state || !segment.problem.empty()) return std::nullopt;
  return hash_of(segment);
}

Snapshot Recording::key_of(const Segment& segment) {
  if (segment.origin != nullptr) return Snapshot::from_bytes(apply_delta(segment.origin->image, segment.image));
  if (!segment.image.empty()) return Snapshot::from_bytes(segment.image);
  if (segment.whole.empty()) {
    throw Error("a recording: the keyframe of state ", segment.first, " cannot be replayed: ", segment.problem);
  }
  std::vector<std::byte> state(segment.whole.begin(), segment.whole.end());
  state.resize(segment.state_bytes);
  if (!segment.changes.empty()) unpack_changes(segment.changes.data(), state);
  Snapshot key;
  key.take(state, segment.arena_base, segment.arena_capacity_bytes);
  return key;
}

namespace {

/// Where addresses are few, a Space does not grow, and later contacts need up to several times the keyframe's memory.
Space space_after(const Snapshot& key) {
  Space space(sizeof(void*) == 8 ? Space::kCapacityBytesDefault
                                 : std::max(Space::kCapacityBytesDefault, 4 * key.size_bytes()));
  if (!space.restore(key)) throw Error("a recording: found no room for a keyframe");
  return space;
}

}  // namespace

std::uint64_t Recording::hash_of(const Segment& segment) {
  if (!segment.hash) const_cast<Segment&>(segment).hash = space_after(key_of(segment)).hash();
  return *segment.hash;
}

namespace {

class Replay {
 public:
  Replay(const ReplayHost& host, std::span<const std::uint32_t* const> states) : host_(host), states_(states) {}

  [[nodiscard]] StateView state(std::size_t i) const { return StateView(states_[i]); }
  /// Makes the edits before state `i`.
  void edit(std::size_t i) { edit(state(i).edits); }
  void edit(std::span<const std::uint32_t> edits) {
    if (!edits.empty()) apply_edits(table(), edits);
  }
  void step(std::size_t i) {
    edit(i);
    host_.step(state(i).header.dt);
  }

 protected:
  // A differing step may have freed other objects.
  const SceneTable& table() {
    const cpSpace& space = *host_.space.space();
    const Signature now = Signature::of(*arena_alloc::Arena::containing(&space), space);
    if (!table_ || !(now == signature_)) table_.emplace(space);
    signature_ = now;
    return *table_;
  }

  const ReplayHost& host_;
  std::span<const std::uint32_t* const> states_;
  std::optional<SceneTable> table_;
  Signature signature_;
};

/// Compares a state where the recorder saw it: at the end of Chipmunk's step, before callbacks of Python's hosts.
class CheckedReplay final : public Replay, private StepObserver {
 public:
  CheckedReplay(const ReplayHost& host, std::span<const std::uint32_t* const> states)
      : Replay(host, states), arena_(arena_alloc::Arena::containing(host.space.space())) {
    if (arena_->attachment() != nullptr) throw Error("the Space is recorded; verify with another one");
    arena_->attachment() = static_cast<StepObserver*>(this);
  }
  ~CheckedReplay() {
    if (arena_ != nullptr) arena_->attachment() = nullptr;
  }
  CheckedReplay(const CheckedReplay&) = delete;
  CheckedReplay& operator=(const CheckedReplay&) = delete;

  [[nodiscard]] bool step_equals(std::size_t i) {
    index_ = i;
    is_equal_ = false;
    step(i);
    return is_equal_;
  }

 private:
  void begin_step(double) override {}
  void end_step() override {
    const StateHeader expected = state(index_).header;
    const SceneTable& now = table();
    is_equal_ = now.moving.size() == expected.moving_count && checksum_of_bodies(now.moving) == expected.checksum;
  }
  void note_restore() noexcept override { table_.reset(); }
  void note_shape_call(bool) noexcept override {}
  void detach() noexcept override { arena_ = nullptr; }

  arena_alloc::Arena* arena_;
  std::size_t index_ = 0;
  bool is_equal_ = false;
};

}  // namespace

void Recording::restore(const ReplayHost& host, std::uint64_t state) const {
  const Segment& segment = segment_of(state);
  host.restore(segment.first);
  Replay replay(host, segment.states);
  const std::size_t last = state - segment.first;
  for (std::size_t i = 1; i <= last; ++i) replay.step(i);
  if (last + 1 < segment.states.size()) replay.edit(last + 1);
}

ReplayHost Recording::host_of(Space& space) const {
  return {space,
          [this, &space](std::uint64_t state) {
            if (!space.restore(keyframe(state))) throw Error("a recording: the Space has no room for a keyframe");
          },
          [&space](double dt) { space.step(dt); }};
}

void Recording::restore(Space& space, std::uint64_t state) const { restore(host_of(space), state); }

ReplayHost Recording::host_of_new(Space& space) const {
  ReplayHost host = host_of(space);
  host.restore = [this, &space](std::uint64_t state) { space = space_after(keyframe(state)); };
  return host;
}

Space Recording::at(std::uint64_t state) const {
  Space space;
  restore(host_of_new(space), state);
  return space;
}

Verdict Recording::verify(std::uint64_t state) const {
  Space space;
  return verify(host_of_new(space), state);
}

std::vector<Verdict> Recording::verify() const {
  std::vector<Verdict> verdicts;
  for (const auto& segment : segments_) verdicts.push_back(verify(segment->first));
  return verdicts;
}

Verdict Recording::verify(const ReplayHost& host, std::uint64_t state) const {
  const Segment& segment = segment_of(state);
  const std::size_t count = segment.states.size();
  const Segment& next = segment_of(segment.first + count - 1);
  Verdict verdict{segment.first, segment.first + count - 1, Verdict::Kind::exact, 0, {}};
  const auto differs = [&](std::size_t i, const std::string& reason) {
    verdict.kind = Verdict::Kind::differs;
    verdict.step = segment.first + i;
    verdict.reason = concat("state ", verdict.step, " ", reason);
    return verdict;
  };
  std::size_t i = 1;
  try {
    host.restore(segment.first);
    CheckedReplay replay(host, segment.states);
    for (; i < count; ++i) {
      if (!replay.step_equals(i)) {
        return differs(i, "differs from its replay: the program or a callback changed something that is not recorded");
      }
    }
    if (&next == &segment || segment.ends_in_intervention) return verdict;
    // Finds a difference that no checksum covers.
    replay.edit(segment.end_edits);
    if (!next.problem.empty()) return verdict;
    if (host.space.hash() != hash_of(next)) {
      return differs(count - 1, concat("has another hash than its replay: the program changed something after state ",
                                       segment.first, " that is not recorded"));
    }
    return verdict;
  } catch (const Error& error) {
    if (i > 1) return differs(i, std::string("cannot be replayed: ") + error.what());
    verdict.kind = Verdict::Kind::not_replayable;
    verdict.step = segment.first;
    verdict.reason = error.what();
    return verdict;
  }
}

// The file: docs/reference/file_formats.md.
namespace {

constexpr char kMagic[8] = {'F', 'M', 'R', 'E', 'C', '\r', '\n', '1'};
constexpr std::uint32_t kEndsInIntervention = 1, kIsDifference = 2;  // of a keyframe

constexpr std::uint32_t tag(const char (&name)[5]) {
  return static_cast<std::uint32_t>(name[0]) | static_cast<std::uint32_t>(name[1]) << 8 |
         static_cast<std::uint32_t>(name[2]) << 16 | static_cast<std::uint32_t>(name[3]) << 24;
}

class ChunkWriter {
 public:
  template <typename T>
  void add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 4 == 0);
    append(&value, sizeof value);
  }
  void add_text(const std::string& text) {
    add(static_cast<std::uint32_t>(text.size()));
    append(text.data(), text.size());
    pad();
  }
  void append(const void* data, std::size_t size) {
    const auto* from = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), from, from + size);
  }
  void pad() { bytes_.resize((bytes_.size() + 3) / 4 * 4); }
  void write(const std::function<void(const void*, std::size_t)>& out, std::uint32_t name) const {
    const std::uint32_t head[] = {name, static_cast<std::uint32_t>(bytes_.size())};
    const std::uint64_t sum = checksum_of(bytes_);
    out(head, sizeof head);
    out(&sum, sizeof sum);
    if (!bytes_.empty()) out(bytes_.data(), bytes_.size());
  }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace

class Recording::ChunkReader {
 public:
  explicit ChunkReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <typename T>
  T next() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() {
    const auto size = next<std::uint32_t>();
    const std::span<const std::byte> part = take((std::size_t{size} + 3) / 4 * 4);
    return {reinterpret_cast<const char*>(part.data()), size};
  }
  std::span<const std::byte> take(std::size_t size) {
    if (size > bytes_.size() - at_) throw_damage("a chunk is too short");
    return bytes_.subspan(std::exchange(at_, at_ + size), size);
  }
  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

void Recording::write_segment(const Sink& out, const Segment& segment, bool with_contacts,
                              std::vector<std::byte>& whole) const {
  ChunkWriter chunk;
  std::vector<std::byte> image = segment.image;
  std::string problem = segment.problem;
  std::uint64_t hash = segment.hash.value_or(0);
  bool is_difference = segment.origin != nullptr;
  if (image.empty() && segment.problem.empty()) {
    try {
      hash = hash_of(segment);
      image = key_of(segment).to_bytes();
      is_difference = !segment.changes.empty() && !whole.empty();
      if (!is_difference) whole = image;
      if (is_difference) image = delta_of(whole, image);
    } catch (const Error& error) {
      problem = error.what();
    }
  }
  chunk.add(segment.first);
  chunk.add(hash);
  chunk.add((segment.ends_in_intervention ? kEndsInIntervention : 0) | (is_difference ? kIsDifference : 0));
  chunk.add_text(problem);
  chunk.add(static_cast<std::uint32_t>(segment.end_edits.size()));
  chunk.append(segment.end_edits.data(), segment.end_edits.size() * 4);
  chunk.add(static_cast<std::uint32_t>(image.size()));
  chunk.append(image.data(), image.size());
  chunk.pad();
  chunk.write(out, tag("KEYF"));

  ChunkWriter states;
  std::vector<float> contacts;
  states.add(static_cast<std::uint32_t>(segment.states.size()));
  for (std::size_t i = 0; i < segment.states.size(); ++i) {
    StateView view(segment.states[i]);
    if (!with_contacts) view.header.contact_count = 0;
    states.add(view.header);
    const std::uint32_t* const rest = segment.states[i] + kHeaderWords;
    states.append(rest, static_cast<std::size_t>(view.contacts - rest) * 4);
    if (!with_contacts) continue;
    view.read_contacts(contacts);
    states.append(contacts.data(), contacts.size() * sizeof(float));
  }
  states.write(out, tag("STEP"));
}

void Recording::write_head(const Sink& out) { out(kMagic, sizeof kMagic); }

void Recording::write_scene(const Sink& out, std::uint32_t number, const std::vector<std::uint32_t>& words) {
  ChunkWriter chunk;
  chunk.add(number);
  chunk.append(words.data(), words.size() * 4);
  chunk.write(out, tag("SCEN"));
}

void Recording::write_all(const Sink& out, bool with_contacts) const {
  static_cast<void>(first());  // readers refuse an empty recording
  write_head(out);
  for (const auto& [number, words] : scenes_) write_scene(out, number, words);
  std::vector<std::byte> whole;
  for (const auto& segment : segments_) write_segment(out, *segment, with_contacts, whole);
  write_end(out);
}

void Recording::write_end(const Sink& out) const {
  ChunkWriter chunk;
  chunk.add(static_cast<std::uint32_t>(events_.size()));
  for (const RecordedEvent& event : events_) {
    chunk.add(event.step), chunk.add(event.number), chunk.add(static_cast<std::uint32_t>(event.kind));
    chunk.add_text(event.name), chunk.add_text(event.text);
  }
  chunk.add(static_cast<std::uint32_t>(interventions_.size()));
  for (const Intervention& intervention : interventions_) {
    chunk.add(intervention.step), chunk.add_text(intervention.what);
  }
  chunk.add(static_cast<std::uint32_t>(names_.size()));
  for (const auto& [id, name] : names_) chunk.add(id), chunk.add_text(name);
  chunk.write(out, tag("EVNT"));
  if (!colors_.empty()) {
    ChunkWriter colors;
    for (const auto& [id, rgba] : colors_) colors.add(id), colors.add(rgba);
    colors.write(out, tag("COLR"));
  }
  ChunkWriter().write(out, tag("ENDS"));
  out(nullptr, 0);
}

Recording::Sink Recording::sink_of(std::ostream& out) {
  return [&out](const void* data, std::size_t bytes) {
    out.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
    if (bytes == 0 && !out.flush()) throw Error("a recording could not be written: the stream failed");
  };
}

void Recording::write(std::ostream& out, bool with_contacts) const { write_all(sink_of(out), with_contacts); }

std::vector<std::byte> Recording::to_bytes(bool with_contacts) const {
  std::vector<std::byte> written;
  const auto add = [&written](const void* data, std::size_t bytes) {
    const auto* const from = static_cast<const std::byte*>(data);
    written.insert(written.end(), from, from + bytes);
  };
  write_all(add, with_contacts);
  return written;
}

Recording Recording::read(std::istream& in) {
  return read_all([&in](void* data, std::size_t bytes) {
    in.read(static_cast<char*>(data), static_cast<std::streamsize>(bytes));
    if (!in) throw_damage("the file ends in a chunk");
  });
}

Recording Recording::from_bytes(std::span<const std::byte> bytes) {
  return read_all([rest = bytes](void* data, std::size_t size) mutable {
    if (size > rest.size()) throw_damage("the file ends in a chunk");
    std::memcpy(data, rest.data(), size);
    rest = rest.subspan(size);
  });
}

void Recording::read_scene(ChunkReader& chunk) {
  const auto number = chunk.next<std::uint32_t>();
  std::vector<std::uint32_t>& words = scenes_[number];
  if (!words.empty()) throw_damage("a scene comes twice");
  while (!chunk.at_end()) words.push_back(chunk.next<std::uint32_t>());
  static_cast<void>(scene(number));  // throws for damage
}

void Recording::read_keyframe(ChunkReader& chunk) {
  auto segment = std::make_unique<Segment>();
  segment->first = chunk.next<std::uint64_t>();
  segment->hash = chunk.next<std::uint64_t>();
  const auto flags = chunk.next<std::uint32_t>();
  segment->ends_in_intervention = (flags & kEndsInIntervention) != 0;
  segment->problem = chunk.text();
  for (auto left = chunk.next<std::uint32_t>(); left > 0; --left) {
    segment->end_edits.push_back(chunk.next<std::uint32_t>());
  }
  const auto size = chunk.next<std::uint32_t>();
  const std::span<const std::byte> image = chunk.take(size);
  segment->image.assign(image.begin(), image.end());
  if ((flags & kIsDifference) != 0) {
    const auto is_whole = [](const auto& each) { return each->origin == nullptr && !each->image.empty(); };
    const auto origin = std::find_if(segments_.rbegin(), segments_.rend(), is_whole);
    if (origin == segments_.rend() || image.empty()) throw_damage("a difference has no keyframe");
    segment->origin = origin->get();
  }
  const bool follows = segments_.empty() || (!segments_.back()->states.empty() && last() == segment->first);
  if (!follows) throw_damage("states are missing");
  memory_bytes_ += size;
  segments_.push_back(std::move(segment));
}

void Recording::read_states(ChunkReader& chunk) {
  if (segments_.empty() || !segments_.back()->states.empty()) throw_damage("found steps without a keyframe");
  Segment& segment = *segments_.back();
  const auto count = chunk.next<std::uint32_t>();
  if (count == 0) throw_damage("a keyframe has no state");
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto header = chunk.next<StateHeader>();
    const auto scene = scenes_.find(header.scene);
    if (scene == scenes_.end() || scene->second[1] != header.moving_count) throw_damage("a state has no scene");
    if ((header.contact_count & kPackedContacts) != 0) throw_damage("a state has too many contacts");
    const std::span<const std::byte> rest = chunk.take((StateView::size(header) - kHeaderWords) * 4);
    std::uint32_t* const words = allocate(segment, kHeaderWords + rest.size() / 4);
    std::memcpy(words, &header, sizeof header);
    std::memcpy(words + kHeaderWords, rest.data(), rest.size());
    segment.states.push_back(words);
  }
}

void Recording::read_events(ChunkReader& chunk) {
  for (auto left = chunk.next<std::uint32_t>(); left > 0; --left) {
    RecordedEvent event;
    event.step = chunk.next<std::uint64_t>();
    event.number = chunk.next<double>();
    event.kind = static_cast<RecordedEvent::Kind>(chunk.next<std::uint32_t>());
    if (event.kind > RecordedEvent::Kind::input) throw_damage("an event is of no kind");
    event.name = chunk.text();
    event.text = chunk.text();
    events_.push_back(std::move(event));
  }
  for (auto left = chunk.next<std::uint32_t>(); left > 0; --left) {
    const auto state = chunk.next<std::uint64_t>();
    interventions_.push_back({state, chunk.text()});
  }
  for (auto left = chunk.next<std::uint32_t>(); left > 0; --left) {
    const auto id = chunk.next<std::uint32_t>();
    names_[id] = chunk.text();
  }
}

Recording Recording::read_all(const Source& read) {
  Recording recording;
  char magic[sizeof kMagic];
  read(magic, sizeof magic);
  if (std::memcmp(magic, kMagic, sizeof kMagic) != 0) throw_damage("found another beginning");
  const auto read_bytes = [&](std::size_t size) {  // a damaged length can claim any size
    constexpr std::size_t kReadBytes = std::size_t{1} << 20;
    std::vector<std::byte> bytes;
    while (bytes.size() < size) {
      const std::size_t before = bytes.size();
      bytes.resize(std::min(size, before + kReadBytes));
      read(bytes.data() + before, bytes.size() - before);
    }
    return bytes;
  };
  for (bool ends = false; !ends;) {
    std::uint32_t head[4];
    const std::vector<std::byte> head_bytes = read_bytes(sizeof head);
    std::memcpy(head, head_bytes.data(), sizeof head);
    const std::vector<std::byte> bytes = read_bytes(head[1]);
    std::uint64_t sum;
    std::memcpy(&sum, head + 2, sizeof sum);
    if (checksum_of(bytes) != sum) throw_damage("a checksum is another");
    ChunkReader chunk(bytes);
    if (head[0] == tag("SCEN")) {
      recording.read_scene(chunk);
    } else if (head[0] == tag("KEYF")) {
      recording.read_keyframe(chunk);
    } else if (head[0] == tag("STEP")) {
      recording.read_states(chunk);
    } else if (head[0] == tag("EVNT")) {
      recording.read_events(chunk);
    } else if (head[0] == tag("COLR")) {
      while (!chunk.at_end()) {
        const auto id = chunk.next<std::uint32_t>();
        recording.colors_[id] = chunk.next<std::uint32_t>();
      }
    } else if (head[0] == tag("ENDS")) {
      ends = true;
    }  // others are of later editions
  }
  if (recording.segments_.empty() || recording.segments_.back()->states.empty()) throw_damage("it has no states");
  return recording;
}

}  // namespace forkmunk::FORKMUNK_SPACE
