// SPDX-License-Identifier: MIT

#include <forkmunk/formats/message.h>
#include <forkmunk/formats/recording.h>

#include <algorithm>

namespace forkmunk::formats {

static_assert(sizeof(RecordedTick) <= 184, "a game has thousands of ticks: keep each one small");

bool RecordedMatch::has_alive_flags() const noexcept {
  return std::ranges::any_of(
      ticks, [](const RecordedTick& tick) { return tick.cars[0].alive.has_value() || tick.cars[1].alive.has_value(); });
}

std::size_t Recording::tick_count() const noexcept {
  std::size_t count = 0;
  for (const RecordedMatch& match : matches) count += match.ticks.size();
  return count;
}

RecordedTick recorded_tick(const engine::World& world, std::int64_t tick_num) {
  RecordedTick tick;
  tick.tick_num = tick_num;
  for (const engine::Player player : engine::kPlayers) {
    tick.cars[index_of(player)] = recorded_car(world, player);
    tick.cars[index_of(player)].alive = !world.dead(player);
  }
  tick.deadline_position = world.deadline_y();
  return tick;
}

TickMessage message_for(engine::Player player, const engine::World& world) {
  return {recorded_car(world, player), recorded_car(world, opponent_of(player)), world.deadline_y()};
}

TickMessage message_for(engine::Player player, const RecordedTick& tick) {
  TickMessage message{tick.cars[index_of(player)], tick.cars[index_of(opponent_of(player))], tick.deadline_position};
  message.my_car.alive.reset();  // messages to bots omit it
  message.enemy_car.alive.reset();
  return message;
}

NewMatchMessage message_for(engine::Player player, const RecordedMatch& match) {
  return {match.lives[index_of(player)], match.lives[index_of(opponent_of(player))], match.setup};
}

}  // namespace forkmunk::formats
