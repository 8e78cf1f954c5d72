// SPDX-License-Identifier: MIT
// A row for each player: kFeatureCount + kMapFeatureCount features, then match, outcome, car, tick and ticks to the
// end.

#include "evaluators/learned.h"
#include "states.h"

#include <filesystem>
#include <string_view>
#include <vector>

namespace forkmunk::learning {
namespace {

using engine::Player;
using planning::kFeatureCount;
using planning::kMapFeatureCount;

engine::CarState car_of(const State& state, std::size_t car) {
  engine::CarState result;
  const float* next = &state[car * kCarsFloats / 2];
  for (engine::BodyState* body : result.parts()) {
    *body = {{next[0], next[1]}, next[2], {next[3], next[4]}, next[5]};
    next += kBodyFloats;
  }
  return result;
}

void measure(const std::string& from, const std::string& to) {
  std::vector<planning::DistanceField> fields;
  for (const maps::NamedMap& map : maps::catalogue()) fields.emplace_back(map.setup);
  std::vector<planning::CarShape> shapes;
  for (const cars::NamedCar& car : cars::catalogue()) shapes.emplace_back(car.setup);

  std::error_code error;
  if (std::filesystem::equivalent(from, to, error))
    throw Error(fmt::format("{}: is both input and output; give another output file", from));
  const std::string unfinished = to + ".new";
  std::ofstream out(unfinished, std::ios::binary);
  const std::size_t rest = read_states(from, [&](const State& state) {
    const auto& field = fields.at(static_cast<std::size_t>(state[kMap]));
    const auto& shape = shapes.at(static_cast<std::size_t>(state[kCar]));
    for (const Player side : engine::kPlayers) {
      const std::size_t i = engine::index_of(side);
      const planning::Scene scene(shape, side, car_of(state, i), car_of(state, 1 - i));
      std::array<float, kFeatureCount + kMapFeatureCount> row{};
      const int tick = static_cast<int>(state[kTick]);
      planning::measure_features(scene, side, field, state[kDeadline], tick,
                                 planning::measure_combined(scene, field, state[kDeadline], tick),
                                 std::span(row).first<kFeatureCount>());
      planning::measure_map(field, side, std::span(row).last<kMapFeatureCount>());
      const float outcome = side == Player::first ? state[kOutcome] : -state[kOutcome];
      const std::array more{state[kMatch], outcome, state[kCar], state[kTick], state[kEnd] - state[kTick]};
      out.write(reinterpret_cast<const char*>(row.data()), sizeof row);
      out.write(reinterpret_cast<const char*>(more.data()), sizeof more);
    }
  });
  if (!out.flush()) throw Error(fmt::format("cannot write {}", unfinished));
  std::filesystem::rename(unfinished, to);
  if (rest > 0) fmt::print(stderr, "measure_states: {}: skipped {} bytes of an incomplete row\n", from, rest);
}

}  // namespace
}  // namespace forkmunk::learning

int main(int argc, char** argv) {
  const bool help = argc == 2 && (std::string_view(argv[1]) == "--help" || std::string_view(argv[1]) == "-h");
  if (argc != 3) {
    fmt::print(help ? stdout : stderr,
               "usage: measure_states STATES FEATURES\n"
               "Reads the states that self_play wrote, and writes the features of the evaluator `learned`, for "
               "apps/learning/fit_values.py.\n"
               "Example: measure_states played.states played.features\n");
    return help ? 0 : 2;
  }
  try {
    forkmunk::learning::measure(argv[1], argv[2]);
    return 0;
  } catch (const std::exception& error) {
    std::error_code ignored;
    std::filesystem::remove(std::string(argv[2]) + ".new", ignored);
    fmt::print(stderr, "measure_states: {}\n", error.what());
    return 2;
  }
}
