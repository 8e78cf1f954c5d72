#include "page_json.h"

#include "viewer/mismatch_json.h"

#include <forkmunk/cars/catalogue.h>
#include <forkmunk/io/json_writer.h>
#include <forkmunk/io/thought_writer.h>
#include <forkmunk/maps/catalogue.h>

namespace forkmunk::wasm {
namespace {

using engine::Vec2;
using io::JsonWriter;

const char* text_of(bool value) { return value ? "true" : "false"; }

JsonWriter& add_pair(JsonWriter& json, const std::array<int, 2>& pair) {
  return json.list(pair, [&](int value) { json.number(value); });
}

JsonWriter& add_point(JsonWriter& json, Vec2 point) {
  return json.text(R"({"x":)").number(point.x).text(R"(,"y":)").number(point.y).text("}");
}

void add_map(JsonWriter& json, const engine::MapSetup& map) {
  json.text(R"({"id":)").number(static_cast<double>(map.external_id)).text(R"(,"name":)").quoted(maps::name_of(map));
  json.text(R"(,"segments":)").list(map.segments, [&](const engine::Segment& segment) {
    add_point(json.text(R"({"a":)"), segment.a);
    add_point(json.text(R"(,"b":)"), segment.b).field("radius", segment.radius).text("}");
  });
  json.text("}");
}

void add_car(JsonWriter& json, const engine::CarSetup& car) {
  const auto polygon = [&](const std::vector<Vec2>& points) {
    json.list(points, [&](Vec2 point) { add_point(json, point); });
  };
  json.text(R"({"id":)").number(static_cast<double>(car.external_id)).text(R"(,"name":)").quoted(cars::name_of(car));
  json.text(R"(,"body":)");
  polygon(car.body_poly);
  json.text(R"(,"button":)");
  polygon(car.button_poly);
  json.field("rearRadius", car.rear_wheel.radius).field("frontRadius", car.front_wheel.radius);
  json.text(R"(,"squareWheels":)").text(text_of(car.squared_wheels)).text("}");
}

/// Which way the cars look: 1 right, -1 left.
std::array<int, 2> facing_of(const Line& line, std::size_t match) {
  if (line.recorded() == nullptr || line.recorded()->matches[match].ticks.empty()) return {1, -1};
  const auto& cars = line.recorded()->matches[match].ticks.front().cars;
  return {cars[0].side, cars[1].side};
}

void add_death(JsonWriter& json, const std::optional<Death>& death) {
  if (!death) {
    json.text("null");
    return;
  }
  json.text(R"({"tick":)").number(static_cast<double>(death->tick)).text(R"(,"cause":)");
  const bool is_known = death->cause != engine::DeathCause::none;
  is_known ? json.quoted(to_string(death->cause)) : json.text("null");
  json.text("}");
}

}  // namespace

std::string state_json(const Line& line) {
  JsonWriter json;
  json.text(R"({"over":)").text(text_of(line.over()));
  json.text(R"(,"takesCommands":)").text(text_of(line.takes_commands()));
  json.field("ownFrom", static_cast<double>(line.own_from()));
  add_pair(json.text(R"(,"lives":)"), line.lives());
  json.text(R"(,"matches":)").list(line.matches(), [&](const LineMatch& match) {
    json.text(R"({"first":)").number(static_cast<double>(match.first));
    add_pair(json.text(R"(,"lives":)"), match.lives);
    json.text(R"(,"deaths":)").list(match.deaths, [&](const auto& death) { add_death(json, death); }).text("}");
  });
  return json.text("}").take();
}

std::string schedule_json(int id, const Line& line, const io::RecordingExtras& extras) {
  JsonWriter json;
  json.text(R"({"line":)").number(id);
  std::size_t match = 0;
  json.text(R"(,"matches":)").list(line.schedule(), [&](const engine::MatchSetup& setup) {
    add_map(json.text(R"({"map":)"), setup.map);
    json.text(R"(,"car":)");
    add_car(json, setup.car);
    add_pair(json.text(R"(,"facing":)"), facing_of(line, match++)).text("}");
  });
  if (const formats::Recording* recorded = line.recorded()) {
    json.text(R"(,"players":)").list(recorded->player_ids, [&](const std::string& player) { json.quoted(player); });
    json.text(R"(,"hasCommands":)").text(text_of(recorded->has_commands)).text(R"(,"said":)");
    if (extras.trace.empty()) {
      json.text("null");
    } else {
      json.list(extras.trace, [&](const std::array<std::string, 2>& said) {
        json.list(said, [&](const std::string& text) { json.quoted(text); });
      });
    }
    io::write_thoughts(json, extras.thoughts);
  }
  return json.text("}").take();
}

std::string verdict_json(const replay::Verification& verification) {
  JsonWriter json;
  json.text(R"({"exact":)").text(text_of(verification.good()));
  json.field("ticks", static_cast<double>(verification.tick_count));
  json.field("mismatching", static_cast<double>(verification.mismatching_ticks()));
  json.text(R"(,"inferred":)").text(text_of(verification.commands == replay::CommandSource::inferred));
  viewer::write_mismatch(json.text(R"(,"first":)"),
                         verification.replay ? verification.replay->first_mismatch : std::nullopt);
  return json.text("}").take();
}

std::string decision_json(const search::Decision& decision) {
  const auto digits = [](const search::Plan& plan) {
    std::string result;
    for (int tick = 0; tick < plan.ticks(); ++tick) result += static_cast<char>('0' + static_cast<int>(plan.at(tick)));
    return result;
  };
  JsonWriter json;
  json.text(R"({"score":)");
  decision.score ? json.number(*decision.score) : json.text("null");
  json.field("ticks", static_cast<double>(decision.ticks)).text(R"(,"plan":)").quoted(digits(decision.plan));
  return json.text(R"(,"reply":)").quoted(digits(decision.reply)).text("}").take();
}

std::string names_json() {
  JsonWriter json;
  const auto name = [&](const auto& entry) { json.quoted(entry.name); };
  json.text(R"({"maps":)").list(maps::catalogue(), name).text(R"(,"cars":)").list(cars::catalogue(), name);
  return json.text(R"(,"planners":)").list(search::planners(), name).text("}").take();
}

}  // namespace forkmunk::wasm
