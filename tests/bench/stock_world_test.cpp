// SPDX-License-Identifier: MIT
#include "bench/support/stock_world.h"

#include "contest/formats/carried/carried_recordings.h"
#include "support/scenes.h"

#include <forkmunk/io/recording_reader.h>

#include <gtest/gtest.h>

namespace forkmunk::bench {
namespace {

using engine::Commands;
using engine::World;

// World renews its space between matches; stock Chipmunk removes each object.
TEST(StockWorld, AgreesWithWorldOverWholeGames) {
  for (const io::CarriedRecording& builtin : io::carried_recordings()) {
    const formats::Recording recording = io::parse_recording(builtin.bytes, builtin.name);
    for (const engine::Physics physics : engine::available_physics()) {
      World world(physics);
      StockWorld stock(arithmetic_of(physics));
      for (const formats::RecordedMatch& match : recording.matches) {
        world.begin_match(match.setup);
        stock.begin_match(match.setup);
        for (const formats::RecordedTick& tick : match.ticks) {
          const Commands commands = formats::played(tick.commands);
          world.step(commands);
          stock.step(commands);
          ASSERT_TRUE(same_state(world, stock))
              << builtin.name << ' ' << tests::name_of(physics) << " tick " << tick.tick_num;
        }
      }
    }
  }
}

// Contacts and deaths are left in the space.
TEST(StockWorld, AgreesWithWorldAfterMatchesThatWereCutOff) {
  for (const engine::Physics physics : engine::available_physics()) {
    World world(physics);
    StockWorld stock(arithmetic_of(physics));
    int ticks = 37;
    for (const tests::Scene& scene : tests::all_scenes()) {
      world.begin_match(scene.setup);
      stock.begin_match(scene.setup);
      for (const Commands& commands : tests::script(static_cast<std::uint64_t>(ticks), ticks)) {
        world.step(commands);
        stock.step(commands);
        ASSERT_TRUE(same_state(world, stock))
            << tests::name_of(physics) << ' ' << scene.map << ' ' << scene.car << " tick " << world.tick();
      }
      ticks = 50 + ticks * 7 % 600;
    }
  }
}

}  // namespace
}  // namespace forkmunk::bench
