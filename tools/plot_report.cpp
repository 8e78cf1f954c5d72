#include "plot_report.h"

#include <forkmunk/statistics/ratings.h>
#include <forkmunk/statistics/score.h>
#include <forkmunk/version.h>

#include <fmt/format.h>

namespace forkmunk::tools {
namespace {

viewer::BarChart scores(const referee::ArenaReport& report) {
  viewer::BarChart chart{"Score, 95 % interval: (wins + draws / 2) / games",
                         {"score"},
                         {},
                         viewer::BarChart::Kind::dots,
                         0.5,
                         std::pair(0.0, 1.0)};
  for (const auto& [bots, standing] : report.pairings) {
    const auto score = score_of(standing);
    if (!score) continue;
    chart.rows.push_back(
        {report.plan.bots[bots.first] + " – " + report.plan.bots[bots.second],
         {{score->value, std::pair(score->interval.low, score->interval.high), fmt::format("{:.3f}", score->value)}}});
  }
  return chart;
}

viewer::BarChart ratings(const referee::ArenaReport& report) {
  viewer::BarChart chart{"Rating, Elo, 95 % interval", {"rating"}, {}, viewer::BarChart::Kind::dots, 0.0, {}};
  const auto ratings = ratings_of(report);
  for (std::size_t b = 0; b < ratings.size(); ++b) {
    chart.rows.push_back({report.plan.bots[b],
                          {{ratings[b].elo, std::pair(ratings[b].interval.low, ratings[b].interval.high),
                            fmt::format("{:+.0f}", ratings[b].elo)}}});
  }
  return chart;
}

viewer::BarChart matches(const referee::ArenaReport& report) {
  viewer::BarChart chart{"Matches of " + report.plan.bots[0] + " by map and car",
                         {"won", "drawn", "lost"},
                         {},
                         viewer::BarChart::Kind::stacked,
                         {},
                         {}};
  for (const auto& [name, tally] : report.first.by_map_car) {
    viewer::BarRow row{name, {}};
    for (const std::size_t count : {tally.wins, tally.draws, tally.losses}) {
      row.bars.push_back({static_cast<double>(count), {}, {}});
    }
    row.bars.back().text = fmt::format("{} – {} – {}", tally.wins, tally.draws, tally.losses);
    chart.rows.push_back(row);
  }
  return chart;
}

}  // namespace

viewer::Picture picture_of(const referee::ArenaReport& report) {
  viewer::Picture picture{"Arena: who is better",
                          fmt::format("forkmunk {}: {} games, {} of each pairing asked for, seed {}", version(),
                                      report.results.size(), report.plan.games_per_pairing, report.plan.seed),
                          {scores(report)}};
  if (report.with_rating) picture.charts.push_back(ratings(report));
  picture.charts.push_back(matches(report));
  return picture;
}

}  // namespace forkmunk::tools
