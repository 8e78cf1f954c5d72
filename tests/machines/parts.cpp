// SPDX-License-Identifier: MIT
#include "machines/parts.h"

#include "cars/golden_cars.h"
#include "engine/golden_states.h"
#include "machines/flat_recordings.h"
#include "maps/golden_maps.h"
#include "planning/golden_scores.h"
#include "planning/signature.h"
#include "strict_math/golden_hashes.h"

#include <forkmunk/replay/replay.h>

#include <fstream>
#include <iterator>

namespace forkmunk::tests {
namespace {

using engine::Physics;

constexpr std::array kStrictPhysics{Physics::flat, Physics::chipmunk};

std::string number(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.17g", value);
  return text.data();
}

std::string describe(const NamedRecording& named, Physics physics, const replay::Mismatch& mismatch) {
  return named.name + " by " + name_of(physics) + ": tick " + std::to_string(mismatch.tick) + ", " + mismatch.value +
         ": found " + (mismatch.found ? number(*mismatch.found) : "nothing") + ", expected " +
         (mismatch.expected ? number(*mismatch.expected) : "nothing");
}

constexpr int kTicksBefore = 170, kTicksAfter = 300;

engine::World world_in_play() {
  engine::World world;
  world.begin_match(scene_of("PillHillMap", "Bus").setup);
  for (const engine::Commands& commands : script(12, kTicksBefore)) world.step(commands);
  return world;
}

std::uint64_t end_of(engine::World& world) {
  for (const engine::Commands& commands : script(13, kTicksAfter)) world.step(commands);
  return world.hash();
}

}  // namespace

std::string hex(std::uint64_t value) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "0x%016llx", static_cast<unsigned long long>(value));
  return text.data();
}

PartReport check_mathematics() {
  PartReport report{"strict_math", "ways to a million results", 0, 0, {}};
  for (const auto& way : strict_math::test::all_ways()) {
    report.compare(way.found == way.expected, [&] {
      return std::string(way.name) + ": found " + hex(way.found) + ", expected " + hex(way.expected);
    });
  }
  return report;
}

PartReport check_golden_hashes() {
  PartReport report{"golden hashes", "hashes", 0, 0, {}};
  for (const Physics physics : kStrictPhysics) {
    for (std::size_t i = 0; i < kGoldenStrict.size(); ++i) {
      const Scene& scene = all_scenes()[i];
      const auto found = golden_states_of(scene, physics);
      for (std::size_t j = 0; j < found.size(); ++j) {
        report.compare(found[j] == kGoldenStrict[i].hashes[j], [&] {
          constexpr std::array kTicks{0, 60, kGoldenTicks};
          return std::string(scene.map).append(" ").append(scene.car) + " by " + name_of(physics) + ": tick " +
                 std::to_string(kTicks[j]) + ": found " + hex(found[j]) + ", expected " +
                 hex(kGoldenStrict[i].hashes[j]);
        });
      }
    }
  }
  return report;
}

PartReport check_numbers() {
  PartReport report{"numbers", "hashes of cars, maps and scores", 0, 0, {}};
  const auto compare = [&](std::string_view name, std::uint64_t found, std::uint64_t expected) {
    report.compare(found == expected,
                   [&] { return std::string(name) + ": found " + hex(found) + ", expected " + hex(expected); });
  };
  compare("random cars", random_cars_hash(), kRandomCarsHash);
  compare("buttons", buttons_hash(), kButtonsHash);
  compare("random maps", random_maps_hash(), kRandomMapsHash);
  compare("arcs", arcs_hash(), kArcsHash);
  for (const GoldenScores& expected : kGoldenScores) {
    compare(expected.evaluator, scores_of(expected.evaluator).scores, expected.scores);
  }
  return report;
}

PartReport check_signatures() {
  PartReport report{"search signatures", "planners", 0, 0, {}};
  for (const SearchSignature& expected : kSearchSignatures) {
    const SearchSignature found = signature_of(expected.planner);
    report.compare(found == expected, [&] {
      return std::string(expected.planner) + ": found " + std::to_string(found.ticks) + " ticks, " + hex(found.plans) +
             ", expected " + std::to_string(expected.ticks) + " ticks, " + hex(expected.plans);
    });
  }
  return report;
}

PartReport check_recordings(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(path.string() + ": cannot be read");
  const std::vector<NamedRecording> recordings =
      from_flat(std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()));
  PartReport report{
      "recordings", "ticks of " + std::to_string(recordings.size()) + " recordings by 2 engines", 0, 0, {}};
  for (const NamedRecording& named : recordings) {
    for (const Physics physics : kStrictPhysics) {
      const replay::ReplayReport replayed = replay::replay(named.recording, physics);
      report.count += static_cast<long>(replayed.tick_count);
      if (replayed.mismatching_ticks == 0) continue;
      if (report.different == 0) report.first_difference = describe(named, physics, *replayed.first_mismatch);
      report.different += static_cast<long>(replayed.mismatching_ticks);
    }
  }
  if (report.count == 0) report.compare(false, [] { return std::string("no ticks in the file"); });
  return report;
}

void write_snapshot(const std::filesystem::path& path) {
  std::ofstream out(path, std::ios::binary);
  world_in_play().save().write(out);
  if (!out.flush()) throw Error(path.string() + ": cannot be written");
}

std::uint64_t go_on_from(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(path.string() + ": cannot be read");
  engine::World world;
  world.begin_match(scene_of("PillHillMap", "Bus").setup);
  world.restore(engine::Snapshot::read(in, world));
  return end_of(world);
}

std::uint64_t go_on() {
  engine::World world = world_in_play();
  return end_of(world);
}

}  // namespace forkmunk::tests
