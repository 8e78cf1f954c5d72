#pragma once

#include <string>
#include <string_view>

namespace forkmunk::reports {

/// The replay page without a game, as HTML text; empty if this build has none. Static storage duration.
[[nodiscard]] std::string_view replay_template() noexcept;
/// The chart page without data; otherwise like replay_template().
[[nodiscard]] std::string_view chart_template() noexcept;

/// Returns `page` with `json` as its embedded data. \param json  UTF-8.
[[nodiscard]] std::string filled(std::string_view page, std::string json);

}  // namespace forkmunk::reports
