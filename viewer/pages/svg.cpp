#include "viewer/pages/svg.h"

#include <fmt/format.h>

namespace forkmunk::viewer {
namespace {

// The colours of viewer/page.css.
constexpr std::string_view kStyle = R"(
  svg { --panel: #ffffff; --ink: #1a2230; --dim: #5a6675; --line: #d8dee6; --s0: #0a62b5; --s1: #b85300; --s2: #8a94a1; --s3: #1d7f43; --s4: #8a3fb0; --s5: #c0263c; }
  @media (prefers-color-scheme: dark) {
    svg { --panel: #1a2028; --ink: #e6ebf2; --dim: #9aa6b5; --line: #2c3541; --s0: #62b6f7; --s1: #f5a349; --s2: #6c7888; --s3: #57c785; --s4: #c08ae0; --s5: #f2707f; }
  }
  text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: var(--ink);
         font-variant-numeric: tabular-nums; }
  .title { font-size: 18px; font-weight: 600; } .chart { font-size: 14px; font-weight: 600; }
  .dim { fill: var(--dim); } .end { text-anchor: end; } .middle { text-anchor: middle; }
  .page { fill: var(--panel); } .grid { stroke: var(--line); } .reference { stroke: var(--dim); stroke-dasharray: 4 3; }
  .s0 { fill: var(--s0); } .s1 { fill: var(--s1); } .s2 { fill: var(--s2); }
  .s3 { fill: var(--s3); } .s4 { fill: var(--s4); } .s5 { fill: var(--s5); } .whisker { stroke: var(--ink); stroke-width: 1.5; }
)";

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      // XML has no control characters; bytes beyond ASCII go through as UTF-8.
      default: result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return result;
}

std::string text_at(double x, double y, std::string_view classes, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, classes, escaped(text));
}

std::string line(double x1, double y1, double x2, double y2, std::string_view classes) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n", x1, y1, x2, y2,
                     classes);
}

std::string svg_of(double height, std::string_view title, std::string_view subtitle, std::string_view drawn) {
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "role=\"img\">\n<title>{2}</title>\n<style>{3}</style>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n",
      kPictureWidth, height, escaped(title), kStyle);
  svg += text_at(kPictureMargin, 34, "title", title);
  svg += text_at(kPictureMargin, 54, "dim", subtitle);
  svg += drawn;
  return svg + "</svg>\n";
}

}  // namespace forkmunk::viewer
