#include "bench_batch.h"

#include "bench/support/batch.h"
#include "bench/support/games.h"
#include "command.h"
#include "print.h"
#include "progress.h"

#include <forkmunk/base/printable.h>
#include <forkmunk/base/simd_target.h>
#include <forkmunk/io/output_file.h>
#include <forkmunk/version.h>

#include <algorithm>
#include <thread>

#include <fmt/format.h>

namespace forkmunk::tools {
namespace {

void print_table(const std::vector<bench::BatchRow>& rows) {
  fmt::print("{:>7} {:>7} {:>12} {:>9} {:>9} {:>7} {:>10}  {}\n", "worlds", "threads", "ticks/s", "us/tick", "stock",
             "speedup", "bytes each", "all states");
  for (const bench::BatchRow& row : rows) {
    fmt::print("{:>7} {:>7} {:>12.0f} {:>9.3f} {:>9.3f} {:>7.2f} {:>10}  {}\n", row.worlds, row.threads,
               row.ticks_per_s, 1e6 / row.ticks_per_s, 1e6 / row.stock_ticks_per_s,
               row.ticks_per_s / row.stock_ticks_per_s, row.bytes, row.cache);
  }
}

void write_rows(io::JsonWriter& json, const std::vector<bench::BatchRow>& rows) {
  json.object([&] {
    json.field("lanes", to_string(simd_target())).key("rows").list(rows, [&](const bench::BatchRow& row) {
      json.object([&] {
        json.field("worlds", row.worlds).field("threads", row.threads).field("ticks_per_s", row.ticks_per_s);
        json.field("stock_ticks_per_s", row.stock_ticks_per_s).field("bytes", row.bytes).field("cache", row.cache);
      });
    });
  });
}

}  // namespace

std::string provenance(const BuildInfo& build) {
  return fmt::format("forkmunk {}, {}, {}, check level {}{}{}, {}", version(), build.compiler, build.build_type,
                     build.check_level, build.sanitizer.empty() ? "" : ", sanitizers ", build.sanitizer,
                     build.processor);
}

int bench_batches(const BatchBenchOptions& options) {
  std::vector<bench::Scene> scenes;
  for (const std::string& file : options.games) std::ranges::move(bench::scenes_of(file), std::back_inserter(scenes));
  if (options.games.empty()) scenes = bench::builtin_scenes();
  std::vector<std::size_t> threads = options.threads;
  if (threads.empty()) threads = {1, std::max(2u, std::thread::hardware_concurrency())};
  std::vector<bench::BatchRow> rows;
  {
    Progress progress("bench");
    rows = bench::measure_batches(
        scenes, options.sizes, threads, options.repetition_count, [&](std::size_t done, std::size_t all) {
          progress.update(done, all, fmt::format("{} worlds", options.sizes[done / threads.size()]));
        });
  }
  const auto write_all = [&](io::JsonWriter& json) { write_rows(json, rows); };
  if (options.json) {
    print_json(write_all);
  } else {
    print_table(rows);
    fmt::print("SIMD target of the flat engine: {} (FORKMUNK_LANES selects it).\n",
               to_string(std::min(simd_target(), SimdTarget::avx2)));
  }
  return kExitFine;
}

}  // namespace forkmunk::tools
