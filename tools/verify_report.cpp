#include "verify_report.h"

#include <algorithm>

#include <fmt/format.h>

namespace forkmunk::tools {

using nlohmann::ordered_json;
using referee::Mismatch;

bool FileReport::exact() const {
  return error.empty() && replay && replay->mismatching_ticks == 0 && (!clones || clones->mismatching_ticks == 0);
}

ordered_json to_json(const std::optional<Mismatch>& mismatch) {
  if (!mismatch) return nullptr;
  const auto number = [](std::optional<double> value) { return value ? ordered_json(*value) : ordered_json(nullptr); };
  return {{"match", mismatch->match},
          {"tick", mismatch->tick},
          {"value", mismatch->value},
          {"expected", number(mismatch->expected)},
          {"found", number(mismatch->found)}};
}

namespace {

ordered_json to_json(const FileReport& report) {
  if (!report.error.empty()) return {{"file", report.file}, {"error", report.error}};
  ordered_json json{{"file", report.file}};
  json["arithmetic"] = report.arithmetic ? ordered_json(engine::to_string(*report.arithmetic)) : ordered_json(nullptr);
  json["engine"] = "chipmunk";
  json["ticks"] = report.tick_count;
  json["matches"] = report.match_count;
  json["ended"] = report.ended;
  if (report.replay) {
    json["mismatching_ticks"] = report.replay->mismatching_ticks;
    json["first_mismatch"] = tools::to_json(report.replay->first_mismatch);
    json["max_error"] = report.replay->max_error;
    json["commands"] = "recorded";
  } else {
    json["mismatching_ticks"] = nullptr;
    json["first_mismatch"] = nullptr;
    json["max_error"] = nullptr;
    json["commands"] = "none";
  }
  json["wrong_commands"] = report.replay ? ordered_json(0) : ordered_json(nullptr);
  json["ambiguous_ticks"] = report.replay ? ordered_json(0) : ordered_json(nullptr);
  json["resyncs"] = 0;
  if (report.clones) {
    json["clones"] = {{"points", report.clones->clone_count},
                      {"compared_ticks", report.clones->compared_ticks},
                      {"mismatching_ticks", report.clones->mismatching_ticks}};
  }
  json["seconds"] = report.seconds;
  return json;
}

std::string number_or(const std::optional<double>& value, const char* otherwise) {
  return value ? fmt::format("{}", *value) : otherwise;
}

}  // namespace

ordered_json to_json(const std::vector<FileReport>& reports) {
  ordered_json json{{"files", ordered_json::array()}, {"ticks", 0}, {"mismatching_ticks", 0}};
  std::size_t ticks = 0;
  std::size_t mismatching = 0;
  for (const FileReport& report : reports) {
    json["files"].push_back(to_json(report));
    ticks += report.tick_count;
    if (report.replay) mismatching += report.replay->mismatching_ticks;
  }
  json["ticks"] = ticks;
  json["mismatching_ticks"] = mismatching;
  return json;
}

std::string describe(const Mismatch& mismatch, const std::string& scene) {
  std::string place = fmt::format("tick {} (tick {} of match {}: {})", mismatch.tick, mismatch.match_tick,
                                  mismatch.match, scene);
  if (mismatch.value == "tick_num" && !mismatch.expected) return place + ": the recording lacks this tick";
  if (mismatch.value == "tick_num") {
    return place + fmt::format(": the recording has tick {} here: doubled, or after the match's end", *mismatch.expected);
  }
  return place + fmt::format(": {}: recorded {}, replayed {}", mismatch.value, number_or(mismatch.expected, "nothing"),
                             number_or(mismatch.found, "nothing"));
}

std::string describe(const FileReport& report) {
  if (!report.error.empty()) return fmt::format("unreadable  {}", report.file);
  const std::string size = fmt::format("{} matches, {} ticks", report.match_count, report.tick_count);
  const char* cut = report.ended ? "" : "; the file ends in mid-game (no end_game)";
  if (!report.replay) {
    return fmt::format("no commands {}: {}{}; not replayed: there are no commands in the file", report.file, size, cut);
  }
  const referee::ReplayReport& replay = *report.replay;
  std::string text = fmt::format("{} {}: {}, {}, {:.2f} s{}", report.exact() ? "exact      " : "DIFFERENT  ",
                                 report.file, engine::to_string(*report.arithmetic), size, report.seconds, cut);
  if (replay.mismatching_ticks > 0) {
    text += fmt::format("\n            {} of {} ticks differ, by up to {:.3g}; first {}", replay.mismatching_ticks,
                        report.tick_count, replay.max_error,
                        describe(*replay.first_mismatch, report.first_mismatch_scene));
  }
  if (report.clones) {
    text += fmt::format("\n            clones: {} points, {} ticks compared, {} differ", report.clones->clone_count,
                        report.clones->compared_ticks, report.clones->mismatching_ticks);
    if (report.clones->first_mismatch_tick) text += fmt::format(", first tick {}", *report.clones->first_mismatch_tick);
  }
  return text;
}

std::string summarise(const std::vector<FileReport>& reports) {
  const auto count = [&](auto predicate) { return std::ranges::count_if(reports, predicate); };
  const auto unreadable = count([](const FileReport& r) { return !r.error.empty(); });
  const auto without_commands = count([](const FileReport& r) { return r.error.empty() && !r.replay; });
  const auto exact = count([](const FileReport& r) { return r.exact(); });
  const nlohmann::ordered_json totals = to_json(reports);
  std::string text = fmt::format("{} of {} files exact, {} mismatching ticks of {}", exact, reports.size(),
                                 totals["mismatching_ticks"].get<std::size_t>(), totals["ticks"].get<std::size_t>());
  if (without_commands > 0) text += fmt::format("; {} without commands, not replayed", without_commands);
  if (unreadable > 0) text += fmt::format("; {} unreadable", unreadable);
  return text;
}

}  // namespace forkmunk::tools
