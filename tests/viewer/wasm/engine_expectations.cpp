// SPDX-License-Identifier: MIT
// Prints the golden scenes and signatures as JSON:
// {"golden":[{"map","car","commands","hashes"}],"positions":[{"map","car","commands"}],"signatures":[...],"steps_ns"}

#include "engine/golden_hashes.h"
#include "engine/golden_states.h"
#include "planning/positions.h"
#include "planning/search_signatures.h"

#include <forkmunk/cars/catalogue.h>
#include <forkmunk/maps/catalogue.h>

#include <chrono>
#include <cinttypes>
#include <cstdio>

namespace {

using namespace forkmunk;
using namespace forkmunk::tests;

/// Two digits per tick.
std::string text_of(const std::vector<engine::Commands>& commands) {
  std::string text;
  for (const auto& [first, second] : commands) {
    text += static_cast<char>('0' + static_cast<int>(first));
    text += static_cast<char>('0' + static_cast<int>(second));
  }
  return text;
}

double nanoseconds_a_step() {
  const auto commands = script(kGoldenSeed, kGoldenTicks);
  double best = 1e18;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    for (const Scene& scene : all_scenes()) {
      engine::World world;
      world.begin_match(scene.setup);
      for (const engine::Commands& pair : commands) world.step(pair);
    }
    const std::chrono::duration<double, std::nano> gone = std::chrono::steady_clock::now() - start;
    best = std::min(best, gone.count() / static_cast<double>(all_scenes().size() * commands.size()));
  }
  return best;
}

}  // namespace

int main() {
  std::printf("{\"golden\":[");
  const std::string commands = text_of(script(kGoldenSeed, kGoldenTicks));
  const char* separator = "";
  for (std::size_t i = 0; i < kGoldenStrict.size(); ++i) {
    const Scene& scene = all_scenes()[i];
    std::printf("%s{\"map\":\"%s\",\"car\":\"%s\",\"commands\":\"%s\",\"hashes\":[", separator,
                std::string(scene.map).c_str(), std::string(scene.car).c_str(), commands.c_str());
    const auto& hashes = kGoldenStrict[i].hashes;
    std::printf("\"%016" PRIx64 "\",\"%016" PRIx64 "\",\"%016" PRIx64 "\"]}", hashes[0], hashes[1], hashes[2]);
    separator = ",\n";
  }
  std::printf("],\"positions\":[");
  separator = "";
  for (const SearchPosition& position : search_positions()) {
    std::printf("%s{\"map\":\"%s\",\"car\":\"%s\",\"commands\":\"%s\"}", separator,
                maps::name_of(position.world.setup().map).c_str(), cars::name_of(position.world.setup().car).c_str(),
                text_of(script(2, position.world.tick())).c_str());
    separator = ",\n";
  }
  std::printf("],\"signatures\":[");
  separator = "";
  for (const SearchSignature& signature : kSearchSignatures) {
    std::printf("%s{\"planner\":\"%s\",\"ticks\":%" PRId64 ",\"plans\":\"%016" PRIx64 "\"}", separator,
                std::string(signature.planner).c_str(), signature.ticks, signature.plans);
    separator = ",\n";
  }
  std::printf("],\"step_ns\":%.1f}\n", nanoseconds_a_step());
}
