#pragma once

#include <string>
#include <string_view>

namespace forkmunk::reports {

/// The replay page without a game, as HTML text; empty if this build has none. It lives as long as the program.
[[nodiscard]] std::string_view replay_template() noexcept;
/// The page that draws charts, without figures. As replay_template().
[[nodiscard]] std::string_view chart_template() noexcept;

/// `page` with `json` where it keeps what it shows. \param json  UTF-8.
[[nodiscard]] std::string filled(std::string_view page, std::string json);

}  // namespace forkmunk::reports
