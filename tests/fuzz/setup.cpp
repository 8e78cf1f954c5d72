// SPDX-License-Identifier: MIT
#include "byte_input.h"
#include "support/scenes.h"
#include "target.h"

#include <forkmunk/engine/testing/lockstep.h>

#include <bit>
#include <cmath>

/// Both engines play every setup that validate() accepts, with equal states.
namespace forkmunk {
namespace {

using engine::MatchSetup;
using engine::Vec2;
using tests::ByteInput;

constexpr int kTicks = 200;

std::vector<double*> numbers_of(MatchSetup& setup) {
  std::vector<double*> numbers;
  const auto add = [&numbers](Vec2& point) { numbers.insert(numbers.end(), {&point.x, &point.y}); };
  engine::CarSetup& car = setup.car;
  numbers = {&car.body_mass, &car.body_friction,     &car.body_elasticity,
             &car.max_speed, &car.max_angular_speed, &car.torque};
  for (engine::WheelSetup* wheel : {&car.rear_wheel, &car.front_wheel}) {
    numbers.insert(numbers.end(),
                   {&wheel->mass, &wheel->radius, &wheel->friction, &wheel->elasticity, &wheel->groove_offset,
                    &wheel->damp_length, &wheel->damp_stiffness, &wheel->damp_damping});
    for (Vec2* point : {&wheel->position, &wheel->joint, &wheel->damp_position}) add(*point);
  }
  for (std::vector<Vec2>* polygon : {&car.body_poly, &car.button_poly}) {
    for (Vec2& point : *polygon) add(point);
  }
  for (engine::Segment& segment : setup.map.segments) {
    add(segment.a);
    add(segment.b);
    numbers.push_back(&segment.radius);
  }
  return numbers;
}

template <class Element>
void change_count(ByteInput& input, std::vector<Element>& list) {
  if (list.empty()) return;
  const auto element = list.begin() + static_cast<std::ptrdiff_t>(input.index(list.size()));
  if (input.index(2) == 0) {
    list.erase(element);
  } else {
    list.insert(list.end(), 1 + input.index(256), Element(*element));
  }
}

void change(ByteInput& input, MatchSetup& setup) {
  switch (input.index(16)) {
    case 0: return change_count(input, setup.map.segments);
    case 1: return change_count(input, input.index(2) == 0 ? setup.car.body_poly : setup.car.button_poly);
    case 2: setup.car.drive = static_cast<engine::Drive>(input.take<std::uint8_t>()); return;
    case 3: setup.car.squared_wheels = !setup.car.squared_wheels; return;
    case 4: setup.map.segments.clear(); return;
    default: break;
  }
  const std::vector<double*> numbers = numbers_of(setup);
  double& number = *numbers[input.take<std::uint16_t>() % numbers.size()];
  number = input.number(number);
}

void play(const MatchSetup& setup, std::uint64_t seed) {
  engine::Lockstep lockstep;
  lockstep.begin_match(setup);
  tests::Script script(seed);
  for (int tick = 0; tick < kTicks && lockstep.step(script.next()); ++tick) {}
  if (!lockstep.difference()) return;
  const engine::EngineDifference& difference = *lockstep.difference();
  tests::require(false, "tick " + std::to_string(difference.tick) + ": Chipmunk " + difference.chipmunk + ", flat " +
                            difference.flat);
}

}  // namespace
}  // namespace forkmunk

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace forkmunk;
  ByteInput input(data, size);
  MatchSetup setup = tests::all_scenes()[input.index(tests::all_scenes().size())].setup;
  const std::uint64_t seed = input.take<std::uint16_t>();
  while (!input.empty()) change(input, setup);
  try {
    validate(setup);
  } catch (const engine::InvalidSetup&) {
    return 0;
  }
  play(setup, seed);
  return 0;
}
