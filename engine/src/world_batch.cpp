// SPDX-License-Identifier: MIT
#include "match_rules.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/thread_pool.h>
#include <forkmunk/engine/world_batch.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace forkmunk::engine {
namespace {

constexpr std::size_t kWorldsAtOnce = kGroupSizeMax;
constexpr std::size_t kBatchWidth = 8;
constexpr std::size_t kKindsKept = 256;
constexpr std::size_t kWorldsMax = std::size_t{1} << 24;
constexpr std::uint32_t kNoKind = ~std::uint32_t{0};

// A multiple of kBatchWidth, small enough for load balancing. Chipmunk's worlds gain nothing from batches.
std::size_t worlds_at_once(std::size_t count, std::size_t threads, Physics physics) noexcept {
  constexpr std::size_t kTurnsOfAThread = 8;
  if (physics != Physics::flat) return kBatchWidth;
  if (threads == 1) return kWorldsAtOnce;
  const std::size_t share = count / (kTurnsOfAThread * threads);
  return std::clamp(share / kBatchWidth * kBatchWidth, kBatchWidth, kWorldsAtOnce);
}

std::span<double, kFullObservationSize> full_row(std::vector<double>& rows, std::size_t index) {
  return std::span<double, kFullObservationSize>(&rows[index * kFullObservationSize], kFullObservationSize);
}

std::unique_ptr<ThreadPool> make_pool(const BatchOptions& options) {
  constexpr std::size_t kThreadsMax = 1 << 16;
  if (options.threads > kThreadsMax) {
    throw Error("WorldBatch: ", options.threads, " threads; the maximum is ", kThreadsMax);
  }
  return std::make_unique<ThreadPool>(options.threads, Idle::spin);
}

}  // namespace

WorldBatch::WorldBatch(BatchOptions options) : options_(options), pool_(make_pool(options)) {}

WorldBatch::WorldBatch(const MatchSetup& setup, std::size_t count, BatchOptions options) : WorldBatch(options) {
  begin({&setup, 1}, count);
}

WorldBatch::WorldBatch(std::span<const MatchSetup> setups, BatchOptions options) : WorldBatch(options) {
  begin(setups, setups.size());
}

WorldBatch::~WorldBatch() = default;
WorldBatch::WorldBatch(WorldBatch&&) noexcept = default;
WorldBatch& WorldBatch::operator=(WorldBatch&&) noexcept = default;

std::size_t WorldBatch::thread_count() const noexcept { return pool_ == nullptr ? 0 : pool_->size(); }

void WorldBatch::require_worlds(const char* function) const {
  if (pool_ == nullptr) throw Error("WorldBatch::", function, "(): the WorldBatch was moved from");
}

void WorldBatch::begin(std::span<const MatchSetup> setups, std::size_t count) {
  if (count == 0) throw Error("WorldBatch: no worlds; give at least one");
  if (count > kWorldsMax) {
    throw Error("WorldBatch: found a count of ", count, " worlds, expected at most ", kWorldsMax);
  }
  worlds_.reserve(count);
  start_of_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    start_of_[i] = add_kind(setups[std::min(i, setups.size() - 1)]);
    worlds_.push_back(first_[start_of_[i]].fork());
  }
  order_.resize(count);
  sort_worlds();
  if (options_.physics == Physics::flat) {
    for (std::size_t i = 0; i < kWorldsAtOnce * pool_->size(); ++i) scratch_.push_back(worlds_[0].fork());
  }
  worlds_[0].save(moved_);
  seen_.resize(count * kObservationSize);
  observed_.resize(count * kFullObservationSize);
  dead_.resize(2 * count);
  over_.resize(count);
  for (std::size_t i = 0; i < count; ++i) refresh(i);
}

// Worlds of equal setups share one model, and so the CPU's caches.
std::uint32_t WorldBatch::add_kind(const MatchSetup& setup) {
  const auto found = std::ranges::find_if(first_, [&](const World& world) { return world.setup() == setup; });
  const auto kind = static_cast<std::uint32_t>(found - first_.begin());
  if (found != first_.end()) return kind;
  World world(options_.physics);
  world.begin_match(setup);
  if (first_.size() >= size() + kKindsKept) {  // replaces an unused setup
    std::vector<std::uint8_t> used(first_.size());
    for (const std::uint32_t each : start_of_) used[each] = 1;
    const auto unused = static_cast<std::uint32_t>(std::ranges::find(used, 0) - used.begin());
    world.save(starts_[unused]);
    first_[unused] = std::move(world);
    if (scratch_kind_ == unused) scratch_kind_ = kNoKind;
    return unused;
  }
  starts_.push_back(world.save());
  first_.push_back(std::move(world));
  return kind;
}

void WorldBatch::sort_worlds() {
  std::iota(order_.begin(), order_.end(), 0u);
  const auto kind = [&](std::uint32_t i) { return std::pair(worlds_[i].setup().car.drive, start_of_[i]); };
  std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) { return kind(a) < kind(b); });
}

void WorldBatch::begin_match(std::size_t index, const MatchSetup& setup) {
  check(index);
  const std::uint32_t kind = add_kind(setup);
  if (kind != start_of_[index]) {
    worlds_[index] = first_[kind].fork();
    start_of_[index] = kind;
    sort_worlds();
  } else {
    restart(index);
  }
  refresh(index);
}

void WorldBatch::check(std::size_t index) const {
  if (index >= size()) {
    throw Error("WorldBatch: found world ", index, ", expected one below ", size());
  }
}

void WorldBatch::check(std::span<const std::uint8_t> mask) const {
  if (mask.size() != size()) {
    throw Error("WorldBatch: found a mask of ", mask.size(), ", expected ", size());
  }
}

const World& WorldBatch::world(std::size_t index) const {
  check(index);
  return worlds_[index];
}

void WorldBatch::refresh(std::size_t index) {
  const World& world = worlds_[index];
  observe(world, std::span<double, kObservationSize>(&seen_[index * kObservationSize], kObservationSize));
  for (const Player player : kPlayers) dead_[2 * index + index_of(player)] = world.dead(player);
  over_[index] = world.match_over();
  if (observes_fully_) observe_fully(world, full_row(observed_, index));
}

void WorldBatch::step(std::span<const Commands> commands) {
  require_worlds("step");
  if (commands.size() != size()) {
    throw Error("WorldBatch::step(): found commands for ", commands.size(), " worlds, expected ", size());
  }
  const std::size_t at_once = worlds_at_once(size(), pool_->size(), options_.physics);
  pool_->run(size(), at_once, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::array<World*, kWorldsAtOnce> stepped;
    std::array<Commands, kWorldsAtOnce> their_commands;
    std::size_t count = 0;
    for (std::size_t at = begin; at < end; ++at) {
      const std::size_t i = order_[at];
      if (options_.reset_when_over && over_[i] != 0) {
        restart(i);
      } else {
        stepped[count] = &worlds_[i];
        their_commands[count++] = commands[i];
      }
    }
    step_together(std::span(stepped).first(count), std::span(their_commands).first(count));
    for (std::size_t at = begin; at < end; ++at) refresh(order_[at]);
  });
}

void WorldBatch::save(std::size_t index, Snapshot& snapshot) const { world(index).save(snapshot); }

void WorldBatch::restore(std::size_t index, const Snapshot& snapshot) {
  check(index);
  worlds_[index].restore(snapshot);
  refresh(index);
}

bool WorldBatch::try_restore(std::size_t index, const Snapshot& snapshot) {
  check(index);
  if (!worlds_[index].try_restore(snapshot)) return false;
  refresh(index);
  return true;
}

void WorldBatch::restore(std::span<const std::uint8_t> mask, const Snapshot& snapshot) {
  check(mask);
  const auto first =
      static_cast<std::size_t>(std::ranges::find_if(mask, [](auto bit) { return bit != 0; }) - mask.begin());
  for (std::size_t i = first; i < size(); ++i) {
    if (mask[i] == 0 || i == first) continue;
    if (options_.physics == Physics::flat) {
      check_alike(first, i, "restore()");
    } else {
      throw Error(
          "WorldBatch::restore(): found a mask of several worlds, expected one: a Chipmunk world's snapshot fits "
          "that world only");
    }
  }
  for (std::size_t i = first; i < size(); ++i) {
    if (mask[i] != 0) restore(i, snapshot);
  }
}

void WorldBatch::check_alike(std::size_t one, std::size_t other, const char* function) const {
  if (start_of_[one] == start_of_[other]) return;
  throw Error("WorldBatch::", function, ": worlds ", one, " and ", other, " are of different setups");
}

void WorldBatch::restart(std::size_t index) {
  if (worlds_[index].try_restore(starts_[start_of_[index]])) return;
  worlds_[index] = first_[start_of_[index]].fork();  // a Chipmunk world's bytes fit only that world
}

void WorldBatch::reset(std::size_t index) {
  check(index);
  restart(index);
  refresh(index);
}

void WorldBatch::reset(std::span<const std::uint8_t> mask) {
  check(mask);
  for (std::size_t i = 0; i < size(); ++i) {
    if (mask[i] != 0) reset(i);
  }
}

void WorldBatch::reset() {
  for (std::size_t i = 0; i < size(); ++i) reset(i);
}

void WorldBatch::fork(std::size_t from, std::size_t to) {
  check(from);
  check(to);
  if (from == to) return;
  check_alike(from, to, "fork()");
  if (options_.physics == Physics::flat) {
    worlds_[from].save(moved_);
    worlds_[to].restore(moved_);
  } else {
    worlds_[to] = worlds_[from].fork();
  }
  refresh(to);
}

void WorldBatch::fork(std::size_t from, std::span<const std::uint8_t> mask) {
  check(from);
  check(mask);
  for (std::size_t i = 0; i < size(); ++i) {
    if (mask[i] != 0) check_alike(from, i, "fork()");
  }
  for (std::size_t i = 0; i < size(); ++i) {
    if (mask[i] != 0) fork(from, i);
  }
}

WorldBatch WorldBatch::fork() const {
  require_worlds("fork");
  WorldBatch twin(options_);
  twin.worlds_.reserve(size());
  for (const World& world : worlds_) twin.worlds_.push_back(world.fork());
  if (!scratch_.empty()) {
    for (std::size_t i = 0; i < kWorldsAtOnce * twin.pool_->size(); ++i) twin.scratch_.push_back(scratch_[0].fork());
  }
  twin.order_ = order_;
  for (const World& first : first_) {
    twin.first_.push_back(first.fork());
    twin.starts_.push_back(twin.first_.back().save());
  }
  twin.start_of_ = start_of_;
  twin.scratch_kind_ = scratch_kind_;
  twin.seen_ = seen_;
  twin.observed_ = observed_;
  twin.observes_fully_ = observes_fully_;
  twin.dead_ = dead_;
  twin.over_ = over_;
  twin.worlds_[0].save(twin.moved_);
  return twin;
}

std::span<const double> WorldBatch::compute_full_observations() {
  if (!observes_fully_) {
    for (std::size_t i = 0; i < size(); ++i) observe_fully(worlds_[i], full_row(observed_, i));
    observes_fully_ = true;
  }
  return observed_;
}

void WorldBatch::rollout(const Snapshot& snapshot, std::span<const Commands> plans, std::size_t tick_count,
                         Rollout& result, bool every_state, const std::function<bool()>& stop) {
  require_worlds("rollout");
  if (tick_count == 0) throw Error("WorldBatch::rollout(): plans of 0 ticks; the minimum is 1");
  if (plans.size() % tick_count != 0) {
    throw Error("WorldBatch::rollout(): found ", plans.size(), " commands, expected a multiple of ", tick_count,
                ", the ticks of a plan");
  }
  const std::size_t plan_count = plans.size() / tick_count;
  result.plan_count = plan_count;
  result.tick_count = tick_count;
  result.dead.assign(2 * plan_count, 0);
  result.death_ticks.assign(2 * plan_count, 0);
  result.final_states.resize(plan_count * kFullObservationSize);
  result.states.resize(every_state ? plans.size() * kFullObservationSize : 0);
  if (options_.physics != Physics::flat) {
    throw Error("WorldBatch::rollout(): a Chipmunk world's snapshot fits that world only; use the flat engine");
  }
  if (scratch_kind_ != start_of_[0]) {
    for (World& world : scratch_) world = worlds_[0].fork();
    scratch_kind_ = start_of_[0];
  }
  if (!scratch_[0].try_restore(snapshot)) throw Error("WorldBatch::rollout(): the snapshot is not of world 0's match");
  const auto play = [&](std::size_t begin, std::size_t end, std::size_t worker) {
    const std::span<World> worlds = std::span(scratch_).subspan(scratch_.size() / pool_->size() * worker, end - begin);
    std::array<World*, kWorldsAtOnce> stepped;
    std::array<Commands, kWorldsAtOnce> commands;
    for (std::size_t i = 0; i < worlds.size(); ++i) {
      stepped[i] = &worlds[i];
      worlds[i].restore(snapshot);
    }
    for (std::size_t tick = 0; tick < tick_count; ++tick) {
      if (stop && stop()) return;
      for (std::size_t i = 0; i < worlds.size(); ++i) commands[i] = plans[(begin + i) * tick_count + tick];
      step_together(std::span(stepped).first(worlds.size()), std::span(commands).first(worlds.size()));
      for (std::size_t plan = begin; plan < end; ++plan) {
        const World& world = worlds[plan - begin];
        for (const Player player : kPlayers) {
          const std::size_t at = 2 * plan + index_of(player);
          if (result.dead[at] != 0 || !world.dead(player)) continue;
          result.dead[at] = 1;
          result.death_ticks[at] = static_cast<std::int32_t>(tick + 1);
        }
        if (every_state) {
          observe_fully(world, full_row(result.states, plan * tick_count + tick));
        }
      }
    }
    for (std::size_t plan = begin; plan < end; ++plan) {
      observe_fully(worlds[plan - begin], full_row(result.final_states, plan));
    }
  };
  const std::size_t at_once = worlds_at_once(plan_count, pool_->size(), options_.physics);
  pool_->run(plan_count, at_once, std::cref(play));  // copying a std::function may allocate
}

}  // namespace forkmunk::engine
