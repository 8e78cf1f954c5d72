// SPDX-License-Identifier: MIT
#pragma once

#include "flat/live_state.h"
#include "match_rules.h"

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/engine/world.h>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace forkmunk::engine {

/// An engine; see World.
class WorldImplementation {
 public:
  explicit WorldImplementation(Physics physics) noexcept : physics_(physics) {}
  virtual ~WorldImplementation() = default;

  [[nodiscard]] Physics physics() const noexcept { return physics_; }
  /// Marks worlds for step_together(), which refuses repetitions. \return the previous mark.
  bool exchange_mark(bool is_marked) noexcept { return std::exchange(is_marked_, is_marked); }
  /// \pre a match has begun.
  [[nodiscard]] const flat::MatchModel& model() const noexcept { return *model_; }
  /// Compares map and car, including external ids. \pre both have a match.
  [[nodiscard]] bool plays_match_of(const WorldImplementation& other) const noexcept {
    const MatchSetup &own = model().setup, &theirs = other.model().setup;
    return model().key == other.model().key && own.map.external_id == theirs.map.external_id &&
           own.car.external_id == theirs.car.external_id;
  }

  virtual void begin_match(const MatchSetup& setup) = 0;  ///< \pre `setup` is valid.
  virtual void step(Commands commands) noexcept = 0;
  [[nodiscard]] virtual bool can_step_with(const WorldImplementation&) const noexcept { return false; }
  /// \pre at most kGroupSizeMax, including this world, which can_step_with() all.
  virtual void step_group(std::span<WorldImplementation* const>, std::span<const Commands>) noexcept {}
  virtual void save(Snapshot& snapshot) const = 0;
  [[nodiscard]] virtual bool restore(const Snapshot& snapshot) noexcept = 0;
  virtual void set_car(Player player, const CarState& state) noexcept = 0;
  [[nodiscard]] virtual std::unique_ptr<WorldImplementation> fork() const = 0;
  /// \pre `other` is in the same match, and this engine is the flat one.
  virtual void take_over(const WorldImplementation&) noexcept {}
  /// Returns null unless this engine is the flat one.
  [[nodiscard]] virtual const flat::LiveState* flat_state() const noexcept { return nullptr; }
  /// Writes the state in the flat engine's layout, with the bits of the match's arithmetic. \param state  the first of
  /// size_bytes_max(model()) bytes. Cost: 1 to 3 us.
  virtual void write_flat_state(flat::LiveState& state) const noexcept = 0;

  [[nodiscard]] virtual CarState car(Player player) const noexcept = 0;
  [[nodiscard]] virtual const MatchRules& rules() const noexcept = 0;
  [[nodiscard]] virtual double deadline_y() const noexcept = 0;
  [[nodiscard]] virtual bool in_air(Player player) const noexcept = 0;

  [[nodiscard]] virtual std::size_t live_bytes() const noexcept = 0;
  /// Returns a hash that includes addresses, for comparing a world only with itself.
  [[nodiscard]] virtual std::uint64_t raw_hash() const noexcept = 0;
  /// Returns the memory of a Chipmunk world; null for a flat one.
  [[nodiscard]] virtual const arena_alloc::Arena* arena() const noexcept { return nullptr; }

 protected:
  /// Makes room in `snapshot`. \return its address.
  static std::byte* prepare(Snapshot& snapshot, std::size_t bytes, std::uint64_t origin, std::uint64_t match);
  /// Returns no bytes if the snapshot is empty or not of this origin and match.
  [[nodiscard]] static std::span<const std::byte> bytes_of(const Snapshot& snapshot, std::uint64_t origin,
                                                           std::uint64_t match) noexcept;

  std::shared_ptr<const flat::MatchModel> model_;  // null before the first match

 private:
  Physics physics_;
  bool is_marked_ = false;
};

/// \throws Error if this build lacks `physics`.
void require_available(Physics physics);

/// Serves tests and benchmarks of memory. \throws Error without a match.
[[nodiscard]] const WorldImplementation& implementation_of(const World& world);

[[nodiscard]] std::uint64_t hash_of(const WorldImplementation& world);

[[nodiscard]] std::unique_ptr<WorldImplementation> make_chipmunk_world(Physics physics);
[[nodiscard]] std::unique_ptr<WorldImplementation> make_flat_world();

}  // namespace forkmunk::engine
