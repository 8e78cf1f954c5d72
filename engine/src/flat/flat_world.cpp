// SPDX-License-Identifier: MIT
#include "flat/live_state.h"
#include "flat/step.h"
#include "flat/velocity_solver.h"
#include "world_implementation.h"

#include <forkmunk/arena_alloc/poison.h>
#include <forkmunk/arena_alloc/system_memory.h>
#include <forkmunk/base/check.h>
#include <forkmunk/base/hasher.h>
#include <forkmunk/base/simd_target.h>

#include <cstring>

namespace forkmunk::engine {
#ifdef FORKMUNK_HAS_WIDE_KERNELS
namespace flat::avx2 {
extern const Kernel kKernel;
}
#endif
namespace {

using namespace flat;

// Wider registers than AVX2's are not faster: docs/decisions/0008-groups.md.
const Kernel& kernel_in_use() {
#ifdef FORKMUNK_HAS_WIDE_KERNELS
  if (simd_target() != SimdTarget::baseline) return avx2::kKernel;
#endif
  return kKernel;
}

/// The state is one block: the used bytes, room to grow, then scratch memory of a step. Under AddressSanitizer the room
/// is out of bounds.
class FlatWorld final : public WorldImplementation {
 public:
  // A bad FORKMUNK_LANES throws here, and not in a step.
  FlatWorld() : WorldImplementation(Physics::flat) { static_cast<void>(simd_target()); }
  ~FlatWorld() override { unpoison_block(); }

  void begin_match(const MatchSetup& match_setup) override {
    auto model = std::make_shared<const MatchModel>(match_setup);
    const Inheritance inheritance = model_ == nullptr ? Inheritance{} : inheritance_of(*model_, state());
    reserve(*model);
    model_ = std::move(model);
    unpoison_block();
    poison_room(sizeof(LiveState));
    begin(*model_, inheritance, state());
  }

  void step(Commands commands) noexcept override {
    kernel_in_use().step(*model_, state(), solver_contacts(), commands);
    check_deep();
  }

  bool can_step_with(const WorldImplementation& other) const noexcept override {
    return physics() == other.physics() && can_solve_together(*model_, other.model());
  }

  void step_group(std::span<WorldImplementation* const> group, std::span<const Commands> commands) noexcept override {
    std::array<SteppedWorld, kGroupSizeMax> worlds;
    for (std::size_t i = 0; i < group.size(); ++i) {
      const auto& world = static_cast<const FlatWorld&>(*group[i]);
      worlds[i] = {&world.model(), &world.state(), world.solver_contacts(), commands[i]};
    }
    kernel_in_use().step_together(std::span(worlds).first(group.size()));
    for (const WorldImplementation* world : group) static_cast<const FlatWorld*>(world)->check_deep();
  }

  void save(Snapshot& snapshot) const override {
    const std::size_t size = state().size_bytes();
    std::memcpy(prepare(snapshot, size, layout_hash(), model_->key), block_.get(), size);
  }

  bool restore(const Snapshot& snapshot) noexcept override {
    if (model_ == nullptr) return false;
    const std::span<const std::byte> saved = bytes_of(snapshot, layout_hash(), model_->key);
    if (saved.empty() || saved.size() > solver_offset_) return false;
    FORKMUNK_UNPOISON(block_.get(), saved.size());
    std::memcpy(block_.get(), saved.data(), saved.size());
    poison_room(saved.size());
    return true;
  }

  void set_car(Player player, const CarState& car) noexcept override { set_car_state(*model_, state(), player, car); }

  std::unique_ptr<WorldImplementation> fork() const override {
    auto twin = std::make_unique<FlatWorld>();
    if (model_ == nullptr) return twin;
    twin->model_ = model_;
    twin->solver_offset_ = solver_offset_;
    twin->capacity_ = capacity_;
    twin->block_ = arena_alloc::allocate_system(capacity_);
    std::memcpy(twin->block_.get(), block_.get(), state().size_bytes());
    twin->poison_room(state().size_bytes());
    return twin;
  }

  void take_over(const WorldImplementation& other) noexcept override {
    FORKMUNK_UNPOISON(block_.get(), solver_offset_);
    other.write_flat_state(state());
    poison_room(state().size_bytes());
    check_deep();
  }

  const LiveState* flat_state() const noexcept override { return &state(); }

  void write_flat_state(LiveState& to) const noexcept override {
    std::memcpy(static_cast<void*>(&to), block_.get(), state().size_bytes());
  }

  CarState car(Player player) const noexcept override { return car_state(state(), player); }

  const MatchRules& rules() const noexcept override { return state().rules; }
  double deadline_y() const noexcept override { return state().deadline_y; }

  bool in_air(Player player) const noexcept override { return flat::in_air(*model_, state(), player); }

  std::uint64_t raw_hash() const noexcept override { return checksum_of(bytes()); }
  std::size_t live_bytes() const noexcept override { return model_ == nullptr ? 0 : state().size_bytes(); }

 private:
  void check_deep() const noexcept {
#if FORKMUNK_CHECK_LEVEL >= 2
    const auto damage = rules().diverged ? std::nullopt : find_damage(*model_, bytes());
    FORKMUNK_CHECK(!damage, "after tick %d: wrong %s", rules().tick, damage->c_str());
#endif
  }

  LiveState& state() const noexcept { return *reinterpret_cast<LiveState*>(block_.get()); }
  SolverContact* solver_contacts() const noexcept {
    return reinterpret_cast<SolverContact*>(block_.get() + solver_offset_);
  }

  // Unwritten pages are free.
  void reserve(const MatchModel& model) {
    constexpr std::size_t kAlignment = arena_alloc::kSystemAlignmentBytes;
    const std::size_t offset = (size_bytes_max(model) + kAlignment - 1) / kAlignment * kAlignment;
    const std::size_t capacity = offset + model.solid_pair_count_max() * sizeof(SolverContact);
    if (capacity > capacity_) {
      arena_alloc::SystemBlock larger = arena_alloc::allocate_system(capacity);
      unpoison_block();
      block_ = std::move(larger);
      capacity_ = capacity;
    }
    solver_offset_ = offset;
  }

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {block_.get(), state().size_bytes()}; }

  // Poisons the room behind the state (`used` bytes), and leftovers of a larger match.
  void poison_room([[maybe_unused]] std::size_t used) const noexcept {
    [[maybe_unused]] const std::size_t end = solver_offset_ + model_->solid_pair_count_max() * sizeof(SolverContact);
    FORKMUNK_POISON(block_.get() + used, solver_offset_ - used);
    FORKMUNK_POISON(block_.get() + end, capacity_ - end);
  }
  void unpoison_block() const noexcept {
    if (block_ != nullptr) FORKMUNK_UNPOISON(block_.get(), capacity_);
  }

  arena_alloc::SystemBlock block_;
  std::size_t solver_offset_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace

std::unique_ptr<WorldImplementation> make_flat_world() { return std::make_unique<FlatWorld>(); }

}  // namespace forkmunk::engine
