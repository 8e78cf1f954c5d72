#pragma once

#include <string>
#include <string_view>

/// What our pictures are drawn with: the replay page's colours and fonts, light and dark. Lengths are pixels.
namespace forkmunk::viewer {

inline constexpr double kPictureWidth = 960;
inline constexpr double kPictureMargin = 24;
inline constexpr double kPictureHead = 72;  ///< Height of the title and the line below it.
inline constexpr int kColourCount = 6;      ///< Classes s0 to s5 fill with them.

[[nodiscard]] std::string escaped(std::string_view text);
[[nodiscard]] std::string text_at(double x, double y, std::string_view classes, std::string_view text);
[[nodiscard]] std::string line(double x1, double y1, double x2, double y2, std::string_view classes);

/// A whole picture around what is drawn in it.
[[nodiscard]] std::string svg_of(double height, std::string_view title, std::string_view subtitle,
                                 std::string_view drawn);

}  // namespace forkmunk::viewer
