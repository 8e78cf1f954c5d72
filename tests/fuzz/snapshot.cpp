// SPDX-License-Identifier: MIT
#include "byte_input.h"
#include "flat/live_state.h"
#include "support/scenes.h"
#include "target.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/hasher.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <sstream>

/// Valid sizes and checksums let patched bytes reach the validation.
namespace forkmunk {
namespace {

using engine::World;
using tests::ByteInput;

constexpr std::size_t kHeaderBytes = 40, kSizeOffset = 24, kChecksumOffset = 32;
constexpr int kStepsAfter = 100;

struct Base {
  World world;
  std::string file;
};
Base& base_for(std::size_t scene, int ticks) {
  static std::map<std::pair<std::size_t, int>, Base> bases;
  Base& base = bases[{scene, ticks}];
  if (base.file.empty()) {
    base.world.begin_match(tests::all_scenes()[scene].setup);
    for (const engine::Commands& commands : tests::script(12, ticks)) base.world.step(commands);
    std::ostringstream out;
    base.world.save().write(out);
    base.file = out.str();
  }
  return base;
}

// Sets the size that the state implies, and the checksum.
void mend(std::string& file) {
  alignas(engine::flat::LiveState) std::array<std::byte, sizeof(engine::flat::LiveState)> head{};
  file.resize(std::max(file.size(), kHeaderBytes + head.size()));
  std::memcpy(head.data(), file.data() + kHeaderBytes, head.size());
  const std::uint64_t size = reinterpret_cast<const engine::flat::LiveState*>(head.data())->size_bytes();
  file.resize(kHeaderBytes + size);
  const std::uint64_t checksum = checksum_of(std::as_bytes(std::span(file)).subspan(kHeaderBytes));
  std::memcpy(file.data() + kSizeOffset, &size, sizeof size);
  std::memcpy(file.data() + kChecksumOffset, &checksum, sizeof checksum);
}

std::uint64_t hash_after_steps(World& world) {
  for (const engine::Commands& commands : tests::script(13, kStepsAfter)) world.step(commands);
  return world.hash();
}

void restore(World& world, const std::string& file) {
  std::istringstream in(file);
  engine::Snapshot snapshot;
  try {
    snapshot = engine::Snapshot::read(in, world);
  } catch (const Error&) {
    return;
  }
  const std::uint64_t before = world.hash();
  const engine::Snapshot undisturbed = world.save();
  world.restore(snapshot);
  const std::uint64_t after = hash_after_steps(world);
  world.restore(snapshot);
  tests::require(hash_after_steps(world) == after, "the same snapshot leads elsewhere");
  world.restore(undisturbed);
  tests::require(world.hash() == before, "a world did not come back");
}

}  // namespace
}  // namespace forkmunk

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace forkmunk;
  ByteInput input(data, size);
  static constexpr std::array kTicks{0, 60, 170, 500};
  const std::size_t scene = input.index(tests::all_scenes().size());
  Base& base = base_for(scene, kTicks[input.index(kTicks.size())]);
  const bool mended = input.take<std::uint8_t>() != 0;
  std::string file = base.file;
  while (!input.empty()) {
    const std::size_t offset = input.index(file.size());
    std::uint64_t bytes = input.take<std::uint64_t>();
    const std::size_t count = std::min<std::size_t>(1 + input.index(8), file.size() - offset);
    std::memcpy(file.data() + offset, &bytes, count);
  }
  if (mended) mend(file);
  restore(base.world, file);
  return 0;
}
