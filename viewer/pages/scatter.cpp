#include "viewer/pages/scatter.h"

#include "viewer/pages/svg.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace forkmunk::viewer {
namespace {

// Lengths are pixels.
constexpr double kLeft = 80;
constexpr double kRight = kPictureWidth - 24;
constexpr double kTop = kPictureHead + 36;
constexpr double kBottom = kTop + 440;
constexpr double kFoot = 56;

/// Whole powers of ten around the values, from pixel to pixel.
class LogAxis {
 public:
  LogAxis(double from, double to) : from_(from), to_(to) {}

  void extend(double value) {
    first_ = empty_ ? power_of(value, false) : std::min(first_, power_of(value, false));
    last_ = empty_ ? power_of(value, true) : std::max(last_, power_of(value, true));
    if (last_ == first_) ++last_;
    empty_ = false;
  }
  [[nodiscard]] double at(double value) const {
    return from_ + (std::log10(value) - first_) / (last_ - first_) * (to_ - from_);
  }
  template <typename Visitor>
  void for_each_power(Visitor visit) const {
    for (int power = first_; power <= last_; ++power) visit(std::pow(10.0, power));
  }

 private:
  static int power_of(double value, bool up) {
    return static_cast<int>(up ? std::ceil(std::log10(value)) : std::floor(std::log10(value)));
  }

  double from_, to_;
  int first_ = 0, last_ = 1;
  bool empty_ = true;
};

bool is_drawn(const Scatter::Point& point) { return point.x > 0 && point.y > 0; }

std::string number(double value) {
  if (value < 1e3) return fmt::format("{:g}", value);
  return value < 1e6 ? fmt::format("{:g} k", value / 1e3) : fmt::format("{:g} M", value / 1e6);
}

}  // namespace

std::string to_svg(const Scatter& picture) {
  LogAxis x_axis(kLeft, kRight);
  LogAxis y_axis(kBottom, kTop);
  for (const Scatter::Series& series : picture.series) {
    for (const Scatter::Point& point : series.points) {
      if (!is_drawn(point)) continue;
      x_axis.extend(point.x);
      y_axis.extend(point.y);
    }
  }
  std::string svg;
  x_axis.for_each_power([&](double value) {
    svg += line(x_axis.at(value), kTop, x_axis.at(value), kBottom, "grid");
    svg += text_at(x_axis.at(value), kBottom + 18, "dim middle", number(value));
  });
  y_axis.for_each_power([&](double value) {
    svg += line(kLeft, y_axis.at(value), kRight, y_axis.at(value), "grid");
    svg += text_at(kLeft - 8, y_axis.at(value) + 4, "dim end", number(value));
  });
  svg += text_at(0.5 * (kLeft + kRight), kBottom + 40, "dim middle", picture.x_name);
  svg += text_at(kLeft - 8, kTop - 12, "dim end", picture.y_name);

  double legend_x = kLeft;
  for (std::size_t i = 0; i < picture.series.size(); ++i) {
    const Scatter::Series& series = picture.series[i];
    const std::string colour = fmt::format("s{}", i % kColourCount);
    for (const Scatter::Point& point : series.points) {
      if (!is_drawn(point)) continue;
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" class=\"{}\"/>\n", x_axis.at(point.x),
                         y_axis.at(point.y), colour);
    }
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" class=\"{}\"/>\n", legend_x + 5, kPictureHead + 8,
                       colour);
    svg += text_at(legend_x + 15, kPictureHead + 12, "dim", series.name);
    legend_x += 36 + 7 * static_cast<double>(series.name.size());
  }
  return svg_of(kBottom + kFoot, picture.title, picture.subtitle, svg);
}

}  // namespace forkmunk::viewer
