// What the page calls. Texts and bytes come in by fm_input(), one after the other, and are used up by the next call;
// texts (JSON, or what went wrong) go out by fm_text(); lines are small integers. viewer/src/engine/module.ts has the
// types.

#include "page_json.h"

#include <forkmunk/base/error.h>
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/io/extras_reader.h>
#include <forkmunk/io/recording_reader.h>
#include <forkmunk/maps/catalogue.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <sstream>

#include <emscripten.h>

namespace {

using namespace forkmunk;
using engine::Player;

constexpr int kFailed = -1;

std::vector<std::string> inputs;
std::vector<double> numbers;
std::string text;
std::map<int, wasm::Line> lines;
int next_line = 1;

/// What run(inputs) returns; kFailed, with the reason as the text, where it throws.
template <typename Run>
int guarded(Run run) {
  std::vector<std::string> given;
  given.swap(inputs);
  try {
    return run(given);
  } catch (const std::bad_alloc&) {
    text = "the memory is full";
  } catch (const std::exception& error) {
    text = error.what();
  }
  return kFailed;
}

wasm::Line& line_of(int id) {
  const auto found = lines.find(id);
  if (found == lines.end()) throw Error("found no line " + std::to_string(id));
  return found->second;
}

int keep(wasm::Line line) {
  lines.emplace(next_line, std::move(line));
  return next_line++;
}

}  // namespace

extern "C" {

/// Room for a text or bytes.
EMSCRIPTEN_KEEPALIVE char* fm_input(int size) {
  return inputs.emplace_back(static_cast<std::size_t>(std::max(size, 0)), '\0').data();
}

EMSCRIPTEN_KEEPALIVE const char* fm_text() { return text.c_str(); }

/// The line of a recording; its JSON text comes in, behind the file's name. The text is schedule_json().
EMSCRIPTEN_KEEPALIVE int fm_read() {
  return guarded([](std::vector<std::string>& given) {
    const std::string name = given.at(0);
    formats::Recording recording = io::parse_recording_text(given.at(1), name);
    const io::RecordingExtras extras = io::parse_extras_text(std::move(given[1]), name);
    try {
      const int id = keep(wasm::Line(std::move(recording)));
      text = wasm::schedule_json(id, line_of(id), extras);
      return id;
    } catch (const Error& error) {
      throw Error(name + ": " + error.what());
    }
  });
}

/// A line at the first tick of a game of `matches` matches on that map, with that car. The text is schedule_json().
EMSCRIPTEN_KEEPALIVE int fm_new(int matches) {
  return guarded([&](const std::vector<std::string>& given) {
    const engine::MapSetup* map = maps::find(given.at(0));
    const engine::CarSetup* car = cars::find(given.at(1));
    if (map == nullptr || car == nullptr) throw Error("found no map " + given[0] + " or no car " + given[1]);
    const auto count = static_cast<std::size_t>(std::clamp(matches, 1, 99));
    const int lives = engine::starting_lives(count);
    const int id = keep(wasm::Line(wasm::Schedule{{lives, lives}, std::vector(count, engine::MatchSetup{*map, *car})}));
    text = wasm::schedule_json(id, line_of(id));
    return id;
  });
}

/// Plays a recorded line again. The text is verdict_json().
EMSCRIPTEN_KEEPALIVE int fm_verify(int line) {
  return guarded([&](const auto&) {
    text = wasm::verdict_json(line_of(line).verify());
    return 0;
  });
}

/// Finds out of what a recorded line's players died.
EMSCRIPTEN_KEEPALIVE int fm_find_causes(int line) {
  return guarded([&](const auto&) {
    line_of(line).find_causes();
    return 0;
  });
}

/// Both players' commands of a recorded line come in, a letter a tick: L, S, R, or - for none.
EMSCRIPTEN_KEEPALIVE int fm_take_commands(int line) {
  return guarded([&](const std::vector<std::string>& given) {
    line_of(line).take_commands({given.at(0), given.at(1)});
    return 0;
  });
}

/// The state at that tick of a recorded line comes in, as engine::Snapshot writes it.
EMSCRIPTEN_KEEPALIVE int fm_mark(int line, int index) {
  return guarded([&](const std::vector<std::string>& given) {
    std::istringstream state(given.at(0));
    line_of(line).mark(static_cast<std::size_t>(index), state);
    return 0;
  });
}

/// The text is the line as a recording; both players' names come in. \param checks  whether it must be exact.
EMSCRIPTEN_KEEPALIVE int fm_recording(int line, int checks) {
  return guarded([&](const std::vector<std::string>& given) {
    formats::Recording recording = line_of(line).recording({given.at(0), given.at(1)});
    text = io::to_json_text(recording);
    if (checks != 0 && !wasm::Line(std::move(recording)).verify().good()) throw Error("a replay of it differs");
    return 0;
  });
}

EMSCRIPTEN_KEEPALIVE int fm_fork(int line, int index) {
  return guarded([&](const auto&) { return keep(line_of(line).fork(static_cast<std::size_t>(index))); });
}

EMSCRIPTEN_KEEPALIVE void fm_free(int line) { lines.erase(line); }

/// One tick; a command is 0 left, 1 stop, 2 right, -1 none. Returns 1 if the game goes on, 0 if it is over.
EMSCRIPTEN_KEEPALIVE int fm_step(int line, int first, int second) {
  return guarded([&](const auto&) {
    formats::RecordedCommands commands;
    if (first >= 0 && first <= 2) commands[0] = static_cast<engine::Command>(first);
    if (second >= 0 && second <= 2) commands[1] = static_cast<engine::Command>(second);
    line_of(line).step(commands);
    return line_of(line).over() ? 0 : 1;
  });
}

/// For checks: steps the world that the line stands in by pairs of commands, which come in as bytes, and nothing else;
/// the line is then good for its hash and planners.
EMSCRIPTEN_KEEPALIVE int fm_step_world(int line) {
  return guarded([&](const std::vector<std::string>& given) {
    const std::string& bytes = given.at(0);
    std::vector<engine::Commands> commands;
    for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
      commands.push_back({static_cast<engine::Command>(bytes[at]), static_cast<engine::Command>(bytes[at + 1])});
    }
    line_of(line).step_world(commands);
    return 0;
  });
}

EMSCRIPTEN_KEEPALIVE int fm_tick_count(int line) {
  return guarded([&](const auto&) { return static_cast<int>(line_of(line).flags().size()); });
}

/// 19 doubles a tick; until the line changes.
EMSCRIPTEN_KEEPALIVE const double* fm_states(int line) { return line_of(line).states().data(); }
/// 4 bytes a tick: both alive (-1: not known), both commands (-1: none); until the line changes.
EMSCRIPTEN_KEEPALIVE const void* fm_flags(int line) { return line_of(line).flags().data(); }

/// The text is state_json().
EMSCRIPTEN_KEEPALIVE int fm_describe(int line) {
  return guarded([&](const auto&) {
    text = wasm::state_json(line_of(line));
    return 0;
  });
}

/// The text: the hash of the state at which the line stands, 16 digits.
EMSCRIPTEN_KEEPALIVE int fm_hash(int line) {
  return guarded([&](const auto&) {
    std::array<char, 20> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx",
                  static_cast<unsigned long long>(line_of(line).world().hash()));
    text = digits.data();
    return 0;
  });
}

/// The text is names_json().
EMSCRIPTEN_KEEPALIVE int fm_names() {
  text = wasm::names_json();
  return 0;
}

/// Puts the planner whose name comes in into a seat.
EMSCRIPTEN_KEEPALIVE int fm_seat(int line, int player, int seed) {
  return guarded([&](const std::vector<std::string>& given) {
    line_of(line).seat(static_cast<Player>(player == 1), given.at(0), static_cast<std::uint64_t>(seed));
    return 0;
  });
}

/// What the planner in the seat does now, within `ticks` simulated ones, or if that is 0, milliseconds. \param
/// enemy_last the opponent's last command, -1: the line's. The text is decision_json().
EMSCRIPTEN_KEEPALIVE int fm_decide(int line, int player, double milliseconds, int ticks, int enemy_last) {
  return guarded([&](const auto&) {
    using Milliseconds = std::chrono::duration<double, std::milli>;
    search::Budget budget =
        ticks > 0
            ? search::Budget::of_ticks(ticks)
            : search::Budget::of_time(std::chrono::duration_cast<std::chrono::nanoseconds>(Milliseconds(milliseconds)));
    std::optional<engine::Command> enemy;
    if (enemy_last >= 0 && enemy_last <= 2) enemy = static_cast<engine::Command>(enemy_last);
    const search::Decision decision = line_of(line).decide(static_cast<Player>(player == 1), enemy, budget);
    text = wasm::decision_json(decision);
    return static_cast<int>(decision.command);
  });
}

/// What the best planner makes of a side's position: the numbers are, for each future: chosen, dies, wins (0 or 1),
/// score, count of places, 3 each. Returns how many numbers; the text is how many plans were tried.
EMSCRIPTEN_KEEPALIVE int fm_futures(int line, int player, int ticks, int count) {
  return guarded([&](const auto&) {
    const wasm::Futures found =
        line_of(line).futures(static_cast<Player>(player == 1), ticks, static_cast<std::size_t>(std::max(count, 0)));
    numbers.clear();
    for (const wasm::Future& future : found.futures) {
      numbers.insert(numbers.end(), {future.chosen ? 1.0 : 0.0, future.dies ? 1.0 : 0.0, future.wins ? 1.0 : 0.0,
                                     future.score, static_cast<double>(future.places.size() / 3)});
      numbers.insert(numbers.end(), future.places.begin(), future.places.end());
    }
    text = std::to_string(found.tried);
    return static_cast<int>(numbers.size());
  });
}

/// The numbers of the last fm_futures().
EMSCRIPTEN_KEEPALIVE const double* fm_numbers() { return numbers.data(); }

}  // extern "C"
