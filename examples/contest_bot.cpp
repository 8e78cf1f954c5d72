// A bot for the contest's protocol: reads the referee's lines, answers each tick with what a planner finds.
// Try it: forkmunk play --first ./contest_bot --second builtin:chase
#include <forkmunk/player/line_player.h>

#include <iostream>

using namespace forkmunk;

int main() {
  player::PlayerOptions options;
  options.planner = "stretched";            // any of search::planners()
  options.search.evaluator = "normalised";  // any of search::evaluators()
  options.ticks = 1000;                     // simulated for an answer; or options.time
  player::PlannerPlayer player(options);    // follows the game, and plans
  player::serve(player, std::cin, std::cout, [](std::string_view line) { std::cerr << line << '\n'; });
}
