// SPDX-License-Identifier: MIT
#pragma once

#include "flat/live_state.h"
#include "match_rules.h"
#include "world_implementation.h"

#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/clonable_space.h>
#include <forkmunk/engine/world.h>

#include <array>
#include <vector>

/// A match, built and stepped as the referee does it, in an arena or, for the benchmarks, on malloc.
namespace forkmunk::engine {

/// The order is that in the space.
struct CarParts {
  cpShape* button;
  cpBody* body;
  cpShape* body_shape;
  cpBody *rear_wheel, *front_wheel;
  cpShape *rear_shape, *front_shape;
  cpConstraint *rear_groove, *rear_spring, *front_groove, *front_spring;
  cpConstraint *rear_motor, *front_motor;  // null without drive
};

/// The root object of the arena, which is trivially copyable.
struct Match {
  std::array<CarParts, 2> cars;
  cpBody* deadline_body;  // kinematic, and never added to the space
  cpShape* deadline_shape;

  double torque;
  double max_speed;
  double rear_reach, front_reach;  // the wheel's radius plus 1: a wheel this near to anything is not in the air

  MatchRules rules;
};

void show_pointers(void* match, chipmunk::PointerVisitor& visitor);

/// The order of adding objects fixes the bits.
class MatchBuilder {
 public:
  MatchBuilder(const chipmunk::ChipmunkApi& api, cpSpace* space, const MatchSetup& setup) noexcept
      : api_(api), space_(space), setup_(setup) {}

  void create_static_shapes();
  /// \param match  a zeroed Match, which must stay at this address.
  void create_dynamic(Match& match) const;
  void add_static_shapes() const;
  void add_dynamic(Match& match) const;

  [[nodiscard]] std::size_t static_shape_count() const noexcept { return setup_.map.segments.size() + kWallCount; }
  [[nodiscard]] const std::vector<cpShape*>& static_shapes() const noexcept { return static_shapes_; }

 private:
  [[nodiscard]] CarParts create_car(Player player) const;
  [[nodiscard]] cpBody* create_wheel_body(const WheelSetup& wheel, Vec2 car_position, double mirror) const;
  [[nodiscard]] cpShape* create_wheel_shape(const WheelSetup& wheel, cpBody* body, Player player) const;

  const chipmunk::ChipmunkApi& api_;
  cpSpace* space_;
  const MatchSetup& setup_;
  std::vector<cpShape*> static_shapes_;
};

void step_match(const chipmunk::ChipmunkApi& api, cpSpace* space, Match& match, Commands commands) noexcept;

[[nodiscard]] bool in_air(const chipmunk::ChipmunkApi& api, cpSpace* space, const Match& match, Player player) noexcept;

[[nodiscard]] CarState car_state(const CarParts& car) noexcept;

void set_car_state(const chipmunk::ChipmunkApi& api, const CarParts& car, const CarState& state) noexcept;

/// Works like WorldImplementation::write_flat_state().
void write_flat_state(const chipmunk::ClonableSpace& space, const Match& match, const flat::MatchModel& model,
                      flat::LiveState& state) noexcept;

}  // namespace forkmunk::engine
