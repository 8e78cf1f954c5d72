#include "number_reader.h"

#include <forkmunk/base/error.h>

#include <cmath>

namespace forkmunk::web {
namespace {

constexpr double kCountMax = 1e6;

class Reader {
 public:
  explicit Reader(std::span<const double> numbers) : numbers_(numbers) {}

  double number() {
    if (at_ == numbers_.size()) throw Error("found " + std::to_string(at_) + " numbers, expected more");
    return numbers_[at_++];
  }
  std::int64_t integer(double min, double max) {
    const double value = number();
    if (!(value >= min && value <= max) || std::trunc(value) != value) {
      throw Error("found " + std::to_string(value) + " at number " + std::to_string(at_ - 1) +
                  ", expected an integer from " + std::to_string(min) + " to " + std::to_string(max));
    }
    return static_cast<std::int64_t>(value);
  }
  std::size_t count() { return static_cast<std::size_t>(integer(0, kCountMax)); }
  engine::Vec2 point() {
    const double x = number();
    return {x, number()};
  }
  std::vector<engine::Vec2> polygon() {
    std::vector<engine::Vec2> points;
    for (std::size_t left = count(); left > 0; --left) points.push_back(point());
    return points;
  }
  engine::Lives lives(double min) {
    const int first = static_cast<int>(integer(min, kCountMax));
    return {first, static_cast<int>(integer(min, kCountMax))};
  }
  engine::WheelSetup wheel() {
    engine::WheelSetup wheel;
    wheel.mass = number();
    wheel.radius = number();
    wheel.position = point();
    wheel.friction = number();
    wheel.elasticity = number();
    wheel.joint = point();
    wheel.groove_offset = number();
    wheel.damp_position = point();
    for (double* value : {&wheel.damp_length, &wheel.damp_stiffness, &wheel.damp_damping}) *value = number();
    return wheel;
  }
  engine::MatchSetup setup() {
    constexpr double kIdMax = 9007199254740992.0;  // up to here a double holds every integer
    engine::MatchSetup setup;
    setup.map.external_id = integer(-kIdMax, kIdMax);
    for (std::size_t left = count(); left > 0; --left) {
      const engine::Vec2 a = point(), b = point();
      setup.map.segments.push_back({a, b, number()});
    }
    engine::CarSetup& car = setup.car;
    car.external_id = integer(-kIdMax, kIdMax);
    car.body_poly = polygon();
    car.button_poly = polygon();
    for (double* value : {&car.body_mass, &car.body_friction, &car.body_elasticity, &car.max_speed,
                          &car.max_angular_speed, &car.torque}) {
      *value = number();
    }
    car.drive = static_cast<engine::Drive>(integer(1, 3));
    car.squared_wheels = integer(0, 1) == 1;
    car.rear_wheel = wheel();
    car.front_wheel = wheel();
    validate(setup);
    return setup;
  }
  void body(formats::RecordedBody& body) {
    body.position = point();
    body.angle = number();
  }
  formats::RecordedTick tick() {
    formats::RecordedTick tick;
    tick.tick_num = integer(0, kCountMax);
    for (formats::RecordedCar& car : tick.cars) {
      for (formats::RecordedBody* part : car.parts()) body(*part);
    }
    tick.deadline_position = number();
    for (formats::RecordedCar& car : tick.cars) car.side = static_cast<int>(integer(-1, 1));
    for (formats::RecordedCar& car : tick.cars) {
      if (const std::int64_t alive = integer(-1, 1); alive >= 0) car.alive = alive == 1;
    }
    for (auto& command : tick.commands) {
      if (const std::int64_t value = integer(-1, 2); value >= 0) command = static_cast<engine::Command>(value);
    }
    return tick;
  }
  void end() const {
    if (at_ != numbers_.size()) throw Error("found numbers after the last one, expected none");
  }

 private:
  std::span<const double> numbers_;
  std::size_t at_ = 0;
};

}  // namespace

Schedule read_schedule(std::span<const double> numbers) {
  Reader reader(numbers);
  Schedule schedule;
  schedule.lives = reader.lives(0);
  for (std::size_t left = reader.count(); left > 0; --left) schedule.matches.push_back(reader.setup());
  reader.end();
  if (schedule.matches.empty()) throw Error("found no match, expected at least one");
  return schedule;
}

formats::Recording read_recording(std::span<const double> numbers) {
  Reader reader(numbers);
  formats::Recording recording;
  recording.has_commands = reader.integer(0, 1) == 1;
  const engine::Lives final_lives = reader.lives(-1);
  if (final_lives[0] >= 0) recording.final_lives = final_lives;
  for (std::size_t matches_left = reader.count(); matches_left > 0; --matches_left) {
    formats::RecordedMatch match;
    match.setup = reader.setup();
    match.lives = reader.lives(0);
    for (std::size_t ticks_left = reader.count(); ticks_left > 0; --ticks_left) match.ticks.push_back(reader.tick());
    recording.matches.push_back(std::move(match));
  }
  reader.end();
  return recording;
}

}  // namespace forkmunk::web
