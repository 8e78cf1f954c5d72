#pragma once

#include <string>
#include <vector>

namespace forkmunk::viewer {

/// Points over two logarithmic axes, as SVG in the style of plot.h.
struct Scatter {
  struct Point {
    double x = 0, y = 0;  ///< Greater than 0; others are left out.
  };
  struct Series {
    std::string name;
    std::vector<Point> points;
  };
  std::string title;
  std::string subtitle;
  std::string x_name, y_name;
  std::vector<Series> series;  ///< At most kColourCount, each in a colour of its own.
};

[[nodiscard]] std::string to_svg(const Scatter& picture);

}  // namespace forkmunk::viewer
