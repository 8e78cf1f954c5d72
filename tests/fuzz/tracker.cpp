// SPDX-License-Identifier: MIT
#include "byte_input.h"
#include "support/scenes.h"
#include "target.h"

#include <forkmunk/formats/message.h>
#include <forkmunk/planning/planner.h>
#include <forkmunk/replay/tracker.h>

#include <cmath>
#include <utility>

/// The referee drops, doubles and falsifies messages to a tracker and a planner.
namespace forkmunk {
namespace {

using engine::Player;
using tests::ByteInput;

constexpr int kMessageCountMax = 200;

void falsify(ByteInput& input, formats::TickMessage& message) {
  formats::RecordedCar& car = input.index(2) == 0 ? message.my_car : message.enemy_car;
  double* const numbers[] = {&car.body.position.x,        &car.body.position.y,        &car.body.angle,
                             &car.rear_wheel.position.x,  &car.rear_wheel.position.y,  &car.rear_wheel.angle,
                             &car.front_wheel.position.x, &car.front_wheel.position.y, &car.front_wheel.angle,
                             &message.deadline_position};
  double& number = *numbers[input.index(std::size(numbers))];
  const double value = input.number(number);
  if (std::isfinite(value)) number = value;  // parse_message() rejects other numbers
}

class Referee {
 public:
  explicit Referee(ByteInput& input)
      : input_(input),
        physics_(input.index(2) == 0 ? engine::Physics::flat : engine::Physics::chipmunk),
        world_(physics_),
        tracker_(physics_),
        planner_(planning::make_planner(search::planners()[input.index(search::planners().size())].name, {})) {
    begin_match();
  }

  void play() {
    for (int i = 0; i < kMessageCountMax && !input_.empty(); ++i) {
      const std::uint8_t what = input_.take<std::uint8_t>();
      if (what >= 0xF8) {
        begin_match();
        continue;
      }
      const auto command = [](unsigned bits) { return engine::kCommands[bits % engine::kCommands.size()]; };
      const auto theirs = command(what & 3u);
      if ((what & 0x40) == 0) send_state((what & 0x80) != 0);
      const auto mine = (what & 0x20) != 0 ? decide() : command(what >> 2 & 3u);
      if ((what & 0x10) == 0) tracker_.answered(mine);
      world_.step(me_ == Player::first ? engine::Commands{mine, theirs} : engine::Commands{theirs, mine});
    }
  }

 private:
  void begin_match() {
    const auto& scenes = tests::all_scenes();
    me_ = input_.index(2) == 0 ? Player::first : Player::second;
    world_.begin_match(scenes[input_.index(scenes.size())].setup);
    tracker_.receive(formats::NewMatchMessage{5, 5, world_.setup()});
    fresh_ = true;
  }

  void send_state(bool falsely) {
    formats::TickMessage message = formats::message_for(me_, world_);
    if (falsely) falsify(input_, message);
    tracker_.receive(message);
  }

  engine::Command decide() {
    if (tracker_.status() == replay::Tracker::Status::waiting || !tracker_.me()) return engine::Command::stop;
    if (std::exchange(fresh_, false)) planner_->begin_match(tracker_.world(), *tracker_.me());
    auto budget = search::Budget::of_ticks(12);
    return planner_->decide(tracker_.world(), engine::Command::stop, budget).command;
  }

  ByteInput& input_;
  engine::Physics physics_;
  engine::World world_;
  replay::Tracker tracker_;
  std::unique_ptr<planning::Planner> planner_;
  Player me_ = Player::first;
  bool fresh_ = true;
};

}  // namespace
}  // namespace forkmunk

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  forkmunk::tests::ByteInput input(data, size);
  forkmunk::Referee(input).play();
  return 0;
}
