// Turns states into what an evaluator sees of them: rows of kFeatureCount + kMapFeatureCount features, then match,
// outcome, car, tick and ticks to the end; two rows a state, one for each side.

#include "evaluators/features.h"
#include "states.h"

#include <forkmunk/base/error.h>
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/maps/catalogue.h>

#include <fstream>
#include <vector>

#include <fmt/format.h>

namespace forkmunk::learning {
namespace {

using engine::Player;
using search::kFeatureCount;
using search::kMapFeatureCount;
using State = std::array<float, kStateFloats>;

engine::CarState car_of(const State& state, std::size_t car) {
  engine::CarState result;
  const float* next = &state[car * kCarsFloats / 2];
  for (engine::BodyState* body : {static_cast<engine::BodyState*>(&result), &result.rear_wheel, &result.front_wheel}) {
    *body = {{next[0], next[1]}, next[2], {next[3], next[4]}, next[5]};
    next += kBodyFloats;
  }
  return result;
}

void measure(const std::string& from, const std::string& to) {
  std::vector<search::DistanceField> fields;
  for (const maps::NamedMap& map : maps::catalogue()) fields.emplace_back(map.setup);
  std::vector<search::CarShape> shapes;
  for (const cars::NamedCar& car : cars::catalogue()) shapes.emplace_back(car.setup);

  std::ifstream in(from, std::ios::binary);
  if (!in) throw Error(fmt::format("{}: cannot be read", from));
  std::ofstream out(to, std::ios::binary);
  State state{};
  while (in.read(reinterpret_cast<char*>(state.data()), sizeof state)) {
    const auto& field = fields.at(static_cast<std::size_t>(state[kMap]));
    const auto& shape = shapes.at(static_cast<std::size_t>(state[kCar]));
    for (const Player side : engine::kPlayers) {
      const std::size_t i = engine::index_of(side);
      const search::Scene scene(shape, side, car_of(state, i), car_of(state, 1 - i));
      std::array<float, kFeatureCount + kMapFeatureCount> row{};
      const int tick = static_cast<int>(state[kTick]);
      search::measure_features(scene, side, field, state[kDeadline], tick,
                               search::measure_combined(scene, field, state[kDeadline], tick),
                               std::span(row).first<kFeatureCount>());
      search::measure_map(field, side, std::span(row).last<kMapFeatureCount>());
      const float outcome = side == Player::first ? state[kOutcome] : -state[kOutcome];
      const std::array rest{state[kMatch], outcome, state[kCar], state[kTick], state[kEnd] - state[kTick]};
      out.write(reinterpret_cast<const char*>(row.data()), sizeof row);
      out.write(reinterpret_cast<const char*>(rest.data()), sizeof rest);
    }
  }
  if (!out.flush()) throw Error(fmt::format("{}: could not be written", to));
}

}  // namespace
}  // namespace forkmunk::learning

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "measure_states STATES FEATURES: what self_play wrote, as learned.cpp's function sees it\n");
    return 2;
  }
  try {
    forkmunk::learning::measure(argv[1], argv[2]);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "measure_states: {}\n", error.what());
    return 2;
  }
}
