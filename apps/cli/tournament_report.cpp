#include "tournament_report.h"

#include "apps/cli/reports/tournament_json.h"

#include <forkmunk/referee/statistics/elo.h>

#include <fmt/format.h>

namespace forkmunk::tools {

using referee::Conduct;
using referee::Standing;
using referee::TournamentReport;
using referee::statistics::EloDifference;

namespace {

std::string describe_score(const Standing& standing) {
  const auto score = score_of(standing);
  if (!score) return "no games";
  const EloDifference elo = elo_of(*score);
  return fmt::format("+{} ={} -{}, score {:.1f} % ({:.1f} to {:.1f}), Elo {:+.0f} ({:+.0f} to {:+.0f})",
                     standing.games.wins, standing.games.draws, standing.games.losses, 100 * score->value,
                     100 * score->interval.low, 100 * score->interval.high, elo.value, elo.interval.low,
                     elo.interval.high);
}

}  // namespace

std::string describe(const TournamentReport& report) {
  std::string text;
  for (std::size_t b = 0; b < report.plan.bots.size(); ++b) {
    if (report.conduct[b].disconnections == 0) continue;
    text += fmt::format("WARNING: {} was disconnected in {} games, in which its car stood still: see answers below\n",
                        report.plan.bots[b], report.conduct[b].disconnections);
  }
  for (const auto& [bots, standing] : report.pairings) {
    text += fmt::format("{} against {}: {} games, {}\n", report.plan.bots[bots.first], report.plan.bots[bots.second],
                        standing.games.games(), describe_score(standing));
  }
  if (report.pairings.size() > 1) {
    text += fmt::format("{} against all: {}\n", report.plan.bots[0], describe_score(report.first));
  }
  if (report.sprt) {
    const referee::statistics::SprtBounds bounds = sprt_bounds(*report.sprt);
    text += fmt::format("SPRT of Elo {:g} against {:g}: log-likelihood ratio {:.2f} (bounds {:.2f}, {:.2f}): {}\n",
                        report.sprt->elo0, report.sprt->elo1, report.llr, bounds.lower, bounds.upper,
                        reports::name_of(report.decision));
  }
  if (report.with_rating) {
    const auto ratings = ratings_of(report);
    text += "\nrating (95 % interval)\n";
    for (std::size_t b = 0; b < ratings.size(); ++b) {
      text += fmt::format("  {:+7.0f} ({:+.0f} to {:+.0f})  {}\n", ratings[b].elo, ratings[b].interval.low,
                          ratings[b].interval.high, report.plan.bots[b]);
    }
  }
  text += fmt::format("\nmatches of {}\n  {:34} {:>7} {:>5} {:>5} {:>6} {:>9}\n", report.plan.bots[0], "map,car",
                      "played", "won", "drawn", "lost", "ticks");
  for (const auto& [name, tally] : report.first.by_map_car) {
    text += fmt::format("  {:34} {:7} {:5} {:5} {:6} {:9.0f}\n", name, tally.matches, tally.wins, tally.draws,
                        tally.losses, static_cast<double>(tally.ticks) / static_cast<double>(tally.matches));
  }
  if (report.broken_off > 0)
    text += fmt::format("\n{} games aborted, the last one because {}\n", report.broken_off, report.last_verdict);
  text += "\nanswers\n";
  for (std::size_t b = 0; b < report.plan.bots.size(); ++b) {
    const Conduct& conduct = report.conduct[b];
    text +=
        fmt::format("  {}: {}, mean {:.3g} ms, p99 {:.3g}, max {:.3g}; {} garbled, {} games disconnected{}\n",
                    report.plan.bots[b], conduct.times.count(), conduct.times.mean_ms(),
                    conduct.times.quantile_ms(0.99), conduct.times.max_ms(), conduct.garbled, conduct.disconnections,
                    conduct.last_verdict.empty() ? "" : " (last: " + conduct.last_verdict + ")");
  }
  return text;
}

}  // namespace forkmunk::tools
