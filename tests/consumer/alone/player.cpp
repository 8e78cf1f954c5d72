// SPDX-License-Identifier: MIT
#include <forkmunk/player/line_player.h>

int main() {
  forkmunk::player::PlannerPlayer player({});
  return forkmunk::player::answer_line(player, "no message").problem.empty() ? 1 : 0;
}
