// SPDX-License-Identifier: MIT
#include "apps/cli/reports/verification_json.h"

namespace forkmunk::reports {

using io::JsonWriter;
using replay::TolerantMatch;
using replay::Verification;

namespace {

void write(JsonWriter& json, const TolerantMatch& match, const std::string& scene) {
  json.object([&] {
    json.field("scene", scene).field("ticks", match.compared_ticks);
    json.field("sure_commands", match.sure_commands).field("unsure_commands", match.unsure_commands);
    json.field("resyncs", match.resyncs);
    json.key("error").object([&] {
      const auto& q = match.error_quantiles;
      json.field("median", q.median).field("p90", q.p90).field("p99", q.p99).field("max", q.max);
    });
    json.field("deaths_recorded", match.deaths_recorded);
    json.key("death_tick").object([&] {
      json.field("expected", match.recorded_death).field("found", match.replayed_death);
    });
    json.key("losers").object([&] {
      json.key("expected");
      match.deaths_recorded ? json.value(match.recorded_losers) : json.null();
      json.field("found", match.replayed_losers);
    });
    json.field("same_end", match.same_end());
  });
}

void write_tolerant(JsonWriter& json, const Verification& found, const std::vector<std::string>& scenes) {
  json.field("tolerance", found.tolerance).field("sure_commands", found.followed->sure_commands());
  json.field("unsure_commands", found.followed->unsure_commands());
  json.key("match_reports").list([&] {
    for (std::size_t m = 0; m < found.followed->matches.size(); ++m) {
      write(json, found.followed->matches[m], scenes[m]);
    }
  });
}

void write(JsonWriter& json, const replay::LockstepReport& lockstep) {
  json.object([&] {
    json.field("ticks", lockstep.tick_count).key("first_difference");
    if (!lockstep.difference) {
      json.null();
      return;
    }
    json.object([&] {
      json.field("match", lockstep.difference->match).field("tick", lockstep.difference->tick);
      json.field("chipmunk", lockstep.difference->chipmunk).field("flat", lockstep.difference->flat);
    });
  });
}

void write(JsonWriter& json, const replay::TrackerReport& tracker) {
  json.object([&] {
    json.field("messages", tracker.message_count).field("wrong_states", tracker.wrong_states());
    json.field("wrong_settled", tracker.wrong_settled).field("wrong_candidates", tracker.wrong_candidates);
    json.field("wrong_worlds", tracker.wrong_worlds).field("wrong_commands", tracker.wrong_commands);
    json.field("wrong_starts", tracker.wrong_starts).field("unsure_commands", tracker.unsure_commands);
    json.field("problems", tracker.problem_count).field("resyncs", tracker.resync_count);
    json.field("matches_resynced", tracker.matches_resynced);
  });
}

void write(JsonWriter& json, const replay::WrongCommand& wrong) {
  json.object([&] {
    json.field("match", wrong.match).field("tick", wrong.tick).field("player", index_of(wrong.player) + 1);
    json.field("recorded", to_string(wrong.recorded)).key("inferred");
    wrong.inferred ? json.value(to_string(*wrong.inferred)) : json.null();
  });
}

void write_verification(JsonWriter& json, const FileReport& report) {
  const Verification& found = report.verification;
  json.field("arithmetic", to_string(arithmetic_of(found.physics)));
  json.field("engine", found.lockstep ? "both" : engine_name(found.physics));
  json.field("ticks", found.tick_count).field("matches", found.match_count).field("ended", found.ended);
  json.field("mismatching_ticks", found.mismatching_ticks());
  reports::write(json.key("first_mismatch"), found.first_mismatch());
  json.field("max_error", found.replay ? found.replay->max_error : found.followed->max_error());
  json.field("commands", found.commands == replay::CommandSource::recorded ? "recorded" : "inferred");
  const auto& wrong = found.wrong_commands;
  json.field("wrong_commands", wrong ? std::optional(wrong->size()) : std::nullopt).key("first_wrong_command");
  if (wrong && !wrong->empty()) {
    write(json, wrong->front());
  } else {
    json.null();
  }
  json.field("ambiguous_ticks", found.ambiguous_ticks);
  json.field("resyncs", found.followed ? found.followed->resyncs() : 0);
  if (found.followed) write_tolerant(json, found, report.scenes);
  if (found.lockstep) write(json.key("lockstep"), *found.lockstep);
  if (found.clones) {
    json.key("clones").object([&] {
      json.field("points", found.clones->clone_count).field("compared_ticks", found.clones->compared_ticks);
      json.field("mismatching_ticks", found.clones->mismatching_ticks);
    });
  }
  if (found.tracker) write(json.key("tracker"), *found.tracker);
}

}  // namespace

void write(JsonWriter& json, const FileReport& report) {
  json.object([&] {
    json.field("file", report.file);
    if (!report.error.empty()) {
      json.field("error", report.error);
      return;
    }
    write_verification(json, report);
    json.key("label_problems").list(report.verification.label_problems, [&](const replay::LabelProblem& problem) {
      json.value("match " + std::to_string(problem.match) + ": " + problem.text);
    });
    json.field("seconds", report.seconds);
  });
}

void write(JsonWriter& json, const std::vector<FileReport>& reports) {
  std::size_t ticks = 0;
  std::size_t mismatching = 0;
  for (const FileReport& report : reports) {
    ticks += report.verification.tick_count;
    mismatching += report.verification.mismatching_ticks();
  }
  json.object([&] {
    json.key("files").list(reports, [&](const FileReport& report) { write(json, report); });
    json.field("ticks", ticks).field("mismatching_ticks", mismatching);
  });
}

}  // namespace forkmunk::reports
