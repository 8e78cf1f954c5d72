#pragma once

#include <forkmunk/player/player_options.h>
#include <forkmunk/referee/bot.h>

#include <memory>

namespace forkmunk::referee {

/// A planner within this program: it sees the game through the same messages as a process. \throws Error if an option
/// is not usable.
[[nodiscard]] std::unique_ptr<Bot> make_planner_bot(const player::PlayerOptions& options);

}  // namespace forkmunk::referee
