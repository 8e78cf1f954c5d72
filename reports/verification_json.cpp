#include "reports/verification_json.h"

namespace forkmunk::reports {

using nlohmann::ordered_json;
using replay::Mismatch;
using replay::TolerantMatch;

ordered_json to_json(const std::optional<Mismatch>& mismatch) { return ordered_json::parse(to_json_text(mismatch)); }

namespace {

template <typename T>
ordered_json or_null(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json to_json(const TolerantMatch& match, const std::string& scene) {
  const auto& q = match.error_quantiles;
  return {{"scene", scene},
          {"ticks", match.compared_ticks},
          {"sure_commands", match.sure_commands},
          {"unsure_commands", match.unsure_commands},
          {"resyncs", match.resyncs},
          {"error", {{"median", q.median}, {"p90", q.p90}, {"p99", q.p99}, {"max", q.max}}},
          {"deaths_recorded", match.deaths_recorded},
          {"death_tick", {{"expected", or_null(match.recorded_death)}, {"found", or_null(match.replayed_death)}}},
          {"losers",
           {{"expected", match.deaths_recorded ? ordered_json(match.recorded_losers) : ordered_json(nullptr)},
            {"found", match.replayed_losers}}},
          {"same_end", match.same_end()}};
}

void add_tolerant(ordered_json& json, const FileReport& report) {
  json["tolerance"] = *report.tolerance;
  json["sure_commands"] = report.followed->sure_commands();
  json["unsure_commands"] = report.followed->unsure_commands();
  json["match_reports"] = ordered_json::array();
  for (std::size_t m = 0; m < report.followed->matches.size(); ++m) {
    json["match_reports"].push_back(to_json(report.followed->matches[m], report.scenes[m]));
  }
}

}  // namespace

ordered_json to_json(const FileReport& report) {
  if (!report.error.empty()) return {{"file", report.file}, {"error", report.error}};
  ordered_json json{{"file", report.file},
                    {"arithmetic", to_string(arithmetic_of(report.physics))},
                    {"engine", report.lockstep ? "both" : engine_name(report.physics)},
                    {"ticks", report.tick_count},
                    {"matches", report.match_count},
                    {"ended", report.ended},
                    {"mismatching_ticks", report.mismatching_ticks()}};
  json["first_mismatch"] = report.replay ? to_json(report.replay->first_mismatch) : ordered_json(nullptr);
  json["max_error"] = report.replay ? report.replay->max_error : report.followed->max_error();
  json["commands"] = report.commands == replay::CommandSource::recorded ? "recorded" : "inferred";
  json["wrong_commands"] =
      report.commands == replay::CommandSource::recorded ? ordered_json(0) : or_null(report.wrong_commands);
  json["ambiguous_ticks"] = report.ambiguous_ticks;
  json["resyncs"] = report.followed ? report.followed->resyncs() : 0;
  if (report.followed) add_tolerant(json, report);
  if (report.lockstep) {
    const auto& difference = report.lockstep->difference;
    json["lockstep"] = {{"ticks", report.lockstep->tick_count}, {"first_difference", nullptr}};
    if (difference) {
      json["lockstep"]["first_difference"] = {{"match", difference->match},
                                              {"tick", difference->tick},
                                              {"chipmunk", difference->chipmunk},
                                              {"flat", difference->flat}};
    }
  }
  if (report.clones) {
    json["clones"] = {{"points", report.clones->clone_count},
                      {"compared_ticks", report.clones->compared_ticks},
                      {"mismatching_ticks", report.clones->mismatching_ticks}};
  }
  if (report.tracker) {
    json["tracker"] = {
        {"messages", report.tracker->message_count},           {"wrong_states", report.tracker->wrong_states()},
        {"wrong_settled", report.tracker->wrong_settled},      {"wrong_candidates", report.tracker->wrong_candidates},
        {"wrong_worlds", report.tracker->wrong_worlds},        {"wrong_commands", report.tracker->wrong_commands},
        {"wrong_starts", report.tracker->wrong_starts},        {"unsure_commands", report.tracker->unsure_commands},
        {"problems", report.tracker->problem_count},           {"resyncs", report.tracker->resync_count},
        {"matches_resynced", report.tracker->matches_resynced}};
  }
  json["seconds"] = report.seconds;
  return json;
}

ordered_json to_json(const std::vector<FileReport>& reports) {
  ordered_json json{{"files", ordered_json::array()}, {"ticks", 0}, {"mismatching_ticks", 0}};
  std::size_t ticks = 0;
  std::size_t mismatching = 0;
  for (const FileReport& report : reports) {
    json["files"].push_back(to_json(report));
    ticks += report.tick_count;
    mismatching += report.mismatching_ticks();
  }
  json["ticks"] = ticks;
  json["mismatching_ticks"] = mismatching;
  return json;
}

}  // namespace forkmunk::reports
