// SPDX-License-Identifier: MIT
#include "apps/cli/reports/verification_json.h"
#include "line.h"

#include <forkmunk/base/error.h>
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/io/json_writer.h>
#include <forkmunk/io/recording_extras.h>
#include <forkmunk/io/recording_reader.h>
#include <forkmunk/io/recording_writer.h>
#include <forkmunk/maps/catalogue.h>
#include <forkmunk/replay/verification.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <type_traits>

#include <emscripten.h>

namespace forkmunk::wasm {
namespace {

// The JSON texts for the page. apps/viewer/src/engine/module.ts has the types.

using engine::Vec2;
using io::JsonWriter;

void write_point(JsonWriter& json, Vec2 point) {
  json.object([&] { json.key("x").number(point.x).key("y").number(point.y); });
}

void write_map(JsonWriter& json, const engine::MapSetup& map) {
  json.object([&] {
    json.field("name", maps::name_of(map));
    json.key("segments").list(map.segments, [&](const engine::Segment& segment) {
      json.object([&] {
        write_point(json.key("a"), segment.a);
        write_point(json.key("b"), segment.b);
        json.key("radius").number(segment.radius);
      });
    });
  });
}

void write_car(JsonWriter& json, const engine::CarSetup& car) {
  const auto point = [&](Vec2 each) { write_point(json, each); };
  json.object([&] {
    json.field("name", cars::name_of(car));
    json.key("body").list(car.body_poly, point).key("button").list(car.button_poly, point);
    json.key("rearRadius").number(car.rear_wheel.radius).key("frontRadius").number(car.front_wheel.radius);
    json.field("squareWheels", car.squared_wheels);
  });
}

std::array<int, 2> facing_of(const Line& line, std::size_t match) {
  if (line.recorded() == nullptr || line.recorded()->matches[match].ticks.empty()) return {1, -1};
  const auto& cars = line.recorded()->matches[match].ticks.front().cars;
  return {cars[0].side, cars[1].side};
}

void write_death(JsonWriter& json, const std::optional<Death>& death) {
  if (!death) {
    json.null();
    return;
  }
  json.object([&] {
    json.field("tick", death->tick).key("cause");
    death->cause == engine::DeathCause::none ? json.null() : json.value(to_string(death->cause));
  });
}

std::string state_json(const Line& line) {
  JsonWriter json;
  json.object([&] {
    json.field("over", line.over()).field("takesCommands", line.takes_commands()).field("ownFrom", line.own_from());
    json.field("lives", line.lives()).key("matches").list(line.matches(), [&](const LineMatch& match) {
      json.object([&] {
        json.field("first", match.first).field("lives", match.lives);
        json.key("deaths").list(match.deaths, [&](const auto& death) { write_death(json, death); });
      });
    });
  });
  return json.take();
}

std::string schedule_json(int id, const Line& line, const io::RecordingExtras& extras = {}) {
  JsonWriter json;
  json.object([&] {
    std::size_t match = 0;
    json.field("line", id).key("matches").list(line.schedule(), [&](const engine::MatchSetup& setup) {
      json.object([&] {
        write_map(json.key("map"), setup.map);
        write_car(json.key("car"), setup.car);
        json.field("facing", facing_of(line, match++));
      });
    });
    if (const formats::Recording* recorded = line.recorded()) {
      json.field("players", recorded->player_ids).field("hasCommands", recorded->has_commands).key("said");
      extras.trace.empty() ? json.null() : json.value(extras.trace);
      io::write_search_traces(json, extras.search_traces);
    }
  });
  return json.take();
}

/// The plan has a digit per tick.
std::string decision_json(const planning::Decision& decision) {
  std::string plan;
  for (int tick = 0; tick < decision.plan.ticks(); ++tick) {
    plan += static_cast<char>('0' + static_cast<int>(decision.plan.at(tick)));
  }
  JsonWriter json;
  json.object([&] {
    json.field("command", static_cast<int>(decision.command)).key("score");
    decision.score ? json.number(*decision.score) : json.null();
    json.field("ticks", decision.ticks).field("plan", plan);
  });
  return json.take();
}

std::string futures_json(const Futures& found, engine::Player side) {
  JsonWriter json;
  json.object([&] {
    json.field("tried", found.tried).key("futures").list(found.futures, [&](const Future& future) {
      json.object([&] {
        json.field("side", index_of(side)).field("chosen", future.chosen).field("dies", future.dies);
        json.field("score", future.score).field("poses", future.poses);
      });
    });
  });
  return json.take();
}

std::string names_json() {
  JsonWriter json;
  const auto name = [&](const auto& entry) { json.value(entry.name); };
  json.object([&] {
    json.key("maps").list(maps::catalogue(), name).key("cars").list(cars::catalogue(), name);
    json.key("planners").list(search::planners(), name);
  });
  return json.take();
}

}  // namespace
}  // namespace forkmunk::wasm

// The functions that the page calls. fm_input() queues texts and bytes for the next call; fm_text() returns the text of
// the last call: JSON, or an error.
namespace {

using namespace forkmunk;
using engine::Player;

constexpr int kFailed = -1;

std::vector<std::string> inputs;
std::string text;
std::map<int, wasm::Line> lines;
std::vector<double> taken_states;
std::vector<std::int8_t> taken_commands;
int next_line = 1;

/// Returns run(inputs), 0 if it returns nothing, or after an exception kFailed.
template <typename Run>
int guarded(Run run) {
  std::vector<std::string> given;
  given.swap(inputs);
  try {
    if constexpr (std::is_void_v<decltype(run(given))>) {
      run(given);
      return 0;
    } else {
      return run(given);
    }
  } catch (const std::bad_alloc&) {
    text = "out of memory";
  } catch (const std::exception& error) {
    text = error.what();
  }
  return kFailed;
}

wasm::Line& line_of(int id) {
  const auto found = lines.find(id);
  if (found == lines.end()) throw Error("no line ", id);
  return found->second;
}

int keep(wasm::Line line) {
  lines.emplace(next_line, std::move(line));
  return next_line++;
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE char* fm_input(int size) {
  return inputs.emplace_back(static_cast<std::size_t>(std::max(size, 0)), '\0').data();
}

EMSCRIPTEN_KEEPALIVE const char* fm_text() { return text.c_str(); }

/// Returns the line of a recording. Inputs: the file's name, the JSON text. Text: schedule_json().
EMSCRIPTEN_KEEPALIVE int fm_read() {
  return guarded([](std::vector<std::string>& given) {
    const std::string name = given.at(0);
    formats::Recording recording = io::parse_recording_text(given.at(1), name);
    io::require_drawn(recording, name);
    const io::RecordingExtras extras = io::parse_extras_text(std::move(given[1]), name);
    try {
      const int id = keep(wasm::Line(std::move(recording)));
      text = wasm::schedule_json(id, line_of(id), extras);
      return id;
    } catch (const Error& error) {
      throw Error(name, ": ", error.what());
    }
  });
}

/// Returns a line at the first tick of a new game. Inputs: names of map and car. Text: schedule_json().
EMSCRIPTEN_KEEPALIVE int fm_new(int matches) {
  return guarded([&](const std::vector<std::string>& given) {
    const engine::MapSetup* map = maps::find(given.at(0));
    const engine::CarSetup* car = cars::find(given.at(1));
    if (map == nullptr || car == nullptr) throw Error("unknown map ", given[0], " or car ", given[1]);
    const auto count = static_cast<std::size_t>(std::clamp(matches, 1, 99));
    const int lives = engine::starting_lives(count);
    const int id = keep(wasm::Line(wasm::Schedule{{lives, lives}, std::vector(count, engine::MatchSetup{*map, *car})}));
    text = wasm::schedule_json(id, line_of(id));
    return id;
  });
}

/// Verifies a recorded line by a replay. Text: the verdict by reports::write().
EMSCRIPTEN_KEEPALIVE int fm_verify(int line) {
  return guarded([&](const auto&) {
    io::JsonWriter json;
    reports::write(json, line_of(line).verify());
    text = json.take();
  });
}

EMSCRIPTEN_KEEPALIVE int fm_find_causes(int line) {
  return guarded([&](const auto&) { line_of(line).find_causes(); });
}

/// Inputs: both players' commands, a letter per tick: L, S, R, or - for none.
EMSCRIPTEN_KEEPALIVE int fm_take_commands(int line) {
  return guarded([&](const std::vector<std::string>& given) {
    line_of(line).take_commands({given.at(0), given.at(1)});
  });
}

/// Input: the bytes of an engine::Snapshot for every so many ticks of each match.
EMSCRIPTEN_KEEPALIVE int fm_mark(int line, int every) {
  return guarded([&](const std::vector<std::string>& given) {
    std::istringstream states(given.at(0));
    line_of(line).mark(static_cast<std::size_t>(std::max(every, 1)), states);
  });
}

/// Inputs: both players' names. Text: the recording. \param checks  fail unless its replay is exact.
EMSCRIPTEN_KEEPALIVE int fm_recording(int line, int checks) {
  return guarded([&](const std::vector<std::string>& given) {
    formats::Recording recording = line_of(line).recording({given.at(0), given.at(1)});
    text = io::to_json_text(recording);
    if (checks != 0 && wasm::Line(std::move(recording)).verify().mismatching_ticks() > 0) {
      throw Error("its replay differs");
    }
  });
}

EMSCRIPTEN_KEEPALIVE int fm_fork(int line, int index) {
  return guarded([&](const auto&) { return keep(line_of(line).fork(static_cast<std::size_t>(index))); });
}

EMSCRIPTEN_KEEPALIVE void fm_free(int line) { lines.erase(line); }

/// Steps one tick; a command is 0 left, 1 stop, 2 right, -1 none. Returns 1 if the game continues, 0 if it is over.
EMSCRIPTEN_KEEPALIVE int fm_step(int line, int first, int second) {
  return guarded([&](const auto&) {
    formats::RecordedCommands commands;
    if (first >= 0 && first <= 2) commands[0] = static_cast<engine::Command>(first);
    if (second >= 0 && second <= 2) commands[1] = static_cast<engine::Command>(second);
    line_of(line).step(commands);
    return line_of(line).over() ? 0 : 1;
  });
}

/// Steps the line's world by pairs of commands, for tests. Then only the line's hash and planners are valid.
EMSCRIPTEN_KEEPALIVE int fm_step_world(int line) {
  return guarded([&](const std::vector<std::string>& given) {
    const std::string& bytes = given.at(0);
    std::vector<engine::Commands> commands;
    for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
      commands.push_back({static_cast<engine::Command>(bytes[at]), static_cast<engine::Command>(bytes[at + 1])});
    }
    line_of(line).step_world(commands);
  });
}

EMSCRIPTEN_KEEPALIVE int fm_tick_count(int line) {
  return guarded([&](const auto&) { return static_cast<int>(line_of(line).ticks().size()); });
}

/// Takes ticks for fm_states() and fm_commands().
EMSCRIPTEN_KEEPALIVE int fm_take_ticks(int line, int from, int count) {
  return guarded([&](const auto&) {
    taken_states.clear();
    taken_commands.clear();
    const std::span ticks(line_of(line).ticks());
    for (const auto& tick : ticks.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(count))) {
      for (const formats::RecordedCar& car : tick.cars) {
        for (const formats::RecordedBody* body : car.parts()) {
          taken_states.insert(taken_states.end(), {body->position.x, body->position.y, body->angle});
        }
      }
      taken_states.push_back(tick.deadline_position);
      for (const auto& command : tick.commands) {
        taken_commands.push_back(command ? static_cast<std::int8_t>(*command) : std::int8_t{-1});
      }
    }
  });
}
/// Returns 19 doubles per tick.
EMSCRIPTEN_KEEPALIVE const double* fm_states() { return taken_states.data(); }
/// Returns both commands of each tick; -1 for none.
EMSCRIPTEN_KEEPALIVE const std::int8_t* fm_commands() { return taken_commands.data(); }

/// Text: state_json().
EMSCRIPTEN_KEEPALIVE int fm_describe(int line) {
  return guarded([&](const auto&) { text = wasm::state_json(line_of(line)); });
}

/// Text: the hash of the line's current state, 16 digits.
EMSCRIPTEN_KEEPALIVE int fm_hash(int line) {
  return guarded([&](const auto&) {
    std::array<char, 20> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx",
                  static_cast<unsigned long long>(line_of(line).world().hash()));
    text = digits.data();
  });
}

/// Text: names_json().
EMSCRIPTEN_KEEPALIVE int fm_names() {
  text = wasm::names_json();
  return 0;
}

/// Input: the planner's name.
EMSCRIPTEN_KEEPALIVE int fm_seat(int line, int player, int seed) {
  return guarded([&](const std::vector<std::string>& given) {
    line_of(line).seat(static_cast<Player>(player == 1), given.at(0), static_cast<std::uint64_t>(seed));
  });
}

/// Decides by a seat's planner, within `ticks` simulated ticks or, if that is 0, milliseconds. Text: decision_json().
EMSCRIPTEN_KEEPALIVE int fm_decide(int line, int player, double milliseconds, int ticks) {
  return guarded([&](const auto&) {
    using Milliseconds = std::chrono::duration<double, std::milli>;
    search::Budget budget =
        ticks > 0
            ? search::Budget::of_ticks(ticks)
            : search::Budget::of_time(std::chrono::duration_cast<std::chrono::nanoseconds>(Milliseconds(milliseconds)));
    text = wasm::decision_json(line_of(line).decide(static_cast<Player>(player == 1), budget));
  });
}

/// Computes futures by the best planner. Text: futures_json().
EMSCRIPTEN_KEEPALIVE int fm_futures(int line, int player, int ticks, int count) {
  return guarded([&](const auto&) {
    const auto side = static_cast<Player>(player == 1);
    text = wasm::futures_json(line_of(line).futures(side, ticks, static_cast<std::size_t>(std::max(count, 0))), side);
  });
}

}  // extern "C"
