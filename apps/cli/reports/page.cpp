#include "apps/cli/reports/page.h"

#include <forkmunk/base/check.h>

#include <cstddef>

extern "C" {
extern const char forkmunk_replay_template_begin[];
extern const char forkmunk_replay_template_end[];
extern const char forkmunk_chart_template_begin[];
extern const char forkmunk_chart_template_end[];
}

namespace forkmunk::reports {
namespace {

constexpr std::string_view kEmbeddedBegin = R"(<script type="application/json" id="embedded">)";
constexpr std::string_view kEmbeddedEnd = "</script>";

}  // namespace

std::string_view replay_template() noexcept {
  return {forkmunk_replay_template_begin,
          static_cast<std::size_t>(forkmunk_replay_template_end - forkmunk_replay_template_begin)};
}

std::string_view chart_template() noexcept {
  return {forkmunk_chart_template_begin,
          static_cast<std::size_t>(forkmunk_chart_template_end - forkmunk_chart_template_begin)};
}

std::string filled(std::string_view page, std::string json) {
  const std::size_t begin = page.find(kEmbeddedBegin) + kEmbeddedBegin.size();
  const std::size_t end = page.find(kEmbeddedEnd, begin);
  FORKMUNK_CHECK(begin < end && end < page.size(), "the page of %zu bytes has no slot for data", page.size());
  // JSON has "<" in strings only; the escape is equivalent and cannot end the script element.
  for (std::size_t at = 0; (at = json.find('<', at)) != std::string::npos;) json.replace(at, 1, "\\u003c");
  std::string text;
  text.reserve(page.size() + json.size());
  return text.append(page.substr(0, begin)).append(json).append(page.substr(end));
}

}  // namespace forkmunk::reports
