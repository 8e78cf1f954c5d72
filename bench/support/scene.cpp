// SPDX-License-Identifier: MIT
#include "bench/support/scene.h"

#include "contest/formats/carried/carried_recordings.h"

#include <forkmunk/base/check.h>
#include <forkmunk/base/error.h>
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/io/recording_reader.h>
#include <forkmunk/maps/catalogue.h>

#include <algorithm>

namespace forkmunk::bench {
namespace {

using engine::Commands;
using formats::RecordedMatch;

std::vector<RecordedMatch> read_matches() {
  std::vector<RecordedMatch> matches;
  for (const io::CarriedRecording& builtin : io::carried_recordings()) {
    formats::Recording recording = io::parse_recording(builtin.bytes, builtin.name);
    FORKMUNK_CHECK(recording.has_commands, "%s has no commands", builtin.name.data());
    std::move(recording.matches.begin(), recording.matches.end(), std::back_inserter(matches));
  }
  return matches;
}

std::vector<Commands> commands_of(const RecordedMatch& match) {
  std::vector<Commands> commands;
  commands.reserve(match.ticks.size());
  for (const formats::RecordedTick& tick : match.ticks) {
    commands.push_back(formats::played(tick.commands));
  }
  return commands;
}

}  // namespace

std::vector<Scene> scenes_of(const std::string& recording_file) {
  const formats::Recording recording = io::read_recording(recording_file, {.needs_ticks = true});
  if (!recording.has_commands) {
    throw Error(recording_file, ": has no commands; use a recording that has them, as forkmunk play --record writes");
  }
  std::vector<Scene> scenes;
  for (const RecordedMatch& match : recording.matches) {
    scenes.push_back({maps::name_of(match.setup.map), cars::name_of(match.setup.car), match.setup, commands_of(match)});
  }
  return scenes;
}

std::vector<Scene> builtin_scenes() {
  const std::vector<RecordedMatch> matches = read_matches();
  std::vector<Scene> scenes;
  for (const maps::NamedMap& map : maps::catalogue()) {
    for (const cars::NamedCar& car : cars::catalogue()) {
      const engine::MatchSetup setup{map.setup, car.setup};
      const RecordedMatch* longest = nullptr;
      for (const RecordedMatch& match : matches) {
        if (match.setup != setup) continue;
        if (longest == nullptr || match.ticks.size() > longest->ticks.size()) longest = &match;
      }
      FORKMUNK_CHECK(longest != nullptr, "no built-in recording has %s with %s", map.name.data(), car.name.data());
      scenes.push_back({std::string(map.name), std::string(car.name), setup, commands_of(*longest)});
    }
  }
  return scenes;
}

SampledMatch::SampledMatch(const Scene& scene, engine::Physics physics) : scene_(&scene), world_(physics) {
  world_.begin_match(scene.setup);
  const Point start{0, world_.save()};
  const std::size_t tick_count = play();
  const std::size_t point_count = std::min(tick_count / kPlayoutTicks, kPointCountMax);
  FORKMUNK_CHECK(point_count > 0, "%s with %s is over after %zu ticks", scene.map.c_str(), scene.car.c_str(),
                 tick_count);
  points_.resize(point_count);
  restore(start);
  std::size_t tick = 0;
  for (std::size_t i = 0; i < point_count; ++i) {
    Point& point = points_[i];
    const std::size_t share = tick_count / point_count;
    point.tick = i * share + (share - kPlayoutTicks) / 2;
    step_along(world_, scene, tick, point.tick - tick);
    world_.save(point.snapshot);
    tick = point.tick;
  }
}

std::size_t SampledMatch::play() {
  snapshot_bytes_max_ = world_.live_bytes();
  std::size_t tick = 0;
  while (tick < scene_->commands.size() && !world_.match_over()) {
    step_along(world_, *scene_, tick++, 1);
    snapshot_bytes_max_ = std::max(snapshot_bytes_max_, world_.live_bytes());
  }
  return tick;
}

}  // namespace forkmunk::bench
