// SPDX-License-Identifier: MIT
#include "byte_input.h"
#include "target.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/hasher.h>
#include <forkmunk/space/differences.h>
#include <forkmunk/space/recorder.h>
#include <forkmunk/space/space.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Altered recordings with valid checksums are refused, or replayed and written.
namespace forkmunk {
namespace {

using space::Recorder;
using space::Recording;
using space::Space;
using tests::ByteInput;

constexpr int kSceneCount = 3;
constexpr std::size_t kMagicBytes = 8;
constexpr std::uint64_t kStatesMax = 64;

struct Chunk {
  std::uint32_t tag;
  std::vector<std::byte> bytes;
};
using Chunks = std::vector<Chunk>;

template <typename T>
T read_at(std::span<const std::byte> bytes, std::size_t at) {
  T value;
  std::memcpy(&value, &bytes[at], sizeof value);
  return value;
}

std::vector<std::byte> record(int scene) {
  Space world;
  const auto building = world.enter();
  cpSpace* space = world.space();
  cpSpaceSetGravity(space, cpv(0, -90));
  if (scene == 1) cpSpaceSetSleepTimeThreshold(space, 0.02);
  cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-200, 0), cpv(200, 0), 1));
  std::vector<cpBody*> bodies;
  const auto add_body = [&] {
    bodies.push_back(cpSpaceAddBody(space, cpBodyNew(1, 20)));
    cpBodySetPosition(bodies.back(), cpv(0.1, 5.9 + 10 * static_cast<double>(bodies.size() - 1)));
    cpSpaceAddShape(space, cpBoxShapeNew(bodies.back(), 10, 10, 0));
  };
  add_body(), add_body();
  cpConstraint* motor = nullptr;
  if (scene == 0) {
    motor = cpSpaceAddConstraint(space, cpSimpleMotorNew(bodies[0], bodies[1], 1));
    cpSpaceAddConstraint(space, cpGrooveJointNew(bodies[0], bodies[1], cpv(-1, 0), cpv(1, 5), cpvzero));
  }
  Recorder recorder(world, {.keyframe_steps = 4});
  recorder.name(bodies[0], "box");
  recorder.color(bodies[0]->shapeList, 0xff00ff80);
  for (int step = 0; step < 8; ++step) {
    if (scene == 0) cpSimpleMotorSetRate(motor, step), cpBodySetAngle(bodies[1], 0.01 * step);
    if (step % 4 == 0) cpBodySetVelocity(bodies[0], cpv(step, 1)), recorder.log("speed", step);
    if (scene == 2 && step % 5 == 2) add_body(), recorder.mark("new"), recorder.input("key", "up");
    world.step(1.0 / 60);
  }
  return recorder.recording().to_bytes();
}

const Chunks& chunks_of(int scene) {
  static std::array<Chunks, kSceneCount> all;
  Chunks& chunks = all[static_cast<std::size_t>(scene)];
  if (chunks.empty()) {
    const std::vector<std::byte> file = record(scene);
    for (std::size_t at = kMagicBytes; at < file.size();) {
      const auto from = file.begin() + static_cast<std::ptrdiff_t>(at + 16);
      const auto size = read_at<std::uint32_t>(file, at + 4);
      chunks.push_back({read_at<std::uint32_t>(file, at), {from, from + size}});
      at += 16 + size;
    }
  }
  return chunks;
}

std::string file_of(const Chunks& chunks) {
  std::string file("FMREC\r\n1");
  for (const Chunk& chunk : chunks) {
    const std::uint32_t head[] = {chunk.tag, static_cast<std::uint32_t>(chunk.bytes.size())};
    const std::uint64_t sum = checksum_of(chunk.bytes);
    file.append(reinterpret_cast<const char*>(head), sizeof head);
    file.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    file.append(reinterpret_cast<const char*>(chunk.bytes.data()), chunk.bytes.size());
  }
  return file;
}

Recording recording_of(const Chunks& chunks) {
  return Recording::from_bytes(std::as_bytes(std::span<const char>(file_of(chunks))));
}

std::uint32_t altered(ByteInput& input, std::uint32_t old) {
  switch (input.index(6)) {
    case 0: return input.take<std::uint8_t>();
    case 1: return old + static_cast<std::uint32_t>(std::int32_t{input.take<std::int8_t>()});
    case 2: return input.take<std::uint32_t>();
    case 3: return 1u << input.index(32);
    case 4: return 0xffffffffu - static_cast<std::uint32_t>(input.index(3));
    default: return old ^ 1u << input.index(32);
  }
}

void alter(ByteInput& input, Chunks& chunks) {
  std::size_t at = input.index(chunks.size());
  const auto kSteps = std::uint32_t{'S' | 'T' << 8 | 'E' << 16 | 'P' << 24};
  for (std::size_t i = 0; i < chunks.size() && chunks[at].tag != kSteps && input.index(2) == 0; ++i)
    at = (at + 1) % chunks.size();
  std::vector<std::byte>& bytes = chunks[at].bytes;
  const std::size_t word =
      4 * input.index(input.index(2) == 0 ? std::min<std::size_t>(bytes.size() / 4, 64) : bytes.size() / 4);
  const auto write = [&](auto value) {
    if (word + sizeof value <= bytes.size()) std::memcpy(&bytes[word], &value, sizeof value);
  };
  switch (input.index(10)) {
    case 0: {
      const Chunk copy = chunks[at];
      if (chunks.size() < 64)
        chunks.insert(chunks.begin() + static_cast<std::ptrdiff_t>(input.index(chunks.size())), copy);
      return;
    }
    case 1:
      if (chunks.size() > 1) chunks.erase(chunks.begin() + static_cast<std::ptrdiff_t>(at));
      return;
    case 2: return bytes.resize(word);
    case 3: {
      const Chunks& others = chunks_of(static_cast<int>(input.index(kSceneCount)));
      chunks[at] = others[input.index(others.size())];
      return;
    }
    case 4:
    case 5:
      if (word + 8 <= bytes.size()) write(input.number(read_at<double>(bytes, word)));
      return;
    default:
      if (word + 4 <= bytes.size()) write(altered(input, read_at<std::uint32_t>(bytes, word)));
  }
}

void use(const Recording& recording) {
  const std::vector<std::byte> written = recording.to_bytes();
  const Recording again = Recording::from_bytes(written);
  tests::require(again.to_bytes() == written, "what was read is written");
  for (const std::uint64_t state : recording.keyframes()) {
    try {
      static_cast<void>(recording.verify(state));
      static_cast<void>(recording.keyframe_hash(state));
    } catch (const Error&) {}
  }
  const std::uint64_t first = recording.first(), last = recording.last();
  for (std::uint64_t state = first; state <= last && state - first < kStatesMax; ++state) {
    const space::RecordedStep step = recording.step(state);
    const space::Scene scene = recording.scene(step.scene);
    tests::require(step.poses.size() == 3 * scene.moving_count, "a state is of another scene");
    if (state != first && state != last && state % 3 != 0) continue;
    try {
      Space space = recording.at(state);
      static_cast<void>(space.hash());
      space.step(1.0 / 60);
      static_cast<void>(Space::from_bytes(space.to_bytes()));
    } catch (const Error&) {}
  }
  try {
    static_cast<void>(differences(recording, again));
    static const Recording other = recording_of(chunks_of(0));
    static_cast<void>(differences(recording, other));
  } catch (const Error&) {}
}

}  // namespace
}  // namespace forkmunk

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace forkmunk;
  ByteInput input(data, size);
  Chunks chunks = chunks_of(static_cast<int>(input.index(kSceneCount)));
  while (!input.empty()) alter(input, chunks);
  std::optional<Recording> recording;
  try {
    recording = recording_of(chunks);
  } catch (const Error&) {
    return 0;
  }
  use(*recording);
  return 0;
}
