// SPDX-License-Identifier: MIT
#include "flat/live_state.h"
#include "support/scenes.h"
#include "world_implementation.h"

#include <forkmunk/arena_alloc/system_memory.h>
#include <forkmunk/base/hasher.h>

#include <cstring>
#include <functional>
#include <limits>
#include <sstream>

#include <gtest/gtest.h>

namespace forkmunk::engine::flat {
namespace {

using tests::scene_of;
using tests::script;
using tests::touching_scene;

World world_in_play() {
  World world;
  world.begin_match(touching_scene().setup);
  for (const Commands& commands : script(12, 170)) world.step(commands);
  return world;
}

class StateBytes {
 public:
  explicit StateBytes(std::string_view bytes)
      : block_(arena_alloc::allocate_system(bytes.size())), size_(bytes.size()) {
    std::memcpy(block_.get(), bytes.data(), size_);
  }
  [[nodiscard]] LiveState& state() const { return *reinterpret_cast<LiveState*>(block_.get()); }
  [[nodiscard]] std::span<std::byte> bytes() const { return {block_.get(), size_}; }

 private:
  arena_alloc::SystemBlock block_;
  std::size_t size_;
};

/// A header that ends in size and checksum, then the state.
class SnapshotFile {
 public:
  explicit SnapshotFile(const World& world) {
    std::ostringstream out;
    world.save().write(out);
    header_ = out.str().substr(0, kHeaderBytes);
    state_ = out.str().substr(kHeaderBytes);
  }
  [[nodiscard]] StateBytes state() const { return StateBytes(state_); }

  /// Reads these bytes with a valid checksum.
  [[nodiscard]] Snapshot with(std::span<const std::byte> bytes, const World& world) const {
    Hasher hasher;
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + i, 8);
      hasher.add(word);
    }
    const std::uint64_t size = bytes.size(), checksum = hasher.value();
    std::string file = header_;
    std::memcpy(file.data() + 24, &size, 8);
    std::memcpy(file.data() + 32, &checksum, 8);
    file.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::istringstream in(file);
    return Snapshot::read(in, world);
  }

 private:
  static constexpr std::size_t kHeaderBytes = 40;
  std::string header_, state_;
};

struct Damage {
  std::string problem;
  std::function<void(LiveState&)> damage;
};

void set_byte(void* byte, std::uint8_t value) { std::memcpy(byte, &value, 1); }

// The node has a leaf and an inner node below it, or two leaves.
std::size_t inner_node(const LiveState& state) {
  for (std::size_t i = kMovingShapeCount; i < kNodeCount; ++i) {
    if (i != state.root) return i;
  }
  return 0;
}
Pair& first_pair_of(LiveState& state, std::size_t leaf) { return state.pairs()[state.pair_lists[leaf].begin]; }
std::size_t leaf_with_pairs(const LiveState& state, std::size_t at_least) {
  for (std::size_t leaf = 0; leaf < kMovingShapeCount; ++leaf) {
    if (state.pair_lists[leaf].count >= at_least) return leaf;
  }
  ADD_FAILURE() << "no list has " << at_least << " pairs";
  return 0;
}

const std::vector<Damage>& damages() {
  const auto& touch = [](LiveState& s) -> Contact& { return s.contacts()[0]; };
  static const std::vector<Damage> table{
      {"rules.tick", [](LiveState& s) { s.rules.tick = -1; }},
      {"rules.tick", [](LiveState& s) { s.rules.tick = 0x7FFFFFFF; }},
      {"rules.rest_ticks", [](LiveState& s) { s.rules.rest_ticks = -1; }},
      {"rules.rest_ticks", [](LiveState& s) { s.rules.rest_ticks = 2000000000; }},
      {"rules.ticks_to_deadline", [](LiveState& s) { s.rules.ticks_to_deadline = std::numeric_limits<int>::min(); }},
      {"rules.ticks_to_deadline", [](LiveState& s) { s.rules.ticks_to_deadline = 601; }},
      {"rules.resting", [](LiveState& s) { set_byte(&s.rules.resting, 2); }},
      {"rules.diverged", [](LiveState& s) { set_byte(&s.rules.diverged, 2); }},
      {"rules.over", [](LiveState& s) { set_byte(&s.rules.over, 255); }},
      {"rules.dead[1]", [](LiveState& s) { set_byte(&s.rules.dead[1], 7); }},
      {"rules.cause[0]", [](LiveState& s) { set_byte(&s.rules.cause[0], 5); }},
      {"root", [](LiveState& s) { s.root = kNoNode; }},
      {"root", [](LiveState& s) { s.root = 3; }},
      {"root", [](LiveState& s) { s.root = kNodeCount; }},
      {"spare_node", [](LiveState& s) { s.spare_node = kNoNode; }},
      {"spare_node", [](LiveState& s) { s.spare_node = 8; }},
      {"].parent", [](LiveState& s) { s.nodes[s.root].parent = 9; }},
      {"].parent", [](LiveState& s) { s.nodes[2].parent = kNoNode; }},
      {"].parent", [](LiveState& s) { s.nodes[inner_node(s)].parent = 200; }},
      {"].parent", [](LiveState& s) { s.nodes[inner_node(s)].parent = static_cast<std::uint8_t>(inner_node(s)); }},
      {"].a", [](LiveState& s) { s.nodes[inner_node(s)].a = kNodeCount; }},
      {"].b", [](LiveState& s) { s.nodes[inner_node(s)].b = kNoNode; }},
      {"nodes[",  // a cycle
       [](LiveState& s) { s.nodes[inner_node(s)].a = s.root; }},
      {"nodes[", [](LiveState& s) { s.nodes[inner_node(s)].b = s.nodes[inner_node(s)].a; }},
      {"node",
       [](LiveState& s) {  // valid, but nodes are missing: the root has two leaves
         s.nodes[s.root].a = 0;
         s.nodes[s.root].b = 1;
         s.nodes[0].parent = s.nodes[1].parent = s.root;
       }},
      {"nodes[4].a", [](LiveState& s) { s.nodes[4].a = 3; }},
      {"nodes[4].b", [](LiveState& s) { s.nodes[4].b = 3; }},
      {"nodes[5].stamp", [](LiveState& s) { s.nodes[5].stamp = s.tree_stamp; }},
      {"nodes[5].stamp", [](LiveState& s) { s.nodes[5].stamp = s.tree_stamp + 100; }},
      {"].stamp", [](LiveState& s) { s.tree_stamp = 0xFFFFFFF0u; }},
      {"leaf_order[0]", [](LiveState& s) { s.leaf_order[0] = 9; }},
      {"leaf_order[", [](LiveState& s) { s.leaf_order[8] = s.leaf_order[7]; }},
      {"leaves",
       [](LiveState& s) {
         const std::uint64_t difference = (s.leaves ^ s.leaves >> 4) & 0xF;
         s.leaves ^= difference << 4 | difference;
       }},
      {"leaves", [](LiveState& s) { s.leaves |= 0xF; }},
      {"leaves", [](LiveState& s) { s.leaves = (s.leaves & ~std::uint64_t{0xF0}) | (s.leaves & 0xF) << 4; }},
      {"leaves", [](LiveState& s) { s.leaves |= std::uint64_t{1} << 63; }},
      {"pair_lists[0].begin", [](LiveState& s) { s.pair_lists[0].begin = 8; }},
      {"pair_lists[6].begin", [](LiveState& s) { s.pair_lists[6].begin = 0xFFFF; }},
      {"].count", [](LiveState& s) { s.pair_lists[4].count = 0xFFFF; }},
      {"].capacity", [](LiveState& s) { s.pair_lists[4].capacity = 65528; }},
      {"pair_lists[3].capacity", [](LiveState& s) { ++s.pair_lists[3].capacity; }},
      {"pair_lists[0].capacity", [](LiveState& s) { s.pair_lists[0].capacity = 16; }},
      {"pair_capacity", [](LiveState& s) { s.pair_capacity = 0xFFFF; }},
      {"pair_capacity",  // the same bytes, split differently
       [](LiveState& s) {
         s.pair_capacity = static_cast<std::uint16_t>(s.pair_capacity + kPairsAtOnce);
         --s.contact_count;
       }},
      {"size", [](LiveState& s) { ++s.contact_count; }},
      {"size", [](LiveState& s) { s.pair_capacity = 0; }},
      {"contact_count", [](LiveState& s) { s.contact_count = 0xFFFF; }},
      {"].other", [](LiveState& s) { first_pair_of(s, leaf_with_pairs(s, 1)).other = 0xFFFFFFFF; }},
      {"].other", [](LiveState& s) { first_pair_of(s, leaf_with_pairs(s, 1)).other = 10000; }},
      {"].other",  // itself
       [](LiveState& s) {
         const std::size_t leaf = leaf_with_pairs(s, 1);
         first_pair_of(s, leaf).other = static_cast<std::uint32_t>(leaf);
       }},
      {"].other",  // only buttons notice the deadline
       [](LiveState& s) {
         ASSERT_GT(s.pair_lists[3].count, 0);
         first_pair_of(s, 3).other = kDeadlineShape;
       }},
      {"].other",
       [](LiveState& s) {
         Pair& pair = first_pair_of(s, leaf_with_pairs(s, 2));
         (&pair)[1].other = pair.other;
       }},
      {"].other",
       [](LiveState& s) {
         for (std::size_t leaf = 1; leaf < kMovingShapeCount; ++leaf) {
           for (std::size_t other = 1; other < kMovingShapeCount; ++other) {
             if (s.pair_lists[leaf].count == 0 || !concerns(leaf, other) ||
                 intersect(s.nodes[leaf].box, s.nodes[other].box)) {
               continue;
             }
             first_pair_of(s, leaf).other = static_cast<std::uint32_t>(other);
             return;
           }
         }
         FAIL() << "all shapes with pairs meet each other";
       }},
      {"contacts[0].key", [touch](LiveState& s) { touch(s).key = 0xFFFFFFFF; }},
      {"contacts[0].key", [touch](LiveState& s) { touch(s).key = contact_key(1, 2); }},
      {"contacts[0].key", [touch](LiveState& s) { touch(s).key = contact_key(3, 5000); }},
      {"contacts[0].key",  // contact_key() never makes this order
       [touch](LiveState& s) { touch(s).key = touch(s).key << 16 | touch(s).key >> 16; }},
      {"contacts[1].key", [](LiveState& s) { s.contacts()[1].key = s.contacts()[0].key; }},
      {"contacts[0].count", [touch](LiveState& s) { touch(s).count = 3; }},
      {"contacts[0].state", [touch](LiveState& s) { set_byte(&touch(s).state, 4); }},
      {"contacts[0].stamp", [touch](LiveState& s) { touch(s).stamp = s.stamp + 1; }},
      {"contacts[0].stamp", [touch](LiveState& s) { touch(s).stamp = s.stamp - 3; }},
  };
  return table;
}

TEST(StateCheck, FindsEachDamageAndNamesIt) {
  const World world = world_in_play();
  const SnapshotFile file(world);
  const MatchModel model(touching_scene().setup);
  EXPECT_EQ(find_damage(model, file.state().bytes()), std::nullopt);
  for (const auto& [problem, damage] : damages()) {
    const StateBytes damaged = file.state();
    damage(damaged.state());
    const std::string found = find_damage(model, damaged.bytes()).value_or("nothing");
    EXPECT_NE(found.find(problem), std::string::npos) << "found: " << found << "\nexpected: " << problem;
  }
}

TEST(StateCheck, APairMayBeInOneListOnly) {
  const MatchModel model(touching_scene().setup);
  World world;
  world.begin_match(touching_scene().setup);
  bool found_one = false;
  for (const Commands& commands : script(12, 600)) {
    world.step(commands);
    const StateBytes bytes = SnapshotFile(world).state();
    LiveState& state = bytes.state();
    // Overwrites a pair in the other shape's list.
    for (std::size_t leaf = 0; leaf < kMovingShapeCount && !found_one; ++leaf) {
      const PairList& list = state.pair_lists[leaf];
      for (std::size_t i = 0; i < list.count; ++i) {
        const std::uint32_t other = state.pairs()[list.begin + i].other;
        if (other >= kMovingShapeCount || state.pair_lists[other].count == 0) continue;
        first_pair_of(state, other).other = static_cast<std::uint32_t>(leaf);
        found_one = true;
      }
    }
    if (!found_one) continue;
    const std::string problem = find_damage(model, bytes.bytes()).value_or("nothing");
    EXPECT_NE(problem.find("].other"), std::string::npos) << problem;
    return;
  }
  FAIL() << "no two moving shapes came near each other";
}

TEST(StateCheck, SizesAreCheckedFirst) {
  const SnapshotFile file(world_in_play());
  const MatchModel model(touching_scene().setup);
  const StateBytes whole = file.state();
  const std::span<std::byte> bytes = whole.bytes();
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{8}, sizeof(LiveState) - 8, sizeof(LiveState), bytes.size() - 64}) {
    EXPECT_NE(find_damage(model, bytes.first(size)), std::nullopt) << size;
  }
  // Another map's match has shapes that this one lacks.
  World other;
  other.begin_match(scene_of("PillCarcassMap", "Bus").setup);
  for (const Commands& commands : script(12, 170)) other.step(commands);
  MatchSetup empty = scene_of("PillCarcassMap", "Bus").setup;
  empty.map.segments.clear();
  const StateBytes others = SnapshotFile(other).state();
  EXPECT_EQ(find_damage(MatchModel(scene_of("PillCarcassMap", "Bus").setup), others.bytes()), std::nullopt);
  EXPECT_NE(find_damage(MatchModel(empty), others.bytes()), std::nullopt);
}

TEST(SnapshotRead, RefusesEachDamage) {
  const World world = world_in_play();
  const SnapshotFile file(world);
  for (const Damage& damage : damages()) {
    const StateBytes damaged = file.state();
    damage.damage(damaged.state());
    EXPECT_THROW((void)file.with(damaged.bytes(), world), Error) << damage.problem;
  }
}

TEST(SnapshotRead, ReadsAGoodFileRepeatedly) {
  World world = world_in_play();
  const std::uint64_t hash = world.hash();
  const SnapshotFile file(world);
  const Snapshot snapshot = file.with(file.state().bytes(), world);
  const auto run = [&](World& any) {
    for (const Commands& commands : script(13, 200)) any.step(commands);
    return any.hash();
  };
  const std::uint64_t later = run(world);
  for (int i = 0; i < 3; ++i) {
    world.restore(snapshot);
    EXPECT_EQ(world.hash(), hash);
    EXPECT_EQ(run(world), later);
  }
}

// A step must end and stay inside its memory.
TEST(SnapshotRead, AcceptsAnyNumbersOfPhysics) {
  const World world = world_in_play();
  const SnapshotFile file(world);
  Random random(17);
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1e300, 5e-324}) {
    for (int round = 0; round < 20; ++round) {
      const StateBytes bytes = file.state();
      LiveState& state = bytes.state();
      Body& body = state.bodies[random.below(kBodyCount)];
      std::array<double*, 6> numbers{&body.position.y, &body.angle,       &body.velocity.x,
                                     &body.rotation.x, &state.deadline_y, &state.groove_impulse[1].x};
      *numbers[random.below(numbers.size())] = value;
      state.nodes[random.below(kNodeCount)].box.low[0] = value;
      for (std::size_t i = 0; i < state.pair_capacity; ++i)
        state.pairs()[i].id = static_cast<std::uint32_t>(random.next());
      World other = world.fork();
      other.restore(file.with(bytes.bytes(), other));
      for (const Commands& commands : script(random.next(), 100)) other.step(commands);
      (void)other.hash();
      (void)other.in_air(Player::first);
    }
  }
}

// Steps keep accepted states valid, which check level 2 and AddressSanitizer check.
TEST(SnapshotRead, AcceptedBytesAreHarmless) {
  constexpr int kRounds = 3000;
  World world = world_in_play();
  World other = world.fork();
  const SnapshotFile file(world);
  const MatchModel model(touching_scene().setup);
  Random random(18);
  int refused = 0, taken = 0;
  for (int round = 0; round < kRounds; ++round) {
    const StateBytes bytes = file.state();
    for (std::size_t i = 1 + random.below(3); i > 0; --i) {
      std::byte& byte = bytes.bytes()[random.below(bytes.bytes().size())];
      byte = random.below(2) == 0 ? static_cast<std::byte>(random.below(256)) : byte ^ std::byte{1};
    }
    if (bytes.state().size_bytes() != bytes.bytes().size()) continue;
    try {
      other.restore(file.with(bytes.bytes(), other));
    } catch (const Error&) {
      ++refused;
      continue;
    }
    ++taken;
    for (const Commands& commands : script(random.next(), 12)) other.step(commands);
    const SnapshotFile later(other);
    ASSERT_EQ(find_damage(model, later.state().bytes()), std::nullopt) << "round " << round;
  }
  EXPECT_GT(refused, kRounds / 20);
  EXPECT_GT(taken, kRounds / 4);
}

}  // namespace
}  // namespace forkmunk::engine::flat
