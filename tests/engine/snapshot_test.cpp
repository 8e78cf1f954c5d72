// SPDX-License-Identifier: MIT
#include "support/scenes.h"

#include <forkmunk/base/error.h>

#include <sstream>

#include <gtest/gtest.h>

namespace forkmunk::engine {
namespace {

using tests::scene_of;
using tests::script;

World world_in_play(Physics physics = Physics::flat) {
  World world(physics);
  world.begin_match(scene_of("PillHillMap", "Bus").setup);
  for (const Commands& commands : script(12, 170)) world.step(commands);
  return world;
}

std::string file_of(const World& world) {
  std::ostringstream out;
  world.save().write(out);
  return out.str();
}

std::string problem_of(const std::string& bytes) {
  std::istringstream in(bytes);
  try {
    World reader;
    reader.begin_match(scene_of("PillHillMap", "Bus").setup);
    (void)Snapshot::read(in, reader);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(SnapshotFile, RestoresAnotherWorld) {
  World world = world_in_play();
  std::istringstream in(file_of(world));
  World other;
  other.begin_match(scene_of("PillHillMap", "Bus").setup);
  const Snapshot snapshot = Snapshot::read(in, other);
  other.restore(snapshot);
  for (const Commands& commands : script(13, 300)) {
    ASSERT_EQ(other.hash(), world.hash());
    world.step(commands);
    other.step(commands);
  }
}

TEST(SnapshotFile, OfChipmunkIsRefused) {
  const World world = world_in_play(Physics::chipmunk);
  EXPECT_FALSE(world.save().is_portable());
  EXPECT_THROW((void)file_of(world), Error);
  std::ostringstream out;
  EXPECT_THROW(Snapshot().write(out), Error);
}

TEST(SnapshotFile, BadFilesAreRefusedWithTheField) {
  const std::string good = file_of(world_in_play());
  EXPECT_EQ(problem_of(good), "none");
  const auto names = [](const std::string& file, const char* field) {
    return problem_of(file).find(field) != std::string::npos;
  };
  EXPECT_TRUE(names("", "header"));
  EXPECT_TRUE(names(std::string(100, 'x'), "FMSNAP01"));
  std::string other_layout = good;
  other_layout[8] ^= 1;
  EXPECT_TRUE(names(other_layout, "layout 0x"));
  EXPECT_TRUE(names(good.substr(0, good.size() - 5), "truncated"));
  std::string damaged = good;
  damaged[good.size() / 2] ^= 16;
  EXPECT_TRUE(names(damaged, "checksum 0x"));
  std::string long_one = good;
  long_one[24 + 7] = '\x7f';
  EXPECT_TRUE(names(long_one, "size"));
}

TEST(SnapshotFile, IsReadForOneMatch) {
  const std::string good = file_of(world_in_play());
  World world, chipmunk(Physics::chipmunk);
  const auto read = [&](const World& reader) {
    std::istringstream in(good);
    return Snapshot::read(in, reader);
  };
  try {
    (void)read(world);
    ADD_FAILURE() << "no match";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "Snapshot::read(): the world has no match; call begin_match() first");
  }
  world.begin_match(scene_of("PillHillMap", "SquareWheelsBuggy").setup);
  EXPECT_THROW((void)read(world), Error) << "another match";
  world.begin_match(scene_of("PillHillMap", "Bus").setup);
  EXPECT_TRUE(world.try_restore(read(world)));
  chipmunk.begin_match(scene_of("PillHillMap", "Bus").setup);
  EXPECT_THROW((void)read(chipmunk), Error) << "another engine";
}

TEST(Snapshot, ThatWasMovedFromIsEmptyAndReusable) {
  for (const Physics physics : available_physics()) {
    World world = world_in_play(physics);
    Snapshot snapshot = world.save();
    const Snapshot taken = std::move(snapshot);
    EXPECT_TRUE(snapshot.empty());  // NOLINT(bugprone-use-after-move)
    EXPECT_FALSE(world.try_restore(snapshot));
    EXPECT_THROW(world.restore(snapshot), Error);
    world.restore(taken);
    world.save(snapshot);
    EXPECT_EQ(snapshot.size_bytes(), taken.size_bytes());
    world.restore(snapshot);
  }
}

}  // namespace
}  // namespace forkmunk::engine
