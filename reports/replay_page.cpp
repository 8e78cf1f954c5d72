#include "reports/replay_page.h"

#include "reports/page.h"
#include "reports/verification_json.h"

#include <forkmunk/base/error.h>
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/io/gzip.h>
#include <forkmunk/io/message_lines.h>
#include <forkmunk/maps/catalogue.h>

#include <nlohmann/json.hpp>

namespace forkmunk::reports {
namespace {

using nlohmann::ordered_json;

/// {"maps":[{"name","shape"}],"cars":[...]}: shapes as in the contest's messages, so that a page can name what is in
/// them.
ordered_json catalogue() {
  ordered_json json{{"maps", ordered_json::array()}, {"cars", ordered_json::array()}};
  const auto params = [](const engine::MapSetup& map, const engine::CarSetup& car) -> ordered_json {
    return ordered_json::parse(io::to_line(formats::NewMatchMessage{1, 1, {map, car}}))["params"];
  };
  const engine::MapSetup& some_map = maps::catalogue().front().setup;
  const engine::CarSetup& some_car = cars::catalogue().front().setup;
  for (const auto& [name, setup] : maps::catalogue()) {
    json["maps"].push_back({{"name", name}, {"shape", params(setup, some_car)["proto_map"]}});
  }
  for (const auto& [name, setup] : cars::catalogue()) {
    json["cars"].push_back({{"name", name}, {"shape", params(some_map, setup)["proto_car"]}});
  }
  return json;
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

ordered_json to_json(const NativeVerdict& verdict) {
  return {{"arithmetic", to_string(verdict.arithmetic)},
          {"mismatching", verdict.mismatching_ticks},
          {"first", reports::to_json(verdict.first)}};
}

/// {"every","ticks","sizes","bytes"}: the states behind each other, gzipped, in base64.
ordered_json to_json(const std::vector<CarriedState>& states) {
  ordered_json json{{"every", kCarriedTicks}, {"ticks", ordered_json::array()}, {"sizes", ordered_json::array()}};
  std::string all;
  for (const auto& [index, bytes] : states) {
    json["ticks"].push_back(index);
    json["sizes"].push_back(bytes.size());
    all += bytes;
  }
  json["bytes"] = base64(io::gzip(all));
  return json;
}

ordered_json to_json(const ReplayExtras& extras) {
  ordered_json json{{"causes", ordered_json::array()}};
  for (const auto& pair : extras.causes) {
    ordered_json causes = ordered_json::array();
    for (const engine::DeathCause cause : pair) {
      causes.push_back(cause == engine::DeathCause::none ? ordered_json(nullptr) : ordered_json(to_string(cause)));
    }
    json["causes"].push_back(causes);
  }
  if (extras.verdict) json["verdict"] = to_json(*extras.verdict);
  if (!extras.commands[0].empty()) json["commands"] = extras.commands;
  if (!extras.states.empty()) json["states"] = to_json(extras.states);
  return json;
}

std::string page_with(const ordered_json& embedded) {
  // A name may be any bytes.
  return filled(replay_template(), embedded.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

}  // namespace

void require_page() {
  if (!replay_template().empty()) return;
  throw Error(
      "found no replay page in this build, expected one: install node and npm (scripts/install_deps), configure with "
      "-DFORKMUNK_BUILD_VIEWER=ON and build again");
}

std::string replay_page(std::string_view name, std::string_view visio_gz, const ReplayExtras& extras) {
  require_page();
  return page_with(
      {{"catalogue", catalogue()}, {"name", name}, {"extras", to_json(extras)}, {"bytes", base64(visio_gz)}});
}

std::string play_page() {
  require_page();
  if (replay_template().find("id=\"engine-wasm\"></script>") != std::string_view::npos) {
    throw Error(
        "found no engine in this build's page, expected one: install Emscripten (packages emscripten, node-acorn), "
        "configure with -DFORKMUNK_BUILD_WEB=ON and build again");
  }
  return page_with({{"catalogue", catalogue()}, {"play", true}});
}

std::string empty_page() {
  require_page();
  return page_with({{"catalogue", catalogue()}});
}

}  // namespace forkmunk::reports
