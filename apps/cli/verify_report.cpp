#include "verify_report.h"

#include <forkmunk/io/output_file.h>

#include <fmt/format.h>

namespace forkmunk::tools {

using replay::Mismatch;
using replay::TolerantMatch;
using replay::Verification;
using reports::FileReport;

namespace {

std::string number_or(const std::optional<double>& value, const char* otherwise) {
  return value ? fmt::format("{}", *value) : otherwise;
}

std::string describe_commands(const Verification& found) {
  if (found.commands != replay::CommandSource::inferred) return "";
  std::string text = fmt::format("; commands inferred, {} ambiguous", found.ambiguous_ticks);
  if (found.followed) text = "; commands inferred";
  if (found.wrong_commands) text += fmt::format(", {} wrong", *found.wrong_commands);
  return text;
}

std::string describe_tolerant(const Verification& found) {
  const replay::TolerantReplay& followed = *found.followed;
  const std::size_t commands = followed.sure_commands() + followed.unsure_commands();
  std::string text = fmt::format(
      "\n            within {:g}: {} of {} commands sure ({:.1f} %), {} resynchronisations, largest error {:.2g}",
      *found.tolerance, followed.sure_commands(), commands,
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
                          match.recorded_losers == match.replayed_losers ? "" : ", by another player");
    text += fmt::format("\n            {:2} {:30}  {:8} {:7} {:8} {:8.1e} {:8.1e} {:8.1e}  {}", m, found.scenes[m],
                        match.sure_commands + match.unsure_commands, match.unsure_commands, match.resyncs,
                        match.error_quantiles.median, match.error_quantiles.p99, match.error_quantiles.max, death);
  }
  return text;
}

}  // namespace

std::string describe(const Mismatch& mismatch, const std::string& scene) {
  const std::string where =
      fmt::format("tick {} (tick {} of match {}: {})", mismatch.tick, mismatch.match_tick, mismatch.match, scene);
  if (mismatch.value == "tick_num" && !mismatch.expected) return where + ": missing in the recording";
  if (mismatch.value == "tick_num") {
    return where + fmt::format(": the recording has tick {} instead: a duplicate, or after the end of the match",
                               *mismatch.expected);
  }
  return where + fmt::format(": {}: recorded {}, replayed {}", mismatch.value, number_or(mismatch.expected, "none"),
                             number_or(mismatch.found, "none"));
}

std::string describe(const engine::EngineDifference& difference) {
  return fmt::format("first difference after {} ticks of match {}: chipmunk has {}, flat has {}", difference.tick,
                     difference.match, difference.chipmunk, difference.flat);
}

std::string describe(const FileReport& report) {
  if (!report.error.empty()) return fmt::format("unreadable  {}", report.file);
  const Verification& found = report.verification;
  const char* verdict = !report.good() ? "DIFFERENT" : found.followed ? "followed" : "exact";
  std::string text =
      fmt::format("{:11} {}: {}, {} matches, {} ticks, {:.2f} s{}{}", verdict, report.file,
                  to_string(arithmetic_of(found.physics)), found.match_count, found.tick_count, report.seconds,
                  describe_commands(found), found.ended ? "" : "; the recording ends in mid-game (no end_game)");
  if (found.replay && found.replay->mismatching_ticks > 0) {
    const double error = found.replay->max_error;
    text += fmt::format("\n            {} of {} ticks differ{}; first {}", found.replay->mismatching_ticks,
                        found.tick_count, error > 0 ? fmt::format(", by up to {:.3g}", error) : std::string(),
                        describe(*found.replay->first_mismatch, found.first_mismatch_scene));
  }
  for (const std::string& problem : report.label_problems) text += "\n            labels: " + problem;
  if (found.followed) text += describe_tolerant(found);
  if (found.lockstep) {
    text += fmt::format("\n            engines: {} ticks in lockstep, strict arithmetic: ", found.lockstep->tick_count);
    text += found.lockstep->difference ? describe(*found.lockstep->difference) : "all live state equal";
  }
  if (found.clones) {
    text += fmt::format("\n            clones: {} points, {} ticks compared, {} differ", found.clones->clone_count,
                        found.clones->compared_ticks, found.clones->mismatching_ticks);
    if (found.clones->first_mismatch_tick) text += fmt::format(", first tick {}", *found.clones->first_mismatch_tick);
  }
  if (found.tracker) {
    const replay::TrackerReport& tracker = *found.tracker;
    text += fmt::format(
        "\n            tracker: {} messages to both seats; wrong: {} settled states, {} candidates, {} worlds, "
        "{} commands, {} starts; {} problems",
        tracker.message_count, tracker.wrong_settled, tracker.wrong_candidates, tracker.wrong_worlds,
        tracker.wrong_commands, tracker.wrong_starts, tracker.problem_count);
  }
  return text;
}

std::string summarise(const std::vector<FileReport>& reports) {
  std::size_t good = 0, unreadable = 0, inferred = 0, ticks = 0, mismatching = 0;
  bool followed = false;
  for (const FileReport& report : reports) {
    const Verification& found = report.verification;
    good += report.good() ? 1 : 0;
    unreadable += report.error.empty() ? 0 : 1;
    inferred += found.commands == replay::CommandSource::inferred ? 1 : 0;
    ticks += found.tick_count;
    mismatching += found.mismatching_ticks();
    followed |= found.followed.has_value();
  }
  std::string text = fmt::format("{} of {} files {}, {} mismatching ticks of {}", good, reports.size(),
                                 followed ? "followed" : "exact", mismatching, ticks);
  if (inferred > 0) text += fmt::format("; {} with inferred commands", inferred);
  if (unreadable > 0) text += fmt::format("; {} unreadable", unreadable);
  return text;
}

void write_commands(const std::filesystem::path& path, const formats::Recording& recording, const FileReport& report) {
  const replay::GameCommands game = commands_of(recording, report.verification);
  io::JsonWriter json;
  json.object([&] {
    json.field("file", report.file);
    json.field("arithmetic", to_string(arithmetic_of(report.verification.physics)));
    json.field("inferred", !report.verification.inferred.empty()).field("ambiguous_ticks", game.ambiguous_ticks);
    json.key("commands").list(game.by_tick_num, [&](const formats::RecordedCommands& pair) {
      json.list(pair, [&](const auto& command) { command ? json.value(to_string(*command)) : json.null(); });
    });
  });
  io::write_file(path.string(), json.take() + '\n');
}

}  // namespace forkmunk::tools
