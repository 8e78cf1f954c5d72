// SPDX-License-Identifier: MIT

#include "apps/cli/reports/page.h"

#include "apps/cli/reports/verification_json.h"

#include <forkmunk/base/check.h>
#include <forkmunk/base/error.h>
#include <forkmunk/io/files.h>
#include <forkmunk/io/gzip.h>
#include <forkmunk/io/json_writer.h>

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

namespace {

using io::JsonWriter;

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) {
      return i + k < bytes.size() ? static_cast<unsigned>(static_cast<unsigned char>(bytes[i + k])) : 0u;
    };
    const unsigned group = byte(0) << 16 | byte(1) << 8 | byte(2);
    text += kDigits[group >> 18];
    text += kDigits[group >> 12 & 63];
    text += i + 1 < bytes.size() ? kDigits[group >> 6 & 63] : '=';
    text += i + 2 < bytes.size() ? kDigits[group & 63] : '=';
  }
  return text;
}

void write(JsonWriter& json, const NativeVerdict& verdict) {
  json.object([&] {
    json.field("arithmetic", to_string(verdict.arithmetic)).field("mismatching", verdict.mismatching_ticks);
    reports::write(json.key("first"), verdict.first);
  });
}

/// {"every","ticks","sizes","bytes"}: the concatenated states, gzipped, in base64.
void write(JsonWriter& json, const std::vector<CarriedState>& states) {
  std::string all;
  for (const CarriedState& state : states) all += state.bytes;
  json.object([&] {
    json.field("every", kCarriedTicks);
    json.key("ticks").list(states, [&](const CarriedState& state) { json.value(state.index); });
    json.key("sizes").list(states, [&](const CarriedState& state) { json.value(state.bytes.size()); });
    json.field("bytes", base64(io::gzip(all)));
  });
}

void write(JsonWriter& json, const ReplayExtras& extras) {
  json.object([&] {
    json.key("causes").list(extras.causes, [&](const std::array<engine::DeathCause, 2>& pair) {
      json.list(pair, [&](engine::DeathCause cause) {
        cause == engine::DeathCause::none ? json.null() : json.value(to_string(cause));
      });
    });
    if (extras.verdict) write(json.key("verdict"), *extras.verdict);
    if (!extras.commands[0].empty()) json.field("commands", extras.commands);
    if (!extras.states.empty()) write(json.key("states"), extras.states);
  });
}

}  // namespace

void require_page() {
  if (!replay_template().empty()) return;
  throw Error(
      "this build has no replay page: install node, npm and Emscripten (scripts/install_deps), "
      "configure with -DFORKMUNK_BUILD_VIEWER=ON and build again");
}

std::string replay_page(std::string_view name, std::string_view visio_gz, const ReplayExtras& extras) {
  require_page();
  JsonWriter json;
  json.object([&] {
    write(json.field("name", name).key("extras"), extras);
    json.field("bytes", base64(visio_gz));
  });
  return filled(replay_template(), json.take());
}

std::string play_page() {
  require_page();
  return filled(replay_template(), R"({"play":true})");
}

std::string empty_page() {
  require_page();
  return filled(replay_template(), "{}");
}

void check_plot(const std::string& path) {
  if (!path.ends_with(".html") && !io::is_stdout(path)) {
    throw Error("--plot " + path +
                ": charts are HTML pages; give a file name that ends in .html (--json has the numbers)");
  }
  if (chart_template().empty()) {
    throw Error(
        "--plot " + path +
        ": this build has no chart page; install node, npm and Emscripten (scripts/install_deps), configure with "
        "-DFORKMUNK_BUILD_VIEWER=ON and build again (--json has the numbers)");
  }
}

void write_plot(const std::string& path, std::string_view subtitle, std::string_view report) {
  io::JsonWriter json;
  json.object([&] { json.field("subtitle", subtitle).key("report").raw(report); });
  io::write_file(path, filled(chart_template(), json.take()));
}

}  // namespace forkmunk::reports
