// SPDX-License-Identifier: MIT
#include "apps/cli/reports/tournament_json.h"

#include <forkmunk/referee/statistics.h>

#include <array>

namespace forkmunk::reports {

using io::JsonWriter;
using referee::Conduct;
using referee::MatchTally;
using referee::Standing;
using referee::TournamentReport;
using referee::statistics::EloDifference;
using referee::statistics::Interval;
using referee::statistics::SprtDecision;

namespace {

// Writes an interval. If all games were won or lost, the Elo is infinite, which becomes null.
void write_interval(JsonWriter& json, const char* key, const Interval& interval) {
  json.field(key, std::array{interval.low, interval.high});
}

void write_fields(JsonWriter& json, const Standing& standing) {
  json.field("games", standing.games.games()).field("pairs", standing.pairs.pairs());
  json.field("wins", standing.games.wins).field("draws", standing.games.draws).field("losses", standing.games.losses);
  const auto score = score_of(standing);
  if (!score) {
    for (const char* key : {"score", "score_ci95", "elo", "elo_ci95"}) json.key(key).null();
    return;
  }
  const EloDifference elo = elo_of(*score);
  write_interval(json.field("score", score->value), "score_ci95", score->interval);
  write_interval(json.field("elo", elo.value), "elo_ci95", elo.interval);
  json.field("lives", standing.lives);
}

void write_matches(JsonWriter& json, const std::map<std::string, MatchTally>& tallies) {
  json.list(tallies, [&](const auto& entry) {
    const auto& [name, tally] = entry;
    json.object([&, &name = name, &tally = tally] {
      json.field("map", name.substr(0, name.find(','))).field("car", name.substr(name.find(',') + 1));
      json.field("matches", tally.matches).field("wins", tally.wins).field("draws", tally.draws);
      json.field("losses", tally.losses);
      json.field("mean_ticks", static_cast<double>(tally.ticks) / static_cast<double>(tally.matches));
    });
  });
}

void write_bots(JsonWriter& json, const TournamentReport& report) {
  const auto ratings = ratings_of(report);
  json.list([&] {
    for (std::size_t b = 0; b < report.plan.bots.size(); ++b) {
      const Conduct& conduct = report.conduct[b];
      json.object([&] {
        json.field("bot", report.plan.bots[b]).key("time_ms").object([&] {
          json.field("mean", conduct.times.mean_ms()).field("p99", conduct.times.quantile_ms(0.99));
          json.field("max", conduct.times.max_ms());
        });
        json.field("answers", conduct.times.count()).field("garbled", conduct.garbled);
        json.field("surplus_lines", conduct.surplus_lines);
        json.field("disconnections", conduct.disconnections).field("last_verdict", conduct.last_verdict);
        if (!report.with_rating) return;
        json.key("rating").object(
            [&] { write_interval(json.field("elo", ratings[b].elo), "ci95", ratings[b].interval); });
      });
    }
  });
}

void write_sprt(JsonWriter& json, const TournamentReport& report) {
  const referee::statistics::SprtBounds bounds = sprt_bounds(*report.sprt);
  json.object([&] {
    json.field("elo0", report.sprt->elo0).field("elo1", report.sprt->elo1);
    json.field("alpha", report.sprt->alpha).field("beta", report.sprt->beta).field("llr", report.llr);
    json.field("lower", bounds.lower).field("upper", bounds.upper).field("decision", name_of(report.decision));
  });
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

void write(JsonWriter& json, const TournamentReport& report) {
  json.object([&] {
    write_fields(json, report.first);
    write_bots(json.key("bots"), report);
    write_matches(json.key("by_map_car"), report.first.by_map_car);
    json.key("pairings").list([&] {
      for (const auto& [bots, standing] : report.pairings) {
        json.object([&, &bots = bots, &standing = standing] {
          json.field("first", report.plan.bots[bots.first]).field("second", report.plan.bots[bots.second]);
          write_fields(json, standing);
        });
      }
    });
    json.field("broken_off", report.broken_off);
    if (report.broken_off > 0) json.field("last_verdict", report.last_verdict);
    if (report.sprt) write_sprt(json.key("sprt"), report);
  });
}

}  // namespace forkmunk::reports
