// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/match_setup.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/formats/recording.h>

#include <cstddef>
#include <variant>

namespace forkmunk::formats {

[[nodiscard]] inline RecordedBody recorded_body(const engine::BodyState& body) { return {body.position, body.angle}; }

/// Returns a car as the referee reports it to bots, without its alive flag.
[[nodiscard]] inline RecordedCar recorded_car(const engine::World& world, engine::Player player) {
  const engine::CarState car = world.car(player);
  RecordedCar recorded;
  recorded.body = recorded_body(car.body);
  recorded.rear_wheel = recorded_body(car.rear_wheel);
  recorded.front_wheel = recorded_body(car.front_wheel);
  recorded.side = player == engine::Player::first ? 1 : -1;
  return recorded;
}

/// Returns the present state as the referee logs it, without commands.
[[nodiscard]] RecordedTick recorded_tick(const engine::World& world, std::int64_t tick_num);

// The referee's messages to a bot, one JSON object per line.

/// {"type":"new_match","params":{"my_lives","enemy_lives","proto_map","proto_car"}}
struct NewMatchMessage {
  int my_lives = 0;
  int enemy_lives = 0;
  engine::MatchSetup setup;  ///< engine::validate() accepts it.
  friend bool operator==(const NewMatchMessage&, const NewMatchMessage&) = default;
};

/// {"type":"tick","params":{"my_car","enemy_car","deadline_position"}}
struct TickMessage {
  RecordedCar my_car;  ///< `side` is 1 for the first player, -1 for the second.
  RecordedCar enemy_car;
  double deadline_position = 0;
  friend bool operator==(const TickMessage&, const TickMessage&) = default;
};

/// The referee truncates a bot's `debug` text to this many characters.
inline constexpr std::size_t kDebugCharactersMax = 200;
/// Begins an answer's debug text if the planner had no time to try a plan.
inline constexpr std::string_view kNoPlan = "no plan";

using Message = std::variant<NewMatchMessage, TickMessage>;

[[nodiscard]] TickMessage message_for(engine::Player player, const engine::World& world);
[[nodiscard]] TickMessage message_for(engine::Player player, const RecordedTick& tick);
[[nodiscard]] NewMatchMessage message_for(engine::Player player, const RecordedMatch& match);

}  // namespace forkmunk::formats
