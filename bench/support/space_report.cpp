#include "bench/support/space_report.h"

#include "viewer/pages/scatter.h"

#include <forkmunk/base/build_info.h>
#include <forkmunk/base/error.h>

#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace forkmunk::bench {
namespace {

using nlohmann::ordered_json;

// What two medians of one run differ by on a machine that does other things too.
constexpr double kStepDoubt = 0.02;

// Four digits that say something.
std::string digits(double us) {
  if (us < 10) return fmt::format("{:.3f}", us);
  return us < 100 ? fmt::format("{:.1f}", us) : fmt::format("{:.0f}", us);
}

std::string with_commas(std::size_t number) {
  return number < 1000 ? std::to_string(number) : fmt::format("{},{:03}", with_commas(number / 1000), number % 1000);
}

std::string build_line() {
  const BuildInfo build = build_info();
  return fmt::format("{}, {}, check level {}, {}", build.compiler, build.build_type, build.check_level,
                     build.processor);
}

// What the module promises of itself, by row.
std::vector<std::string> broken_promises(std::span<const SpaceRow> rows, std::span<const RapierRow> rapier) {
  std::vector<std::string> broken;
  for (const SpaceRow& row : rows) {
    const std::string scene = fmt::format("{} of {}", to_string(row.kind), row.body_count);
    if (!row.copies_as_promised()) {
      broken.push_back(
          fmt::format("{}: save takes {:.2f} and restore {:.2f} of memcpy's {} us, expected 1.2 and 0.1 us", scene,
                      row.save_ratio, row.restore_ratio, digits(row.memcpy_us)));
    }
    if (row.step_ratio > 1.0 + kStepDoubt) {
      broken.push_back(fmt::format("{}: a step takes {:.2f} of stock Chipmunk's", scene, row.step_ratio));
    }
    const auto theirs = same_scene(rapier, row);
    if (theirs && row.kind == SceneKind::pyramid && row.body_count >= 50 && row.body_count <= 800 &&
        10 * (row.save_us + row.restore_us) > theirs->snapshot_us + theirs->restore_us) {
      broken.push_back(fmt::format("{}: save and restore take more than a tenth of Rapier's", scene));
    }
  }
  return broken;
}

}  // namespace

std::vector<RapierRow> read_rapier(const std::string& path) {
  std::ifstream file(path);
  const ordered_json json = ordered_json::parse(file, nullptr, false);
  if (!json.is_object() || !json.contains("rows")) {
    throw Error("--rapier " + path + ": found something else, expected what bench/rapier.mjs prints");
  }
  std::vector<RapierRow> rows;
  for (const auto& row : json["rows"]) {
    rows.push_back({row.value("scene", ""), row.value("bodies", 0), row.value("bytes", std::size_t{0}),
                    row.value("snapshot_us", 0.0), row.value("restore_us", 0.0), row.value("step_us", 0.0)});
  }
  return rows;
}

std::optional<RapierRow> same_scene(std::span<const RapierRow> rapier, const SpaceRow& row) {
  const auto found = std::find_if(rapier.begin(), rapier.end(), [&](const RapierRow& theirs) {
    return theirs.scene == to_string(row.kind) && theirs.body_count == row.body_count;
  });
  return found == rapier.end() ? std::nullopt : std::optional(*found);
}

void print_table(std::FILE* out, std::span<const SpaceRow> rows, std::span<const RapierRow> rapier) {
  fmt::print(out, "{}; microseconds, medians\n\n", build_line());
  fmt::print(out,
             "| scene | bodies | bytes | memcpy | save | restore | fresh save | fork | hash | step | stock step | "
             "step / stock | stock rebuild |");
  if (!rapier.empty()) fmt::print(out, " Rapier bytes | snapshot | restore | step | its / our save + restore |");
  fmt::print(out, "\n|---|---|---|---|---|---|---|---|---|---|---|---|---|{}\n",
             rapier.empty() ? "" : "---|---|---|---|---|");
  for (const SpaceRow& row : rows) {
    fmt::print(out, "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.2f} | {} |", to_string(row.kind),
               row.body_count, with_commas(row.live_bytes), digits(row.memcpy_us), digits(row.save_us),
               digits(row.restore_us), digits(row.fresh_us), digits(row.fork_us), digits(row.hash_us),
               digits(row.step_us), digits(row.stock_step_us), row.step_ratio, digits(row.rebuild_us));
    if (const auto theirs = same_scene(rapier, row)) {
      fmt::print(out, " {} | {} | {} | {} | {:.0f} |", with_commas(theirs->bytes), digits(theirs->snapshot_us),
                 digits(theirs->restore_us), digits(theirs->step_us),
                 (theirs->snapshot_us + theirs->restore_us) / (row.save_us + row.restore_us));
    } else if (!rapier.empty()) {
      fmt::print(out, " | | | | |");
    }
    fmt::print(out, "\n");
  }
  const std::vector<std::string> broken = broken_promises(rows, rapier);
  fmt::print(out, "\n{}\n", broken.empty() ? "All promises hold." : "Promised otherwise:");
  for (const std::string& line : broken) fmt::print(out, "  {}\n", line);
}

std::string to_json(std::span<const SpaceRow> rows, std::span<const RapierRow> rapier) {
  const BuildInfo build = build_info();
  ordered_json report{{"build",
                       {{"compiler", build.compiler},
                        {"build_type", build.build_type},
                        {"check_level", build.check_level},
                        {"sanitizer", build.sanitizer},
                        {"processor", build.processor}}},
                      {"rows", ordered_json::array()}};
  for (const SpaceRow& row : rows) {
    ordered_json one{{"scene", to_string(row.kind)},
                     {"bodies", row.body_count},
                     {"live_bytes", row.live_bytes},
                     {"memcpy_us", row.memcpy_us},
                     {"save_us", row.save_us},
                     {"restore_us", row.restore_us},
                     {"save_ratio", row.save_ratio},
                     {"restore_ratio", row.restore_ratio},
                     {"fresh_save_us", row.fresh_us},
                     {"fork_us", row.fork_us},
                     {"hash_us", row.hash_us},
                     {"step_us", row.step_us},
                     {"stock_step_us", row.stock_step_us},
                     {"step_ratio", row.step_ratio},
                     {"rebuild_us", row.rebuild_us}};
    if (const auto theirs = same_scene(rapier, row)) {
      one["rapier"] = {{"bytes", theirs->bytes},
                       {"snapshot_us", theirs->snapshot_us},
                       {"restore_us", theirs->restore_us},
                       {"step_us", theirs->step_us}};
    }
    report["rows"].push_back(std::move(one));
  }
  report["promises_broken"] = broken_promises(rows, rapier);
  return report.dump(2) + "\n";
}

std::string to_svg(std::span<const SpaceRow> rows, std::span<const RapierRow> rapier) {
  viewer::Scatter picture{"Cost of a scene by the bytes of its state",
                          build_line() + "; medians of one run; a point is a scene of 10 to 3,000 bodies",
                          "bytes of the snapshot",
                          "µs",
                          {}};
  const auto add = [&](std::string name, auto value) {
    viewer::Scatter::Series series{std::move(name), {}};
    for (const SpaceRow& row : rows) series.points.push_back({static_cast<double>(row.live_bytes), value(row)});
    picture.series.push_back(std::move(series));
  };
  add("save + restore", [](const SpaceRow& row) { return row.save_us + row.restore_us; });
  add("fork", [](const SpaceRow& row) { return row.fork_us; });
  add("hash", [](const SpaceRow& row) { return row.hash_us; });
  add("step", [](const SpaceRow& row) { return row.step_us; });
  add("rebuild in stock Chipmunk", [](const SpaceRow& row) { return row.rebuild_us; });
  if (!rapier.empty()) {
    viewer::Scatter::Series series{"Rapier's snapshot + restore", {}};
    for (const RapierRow& row : rapier) {
      series.points.push_back({static_cast<double>(row.bytes), row.snapshot_us + row.restore_us});
    }
    picture.series.push_back(std::move(series));
  }
  return viewer::to_svg(picture);
}

}  // namespace forkmunk::bench
