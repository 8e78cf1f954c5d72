#include "reports/arena_json.h"

#include <forkmunk/statistics/elo.h>

#include <cmath>

namespace forkmunk::reports {

using nlohmann::ordered_json;
using referee::ArenaReport;
using referee::Conduct;
using referee::MatchTally;
using referee::Standing;
using statistics::EloDifference;
using statistics::SprtDecision;

namespace {

// JSON has no infinity: a side on which every game was won or lost has no Elo.
ordered_json finite(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr); }

ordered_json to_json(const Standing& standing) {
  ordered_json json{{"games", standing.games.games()},
                    {"pairs", standing.pairs.pairs()},
                    {"wins", standing.games.wins},
                    {"draws", standing.games.draws},
                    {"losses", standing.games.losses}};
  const auto score = score_of(standing);
  if (!score) {
    for (const char* key : {"score", "score_ci95", "elo", "elo_ci95"}) json[key] = nullptr;
    return json;
  }
  const EloDifference elo = elo_of(*score);
  json["score"] = score->value;
  json["score_ci95"] = {score->interval.low, score->interval.high};
  json["elo"] = finite(elo.value);
  json["elo_ci95"] = {finite(elo.interval.low), finite(elo.interval.high)};
  json["lives"] = standing.lives;
  return json;
}

ordered_json to_json(const std::map<std::string, MatchTally>& tallies) {
  ordered_json json = ordered_json::array();
  for (const auto& [name, tally] : tallies) {
    json.push_back({{"map", name.substr(0, name.find(','))},
                    {"car", name.substr(name.find(',') + 1)},
                    {"matches", tally.matches},
                    {"wins", tally.wins},
                    {"draws", tally.draws},
                    {"losses", tally.losses},
                    {"mean_ticks", static_cast<double>(tally.ticks) / static_cast<double>(tally.matches)}});
  }
  return json;
}

}  // namespace

const char* name_of(SprtDecision decision) {
  switch (decision) {
    case SprtDecision::accept_h0: return "accept_h0";
    case SprtDecision::accept_h1: return "accept_h1";
    case SprtDecision::undecided: break;
  }
  return "undecided";
}

ordered_json to_json(const ArenaReport& report) {
  ordered_json json = to_json(report.first);
  json["bots"] = ordered_json::array();
  const auto ratings = ratings_of(report);
  for (std::size_t b = 0; b < report.plan.bots.size(); ++b) {
    const Conduct& conduct = report.conduct[b];
    ordered_json bot{{"bot", report.plan.bots[b]},
                     {"time_ms",
                      {{"mean", conduct.times.mean_ms()},
                       {"p99", conduct.times.quantile_ms(0.99)},
                       {"max", conduct.times.max_ms()}}},
                     {"answers", conduct.times.count()},
                     {"garbled", conduct.garbled},
                     {"disconnections", conduct.disconnections},
                     {"last_verdict", conduct.last_verdict}};
    if (report.with_rating) {
      bot["rating"] = {{"elo", ratings[b].elo}, {"ci95", {ratings[b].interval.low, ratings[b].interval.high}}};
    }
    json["bots"].push_back(bot);
  }
  json["by_map_car"] = to_json(report.first.by_map_car);
  json["pairings"] = ordered_json::array();
  for (const auto& [bots, standing] : report.pairings) {
    ordered_json pairing{{"first", report.plan.bots[bots.first]}, {"second", report.plan.bots[bots.second]}};
    pairing.update(to_json(standing));
    json["pairings"].push_back(pairing);
  }
  json["broken_off"] = report.broken_off;
  if (report.broken_off > 0) json["last_verdict"] = report.last_verdict;
  if (!report.pages.empty()) json["pages"] = report.pages;
  if (report.sprt) {
    const statistics::SprtBounds bounds = sprt_bounds(*report.sprt);
    json["sprt"] = {{"elo0", report.sprt->elo0},   {"elo1", report.sprt->elo1},
                    {"alpha", report.sprt->alpha}, {"beta", report.sprt->beta},
                    {"llr", report.llr},           {"lower", bounds.lower},
                    {"upper", bounds.upper},       {"decision", name_of(report.decision)}};
  }
  return json;
}

}  // namespace forkmunk::reports
