// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace forkmunk::engine {

/// `first` starts at (300, 300) facing right, `second` at (900, 300) mirrored.
enum class Player : std::uint8_t { first, second };

inline constexpr std::array kPlayers{Player::first, Player::second};

[[nodiscard]] constexpr std::size_t index_of(Player player) noexcept { return static_cast<std::size_t>(player); }
[[nodiscard]] constexpr Player opponent_of(Player player) noexcept {
  return player == Player::first ? Player::second : Player::first;
}

using Lives = std::array<int, 2>;

/// The referee applies `none`, by which the motors keep their rates, to a player to whom it could not send the tick.
enum class Command : std::uint8_t { left, stop, right, none };

inline constexpr std::array kCommands{Command::left, Command::stop, Command::right};

/// Returns the name in the contest's protocol.
[[nodiscard]] constexpr std::string_view to_string(Command command) noexcept {
  constexpr std::array<std::string_view, 4> kNames{"left", "stop", "right", "none"};
  return kNames[static_cast<std::size_t>(command)];
}
/// Returns the command of kCommands with this name, or std::nullopt.
[[nodiscard]] constexpr std::optional<Command> parse_command(std::string_view text) noexcept {
  for (const Command command : kCommands) {
    if (to_string(command) == text) return command;
  }
  return std::nullopt;
}

struct Commands {
  Command first = Command::stop;
  Command second = Command::stop;
  friend bool operator==(const Commands&, const Commands&) = default;
};

}  // namespace forkmunk::engine
