// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/formats/recording.h>
#include <forkmunk/referee/bot.h>

#include <cstddef>
#include <vector>

namespace forkmunk::tests {

class PlaybackBot final : public referee::Bot {
 public:
  PlaybackBot(const formats::Recording& recording, engine::Player player) {
    for (const formats::RecordedMatch& match : recording.matches) {
      for (const formats::RecordedTick& tick : match.ticks) {
        // A resting match takes no commands.
        if (tick.cars[0].alive == false || tick.cars[1].alive == false) continue;
        commands_.push_back(tick.commands[index_of(player)].value_or(engine::Command::stop));
      }
    }
  }

  void begin_match(const engine::World&, engine::Player, const engine::Lives&) override {}
  void send_tick(const engine::World&) override {}
  referee::Answer answer(const engine::World&) override {
    const engine::Command command = next_ < commands_.size() ? commands_[next_] : engine::Command::stop;
    ++next_;
    return {referee::Answer::Kind::command, command, {}, {}};
  }

 private:
  std::vector<engine::Command> commands_;
  std::size_t next_ = 0;
};

}  // namespace forkmunk::tests
