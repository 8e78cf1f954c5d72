// SPDX-License-Identifier: MIT
#pragma once

#include "match_rules.h"

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/engine/world.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

/// Describes the states of both engines by the same names in the same order, for World::hash() and state_of(). Pairs
/// without an effect are left out (docs/decisions/0004-inert-pairs.md).
namespace forkmunk::engine {

struct ContactPointDescription {
  std::uint32_t hash = 0;
  double normal_impulse = 0, tangent_impulse = 0;
};

/// A contact of two shapes, by their ids.
struct ContactDescription {
  std::uint32_t low_id = 0, high_id = 0;
  std::uint32_t stamp = 0;
  std::uint8_t state = 0;  ///< 0 first, 1 normal, 2 ignored, 3 cached.
  std::uint8_t count = 0;
  std::array<ContactPointDescription, 2> points;
};

/// Contacts come in any order.
class StateVisitor {
 public:
  virtual ~StateVisitor() = default;
  /// Visits "<owner>.<field>", with the index behind the owner unless it is negative.
  virtual void number(const char* owner, int index, const char* field, double value) = 0;
  virtual void integer(const char* owner, int index, const char* field, std::uint64_t value) = 0;
  virtual void contact(const ContactDescription& contact) = 0;
};

/// Bodies: car, rear wheel, front wheel of the first player, then of the second.
struct BodyDescription {
  Vec2 position;
  double angle;
  Vec2 velocity;
  double angular_velocity;
  Vec2 bias_velocity;
  double bias_angular_velocity;
};

/// Returns `value`, or one fixed NaN: sign and payload of a NaN depend on processor and compiler.
[[nodiscard]] inline double one_nan(double value) noexcept {
  return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
}

/// Describes a non-finite world.
void describe(StateVisitor& visitor, const MatchRules& rules, double deadline_y);
void describe(StateVisitor& visitor, int body, const BodyDescription& description);

namespace flat {
struct LiveState;
struct MatchModel;
}  // namespace flat

/// An engine; see World.
class WorldImplementation {
 public:
  explicit WorldImplementation(Physics physics) noexcept : physics_(physics) {}
  virtual ~WorldImplementation() = default;

  [[nodiscard]] Physics physics() const noexcept { return physics_; }
  /// Marks worlds for step_together(), which refuses repetitions. \return the previous mark.
  bool exchange_mark(bool is_marked) noexcept { return std::exchange(is_marked_, is_marked); }
  [[nodiscard]] virtual const MatchSetup* setup() const noexcept = 0;  ///< Null before the first match.
  [[nodiscard]] virtual std::uint64_t match_key() const noexcept = 0;
  /// Compares map and car, including external ids. \pre both have a match.
  [[nodiscard]] bool plays_match_of(const WorldImplementation& other) const noexcept {
    return match_key() == other.match_key() && setup()->map.external_id == other.setup()->map.external_id &&
           setup()->car.external_id == other.setup()->car.external_id;
  }

  virtual void begin_match(const MatchSetup& setup) = 0;  ///< \pre `setup` is valid.
  virtual void step(Commands commands) noexcept = 0;
  [[nodiscard]] virtual bool can_step_with(const WorldImplementation&) const noexcept { return false; }
  /// \pre at most kGroupSizeMax, including this world, which can_step_with() all.
  virtual void step_group(std::span<WorldImplementation* const> group, std::span<const Commands> commands) noexcept {
    for (std::size_t i = 0; i < group.size(); ++i) group[i]->step(commands[i]);
  }
  virtual void save(Snapshot& snapshot) const = 0;
  /// Validates bytes of a stream as a state of this match. \return the problem, or std::nullopt.
  [[nodiscard]] virtual std::optional<std::string> find_damage(std::span<const std::byte> state) const = 0;
  [[nodiscard]] virtual bool restore(const Snapshot& snapshot) noexcept = 0;
  virtual void set_car(Player player, const CarState& state) noexcept = 0;
  [[nodiscard]] virtual std::unique_ptr<WorldImplementation> fork() const = 0;
  /// \pre `other` is in the same match, and this engine is the flat one.
  virtual void take_over(const WorldImplementation& other) noexcept = 0;
  virtual void write_flat_state(const flat::MatchModel& model, flat::LiveState& state) const noexcept = 0;

  [[nodiscard]] virtual CarState car(Player player) const noexcept = 0;
  [[nodiscard]] virtual const MatchRules& rules() const noexcept = 0;
  [[nodiscard]] virtual double deadline_y() const noexcept = 0;
  [[nodiscard]] virtual bool in_air(Player player) const noexcept = 0;
  virtual void describe_state(StateVisitor& visitor) const = 0;

  [[nodiscard]] virtual std::size_t live_bytes() const noexcept = 0;
  /// Returns a hash that includes addresses, for comparing a world only with itself.
  [[nodiscard]] virtual std::uint64_t raw_hash() const noexcept = 0;
  /// Returns a hash of the bytes that no step may write.
  [[nodiscard]] virtual std::uint64_t constant_hash() const noexcept = 0;
  /// Cost: a walk over the chunks.
  [[nodiscard]] virtual arena_alloc::ArenaStatistics memory_statistics() const = 0;

 protected:
  /// Makes room in `snapshot`. \return its address.
  static std::byte* prepare(Snapshot& snapshot, std::size_t bytes, std::uint64_t origin, std::uint64_t match);
  /// Returns no bytes if the snapshot is empty or not of this origin and match.
  [[nodiscard]] static std::span<const std::byte> bytes_of(const Snapshot& snapshot, std::uint64_t origin,
                                                           std::uint64_t match) noexcept;

 private:
  Physics physics_;
  bool is_marked_ = false;
};

/// \throws Error if this build lacks `physics`.
void require_available(Physics physics);

/// Serves tests and benchmarks of memory. \throws Error without a match.
[[nodiscard]] const WorldImplementation& implementation_of(const World& world);

[[nodiscard]] std::unique_ptr<WorldImplementation> make_chipmunk_world(Physics physics);
[[nodiscard]] std::unique_ptr<WorldImplementation> make_flat_world();

}  // namespace forkmunk::engine
