#include "viewer/pages/plot.h"

#include "viewer/pages/svg.h"

#include <forkmunk/base/error.h>
#include <forkmunk/io/output_file.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace forkmunk::viewer {
namespace {

// Lengths are pixels.
constexpr double kPlotLeft = 330;
constexpr double kPlotRight = kPictureWidth - 100;  // room for the texts of the longest bars
constexpr double kBarHeight = 12;
constexpr double kBarGap = 2;
constexpr double kRowGap = 9;
constexpr double kChartHead = 52;
constexpr double kChartFoot = 44;
constexpr std::size_t kLabelLengthMax = 46;
constexpr std::size_t kAxisTicks = 6;
constexpr std::array<int, 3> kStackedColours{0, 2, 1};  // won, drawn, lost: what is between them is grey

std::string shortened(const std::string& label) {
  if (label.size() <= kLabelLengthMax) return label;
  std::size_t cut = kLabelLengthMax - 1;
  while (cut > 0 && (static_cast<unsigned char>(label[cut]) & 0xC0) == 0x80) --cut;  // between characters
  return label.substr(0, cut) + "…";
}

/// 1, 2 or 5 times a power of ten, so that the range has a few of it.
double tick_step(double range) {
  const double rough = range / static_cast<double>(kAxisTicks);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power) return factor * power;
  }
  return 10 * power;
}

/// From values to pixels.
class Axis {
 public:
  explicit Axis(const BarChart& chart) {
    if (chart.range) {
      std::tie(low_, high_) = *chart.range;
    } else {
      extend_over(chart);
    }
    if (!(high_ > low_)) high_ = low_ + 1;
    step_ = tick_step(high_ - low_);
    if (!chart.range) {
      low_ = std::floor(low_ / step_) * step_;
      high_ = std::ceil(high_ / step_) * step_;
    }
  }

  [[nodiscard]] double x(double value) const {
    const double share = std::isnan(value) ? 0 : std::clamp((value - low_) / (high_ - low_), 0.0, 1.0);
    return kPlotLeft + share * (kPlotRight - kPlotLeft);
  }

  [[nodiscard]] std::string grid(double top, double bottom) const {
    std::string svg;
    const auto count = static_cast<int>(std::floor((high_ - low_) / step_ + 1e-9));
    for (int i = 0; i <= count; ++i) {
      const double value = low_ + i * step_;
      svg += line(x(value), top, x(value), bottom, "grid");
      svg +=
          text_at(x(value), bottom + 16, "dim middle", fmt::format("{:.6g}", std::abs(value) < step_ / 2 ? 0 : value));
    }
    return svg;
  }

 private:
  void extend_over(const BarChart& chart) {
    bool first = chart.kind == BarChart::Kind::dots;
    const auto extend = [&](double value) {
      if (!std::isfinite(value)) return;
      low_ = first ? value : std::min(low_, value);
      high_ = first ? value : std::max(high_, value);
      first = false;
    };
    if (chart.reference) extend(*chart.reference);
    for (const BarRow& row : chart.rows) {
      double sum = 0;
      for (const Bar& bar : row.bars) {
        sum += bar.value;
        extend(chart.kind == BarChart::Kind::stacked ? sum : bar.value);
        if (bar.interval) {
          extend(bar.interval->first);
          extend(bar.interval->second);
        }
      }
    }
  }

  double low_ = 0;
  double high_ = 0;
  double step_ = 1;
};

int colour_of(const BarChart& chart, std::size_t series) {
  return chart.kind == BarChart::Kind::stacked ? kStackedColours[series % 3] : static_cast<int>(series % 3);
}

double row_height(const BarChart& chart) {
  const std::size_t lanes = chart.kind == BarChart::Kind::side_by_side ? chart.series.size() : 1;
  const double height = chart.kind == BarChart::Kind::side_by_side ? kBarHeight : 14;
  return static_cast<double>(lanes) * (height + kBarGap) + kRowGap;
}

double chart_height(const BarChart& chart) {
  return kChartHead + static_cast<double>(chart.rows.size()) * row_height(chart) + kChartFoot;
}

std::string whisker(const Axis& axis, const Bar& bar, double y) {
  if (!bar.interval) return {};
  const double from = axis.x(bar.interval->first);
  const double to = axis.x(bar.interval->second);
  return line(from, y, to, y, "whisker") + line(from, y - 4, from, y + 4, "whisker") +
         line(to, y - 4, to, y + 4, "whisker");
}

std::string draw_row(const BarChart& chart, const BarRow& row, const Axis& axis, double top) {
  const bool side_by_side = chart.kind == BarChart::Kind::side_by_side;
  const double height = side_by_side ? kBarHeight : 14;
  std::string svg = text_at(kPlotLeft - 10, top + (row_height(chart) - kRowGap) / 2 + 4, "end", shortened(row.label));
  double sum = 0;
  double y = top;
  for (std::size_t i = 0; i < row.bars.size(); ++i) {
    const Bar& bar = row.bars[i];
    const double from = axis.x(sum);
    const double to = axis.x(sum + bar.value);
    double end = to;
    if (chart.kind == BarChart::Kind::dots) {
      svg += whisker(axis, bar, y + height / 2);
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" class=\"s{}\"/>\n", to, y + height / 2,
                         colour_of(chart, i));
      end = kPlotRight + 4;  // in a column
    } else {
      svg +=
          fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"1.5\" class=\"s{}\"/>\n",
                      std::min(from, to), y, std::abs(to - from), height, colour_of(chart, i));
      svg += whisker(axis, bar, y + height / 2);
      if (bar.interval) end = std::max(end, axis.x(bar.interval->second));
    }
    if (!bar.text.empty()) svg += text_at(end + 6, y + height / 2 + 4, "dim", bar.text);
    if (chart.kind == BarChart::Kind::stacked) {
      sum += bar.value;
    } else {
      y += height + kBarGap;
    }
  }
  return svg;
}

std::string legend(const BarChart& chart, double y) {
  if (chart.series.size() < 2) return {};
  std::string svg;
  double x = kPlotLeft;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"10\" height=\"10\" rx=\"2\" class=\"s{}\"/>\n", x,
                       y - 9, colour_of(chart, i));
    svg += text_at(x + 15, y, "dim", chart.series[i]);
    x += 36 + 7 * static_cast<double>(chart.series[i].size());
  }
  return svg;
}

std::string draw_chart(const BarChart& chart, double top) {
  const Axis axis(chart);
  const double rows_top = top + kChartHead;
  const double bottom = rows_top + static_cast<double>(chart.rows.size()) * row_height(chart);
  std::string svg = text_at(kPictureMargin, top + 18, "chart", chart.title);
  svg += legend(chart, top + 38);
  svg += axis.grid(rows_top - 4, bottom);
  if (chart.reference) {
    svg += line(axis.x(*chart.reference), rows_top - 4, axis.x(*chart.reference), bottom, "reference");
  }
  double y = rows_top;
  for (const BarRow& row : chart.rows) {
    svg += draw_row(chart, row, axis, y);
    y += row_height(chart);
  }
  return svg;
}

}  // namespace

std::string to_svg(const Picture& picture) {
  double height = kPictureHead;
  for (const BarChart& chart : picture.charts) height += chart_height(chart);
  std::string drawn;
  double top = kPictureHead;
  for (const BarChart& chart : picture.charts) {
    drawn += draw_chart(chart, top);
    top += chart_height(chart);
  }
  return svg_of(height, picture.title, picture.subtitle, drawn);
}

void check_plot(const std::string& path) {
  if (!path.ends_with(".svg") && !path.ends_with(".html") && !io::is_stdout(path)) {
    throw Error("--plot " + path + ": found another ending, expected .svg or .html");
  }
  io::check_output(path);
}

void write_plot(const std::string& path, const Picture& picture) {
  std::string text = to_svg(picture);
  if (path.ends_with(".html")) {
    text = fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n"
        "<style>body {{ margin: 0; background: #f3f5f8; }} svg {{ display: block; margin: 0 auto; max-width: 100%; "
        "height: auto; }} @media (prefers-color-scheme: dark) {{ body {{ background: #12161c; }} }}</style>\n"
        "</head>\n<body>\n{}</body>\n</html>\n",
        escaped(picture.title), text);
  }
  io::write_file(path, text);
}

}  // namespace forkmunk::viewer
