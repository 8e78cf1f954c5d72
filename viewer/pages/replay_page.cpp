#include "viewer/pages/replay_page.h"

#include "reports/verification_json.h"
#include "viewer/pages/page.h"

#include <forkmunk/base/check.h>
#include <forkmunk/base/error.h>
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/io/gzip.h>
#include <forkmunk/io/message_writer.h>
#include <forkmunk/maps/catalogue.h>

namespace forkmunk::viewer {
namespace {

using io::JsonWriter;

/// {"maps":[{"name","shape"}],"cars":[...]}: shapes as in the contest's messages, so that a page can name what is in
/// them.
void write_catalogue(JsonWriter& json) {
  json.object([&] {
    json.key("maps").list(maps::catalogue(), [&](const auto& map) {
      json.object([&] { write_map(json.field("name", map.name).key("shape"), map.setup); });
    });
    json.key("cars").list(cars::catalogue(), [&](const auto& car) {
      json.object([&] { write_car_setup(json.field("name", car.name).key("shape"), car.setup); });
    });
  });
}

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

/// {"every","ticks","sizes","bytes"}: the states behind each other, gzipped, in base64.
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
    json.key("causes").list(extras.causes, [&](const auto& pair) {
      json.list(pair, [&](engine::DeathCause cause) {
        cause == engine::DeathCause::none ? json.null() : json.value(to_string(cause));
      });
    });
    if (extras.verdict) write(json.key("verdict"), *extras.verdict);
    if (!extras.commands[0].empty()) json.field("commands", extras.commands);
    if (!extras.states.empty()) write(json.key("states"), extras.states);
  });
}

/// The page with the catalogue, and what `write_fields` adds, in its place.
template <typename WriteFields>
std::string page_with(WriteFields&& write_fields) {
  const std::string_view page = viewer::page();
  const std::size_t begin = page.find(kEmbeddedBegin) + kEmbeddedBegin.size();
  const std::size_t end = page.find(kEmbeddedEnd, begin);
  FORKMUNK_CHECK(begin < end && end < page.size(), "the page of %zu bytes has no place for a game", page.size());
  JsonWriter embedded;
  embedded.object([&] {
    write_catalogue(embedded.key("catalogue"));
    write_fields(embedded);
  });
  // A name may be any bytes. In JSON a "<" can only stand in a text, where this says the same without ending the
  // script.
  std::string json = embedded.take();
  for (std::size_t at = 0; (at = json.find('<', at)) != std::string::npos;) json.replace(at, 1, "\\u003c");
  std::string text;
  text.reserve(page.size() + json.size());
  return text.append(page.substr(0, begin)).append(json).append(page.substr(end));
}

}  // namespace

void require_page() {
  if (!page().empty()) return;
  throw Error(
      "found no replay page in this build, expected one: install node and npm (scripts/install_deps), configure with "
      "-DFORKMUNK_BUILD_VIEWER=ON and build again");
}

std::string replay_page(std::string_view name, std::string_view visio_gz, const ReplayExtras& extras) {
  require_page();
  return page_with([&](JsonWriter& json) {
    write(json.field("name", name).key("extras"), extras);
    json.field("bytes", base64(visio_gz));
  });
}

std::string play_page() {
  require_page();
  if (page().find("id=\"engine-wasm\"></script>") != std::string_view::npos) {
    throw Error(
        "found no engine in this build's page, expected one: install Emscripten (packages emscripten, node-acorn), "
        "configure with -DFORKMUNK_BUILD_WEB=ON and build again");
  }
  return page_with([](JsonWriter& json) { json.field("play", true); });
}

std::string empty_page() {
  require_page();
  return page_with([](JsonWriter&) {});
}

}  // namespace forkmunk::viewer
