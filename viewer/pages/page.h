#pragma once

#include <string_view>

namespace forkmunk::viewer {

/// Where a page keeps what it shows: in it, `{}` stands for nothing.
inline constexpr std::string_view kEmbeddedBegin = R"(<script type="application/json" id="embedded">)";
inline constexpr std::string_view kEmbeddedEnd = "</script>";

/// The replay page without a game, as HTML text; empty if this build has none. It lives as long as the program.
[[nodiscard]] std::string_view page() noexcept;

}  // namespace forkmunk::viewer
