// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/chipmunk/precision.h>
#include <forkmunk/space/recorder.h>

#include <cstring>
#include <type_traits>

#include <chipmunk/chipmunk_structs.h>

namespace forkmunk::FORKMUNK_SPACE {

/// The objects of a space as recordings list them: bodies by id, moving ones first.
struct SceneTable {
  std::vector<cpBody*> moving, fixed;
  std::vector<cpShape*> shapes;
  std::vector<cpConstraint*> joints;
  std::vector<std::uint32_t> joint_kinds;  // the values of Scene::Joint

  explicit SceneTable(const cpSpace& space);
  /// Returns the scene in the words of the file format.
  [[nodiscard]] std::vector<std::uint32_t> words(const cpSpace& space) const;
};

/// Returns the numbers that a program sets in a joint, without what all joints have.
[[nodiscard]] std::span<const cpFloat> joint_numbers(const cpConstraint& joint, std::uint32_t kind) noexcept;

constexpr std::uint32_t kMotorKind = 9;

/// The header of a state's words in a segment. Edits, poses, sleeping bits and contacts follow. In memory, the contacts
/// of most states are packed: `contact_count` then has the bit kPackedContacts.
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
/// States of a segment between contacts that are not packed, so that few are read for one.
constexpr std::size_t kStatesPerPlainContacts = 16;
constexpr std::size_t kContactWords = 4;

/// Writes contacts as what changed since the state before: for each contact two bits, 16 to a word, then for a contact
/// with bits 1 the low halves of its four words, and for one with bits 2 its four words. Contacts are compared by their
/// index, and further ones with zeros. \return the end of what is written.
[[nodiscard]] std::uint32_t* pack_contacts(std::uint32_t* to, std::span<const std::uint32_t> contacts,
                                           std::span<const std::uint32_t> before) noexcept;
void unpack_contacts(const std::uint32_t* from, std::size_t count, std::vector<float>& contacts);

/// A body's numbers that a checksum covers, as they lie in cpBody: p, v, f, a, w, t.
constexpr std::size_t kBodyNumbers = 9;

/// The checksum of the bodies that move: nine independent sums, which the processor computes together.
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

/// The bits of an edit of a body name the fields that it sets. Doubles follow in this order. Waking has no double.
enum EditBits : std::uint32_t {
  kEditPosition = 1,
  kEditVelocity = 2,
  kEditForce = 4,
  kEditAngle = 8,
  kEditAngularVelocity = 16,
  kEditTorque = 32,
  kEditIdleTime = 64,
  kEditWakes = 128,
  kEditMotor = 256  // the rate of the motor with this index follows
};

/// Makes the edits again. \throws Error for edits of another scene.
void apply_edits(const SceneTable& table, std::span<const std::uint32_t> edits);

}  // namespace forkmunk::FORKMUNK_SPACE
