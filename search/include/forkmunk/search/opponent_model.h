#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace forkmunk::search {

/// A planner's assumption about the opponent. A plan's score is the one against the worst of the assumed replies.
enum class OpponentModel : std::uint8_t {
  still,      ///< It stops.
  repeat,     ///< It repeats its last known command.
  constant3,  ///< The worst of left, stop and right, held for the whole horizon; in other games, of the first four
              ///< commands.
  planned,    ///< Its plan is searched first, with a part of the budget, against my last plan.
  robust,     ///< The worst of three plans: that of `planned`; the same, but with its last known command for the first
              ///< 4 ticks; and the one expected before this search. Below 800 ticks as `planned`.
  coevolve,   ///< Both sides' plans improve in turns, each against the other's best so far.
};

struct OpponentModelInfo {
  OpponentModel model;
  std::string_view name;
  std::string_view what;  ///< One line for --help.
};

[[nodiscard]] std::span<const OpponentModelInfo> opponent_models() noexcept;
[[nodiscard]] std::string_view to_string(OpponentModel model) noexcept;
[[nodiscard]] std::optional<OpponentModel> parse_opponent_model(std::string_view name) noexcept;

}  // namespace forkmunk::search
