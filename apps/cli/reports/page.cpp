// SPDX-License-Identifier: MIT

#include "apps/cli/reports/page.h"

#include "apps/cli/reports/verification_json.h"

#include <forkmunk/base/check.h>
#include <forkmunk/base/error.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/io/files.h>
#include <forkmunk/io/gzip.h>
#include <forkmunk/io/json_writer.h>
#include <forkmunk/io/recording_extras.h>
#include <forkmunk/io/recording_reader.h>
#include <forkmunk/replay/replay.h>
#include <forkmunk/replay/tolerance.h>

#include <filesystem>
#include <sstream>

extern "C" {
extern const char forkmunk_replay_template_begin[];
extern const char forkmunk_replay_template_end[];
extern const char forkmunk_chart_template_begin[];
extern const char forkmunk_chart_template_end[];
extern const char forkmunk_scene_template_begin[];
extern const char forkmunk_scene_template_end[];
}

namespace forkmunk::reports {
namespace {

using io::JsonWriter;

char letter(const std::optional<engine::Command>& command) {
  if (!command) return '-';
  return *command == engine::Command::left ? 'L' : *command == engine::Command::stop ? 'S' : 'R';
}

/// A letter per tick event.
std::array<std::string, 2> letters(const formats::Recording& game) {
  std::array<std::string, 2> result;
  for (const formats::RecordedMatch& match : game.matches) {
    for (const formats::RecordedTick& tick : match.ticks) {
      for (std::size_t i = 0; i < 2; ++i) result[i] += letter(tick.commands[i]);
    }
  }
  return result;
}

// The step after the last tick of a truncated log may kill a player who is alive in the log.
std::array<engine::DeathCause, 2> causes_of(const formats::RecordedMatch& match, const engine::World& world) {
  const bool has_flags = match.has_alive_flags();
  std::array<engine::DeathCause, 2> causes{};
  for (const engine::Player player : engine::kPlayers) {
    const std::size_t i = engine::index_of(player);
    const bool lives = has_flags && (match.ticks.empty() || match.ticks.back().cars[i].alive.value_or(true));
    if (!lives) causes[i] = world.cause_of_death(player);
  }
  return causes;
}

/// Replays a game, which has commands, and adds the causes of deaths and, in referee arithmetic, states.
void add_replayed(const formats::Recording& game, engine::Physics physics, ReplayExtras& extras) {
  const bool carries_states = arithmetic_of(physics) == Arithmetic::referee;
  engine::World world(physics), strict;
  std::ostringstream states;
  for (const formats::RecordedMatch& match : game.matches) {
    world.begin_match(match.setup);
    for (std::size_t tick = 0; tick < match.ticks.size(); ++tick) {
      if (carries_states && tick % kCarriedTicks == 0) {
        strict.take_over(world);
        strict.save().write(states);
      }
      world.step(formats::played(match.ticks[tick].commands));
    }
    extras.causes.push_back(causes_of(match, world));
  }
  extras.states = states.str();
}

}  // namespace

ReplayExtras replay_extras(const formats::Recording& recording, const replay::ReplayProgress& progress) {
  const auto show = [&](const char*, std::size_t done) {
    if (progress) progress(done);
  };
  ReplayExtras extras;
  extras.verdict = replay::verify(recording, {}, show);
  const engine::Physics physics = extras.verdict.physics;
  replay::Inference inferred{extras.verdict.inferred};
  if (extras.verdict.mismatching_ticks() == 0) {
    add_replayed(recording.has_commands ? recording : with_commands(recording, inferred), physics, extras);
  } else {  // a recording of another build is followed within a tolerance
    const replay::TolerantReplay followed =
        replay::replay_tolerantly(recording, physics, replay::kToleranceDefault, progress);
    for (const formats::MatchOutcome& outcome : replay::match_outcomes(recording, followed))
      extras.causes.push_back(outcome.cause);
    inferred = followed.inference();
  }
  if (!recording.has_commands) extras.commands = letters(with_commands(recording, inferred));
  return extras;
}

namespace {

constexpr std::string_view kEmbeddedBegin = R"(<script type="application/json" id="embedded">)";
constexpr std::string_view kEmbeddedEnd = "</script>";

// Empty if this build has no pages.
std::string_view replay_template() noexcept { return {forkmunk_replay_template_begin, forkmunk_replay_template_end}; }
std::string_view chart_template() noexcept { return {forkmunk_chart_template_begin, forkmunk_chart_template_end}; }
std::string_view scene_template() noexcept { return {forkmunk_scene_template_begin, forkmunk_scene_template_end}; }

/// \param json  UTF-8, the embedded data.
std::string filled(std::string_view page, std::string json) {
  const std::size_t begin = page.find(kEmbeddedBegin) + kEmbeddedBegin.size();
  const std::size_t end = page.find(kEmbeddedEnd, begin);
  FORKMUNK_CHECK(begin <= end && end < page.size(), "the page of %zu bytes has no slot for data", page.size());
  // JSON has "<" only in strings, and the escape cannot end the script element.
  for (std::size_t at = 0; (at = json.find('<', at)) != std::string::npos;) json.replace(at, 1, "\\u003c");
  std::string text;
  text.reserve(page.size() + json.size());
  return text.append(page.substr(0, begin)).append(json).append(page.substr(end));
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

void write(JsonWriter& json, const ReplayExtras& extras) {
  json.object([&] {
    json.key("causes").list(extras.causes, [&](const std::array<engine::DeathCause, 2>& pair) {
      json.list(pair, [&](engine::DeathCause cause) {
        cause == engine::DeathCause::none ? json.null() : json.value(to_string(cause));
      });
    });
    reports::write(json.key("verdict"), extras.verdict);
    if (!extras.commands[0].empty()) json.field("commands", extras.commands);
    if (extras.states.empty()) return;
    json.key("states").object(
        [&] { json.field("every", kCarriedTicks).field("bytes", base64(io::gzip(extras.states))); });
  });
}

}  // namespace

void require_page() {
  if (!replay_template().empty()) return;
  throw Error(
      "this build has no replay page: install node, npm and Emscripten (scripts/install_deps), "
      "configure with -DFORKMUNK_BUILD_VIEWER=ON and build again; with pip, add "
      "-C cmake.define.FORKMUNK_VIEWER_PAGE=FILE (docs/guide/python.md)");
}

std::string replay_page(const std::string& path, const formats::Recording& recording, std::string bytes,
                        const replay::ReplayProgress& progress) {
  require_page();
  io::require_drawn(recording, path);
  const std::string text = io::is_gzip(bytes) ? io::gunzip(bytes, io::kRecordingSizeMax) : std::move(bytes);
  (void)io::parse_extras_text(text, path);
  const ReplayExtras extras = replay_extras(recording, progress);
  JsonWriter json;
  json.object([&] {
    json.field("name", printable(std::filesystem::path(path).filename().string()));
    write(json.key("extras"), extras);
    json.field("bytes", base64(io::gzip(text)));
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

std::string scene_page(const ScenePage& scene) {
  if (scene_template().empty()) require_page();
  JsonWriter json;
  json.object([&] {
    json.field("name", scene.name).field("yDown", scene.is_y_down).field("bytes", base64(io::gzip(scene.bytes)));
    if (!scene.other_bytes.empty()) {
      json.key("other").object(
          [&] { json.field("name", scene.other_name).field("bytes", base64(io::gzip(scene.other_bytes))); });
      if (scene.differs) json.field("differs", *scene.differs);
    }
  });
  return filled(scene_template(), json.take());
}

void check_plot(const std::string& path) {
  if (!path.ends_with(".html") && !io::is_stdout(path)) {
    throw Error("--plot ", path,
                ": charts are HTML pages; give a file name that ends in .html (--json has the numbers)");
  }
  if (chart_template().empty()) {
    throw Error(
        "--plot ", path,
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
