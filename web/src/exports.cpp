// What the page calls. Numbers come in by fm_numbers(), texts (JSON, or what went wrong) go out by fm_text(); lines are
// small integers. viewer/src/engine/module.ts has the types.

#include "line.h"

#include <forkmunk/base/error.h>
#include <forkmunk/replay/verification.h>

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
constexpr int kDiffers = -2;

std::vector<double> numbers;
std::string text;
std::map<int, web::Line> lines;
int next_line = 1;

/// What `run` returns; kFailed, with the reason as the text, where it throws.
template <typename Run>
int guarded(Run run) {
  try {
    return run();
  } catch (const std::exception& error) {
    text = error.what();
    return kFailed;
  }
}

web::Line& line_of(int id) {
  const auto found = lines.find(id);
  if (found == lines.end()) throw Error("found no line " + std::to_string(id));
  return found->second;
}

int keep(web::Line line) {
  lines.emplace(next_line, std::move(line));
  return next_line++;
}

std::string json_number(std::optional<double> value) {
  if (!value) return "null";
  std::array<char, 40> digits{};
  std::snprintf(digits.data(), digits.size(), "%.17g", *value);
  const std::string_view found = digits.data();
  return found.find_first_of("in") == std::string_view::npos ? std::string(found) : "null";
}

std::string json_pair(const engine::Lives& pair) {
  return "[" + std::to_string(pair[0]) + "," + std::to_string(pair[1]) + "]";
}

std::string verdict_of(const replay::Verification& found) {
  return "{\"ticks\":" + std::to_string(found.tick_count) +
         ",\"mismatching\":" + std::to_string(found.mismatching_ticks()) +
         ",\"inferred\":" + (found.commands == replay::CommandSource::inferred ? "true" : "false") +
         ",\"first\":" + to_json_text(found.replay ? found.replay->first_mismatch : std::nullopt) + "}";
}

/// The recording's own line. \throws Error if it cannot be one, though every tick is exact.
web::Line line_of(const formats::Recording& recording, const replay::Verification& verification) {
  auto schedule = std::make_shared<web::Schedule>();
  schedule->lives = recording.matches.front().lives;
  for (const formats::RecordedMatch& match : recording.matches) schedule->matches.push_back(match.setup);
  const std::vector<formats::RecordedCommands> commands = commands_of(recording, verification).by_tick_num;
  web::Line line(schedule);
  // What was taken at the last tick of a game that was cut off led to no tick that is recorded.
  for (std::size_t left = recording.tick_count(); left > (recording.ended() ? 0u : 1u); --left) {
    const std::size_t at = line.flags().size() - 1;
    if (line.over()) throw Error("the game is over at tick " + std::to_string(at) + ", and the recording goes on");
    line.step(at < commands.size() ? commands[at] : formats::RecordedCommands{});
  }
  return line;
}

}  // namespace

extern "C" {

/// Room for `count` doubles, until the next call.
EMSCRIPTEN_KEEPALIVE double* fm_numbers(int count) {
  numbers.assign(static_cast<std::size_t>(count), 0);
  return numbers.data();
}

EMSCRIPTEN_KEEPALIVE const char* fm_text() { return text.c_str(); }

/// Verifies the recording in the numbers; the text is the verdict, or what went wrong. Returns its line if it is exact,
/// kDiffers if not, kFailed if it cannot be told or played on.
EMSCRIPTEN_KEEPALIVE int fm_open() {
  return guarded([] {
    const formats::Recording recording = web::read_recording(numbers);
    replay::VerifyOptions options;
    options.physics = engine::Physics::flat;
    const replay::Verification verification = replay::verify(recording, options);
    if (!verification.good()) {
      text = verdict_of(verification);
      return kDiffers;
    }
    const int id = keep(line_of(recording, verification));
    text = verdict_of(verification);
    return id;
  });
}

/// The line of a recording in another arithmetic: its states come by fm_mark().
EMSCRIPTEN_KEEPALIVE int fm_adopt() {
  return guarded([] { return keep(web::Line::adopt(web::read_recording(numbers))); });
}

/// The state at that tick of an adopted line: the first `bytes` bytes of the numbers, as engine::Snapshot writes them.
EMSCRIPTEN_KEEPALIVE int fm_mark(int line, int index, int bytes) {
  return guarded([&] {
    const std::size_t size = std::min(static_cast<std::size_t>(std::max(bytes, 0)), numbers.size() * sizeof(double));
    std::istringstream state(std::string(reinterpret_cast<const char*>(numbers.data()), size));
    line_of(line).mark(static_cast<std::size_t>(index), state);
    return 0;
  });
}

/// A line at the first tick of the schedule in the numbers.
EMSCRIPTEN_KEEPALIVE int fm_new() {
  return guarded([] { return keep(web::Line(std::make_shared<const web::Schedule>(web::read_schedule(numbers)))); });
}

EMSCRIPTEN_KEEPALIVE int fm_fork(int line, int index) {
  return guarded([&] { return keep(line_of(line).fork(static_cast<std::size_t>(index))); });
}

EMSCRIPTEN_KEEPALIVE void fm_free(int line) { lines.erase(line); }

/// One tick; a command is 0 left, 1 stop, 2 right, -1 none. Returns 1 if the game goes on, 0 if it is over.
EMSCRIPTEN_KEEPALIVE int fm_step(int line, int first, int second) {
  return guarded([&] {
    formats::RecordedCommands commands;
    if (first >= 0 && first <= 2) commands[0] = static_cast<engine::Command>(first);
    if (second >= 0 && second <= 2) commands[1] = static_cast<engine::Command>(second);
    line_of(line).step(commands);
    return line_of(line).over() ? 0 : 1;
  });
}

/// For checks: steps the world that the line stands in, by `ticks` pairs of the numbers, and nothing else; the line is
/// then good for its hash and planners.
EMSCRIPTEN_KEEPALIVE int fm_step_world(int line, int ticks) {
  return guarded([&] {
    const auto command = [](std::size_t at) { return static_cast<engine::Command>(numbers.at(at)); };
    for (std::size_t tick = 0; tick < static_cast<std::size_t>(ticks); ++tick) {
      line_of(line).step_world({command(2 * tick), command(2 * tick + 1)});
    }
    return 0;
  });
}

EMSCRIPTEN_KEEPALIVE int fm_tick_count(int line) {
  return guarded([&] { return static_cast<int>(line_of(line).flags().size()); });
}

/// 19 doubles a tick; until the line changes.
EMSCRIPTEN_KEEPALIVE const double* fm_states(int line) { return line_of(line).states().data(); }
/// 4 bytes a tick: both alive, both commands (-1: none); until the line changes.
EMSCRIPTEN_KEEPALIVE const void* fm_flags(int line) { return line_of(line).flags().data(); }

/// The text: {"over","takesCommands","ownFrom","lives","matches":[{"first","lives","causes"}]}.
EMSCRIPTEN_KEEPALIVE int fm_describe(int line) {
  return guarded([&] {
    const web::Line& described = line_of(line);
    text = std::string("{\"over\":") + (described.over() ? "true" : "false") +
           ",\"takesCommands\":" + (!described.over() && described.world().takes_commands() ? "true" : "false") +
           ",\"ownFrom\":" + std::to_string(described.own_from()) + ",\"lives\":" + json_pair(described.lives()) +
           ",\"matches\":[";
    const char* separator = "";
    for (const web::LineMatch& match : described.matches()) {
      text.append(separator).append("{\"first\":" + std::to_string(match.first) +
                                    ",\"lives\":" + json_pair(match.lives) + ",\"causes\":[\"");
      text.append(to_string(match.causes[0])).append("\",\"").append(to_string(match.causes[1])).append("\"]}");
      separator = ",";
    }
    text += "]}";
    return 0;
  });
}

/// The text: the hash of the state at which the line stands, 16 digits.
EMSCRIPTEN_KEEPALIVE int fm_hash(int line) {
  return guarded([&] {
    std::array<char, 20> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx",
                  static_cast<unsigned long long>(line_of(line).world().hash()));
    text = digits.data();
    return 0;
  });
}

/// The text: the planners' names, a space between them.
EMSCRIPTEN_KEEPALIVE int fm_planners() {
  text.clear();
  for (const search::PlannerInfo& info : search::planners()) text.append(text.empty() ? "" : " ").append(info.name);
  return 0;
}

/// Puts the planner of that number in fm_planners() into a seat.
EMSCRIPTEN_KEEPALIVE int fm_seat(int line, int player, int planner, int seed) {
  return guarded([&] {
    const auto known = search::planners();
    if (planner < 0 || static_cast<std::size_t>(planner) >= known.size()) throw Error("found no such planner");
    line_of(line).seat(static_cast<Player>(player == 1), known[static_cast<std::size_t>(planner)].name,
                       static_cast<std::uint64_t>(seed));
    return 0;
  });
}

/// What the planner in the seat does now, within `ticks` simulated ones, or if that is 0, milliseconds. \param
/// enemy_last the opponent's last command, -1: the line's. The text: {"score","ticks","plan","reply"}, plans a digit a
/// tick.
EMSCRIPTEN_KEEPALIVE int fm_decide(int line, int player, double milliseconds, int ticks, int enemy_last, int rules) {
  return guarded([&] {
    using Milliseconds = std::chrono::duration<double, std::milli>;
    search::Budget budget =
        ticks > 0
            ? search::Budget::of_ticks(ticks)
            : search::Budget::of_time(std::chrono::duration_cast<std::chrono::nanoseconds>(Milliseconds(milliseconds)));
    std::optional<engine::Command> enemy;
    if (enemy_last >= 0 && enemy_last <= 2) enemy = static_cast<engine::Command>(enemy_last);
    const search::Decision decision = line_of(line).decide(static_cast<Player>(player == 1), enemy, budget, rules != 0);
    const auto digits = [](const search::Plan& plan) {
      std::string result;
      for (int tick = 0; tick < plan.ticks(); ++tick)
        result += static_cast<char>('0' + static_cast<int>(plan.at(tick)));
      return result;
    };
    text = "{\"score\":" + json_number(decision.score) + ",\"ticks\":" + std::to_string(decision.ticks) +
           ",\"plan\":\"" + digits(decision.plan) + "\",\"reply\":\"" + digits(decision.reply) + "\"}";
    return static_cast<int>(decision.command);
  });
}

/// What the best planner makes of a side's position: the numbers are, for each future: chosen, dies, wins (0 or 1),
/// score, count of places, 3 each. Returns how many numbers; the text is how many plans were tried.
EMSCRIPTEN_KEEPALIVE int fm_futures(int line, int player, int ticks, int count) {
  return guarded([&] {
    const web::Futures found =
        line_of(line).futures(static_cast<Player>(player == 1), ticks, static_cast<std::size_t>(std::max(count, 0)));
    numbers.clear();
    for (const web::Future& future : found.futures) {
      numbers.insert(numbers.end(), {future.chosen ? 1.0 : 0.0, future.dies ? 1.0 : 0.0, future.wins ? 1.0 : 0.0,
                                     future.score, static_cast<double>(future.places.size() / 3)});
      numbers.insert(numbers.end(), future.places.begin(), future.places.end());
    }
    text = std::to_string(found.tried);
    return static_cast<int>(numbers.size());
  });
}

/// Where they begin, until the next call that gives or takes numbers.
EMSCRIPTEN_KEEPALIVE const double* fm_numbers_now() { return numbers.data(); }

}  // extern "C"
