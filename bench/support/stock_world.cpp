// SPDX-License-Identifier: MIT
#include "bench/support/stock_world.h"

#include "chipmunk/match.h"

#include <forkmunk/base/check.h>
#include <forkmunk/chipmunk/chipmunk_api.h>

#include <algorithm>
#include <vector>

extern "C" {
#define X(function) extern decltype(::function) forkmunk_stock_strict_##function;
#include <forkmunk/chipmunk/chipmunk_functions.def>
#undef X
#ifdef FORKMUNK_HAS_REFEREE_ARITHMETIC
#define X(function) extern decltype(::function) forkmunk_stock_referee_##function;
#include <forkmunk/chipmunk/chipmunk_functions.def>
#undef X
#endif
}

namespace forkmunk::bench {
namespace {

constexpr chipmunk::ChipmunkApi kStrict{
#define X(function) &forkmunk_stock_strict_##function,
#include <forkmunk/chipmunk/chipmunk_functions.def>
#undef X
};

#ifdef FORKMUNK_HAS_REFEREE_ARITHMETIC
constexpr chipmunk::ChipmunkApi kReferee{
#define X(function) &forkmunk_stock_referee_##function,
#include <forkmunk/chipmunk/chipmunk_functions.def>
#undef X
};
#endif

/// Returns Chipmunk with malloc and buffers of 32 KiB. \pre is_available(arithmetic).
const chipmunk::ChipmunkApi& stock_chipmunk_api(Arithmetic arithmetic) noexcept {
#ifdef FORKMUNK_HAS_REFEREE_ARITHMETIC
  if (arithmetic == Arithmetic::referee) return kReferee;
#endif
  FORKMUNK_CHECK(arithmetic == Arithmetic::strict, "this build has no referee arithmetic");
  return kStrict;
}

}  // namespace

using chipmunk::ChipmunkApi;
using engine::BodyState;
using engine::CarParts;
using engine::CarState;
using engine::Player;

struct StockWorld::Impl {
  explicit Impl(const chipmunk::ChipmunkApi& api_) : api(api_), space(api.cpSpaceNew()) {}
  ~Impl() {
    end_match();
    api.cpSpaceFree(space);
  }
  Impl(Impl&&) = delete;

  void remove(cpConstraint* joint) const {
    if (joint == nullptr) return;
    api.cpSpaceRemoveConstraint(space, joint);
    api.cpConstraintFree(joint);
  }

  void remove(cpShape* shape) const {
    api.cpSpaceRemoveShape(space, shape);
    api.cpShapeFree(shape);
  }

  void remove(cpBody* body) const {
    api.cpSpaceRemoveBody(space, body);
    api.cpBodyFree(body);
  }

  void end_match() {
    if (!has_match) return;
    for (const CarParts& car : match.cars) {
      for (cpConstraint* joint :
           {car.rear_groove, car.rear_spring, car.front_groove, car.front_spring, car.rear_motor, car.front_motor}) {
        remove(joint);
      }
      for (cpShape* shape : {car.button, car.body_shape, car.rear_shape, car.front_shape}) remove(shape);
      for (cpBody* body : {car.body, car.rear_wheel, car.front_wheel}) remove(body);
    }
    remove(match.deadline_shape);
    api.cpBodyFree(match.deadline_body);
    for (cpShape* shape : static_shapes) remove(shape);
    static_shapes.clear();
    match = {};
    has_match = false;
  }

  const chipmunk::ChipmunkApi& api;
  cpSpace* space;
  engine::Match match{};
  std::vector<cpShape*> static_shapes;
  bool has_match = false;
};

StockWorld::StockWorld(Arithmetic arithmetic) {
  if (!is_available(arithmetic)) {
    throw Error("this build has no referee arithmetic: it needs gcc (strict arithmetic is available)");
  }
  impl_ = std::make_unique<Impl>(stock_chipmunk_api(arithmetic));
}

StockWorld::~StockWorld() = default;

void StockWorld::begin_match(const engine::MatchSetup& setup) {
  validate(setup);
  impl_->end_match();
  engine::MatchBuilder builder(impl_->api, impl_->space, setup);
  builder.create_static_shapes();
  builder.create_dynamic(impl_->match);
  builder.add_static_shapes();
  builder.add_dynamic(impl_->match);
  impl_->static_shapes = builder.static_shapes();
  impl_->has_match = true;
}

void StockWorld::step(engine::Commands commands) noexcept {
  step_match(impl_->api, impl_->space, impl_->match, commands);
}

CarState StockWorld::car(Player player) const noexcept { return car_state(impl_->match.cars[index_of(player)]); }

double StockWorld::deadline_y() const noexcept { return impl_->match.deadline_body->transform.ty; }

bool StockWorld::dead(Player player) const noexcept { return impl_->match.rules.dead[index_of(player)]; }

bool StockWorld::match_over() const noexcept { return impl_->match.rules.over; }

bool same_state(const engine::World& world, const StockWorld& stock) noexcept {
  const auto same_body = [](const BodyState& a, const BodyState& b) {
    return a.position == b.position && a.angle == b.angle && a.velocity == b.velocity &&
           a.angular_velocity == b.angular_velocity;
  };
  const auto same_car = [&](Player player) {
    const CarState a = world.car(player);
    const CarState b = stock.car(player);
    return same_body(a.body, b.body) && same_body(a.rear_wheel, b.rear_wheel) &&
           same_body(a.front_wheel, b.front_wheel) && world.dead(player) == stock.dead(player);
  };
  return std::all_of(engine::kPlayers.begin(), engine::kPlayers.end(), same_car) &&
         world.deadline_y() == stock.deadline_y() && world.match_over() == stock.match_over();
}

}  // namespace forkmunk::bench
