#pragma once

#include <forkmunk/player/player_options.h>
#include <forkmunk/referee/bot.h>

#include <memory>

namespace forkmunk::referee {

/// A builtin planner, which receives the same messages as a process. \throws Error for invalid options.
[[nodiscard]] std::unique_ptr<Bot> make_planner_bot(const player::PlayerOptions& options);

}  // namespace forkmunk::referee
