#include <forkmunk/io/json_writer.h>
#include <forkmunk/io/recording_writer.h>
#include <forkmunk/io/thought_writer.h>

namespace forkmunk::io {
namespace {

void write_pair(JsonWriter& json, const std::array<std::string, 2>& values) {
  json.text(R"({"1":)").text(values[0]).text(R"(,"2":)").text(values[1]).text("}");
}

void write_lives(JsonWriter& json, const engine::Lives& lives) {
  write_pair(json, {std::to_string(lives[0]), std::to_string(lives[1])});
}

void write_new_match(JsonWriter& json, const formats::RecordedMatch& match) {
  json.text(R"({"type":"new_match","params":{"lives":)");
  write_lives(json, match.lives);
  json.text(R"(,"proto_map":)").map(match.setup.map).text(R"(,"proto_car":)").car_setup(match.setup.car).text("}}");
}

void write_tick(JsonWriter& json, const formats::RecordedTick& tick) {
  json.text(R"(,{"type":"tick","params":{"cars":{"1":)").car(tick.cars[0]).text(R"(,"2":)").car(tick.cars[1]);
  json.text("}").field("deadline_position", tick.deadline_position);
  json.field("tick_num", static_cast<double>(tick.tick_num)).text("}}");
}

void write_command(JsonWriter& json, const std::optional<engine::Command>& command) {
  if (command) {
    json.text("\"").text(to_string(*command)).text("\"");
  } else {
    json.text("null");
  }
}

// The file's own list where it has entries of ticks that the file does not have; else one of each tick.
void write_commands(JsonWriter& json, const formats::Recording& recording) {
  const char* separator = "";
  const auto write = [&](const formats::RecordedCommands& commands) {
    json.text(separator).text("[");
    write_command(json, commands[0]);
    json.text(",");
    write_command(json, commands[1]);
    json.text("]");
    separator = ",";
  };
  json.text(R"(,"commands":[)");
  if (!recording.commands_by_tick_num.empty()) {
    for (const formats::RecordedCommands& commands : recording.commands_by_tick_num) write(commands);
  } else {
    for (const formats::RecordedMatch& match : recording.matches) {
      for (const formats::RecordedTick& tick : match.ticks) write(tick.commands);
    }
  }
  json.text("]");
}

}  // namespace

std::string to_json_text(const formats::Recording& recording, const RecordingExtras& extras) {
  JsonWriter json;
  json.text(R"({"config":{"1":)").quoted(recording.player_ids[0]).text(R"(,"2":)").quoted(recording.player_ids[1]);
  json.text("}");
  if (!extras.match_names.empty()) {
    json.text(R"(,"matches":)").list(extras.match_names, [&](const std::string& name) { json.quoted(name); });
  }
  json.text(R"(,"visio_info":[)");
  const char* separator = "";
  for (const formats::RecordedMatch& match : recording.matches) {
    json.text(separator);
    write_new_match(json, match);
    for (const formats::RecordedTick& tick : match.ticks) write_tick(json, tick);
    separator = ",";
  }
  if (recording.final_lives) {
    json.text(separator).text(R"({"type":"end_game","params":)");
    write_lives(json, *recording.final_lives);
    json.text("}");
  }
  json.text("]");
  if (recording.has_commands) write_commands(json, recording);
  if (!extras.trace.empty()) {
    json.text(R"(,"trace":)").list(extras.trace, [&](const std::array<std::string, 2>& said) {
      json.text("[").quoted(said[0]).text(",").quoted(said[1]).text("]");
    });
  }
  write_thoughts(json, extras.thoughts);
  return json.text("}").take();
}

}  // namespace forkmunk::io
