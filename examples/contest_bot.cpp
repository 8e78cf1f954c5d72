// SPDX-License-Identifier: MIT
// A bot for the contest's protocol. Try:
// forkmunk play --first ./contest_bot --second builtin:chase
#include <forkmunk/player/line_player.h>

#include <iostream>

using namespace forkmunk;

int main() {
  player::PlayerOptions options;
  options.planner = "stretched";            // any of search::planners()
  options.search.evaluator = "normalised";  // any of planning::evaluators()
  options.ticks = 1000;                     // simulated ticks per answer; or set options.time
  player::PlannerPlayer player(options);
  player::serve(player, std::cin, std::cout, [](std::string_view line) { std::cerr << line << '\n'; });
}
