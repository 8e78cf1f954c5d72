#include "bench_batch.h"

#include "bench/support/games.h"
#include "bench/support/picture.h"
#include "command.h"
#include "print.h"
#include "progress.h"

#include <forkmunk/base/build_info.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/engine/lanes.h>
#include <forkmunk/io/output_file.h>
#include <forkmunk/version.h>

#include <algorithm>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace forkmunk::tools {
namespace {

void print_table(std::FILE* out, const std::vector<bench::BatchRow>& rows) {
  fmt::print(out, "{:>7} {:>7} {:>12} {:>9} {:>9} {:>7} {:>10}  {}\n", "worlds", "threads", "ticks/s", "us a tick",
             "stock", "speedup", "bytes each", "all states");
  for (const bench::BatchRow& row : rows) {
    fmt::print(out, "{:>7} {:>7} {:>12.0f} {:>9.3f} {:>9.3f} {:>7.2f} {:>10}  {}\n", row.worlds, row.threads,
               row.ticks_per_s, 1e6 / row.ticks_per_s, 1e6 / row.stock_ticks_per_s,
               row.ticks_per_s / row.stock_ticks_per_s, row.bytes, row.cache);
  }
}

}  // namespace

int bench_batches(const BatchBenchOptions& options) {
  if (!options.plot.empty()) viewer::check_plot(options.plot);
  std::FILE* out = io::check_outputs({{"--plot", options.plot}}, options.json ? "--json" : "") ? stderr : stdout;
  std::vector<bench::Scene> scenes;
  for (const std::string& file : options.games) std::ranges::move(bench::scenes_of(file), std::back_inserter(scenes));
  if (options.games.empty()) scenes = bench::builtin_scenes();
  std::vector<std::size_t> threads = options.threads;
  if (threads.empty()) threads = {1, std::max(2u, std::thread::hardware_concurrency())};
  Progress progress("bench");
  const std::vector<bench::BatchRow> rows = bench::measure_batches(
      scenes, options.sizes, threads, options.repetition_count, [&](std::size_t done, std::size_t all) {
        progress.update(done, all, fmt::format("{} worlds", options.sizes[done / threads.size()]));
      });
  if (options.json) {
    nlohmann::ordered_json report{{"lanes", engine::lanes_in_use()}, {"rows", nlohmann::ordered_json::array()}};
    for (const bench::BatchRow& row : rows) {
      report["rows"].push_back({{"worlds", row.worlds},
                                {"threads", row.threads},
                                {"ticks_per_s", row.ticks_per_s},
                                {"stock_ticks_per_s", row.stock_ticks_per_s},
                                {"bytes", row.bytes}});
    }
    print_json(report);
  } else {
    print_table(out, rows);
    fmt::print(out, "Flat worlds are stepped with {} (FORKMUNK_LANES).\n", engine::lanes_in_use());
  }
  if (!options.plot.empty()) {
    viewer::write_plot(options.plot, bench::picture_of(version(), build_info(), rows));
    if (!options.json) fmt::print(out, "\npicture: {}\n", printable(options.plot));
  }
  return kExitFine;
}

}  // namespace forkmunk::tools
