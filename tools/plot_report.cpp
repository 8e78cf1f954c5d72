#include "plot_report.h"

#include <forkmunk/statistics/ratings.h>
#include <forkmunk/statistics/score.h>

#include <fmt/format.h>

namespace forkmunk::tools {
namespace {

using bench::Row;

/// A chart with a row for each row of the bench, and a bar for each of the functions.
template <typename... Values>
viewer::BarChart chart_of(const std::vector<Row>& rows, std::string title, std::vector<std::string> series,
                          Values... values) {
  viewer::BarChart chart{std::move(title), std::move(series), {}, viewer::BarChart::Kind::side_by_side, {}, {}};
  for (const Row& row : rows) {
    const auto bar = [](double value) {
      return viewer::Bar{value, {}, value < 1000 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value)};
    };
    chart.rows.push_back(
        {fmt::format("{} {} {}", row.map, row.car, bench::name_of(row.physics)), {bar(values(row))...}});
  }
  return chart;
}

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

viewer::Picture picture_of(const BuildInfo& build, const std::vector<Row>& rows) {
  return {"Simulations per second",
          fmt::format("forkmunk {}, {}, {}, check level {}, {}; medians of one run", FORKMUNK_VERSION, build.compiler,
                      build.build_type, build.check_level, build.processor),
          {chart_of(
               rows, "One step, µs: shorter is better", {"this engine", "stock Chipmunk"},
               [](const Row& row) { return row.step_us; }, [](const Row& row) { return row.stock_step_us; }),
           chart_of(rows, "Playouts a second, a restore and 60 steps each: longer is better", {"playouts"},
                    [](const Row& row) { return row.playouts_per_s(); }),
           chart_of(
               rows, "Saving and restoring a world, µs: shorter is better", {"save", "restore", "memcpy"},
               [](const Row& row) { return row.save_us; }, [](const Row& row) { return row.restore_us; },
               [](const Row& row) { return row.memcpy_us; })}};
}

viewer::Picture picture_of(const referee::ArenaReport& report) {
  viewer::Picture picture{"Arena: who is better",
                          fmt::format("forkmunk {}: {} games, {} of each pairing asked for, seed {}", FORKMUNK_VERSION,
                                      report.results.size(), report.plan.games_per_pairing, report.plan.seed),
                          {scores(report)}};
  if (report.with_rating) picture.charts.push_back(ratings(report));
  picture.charts.push_back(matches(report));
  return picture;
}

}  // namespace forkmunk::tools
