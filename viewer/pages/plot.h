#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Bar charts with intervals as SVG, in the replay page's colours and fonts, light and dark.
namespace forkmunk::viewer {

struct Bar {
  double value = 0;
  std::optional<std::pair<double, double>> interval;  ///< Ends that are not finite are drawn to the chart's edge.
  std::string text;                                   ///< Beside it; empty: nothing.
};

struct BarRow {
  std::string label;
  std::vector<Bar> bars;  ///< One of each series.
};

struct BarChart {
  enum class Kind { side_by_side, stacked, dots };
  std::string title;
  std::vector<std::string> series;  ///< What the colours mean; at most three.
  std::vector<BarRow> rows;
  Kind kind = Kind::side_by_side;
  std::optional<double> reference;                 ///< A line there.
  std::optional<std::pair<double, double>> range;  ///< Of the axis; none: what the values need (from 0, but for dots).
};

/// Charts below each other.
struct Picture {
  std::string title;
  std::string subtitle;
  std::vector<BarChart> charts;
};

[[nodiscard]] std::string to_svg(const Picture& picture);

/// Before long work: \throws Error unless `path` ends in .svg or .html and can be written.
void check_plot(const std::string& path);
/// As .svg, or as an .html page around it. \throws Error.
void write_plot(const std::string& path, const Picture& picture);

}  // namespace forkmunk::viewer
