// SPDX-License-Identifier: MIT
#include "chipmunk/match.h"
#include "flat/model.h"
#include "world_implementation.h"

#include <forkmunk/base/check.h>
#include <forkmunk/chipmunk/clonable_space.h>

#include <atomic>

namespace forkmunk::engine {
namespace {

using arena_alloc::Zone;

// Enough for the largest valid map, with every segment touching every shape of both cars at once. Untouched pages cost
// no memory.
constexpr std::size_t kArenaBytes = (std::size_t{1} << 20) + (kSegmentCountMax + kWallCount) * (std::size_t{20} << 10);

std::uint64_t next_world_id() noexcept {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

class ChipmunkWorld final : public WorldImplementation {
 public:
  explicit ChipmunkWorld(Physics physics)
      : WorldImplementation(physics),
        space_(chipmunk::chipmunk_api(arithmetic_of(physics)), kArenaBytes),
        id_(next_world_id()) {}

  void begin_match(const MatchSetup& match_setup) override {
    auto model = std::make_shared<const flat::MatchModel>(match_setup);
    space_.renew(sizeof(Match), show_pointers);
    const auto scope = space_.enter();
    MatchBuilder builder(space_.api(), space_.space(), model->setup);
    space_.arena().set_zone(Zone::constant);
    builder.create_static_shapes();
    space_.arena().set_zone(Zone::live);
    builder.create_dynamic(match());
    space_.begin_static_shapes(builder.static_shape_count());
    builder.add_static_shapes();
    space_.end_static_shapes();
    builder.add_dynamic(match());
    model_ = std::move(model);
    ++match_id_;
  }

  void step(Commands commands) noexcept override {
    const auto scope = space_.enter();
    step_match(space_.api(), space_.space(), match(), commands);
#if FORKMUNK_CHECK_LEVEL >= 2
    const auto corruption = space_.arena().find_corruption();
    FORKMUNK_CHECK(!corruption, "after tick %d: %s", match().rules.tick, corruption->c_str());
#endif
  }

  void save(Snapshot& snapshot) const override {
    space_.arena().save_live(prepare(snapshot, live_bytes(), id_, match_id_));
  }

  bool restore(const Snapshot& snapshot) noexcept override {
    const std::span<const std::byte> bytes = bytes_of(snapshot, id_, match_id_);
    if (bytes.empty()) return false;
    space_.arena().restore_live(bytes);
    return true;
  }

  void set_car(Player player, const CarState& car) noexcept override {
    const auto scope = space_.enter();
    set_car_state(space_.api(), match().cars[index_of(player)], car);
  }

  std::unique_ptr<WorldImplementation> fork() const override {
    auto twin = std::make_unique<ChipmunkWorld>(physics());
    if (model_ == nullptr) return twin;
    twin->space_.fork_from(space_);
    twin->model_ = model_;
    twin->match_id_ = 1;
    return twin;
  }

  void write_flat_state(flat::LiveState& state) const noexcept override {
    engine::write_flat_state(space_, match(), model(), state);
  }

  CarState car(Player player) const noexcept override { return car_state(match().cars[index_of(player)]); }
  const MatchRules& rules() const noexcept override { return match().rules; }
  double deadline_y() const noexcept override { return match().deadline_body->transform.ty; }
  bool in_air(Player player) const noexcept override {
    return engine::in_air(space_.api(), space_.space(), match(), player);
  }

  std::uint64_t raw_hash() const noexcept override { return space_.arena().live_hash(); }
  std::size_t live_bytes() const noexcept override { return space_.arena().live_bytes(); }
  const arena_alloc::Arena* arena() const noexcept override { return &space_.arena(); }

 private:
  [[nodiscard]] Match& match() const noexcept { return *static_cast<Match*>(space_.root()); }

  chipmunk::ClonableSpace space_;
  std::uint64_t id_;
  std::uint64_t match_id_ = 0;
};

}  // namespace

std::unique_ptr<WorldImplementation> make_chipmunk_world(Physics physics) {
  return std::make_unique<ChipmunkWorld>(physics);
}

}  // namespace forkmunk::engine
