// A bot for the contest's protocol: reads the referee's lines, answers each tick with what a planner finds.
// Try it: forkmunk play --first ./contest_bot --second builtin:chase
#include <forkmunk/player/line_player.h>

#include <iostream>
#include <string>

using namespace forkmunk;

int main() {
  player::PlayerOptions options;
  options.planner = "stretched";            // any of search::planners()
  options.search.evaluator = "normalised";  // any of search::evaluators()
  options.ticks = 1000;                     // simulated for an answer; or options.time_ms
  player::PlannerPlayer player(options);    // follows the game, and plans
  for (std::string line; std::getline(std::cin, line);) {
    const player::LineAnswer answer = player::answer_line(player, line);
    if (!answer.problem.empty()) std::cerr << answer.problem << '\n';
    if (answer.line) std::cout << *answer.line << std::endl;  // the referee waits for it
  }
}
