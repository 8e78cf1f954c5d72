// SPDX-License-Identifier: MIT
#include "page_json.h"

#include "apps/cli/reports/verification_json.h"

#include <forkmunk/cars/catalogue.h>
#include <forkmunk/io/json_writer.h>
#include <forkmunk/io/recording_extras.h>
#include <forkmunk/maps/catalogue.h>

namespace forkmunk::wasm {
namespace {

using engine::Vec2;
using io::JsonWriter;

void write_point(JsonWriter& json, Vec2 point) {
  json.object([&] { json.key("x").number(point.x).key("y").number(point.y); });
}

void write_map(JsonWriter& json, const engine::MapSetup& map) {
  json.object([&] {
    json.field("id", map.external_id).field("name", maps::name_of(map));
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
    json.field("id", car.external_id).field("name", cars::name_of(car));
    json.key("body").list(car.body_poly, point).key("button").list(car.button_poly, point);
    json.key("rearRadius").number(car.rear_wheel.radius).key("frontRadius").number(car.front_wheel.radius);
    json.field("squareWheels", car.squared_wheels);
  });
}

/// Returns the directions of the cars: 1 for right, -1 for left.
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

}  // namespace

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

std::string schedule_json(int id, const Line& line, const io::RecordingExtras& extras) {
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

std::string verdict_json(const replay::Verification& verification) {
  JsonWriter json;
  json.object([&] {
    json.field("exact", verification.good()).field("ticks", verification.tick_count);
    json.field("mismatching", verification.mismatching_ticks());
    json.field("inferred", verification.commands == replay::CommandSource::inferred);
    reports::write(json.key("first"), verification.replay ? verification.replay->first_mismatch : std::nullopt);
  });
  return json.take();
}

std::string decision_json(const planning::Decision& decision) {
  const auto digits = [](const planning::Plan& plan) {
    std::string result;
    for (int tick = 0; tick < plan.ticks(); ++tick) result += static_cast<char>('0' + static_cast<int>(plan.at(tick)));
    return result;
  };
  JsonWriter json;
  json.object([&] {
    json.key("score");
    decision.score ? json.number(*decision.score) : json.null();
    json.field("ticks", decision.ticks).field("plan", digits(decision.plan)).field("reply", digits(decision.reply));
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

}  // namespace forkmunk::wasm
