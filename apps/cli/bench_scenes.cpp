#include "bench_scenes.h"

#include "bench/support/space_measure.h"
#include "bench_batch.h"
#include "command.h"
#include "print.h"
#include "progress.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/simd_target.h>

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

namespace forkmunk::tools {
namespace {

using bench::SceneKind;
using bench::SpaceRow;

void select_simd(const std::string& name) {
  if (name.empty()) return;
  std::string available;
  for (const SimdTarget target : available_simd_targets()) {
    if (to_string(target) == name) {
      set_simd_target(target);
      return;
    }
    available += fmt::format("{}{}", available.empty() ? "" : ", ", to_string(target));
  }
  throw Error(fmt::format("--simd: {} is not available on this processor; use one of {}", name, available));
}

std::vector<SceneKind> selected_scenes(const std::string& name) {
  if (name.empty()) return {SceneKind::pyramid, SceneKind::tumbler, SceneKind::chains, SceneKind::mixed};
  return {*std::ranges::find(bench::kSceneKinds, name, [](SceneKind kind) { return to_string(kind); })};
}

void write_rows(io::JsonWriter& json, const std::vector<SpaceRow>& rows) {
  json.object([&] {
    json.key("build").object([&] { write_build(json, build_info()); });
    json.key("rows").list(rows, [&](const SpaceRow& row) {
      json.object([&] {
        json.field("scene", to_string(row.kind)).field("bodies", row.body_count);
        json.field("simd", to_string(simd_target())).field("step_us", row.step_us);
        json.field("stock_step_us", row.stock_step_us).field("step_ratio", row.step_ratio);
        json.field("bytes", row.live_bytes).field("save_us", row.save_us).field("restore_us", row.restore_us);
        json.field("fork_us", row.fork_us).field("memcpy_us", row.memcpy_us).field("hash_us", row.hash_us);
        json.field("rebuild_us", row.rebuild_us);
      });
    });
  });
}

void print_table(const std::vector<SpaceRow>& rows) {
  fmt::print("{}\nSIMD target {}; microseconds, medians\n\n", provenance(build_info()), to_string(simd_target()));
  fmt::print("{:<9} {:>6} {:>9} {:>9} {:>8} {:>10} {:>8} {:>8} {:>8} {:>8} {:>8} {:>10}\n", "scene", "bodies", "step",
             "stock", "speedup", "bytes", "memcpy", "save", "restore", "fork", "hash", "rebuild");
  for (const SpaceRow& row : rows) {
    fmt::print("{:<9} {:>6} {:>9.2f} {:>9.2f} {:>8.2f} {:>10} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.1f} {:>10.0f}\n",
               to_string(row.kind), row.body_count, row.step_us, row.stock_step_us, row.step_ratio, row.live_bytes,
               row.memcpy_us, row.save_us, row.restore_us, row.fork_us, row.hash_us, row.rebuild_us);
  }
}

}  // namespace

int bench_scenes(const SceneBenchOptions& options) {
  select_simd(options.simd);
  const std::vector<SceneKind> kinds = selected_scenes(options.scene);
  const std::size_t row_count = kinds.size() * options.body_counts.size();
  std::vector<SpaceRow> rows;
  {
    Progress progress("bench");
    for (const SceneKind kind : kinds) {
      for (const int body_count : options.body_counts) {
        progress.update(rows.size(), row_count, fmt::format("{} of {}", to_string(kind), body_count));
        rows.push_back(bench::measure_space(kind, body_count, options.repetition_count));
      }
    }
  }
  options.json ? print_json([&](io::JsonWriter& json) { write_rows(json, rows); }) : print_table(rows);
  return kExitFine;
}

}  // namespace forkmunk::tools
