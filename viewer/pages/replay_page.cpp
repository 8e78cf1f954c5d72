#include "viewer/pages/replay_page.h"

#include "viewer/pages/page.h"

#include <forkmunk/base/check.h>
#include <forkmunk/base/error.h>
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/io/message_lines.h>
#include <forkmunk/maps/catalogue.h>
#include <forkmunk/replay/inference.h>
#include <forkmunk/replay/outcomes.h>
#include <forkmunk/replay/tolerance.h>

#include <nlohmann/json.hpp>

namespace forkmunk::viewer {
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
  ordered_json json{
      {"arithmetic", to_string(verdict.arithmetic)}, {"mismatching", verdict.mismatching_ticks}, {"first", nullptr}};
  if (!verdict.first) return json;
  const replay::Mismatch& first = *verdict.first;
  const auto number = [](std::optional<double> value) { return value ? ordered_json(*value) : ordered_json(nullptr); };
  json["first"] = {{"match", first.match + 1},
                   {"tick", first.match_tick},
                   {"value", first.value},
                   {"expected", number(first.expected)},
                   {"found", number(first.found)}};
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
  return json;
}

/// The page with `embedded` in its place.
std::string page_with(const ordered_json& embedded) {
  const std::string_view page = viewer::page();
  const std::size_t begin = page.find(kEmbeddedBegin) + kEmbeddedBegin.size();
  const std::size_t end = page.find(kEmbeddedEnd, begin);
  FORKMUNK_CHECK(begin < end && end < page.size(), "the page of %zu bytes has no place for a game", page.size());
  // A name may be any bytes. In JSON a "<" can only stand in a text, where this says the same without ending the
  // script.
  std::string json = embedded.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  for (std::size_t at = 0; (at = json.find('<', at)) != std::string::npos;) json.replace(at, 1, "\\u003c");
  std::string text;
  text.reserve(page.size() + json.size());
  return text.append(page.substr(0, begin)).append(json).append(page.substr(end));
}

char letter(const std::optional<engine::Command>& command) {
  if (!command) return '-';
  return *command == engine::Command::left ? 'L' : *command == engine::Command::stop ? 'S' : 'R';
}

}  // namespace

ReplayExtras replay_extras(const formats::Recording& recording, const replay::ReplayProgress& progress) {
  const replay::TolerantReplay followed =
      replay::replay_tolerantly(recording, replay::infer_arithmetic(recording), replay::kToleranceDefault, progress);
  ReplayExtras extras;
  const replay::Verification verification =
      replay::verify(recording, {}, [](const engine::MatchSetup&) { return std::string(); });
  extras.verdict = NativeVerdict{verification.physics.arithmetic(), verification.mismatching_ticks(),
                                 verification.replay->first_mismatch};
  for (const replay::MatchOutcome& outcome : replay::match_outcomes(recording, followed))
    extras.causes.push_back(outcome.cause);
  if (recording.has_commands) return extras;
  for (std::size_t m = 0; m < recording.matches.size(); ++m) {
    const replay::InferredMatch& inferred = followed.matches[m].inferred;
    for (const formats::RecordedTick& tick : recording.matches[m].ticks) {
      const auto at = static_cast<std::size_t>(tick.tick_num - inferred.first_tick_num);
      for (std::size_t i = 0; i < 2; ++i) {
        extras.commands[i] += at < inferred.commands.size() ? letter(inferred.commands[at][i]) : '-';
      }
    }
  }
  return extras;
}

void require_page() {
  if (!page().empty()) return;
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
  if (page().find("id=\"engine-wasm\"></script>") != std::string_view::npos) {
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

}  // namespace forkmunk::viewer
