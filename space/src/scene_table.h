// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/arena_alloc/chunk.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/precision.h>
#include <forkmunk/space/recorder.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include <chipmunk/chipmunk_structs.h>

namespace forkmunk::FORKMUNK_SPACE {

/// The objects of a space, by id, moving bodies first.
struct SceneTable {
  std::vector<cpBody*> moving, fixed;
  std::vector<cpShape*> shapes;
  std::vector<cpConstraint*> joints;
  std::vector<std::uint32_t> joint_kinds;  // as in Scene::Joint

  explicit SceneTable(const cpSpace& space);
  [[nodiscard]] std::vector<std::uint32_t> words(const cpSpace& space) const;
};

void for_each_body_and_joint(const cpSpace& space, auto visit_body, auto visit_joint) {
  for (const cpArray* array : {space.dynamicBodies, space.staticBodies}) {
    for (int i = 0; i < array->num; ++i) visit_body(static_cast<cpBody*>(array->arr[i]));
  }
  for (int i = 0; i < space.constraints->num; ++i) visit_joint(static_cast<cpConstraint*>(space.constraints->arr[i]));
  for (int i = 0; i < space.sleepingComponents->num; ++i) {
    for (auto* body = static_cast<cpBody*>(space.sleepingComponents->arr[i]); body != nullptr;
         body = body->sleeping.next) {
      visit_body(body);
      for (cpConstraint* joint = body->constraintList; joint != nullptr;
           joint = joint->a == body ? joint->next_a : joint->next_b) {
        // Both bodies list the joint. Its first one visits it, or the second if the first is awake.
        if (joint->a == body || joint->a->sleeping.root == nullptr) visit_joint(joint);
      }
    }
  }
}

/// Equal while a space has the same objects and static bodies.
struct Signature {
  std::uint32_t stamp = 0;  // of the newest object
  std::uint64_t shapes = 0, bodies = 0, static_bodies = 0, joints = 0;
  friend bool operator==(const Signature&, const Signature&) = default;

  static Signature of(const arena_alloc::Arena& arena, const cpSpace& space) noexcept {
    Signature result;
    result.stamp = arena_alloc::Chunk::of(chipmunk::root_of(arena)).stamp();
    result.shapes =
        std::uint64_t{space.shapeIDCounter} << 32 |
        static_cast<std::uint32_t>(cpSpatialIndexCount(space.staticShapes) + cpSpatialIndexCount(space.dynamicShapes));
    constexpr std::uint64_t kOneObject = std::uint64_t{1} << 48;
    const auto add_to = [](std::uint64_t& sum) {
      return [&sum](const void* object) { sum += kOneObject + reinterpret_cast<std::uintptr_t>(object); };
    };
    for_each_body_and_joint(space, add_to(result.bodies), add_to(result.joints));
    std::for_each_n(space.staticBodies->arr, space.staticBodies->num, add_to(result.static_bodies));
    return result;
  }
};

/// Returns a joint's settable numbers without those of all joints.
[[nodiscard]] std::span<const cpFloat> joint_numbers(const cpConstraint& joint, std::uint32_t kind) noexcept;

constexpr std::size_t kJointNumbersMax = 8;
constexpr std::uint32_t kMotorKind = 9;

/// The header of a state; edits, poses, sleeping bits and contacts follow. In memory, `contact_count` of most states
/// has the bit kPackedContacts.
struct StateHeader {
  double dt;
  std::uint64_t checksum;
  std::uint32_t scene;
  std::uint32_t moving_count;
  std::uint32_t contact_count;
  std::uint32_t edit_words;
};
static_assert(sizeof(StateHeader) == 32);
constexpr std::size_t kHeaderWords = sizeof(StateHeader) / 4;
constexpr std::uint32_t kPackedContacts = std::uint32_t{1} << 31;
/// Every so many states, contacts are plain, so that few states are read for the contacts of one.
constexpr std::size_t kStatesPerPlainContacts = 16;
constexpr std::size_t kContactWords = 4;

/// Writes for each 64 words (u64) of `bytes` a mask, and the words that differ from those of `before`, behind whose end
/// are zeros. \return the end.
[[nodiscard]] std::uint32_t* pack_changes(std::uint32_t* to, std::span<const std::byte> bytes,
                                          std::span<const std::byte> before) noexcept;
/// Changes `before`, which has the later length, into the later bytes.
void unpack_changes(const std::uint32_t* from, std::span<std::byte> before) noexcept;

/// A body's numbers in a checksum, as in cpBody: p, v, f, a, w, t.
constexpr std::size_t kBodyNumbers = 9;

/// The checksum of moving bodies: nine independent sums, which the processor computes together.
class BodyChecksum {
 public:
  void add(const cpBody& body) noexcept {
    std::conditional_t<sizeof(cpFloat) == sizeof(double), std::uint64_t, std::uint32_t> bits[kBodyNumbers];
    std::memcpy(bits, &body.p, sizeof bits);
    for (std::size_t k = 0; k < kBodyNumbers; ++k) sums_[k] = (sums_[k] ^ bits[k]) * 0x9e3779b97f4a7c15u + 1;
  }
  [[nodiscard]] std::uint64_t value() const noexcept;

 private:
  std::uint64_t sums_[kBodyNumbers] = {};
};

[[nodiscard]] std::uint64_t checksum_of_bodies(std::span<cpBody* const> moving) noexcept;

/// The bits of an edit name the fields whose doubles follow in this order. Waking has no double.
enum EditBits : std::uint32_t {
  kEditPosition = 1,
  kEditVelocity = 2,
  kEditForce = 4,
  kEditAngle = 8,
  kEditAngularVelocity = 16,
  kEditTorque = 32,
  kEditIdleTime = 64,
  kEditWakes = 128,
  kEditMotor = 256  // the rate of a motor, by index
};

/// \throws Error for edits of another scene.
void apply_edits(const SceneTable& table, std::span<const std::uint32_t> edits);

}  // namespace forkmunk::FORKMUNK_SPACE
