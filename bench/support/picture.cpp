#include "bench/support/picture.h"

#include <fmt/format.h>

namespace forkmunk::bench {
namespace {

std::string subtitle(std::string_view version, const BuildInfo& build) {
  return fmt::format("forkmunk {}, {}, {}, check level {}, {}; medians of one run", version, build.compiler,
                     build.build_type, build.check_level, build.processor);
}

/// A chart with a row for each row of the bench, and a bar for each of the functions.
template <typename... Values>
viewer::BarChart chart_of(const std::vector<Row>& rows, std::string title, std::vector<std::string> series,
                          Values... values) {
  viewer::BarChart chart{std::move(title), std::move(series), {}, viewer::BarChart::Kind::side_by_side, {}, {}};
  for (const Row& row : rows) {
    const auto bar = [](double value) {
      return viewer::Bar{value, {}, value < 1000 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value)};
    };
    chart.rows.push_back({fmt::format("{} {} {}", row.map, row.car, name_of(row.physics)), {bar(values(row))...}});
  }
  return chart;
}

}  // namespace

viewer::Picture picture_of(std::string_view version, const BuildInfo& build, const std::vector<Row>& rows) {
  return {"Simulations per second",
          subtitle(version, build),
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

viewer::Picture picture_of(std::string_view version, const BuildInfo& build, const std::vector<BatchRow>& rows) {
  viewer::BarChart rate{"Ticks a second of all worlds, million: longer is better",
                        {"ticks"},
                        {},
                        viewer::BarChart::Kind::side_by_side,
                        {},
                        {}};
  viewer::BarChart cost{"One world's tick on one core, µs: shorter is better",
                        {"batch", "stock Chipmunk"},
                        {},
                        viewer::BarChart::Kind::side_by_side,
                        {},
                        {}};
  for (const BatchRow& row : rows) {
    const auto bar = [](double value) { return viewer::Bar{value, {}, fmt::format("{:.3g}", value)}; };
    const std::string name =
        fmt::format("{} world{}, {} thread{}: {} KB, {}", row.worlds, row.worlds == 1 ? "" : "s", row.threads,
                    row.threads == 1 ? "" : "s", row.worlds * row.bytes / 1024, row.cache);
    rate.rows.push_back({name, {bar(row.ticks_per_s / 1e6)}});
    if (row.threads == 1) cost.rows.push_back({name, {bar(1e6 / row.ticks_per_s), bar(1e6 / row.stock_ticks_per_s)}});
  }
  return {"Many worlds at once", subtitle(version, build), {cost, rate}};
}

}  // namespace forkmunk::bench
