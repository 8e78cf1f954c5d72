#pragma once

#include "group_size.h"
#include "state_description.h"

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/engine/world.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace forkmunk::engine {

namespace flat {
struct LiveState;
struct MatchModel;
}  // namespace flat

/// What a World asks of an engine; see World for what each function means. The setup is kept here: every engine's match
/// has one, and clones share it.
class WorldImplementation {
 public:
  explicit WorldImplementation(Physics physics) noexcept : physics_(physics) {}
  virtual ~WorldImplementation() = default;

  [[nodiscard]] Physics physics() const noexcept { return physics_; }
  /// For step_together(), which looks for worlds that it was given twice. \return what was set before.
  bool exchange_mark(bool is_marked) noexcept { return std::exchange(is_marked_, is_marked); }
  [[nodiscard]] virtual const MatchSetup* setup() const noexcept = 0;  ///< Null before the first match.
  /// A hash of all numbers of the setup that physics depend on. \pre a match has begun.
  [[nodiscard]] virtual std::uint64_t match_key() const noexcept = 0;
  /// Whether both have the same map and car, external ids included. \pre both have a match.
  [[nodiscard]] bool plays_match_of(const WorldImplementation& other) const noexcept {
    return match_key() == other.match_key() && setup()->map.external_id == other.setup()->map.external_id &&
           setup()->car.external_id == other.setup()->car.external_id;
  }

  virtual void begin_match(const MatchSetup& setup) = 0;  ///< \pre `setup` is valid.
  virtual void step(Commands commands) noexcept = 0;
  /// Whether this world and `other` can be stepped as one group.
  [[nodiscard]] virtual bool steps_beside(const WorldImplementation&) const noexcept { return false; }
  /// step() for each of `group`, this world among them. \pre at most kGroupSizeMax, all of which step beside this one.
  virtual void step_group(std::span<WorldImplementation* const> group, std::span<const Commands> commands) noexcept {
    for (std::size_t i = 0; i < group.size(); ++i) group[i]->step(commands[i]);
  }
  virtual void save(Snapshot& snapshot) const = 0;
  /// What is wrong with bytes that were read from a stream as a state of this match; nothing if they are one.
  [[nodiscard]] virtual std::optional<std::string> find_damage(std::span<const std::byte> state) const = 0;
  [[nodiscard]] virtual bool restore(const Snapshot& snapshot) noexcept = 0;
  virtual void set_car(Player player, const CarState& state) noexcept = 0;
  [[nodiscard]] virtual std::unique_ptr<WorldImplementation> fork() const = 0;
  /// Takes over the state of `other`, which plays the same match. \pre this engine is the flat one.
  virtual void take_over(const WorldImplementation& other) noexcept = 0;
  /// Writes the state as the flat engine keeps it, into the first of size_bytes_max(model) bytes.
  virtual void write_flat_state(const flat::MatchModel& model, flat::LiveState& state) const noexcept = 0;

  [[nodiscard]] virtual CarState car(Player player) const noexcept = 0;
  [[nodiscard]] virtual const MatchRules& rules() const noexcept = 0;
  [[nodiscard]] virtual double deadline_y() const noexcept = 0;
  [[nodiscard]] virtual bool in_air(Player player) const noexcept = 0;
  virtual void describe_state(StateVisitor& visitor) const = 0;

  [[nodiscard]] virtual std::size_t live_bytes() const noexcept = 0;
  /// Of the state's bytes, addresses included: only for comparing a world with itself.
  [[nodiscard]] virtual std::uint64_t raw_hash() const noexcept = 0;
  /// Of the bytes that no step may write.
  [[nodiscard]] virtual std::uint64_t constant_hash() const noexcept = 0;
  /// How the memory is used; by size class if it is an arena. Cost: a walk.
  [[nodiscard]] virtual arena_alloc::ArenaStatistics memory_statistics() const = 0;

 protected:
  /// Makes room in `snapshot` for `bytes` bytes. \return where they go.
  static std::byte* prepare(Snapshot& snapshot, std::size_t bytes, std::uint64_t origin, std::uint64_t match);
  /// A snapshot's bytes, or nothing if it is empty or not of this origin and match.
  [[nodiscard]] static std::span<const std::byte> bytes_of(const Snapshot& snapshot, std::uint64_t origin,
                                                           std::uint64_t match) noexcept;

 private:
  Physics physics_;
  bool is_marked_ = false;
};

/// \throws Error if this build does not have `physics`.
void require_available(Physics physics);

/// What is below a World: for tests and benchmarks, which ask it for hashes of bytes and for memory.
/// \throws Error without a match.
[[nodiscard]] const WorldImplementation& implementation_of(const World& world);

[[nodiscard]] std::unique_ptr<WorldImplementation> make_chipmunk_world(Physics physics);
[[nodiscard]] std::unique_ptr<WorldImplementation> make_flat_world();

}  // namespace forkmunk::engine
