#pragma once

#include <forkmunk/engine/match_setup.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/referee/recording.h>

#include <string>
#include <string_view>
#include <variant>

/// What the referee tells a bot, one JSON object a line.
namespace forkmunk::referee {

/// {"type":"new_match","params":{"my_lives","enemy_lives","proto_map","proto_car"}}
struct NewMatchMessage {
  int my_lives = 0;
  int enemy_lives = 0;
  engine::MatchSetup setup;  ///< validate() has accepted it.
  friend bool operator==(const NewMatchMessage&, const NewMatchMessage&) = default;
};

/// {"type":"tick","params":{"my_car","enemy_car","deadline_position"}}
struct TickMessage {
  RecordedCar my_car;  ///< Its side tells which player "I" am: 1 the first, -1 the second.
  RecordedCar enemy_car;
  double deadline_position = 0;
  friend bool operator==(const TickMessage&, const TickMessage&) = default;
};

using Message = std::variant<NewMatchMessage, TickMessage>;

/// Reads a line that a bot was sent. \throws Error naming the field, what was found and what was expected.
[[nodiscard]] Message parse_message(std::string_view line);

/// The line, without its line end, that parse_message() reads back to an equal message.
[[nodiscard]] std::string to_line(const NewMatchMessage& message);
[[nodiscard]] std::string to_line(const TickMessage& message);

/// The message that `player` gets at the world's tick.
[[nodiscard]] TickMessage message_for(engine::Player player, const engine::World& world);
/// The message that `player` gets at a recorded tick, and at the beginning of a recorded match.
[[nodiscard]] TickMessage message_for(engine::Player player, const RecordedTick& tick);
[[nodiscard]] NewMatchMessage message_for(engine::Player player, const RecordedMatch& match);

}  // namespace forkmunk::referee
