#include "game_page.h"

namespace forkmunk::tools {

viewer::ReplayExtras replay_extras(const referee::GameResult& result) {
  viewer::ReplayExtras extras;
  for (const referee::MatchResult& match : result.matches) {
    std::array<engine::DeathCause, 2>& causes = extras.causes.emplace_back();
    for (std::size_t i = 0; i < 2; ++i) {
      if (match.died[i]) causes[i] = match.cause[i];
    }
  }
  return extras;
}

}  // namespace forkmunk::tools
