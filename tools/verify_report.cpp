#include "verify_report.h"

#include <forkmunk/io/output_file.h>

#include <algorithm>

#include <fmt/format.h>

namespace forkmunk::tools {

using nlohmann::ordered_json;
using replay::Mismatch;
using replay::TolerantMatch;
using reports::FileReport;

namespace {

std::string number_or(const std::optional<double>& value, const char* otherwise) {
  return value ? fmt::format("{}", *value) : otherwise;
}

std::string describe_commands(const FileReport& report) {
  if (report.commands != replay::CommandSource::inferred) return "";
  std::string text = fmt::format("; commands inferred, {} ambiguous", report.ambiguous_ticks);
  if (report.followed) text = "; commands inferred";
  if (report.wrong_commands) text += fmt::format(", {} wrong", *report.wrong_commands);
  return text;
}

std::string describe_tolerant(const FileReport& report) {
  const replay::TolerantReplay& followed = *report.followed;
  const std::size_t commands = followed.sure_commands() + followed.unsure_commands();
  std::string text = fmt::format(
      "\n            within {:g}: {} of {} commands sure ({:.1f} %), {} resynchronisations, largest error {:.2g}",
      *report.tolerance, followed.sure_commands(), commands,
      commands == 0 ? 100.0 : 100.0 * static_cast<double>(followed.sure_commands()) / static_cast<double>(commands),
      followed.resyncs(), followed.max_error());
  const auto tick = [](const std::optional<std::int64_t>& death) {
    return death ? fmt::format("{}", *death) : std::string("-");
  };
  text +=
      "\n            match                              commands  unsure  resyncs   median      p99      max  death";
  for (std::size_t m = 0; m < followed.matches.size(); ++m) {
    const TolerantMatch& match = followed.matches[m];
    const std::string death =
        !match.deaths_recorded
            ? fmt::format("not recorded, replayed {}", tick(match.replayed_death))
            : fmt::format("recorded {}, replayed {}{}", tick(match.recorded_death), tick(match.replayed_death),
                          match.recorded_losers == match.replayed_losers ? "" : ": another loser");
    text += fmt::format("\n            {:2} {:30}  {:8} {:7} {:8} {:8.1e} {:8.1e} {:8.1e}  {}", m, report.scenes[m],
                        match.sure_commands + match.unsure_commands, match.unsure_commands, match.resyncs,
                        match.error_quantiles.median, match.error_quantiles.p99, match.error_quantiles.max, death);
  }
  return text;
}

}  // namespace

std::string describe(const Mismatch& mismatch, const std::string& scene) {
  const std::string place =
      fmt::format("tick {} (tick {} of match {}: {})", mismatch.tick, mismatch.match_tick, mismatch.match, scene);
  if (mismatch.value == "tick_num" && !mismatch.expected) return place + ": the recording lacks this tick";
  if (mismatch.value == "tick_num") {
    return place +
           fmt::format(": the recording has tick {} here: doubled, or after the match's end", *mismatch.expected);
  }
  return place + fmt::format(": {}: recorded {}, replayed {}", mismatch.value, number_or(mismatch.expected, "nothing"),
                             number_or(mismatch.found, "nothing"));
}

std::string describe(const engine::EngineDifference& difference) {
  return fmt::format("they differ first after {} ticks of match {}: chipmunk has {}, flat has {}", difference.tick,
                     difference.match, difference.chipmunk, difference.flat);
}

std::string describe(const FileReport& report) {
  if (!report.error.empty()) return fmt::format("unreadable  {}", report.file);
  const char* verdict = !report.good() ? "DIFFERENT" : report.followed ? "followed" : "exact";
  std::string text =
      fmt::format("{:11} {}: {}, {} matches, {} ticks, {:.2f} s{}{}", verdict, report.file,
                  to_string(arithmetic_of(report.physics)), report.match_count, report.tick_count, report.seconds,
                  describe_commands(report), report.ended ? "" : "; the file ends in mid-game (no end_game)");
  if (report.replay && report.replay->mismatching_ticks > 0) {
    text += fmt::format("\n            {} of {} ticks differ, by up to {:.3g}; first {}",
                        report.replay->mismatching_ticks, report.tick_count, report.replay->max_error,
                        describe(*report.replay->first_mismatch, report.first_mismatch_scene));
  }
  if (report.followed) text += describe_tolerant(report);
  if (report.lockstep) {
    text +=
        fmt::format("\n            engines: {} ticks in lockstep, strict arithmetic: ", report.lockstep->tick_count);
    text += report.lockstep->difference ? describe(*report.lockstep->difference) : "all live state equal";
  }
  if (report.clones) {
    text += fmt::format("\n            clones: {} points, {} ticks compared, {} differ", report.clones->clone_count,
                        report.clones->compared_ticks, report.clones->mismatching_ticks);
    if (report.clones->first_mismatch_tick) text += fmt::format(", first tick {}", *report.clones->first_mismatch_tick);
  }
  if (report.tracker) {
    const replay::TrackerReport& tracker = *report.tracker;
    text += fmt::format(
        "\n            tracker: {} messages from both seats; wrong: {} settled states, {} candidates, {} worlds, "
        "{} commands, {} starts; {} problems",
        tracker.message_count, tracker.wrong_settled, tracker.wrong_candidates, tracker.wrong_worlds,
        tracker.wrong_commands, tracker.wrong_starts, tracker.problem_count);
  }
  return text;
}

std::string summarise(const std::vector<FileReport>& reports) {
  const auto count = [&](auto predicate) { return std::ranges::count_if(reports, predicate); };
  const auto unreadable = count([](const FileReport& r) { return !r.error.empty(); });
  const auto inferred = count([](const FileReport& r) { return r.commands == replay::CommandSource::inferred; });
  const bool followed = std::ranges::any_of(reports, [](const FileReport& r) { return r.followed.has_value(); });
  const ordered_json totals = reports::to_json(reports);
  std::string text = fmt::format("{} of {} files {}, {} mismatching ticks of {}",
                                 count([](const FileReport& r) { return r.error.empty() && r.good(); }), reports.size(),
                                 followed ? "followed" : "exact", totals["mismatching_ticks"].get<std::size_t>(),
                                 totals["ticks"].get<std::size_t>());
  if (inferred > 0) text += fmt::format("; {} by inferred commands", inferred);
  if (unreadable > 0) text += fmt::format("; {} unreadable", unreadable);
  return text;
}

// The commands by tick_num, in the recordings' own form, and which ticks are ambiguous.
void write_commands(const std::filesystem::path& path, const formats::Recording& recording, const FileReport& report) {
  const replay::GameCommands game = commands_of(recording, report);
  const auto name = [](const std::optional<engine::Command>& command) {
    return command ? ordered_json(to_string(*command)) : ordered_json(nullptr);
  };
  ordered_json commands = ordered_json::array();
  for (const formats::RecordedCommands& pair : game.by_tick_num) commands.push_back({name(pair[0]), name(pair[1])});
  const ordered_json file{{"file", report.file},
                          {"arithmetic", to_string(arithmetic_of(report.physics))},
                          {"inferred", !report.inferred.empty()},
                          {"ambiguous_ticks", game.ambiguous_ticks},
                          {"commands", commands}};
  io::write_file(path.string(), file.dump() + '\n', "commands");
}

}  // namespace forkmunk::tools
