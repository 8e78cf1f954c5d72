#include "game_report.h"

#include <forkmunk/statistics/summary.h>

#include <fmt/format.h>

namespace forkmunk::tools {

using nlohmann::ordered_json;
using statistics::Summary;

ordered_json to_json(const referee::GameResult& result, const std::vector<std::string>& match_names) {
  ordered_json json{{"lives", result.lives}, {"ticks", result.ticks}};
  json["winner"] = result.winner ? static_cast<int>(index_of(*result.winner)) + 1 : 0;
  if (!result.verdict.empty()) json["verdict"] = result.verdict;
  json["matches"] = ordered_json::array();
  for (std::size_t m = 0; m < result.matches.size(); ++m) {
    const referee::MatchResult& match = result.matches[m];
    const std::string& name = match_names[m];
    ordered_json losers = ordered_json::array();
    ordered_json causes = ordered_json::array();
    for (std::size_t i = 0; i < 2; ++i) {
      if (!match.died[i]) continue;
      losers.push_back(i + 1);
      causes.push_back(engine::to_string(match.cause[i]));
    }
    json["matches"].push_back({{"map", name.substr(0, name.find(','))},
                               {"car", name.substr(name.find(',') + 1)},
                               {"ticks", match.ticks},
                               {"losers", losers},
                               {"causes", causes}});
  }
  json["time_ms"] = ordered_json::array();
  json["bots"] = ordered_json::array();
  for (const referee::PlayerResult& player : result.players) {
    const Summary time = statistics::summary_of(player.answer_ms).value_or(Summary{});
    json["time_ms"].push_back({{"mean", time.mean}, {"p99", time.p99}, {"max", time.max}});
    json["bots"].push_back({{"answers", player.answer_ms.size()},
                            {"garbled", player.garbled_answers},
                            {"disconnected", player.disconnected},
                            {"verdict", player.verdict}});
  }
  return json;
}

std::string describe(const referee::GameResult& result, const std::vector<std::string>& match_names,
                     const std::array<std::string, 2>& bots) {
  std::string text =
      fmt::format("{}: {} {} : {} {}, {} matches, {} ticks\n",
                  result.winner ? fmt::format("player {} won", index_of(*result.winner) + 1) : std::string("draw"),
                  bots[0], result.lives[0], result.lives[1], bots[1], result.matches.size(), result.ticks);
  if (!result.verdict.empty()) text += fmt::format("  {}\n", result.verdict);
  for (std::size_t m = 0; m < result.matches.size(); ++m) {
    const referee::MatchResult& match = result.matches[m];
    text += fmt::format("  {:32} {:5} ticks ", match_names[m], match.ticks);
    for (std::size_t i = 0; i < 2; ++i) {
      if (match.died[i]) text += fmt::format(" player {} lost ({})", i + 1, engine::to_string(match.cause[i]));
    }
    text += match.died[0] || match.died[1] ? "\n" : " nobody lost\n";
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const referee::PlayerResult& player = result.players[i];
    const Summary time = statistics::summary_of(player.answer_ms).value_or(Summary{});
    text += fmt::format("  player {}: {} answers, {:.3g} ms each, p99 {:.3g}, longest {:.3g}", i + 1,
                        player.answer_ms.size(), time.mean, time.p99, time.max);
    if (player.garbled_answers > 0) text += fmt::format("; {} garbled", player.garbled_answers);
    if (player.disconnected) text += fmt::format("; disconnected: {}", player.verdict);
    text += '\n';
  }
  return text;
}

}  // namespace forkmunk::tools
