// Prints, as JSON, the scenes whose hashes and searches are on record, in the form in which the page's engine takes
// them:
// {"golden":[{"name","schedule","commands","hashes"}],"positions":[{"schedule","commands"}],"signatures":[...],"steps_ns"}

#include "engine/golden_hashes.h"
#include "engine/golden_states.h"
#include "search/positions.h"
#include "search/search_signatures.h"

#include <chrono>
#include <cinttypes>
#include <cstdio>

namespace {

using namespace forkmunk;
using namespace forkmunk::tests;

/// A list of numbers, as web/src/number_reader.h has them.
class Numbers {
 public:
  void add(double value) {
    std::array<char, 40> digits{};
    std::snprintf(digits.data(), digits.size(), "%s%.17g", text_.empty() ? "" : ",", value);
    text_ += digits.data();
  }
  void add(engine::Vec2 point) {
    add(point.x);
    add(point.y);
  }
  void add(const std::vector<engine::Vec2>& polygon) {
    add(static_cast<double>(polygon.size()));
    for (const engine::Vec2 point : polygon) add(point);
  }
  void add(const engine::WheelSetup& wheel) {
    add(wheel.mass);
    add(wheel.radius);
    add(wheel.position);
    add(wheel.friction);
    add(wheel.elasticity);
    add(wheel.joint);
    add(wheel.groove_offset);
    add(wheel.damp_position);
    for (const double value : {wheel.damp_length, wheel.damp_stiffness, wheel.damp_damping}) add(value);
  }
  void add(const engine::MatchSetup& setup) {
    add(static_cast<double>(setup.map.external_id));
    add(static_cast<double>(setup.map.segments.size()));
    for (const engine::Segment& segment : setup.map.segments) {
      add(segment.a);
      add(segment.b);
      add(segment.radius);
    }
    const engine::CarSetup& car = setup.car;
    add(static_cast<double>(car.external_id));
    add(car.body_poly);
    add(car.button_poly);
    for (const double value :
         {car.body_mass, car.body_friction, car.body_elasticity, car.max_speed, car.max_angular_speed, car.torque}) {
      add(value);
    }
    add(static_cast<double>(car.drive));
    add(car.squared_wheels ? 1.0 : 0.0);
    add(car.rear_wheel);
    add(car.front_wheel);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// A game of that one match.
std::string schedule_of(const engine::MatchSetup& setup) {
  Numbers numbers;
  for (const double value : {1.0, 1.0, 1.0}) numbers.add(value);
  numbers.add(setup);
  return "[" + numbers.text() + "]";
}

/// Two digits a tick.
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
    std::printf("%s{\"name\":\"%s %s\",\"schedule\":%s,\"commands\":\"%s\",\"hashes\":[", separator,
                std::string(scene.map).c_str(), std::string(scene.car).c_str(), schedule_of(scene.setup).c_str(),
                commands.c_str());
    const auto& hashes = kGoldenStrict[i].hashes;
    std::printf("\"%016" PRIx64 "\",\"%016" PRIx64 "\",\"%016" PRIx64 "\"]}", hashes[0], hashes[1], hashes[2]);
    separator = ",\n";
  }
  std::printf("],\"positions\":[");
  separator = "";
  for (const SearchPosition& position : search_positions()) {
    std::printf("%s{\"schedule\":%s,\"commands\":\"%s\"}", separator, schedule_of(position.world.setup()).c_str(),
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
