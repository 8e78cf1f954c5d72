// SPDX-License-Identifier: MIT

#include "message_values.h"

#include <forkmunk/io/recording_extras.h>
#include <forkmunk/io/recording_writer.h>

#include <algorithm>
#include <cmath>

namespace forkmunk::io {
namespace {

// Clamps to the limits of readers.
double drawn(double value) { return std::clamp(value, -kDrawnMax, kDrawnMax); }

// Viewers need few digits, and full ones would be most of the file.
double rounded(double value) { return std::round(drawn(value) * 100) / 100; }

void write_path(JsonWriter& json, const std::vector<engine::Vec2>& path) {
  json.list(path,
            [&](engine::Vec2 point) { json.number(std::round(drawn(point.x))).number(std::round(drawn(point.y))); });
}

void write_search_trace(JsonWriter& json, const formats::SearchTrace* trace) {
  if (trace == nullptr) {
    json.null();
    return;
  }
  json.list([&] {
    trace->score ? json.number(rounded(*trace->score)) : json.null();
    json.value(std::min(trace->ticks, static_cast<std::int64_t>(kDrawnMax))).value(trace->plan);
    json.list(trace->terms, [&](const formats::SearchTrace::Term& term) { json.number(rounded(term.value)); });
    write_path(json, trace->path);
    write_path(json, trace->enemy_path);
  });
}

const formats::SearchTrace* first_of(const std::vector<formats::SearchTraces>& traces, std::size_t player) {
  for (const formats::SearchTraces& pair : traces) {
    if (pair[player] != nullptr) return pair[player].get();
  }
  return nullptr;
}

}  // namespace

void write_search_traces(JsonWriter& json, const std::vector<formats::SearchTraces>& traces) {
  const std::array<const formats::SearchTrace*, 2> first{first_of(traces, 0), first_of(traces, 1)};
  if (first[0] == nullptr && first[1] == nullptr) return;
  json.key("thoughts").object([&] {
    json.key("terms").list(first, [&](const formats::SearchTrace* trace) {
      json.list(trace == nullptr ? std::vector<formats::SearchTrace::Term>{} : trace->terms,
                [&](const formats::SearchTrace::Term& term) { json.value(term.name); });
    });
    json.key("ticks").list(traces, [&](const formats::SearchTraces& pair) {
      json.list(pair, [&](const auto& trace) { write_search_trace(json, trace.get()); });
    });
  });
}

namespace {

void write_lives(JsonWriter& json, const engine::Lives& lives) {
  json.object([&] { json.field("1", lives[0]).field("2", lives[1]); });
}

template <typename WriteParams>
void write_event(JsonWriter& json, std::string_view type, WriteParams&& write_params) {
  json.object([&] { json.field("type", type).key("params").object(write_params); });
}

void write_new_match(JsonWriter& json, const formats::RecordedMatch& match) {
  write_event(json, "new_match", [&] {
    write_lives(json.key("lives"), match.lives);
    write_map(json.key("proto_map"), match.setup.map);
    write_car_setup(json.key("proto_car"), match.setup.car);
  });
}

void write_tick(JsonWriter& json, const formats::RecordedTick& tick) {
  write_event(json, "tick", [&] {
    json.key("cars").object([&] {
      write_car_state(json.key("1"), tick.cars[0]);
      write_car_state(json.key("2"), tick.cars[1]);
    });
    json.key("deadline_position").number(tick.deadline_position).field("tick_num", tick.tick_num);
  });
}

// Writes the file's own list if it has entries of missing ticks.
void write_commands(JsonWriter& json, const formats::Recording& recording) {
  const auto write = [&](const formats::RecordedCommands& commands) {
    json.list(commands, [&](const auto& command) { command ? json.value(to_string(*command)) : json.null(); });
  };
  json.list([&] {
    for (const formats::RecordedCommands& commands : recording.commands_by_tick_num) write(commands);
    if (!recording.commands_by_tick_num.empty()) return;
    for (const formats::RecordedMatch& match : recording.matches) {
      for (const formats::RecordedTick& tick : match.ticks) write(tick.commands);
    }
  });
}

}  // namespace

std::string to_json_text(const formats::Recording& recording, const RecordingExtras& extras) {
  JsonWriter json;
  json.object([&] {
    json.key("config").object([&] { json.field("1", recording.player_ids[0]).field("2", recording.player_ids[1]); });
    if (!recording.match_names.empty()) json.field("matches", recording.match_names);
    json.key("visio_info").list([&] {
      for (const formats::RecordedMatch& match : recording.matches) {
        write_new_match(json, match);
        for (const formats::RecordedTick& tick : match.ticks) write_tick(json, tick);
      }
      if (!recording.final_lives) return;
      json.object([&] { write_lives(json.field("type", "end_game").key("params"), *recording.final_lives); });
    });
    if (recording.has_commands) write_commands(json.key("commands"), recording);
    if (!extras.trace.empty()) json.field("trace", extras.trace);
    write_search_traces(json, extras.search_traces);
  });
  return json.take();
}

}  // namespace forkmunk::io
