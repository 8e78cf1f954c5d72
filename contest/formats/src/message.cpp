#include <forkmunk/formats/message.h>
#include <forkmunk/formats/recorded_state.h>

namespace forkmunk::formats {

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
