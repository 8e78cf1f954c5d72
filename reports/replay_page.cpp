#include "reports/replay_page.h"

#include "reports/page.h"
#include "viewer/mismatch_json.h"

#include <forkmunk/base/error.h>
#include <forkmunk/io/gzip.h>
#include <forkmunk/io/json_writer.h>

namespace forkmunk::reports {
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
  json.text(R"({"arithmetic":)").quoted(to_string(verdict.arithmetic));
  json.field("mismatching", static_cast<double>(verdict.mismatching_ticks));
  viewer::write_mismatch(json.text(R"(,"first":)"), verdict.first).text("}");
}

/// {"every","ticks","sizes","bytes"}: the states behind each other, gzipped, in base64.
void write(JsonWriter& json, const std::vector<CarriedState>& states) {
  const auto number = [&](std::size_t value) { json.number(static_cast<double>(value)); };
  json.text(R"({"every":)").number(static_cast<double>(kCarriedTicks));
  json.text(R"(,"ticks":)").list(states, [&](const CarriedState& state) { number(state.index); });
  json.text(R"(,"sizes":)").list(states, [&](const CarriedState& state) { number(state.bytes.size()); });
  std::string all;
  for (const CarriedState& state : states) all += state.bytes;
  json.text(R"(,"bytes":)").quoted(base64(io::gzip(all))).text("}");
}

void write(JsonWriter& json, const ReplayExtras& extras) {
  json.text(R"({"causes":)").list(extras.causes, [&](const std::array<engine::DeathCause, 2>& pair) {
    json.list(pair, [&](engine::DeathCause cause) {
      cause == engine::DeathCause::none ? json.text("null") : json.quoted(to_string(cause));
    });
  });
  if (extras.verdict) write(json.text(R"(,"verdict":)"), *extras.verdict);
  if (!extras.commands[0].empty()) {
    json.text(R"(,"commands":)").list(extras.commands, [&](const std::string& letters) { json.quoted(letters); });
  }
  if (!extras.states.empty()) write(json.text(R"(,"states":)"), extras.states);
  json.text("}");
}

std::string page_with(std::string embedded) { return filled(replay_template(), std::move(embedded));
}

}  // namespace

void require_page() {
  if (!replay_template().empty()) return;
  throw Error(
      "found no replay page in this build, expected one: install node, npm and Emscripten (scripts/install_deps), "
      "configure with -DFORKMUNK_BUILD_VIEWER=ON and build again");
}

std::string replay_page(std::string_view name, std::string_view visio_gz, const ReplayExtras& extras) {
  require_page();
  JsonWriter json;
  write(json.text(R"({"name":)").quoted(name).text(R"(,"extras":)"), extras);
  return page_with(json.text(R"(,"bytes":)").quoted(base64(visio_gz)).text("}").take());
}

std::string play_page() {
  require_page();
  return page_with(R"({"play":true})");
}

std::string empty_page() {
  require_page();
  return page_with("{}");
}

}  // namespace forkmunk::reports
