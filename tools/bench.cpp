#include "bench/support/build_info.h"
#include "bench/support/measure.h"
#include "bench/support/timing.h"
#include "command.h"
#include "plot_report.h"
#include "progress.h"

#include <forkmunk/cars/catalogue.h>
#include <forkmunk/maps/catalogue.h>

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace forkmunk::tools {
namespace {

using bench::BuildInfo;
using bench::Row;
using bench::Scene;
using engine::Arithmetic;

constexpr int kRepetitionCountMax = 10000;

constexpr const char* kDescription =
    "Measures simulations per second: this engine and stock Chipmunk side by side, every map with every car,\n"
    "along games that the program carries. Needs no files.";

constexpr const char* kFooter =
    "Columns: medians; us are microseconds of wall time, on one thread.\n"
    "  ticks/s     steps of this engine a second\n"
    "  playouts/s  restores with 60 steps after each, a second: what a planner does all the time\n"
    "  step        one step of this engine, us\n"
    "  stock       the same step in Chipmunk as released, on malloc, in the same arithmetic, us\n"
    "  speedup     stock / step\n"
    "  save        saving the world into a buffer in use, us\n"
    "  restore     putting the world back, us\n"
    "  memcpy      a bare copy of as many bytes, us: what saving and restoring cannot beat\n"
    "  bytes       of the match's largest snapshot\n"
    "  rebuild     the only clone that stock Chipmunk has, us: a new space, the match built and played again up to\n"
    "              where the snapshot was taken (points all over the match; a long match takes longer)\n"
    "\n"
    "What stands in a row was timed in turns, tick range by tick range. So compare columns of one run, not runs of "
    "two\n"
    "machines. For numbers to show, build the preset `bench` (no checks) and let nothing else run.";

struct Options {
  bool json = false;
  std::string map;         // empty: all
  std::string car;         // empty: all
  std::string arithmetic;  // empty: all of this build
  std::string plot;
  int repetition_count = bench::kRepetitionCount;
};

std::vector<Scene> chosen_scenes(const Options& options) {
  std::vector<Scene> scenes = bench::builtin_scenes();
  std::erase_if(scenes, [&](const Scene& scene) {
    return (!options.map.empty() && scene.map != options.map) || (!options.car.empty() && scene.car != options.car);
  });
  return scenes;
}

std::vector<Arithmetic> chosen_arithmetics(const Options& options, const BuildInfo& build) {
  const auto chosen = engine::parse_arithmetic(options.arithmetic);
  return chosen ? std::vector{*chosen} : build.arithmetics;
}

std::vector<Row> measure_all(const Options& options, const BuildInfo& build) {
  const std::vector<Arithmetic> arithmetics = chosen_arithmetics(options, build);
  const std::vector<Scene> scenes = chosen_scenes(options);
  std::vector<Row> rows;
  const std::size_t row_count = scenes.size() * arithmetics.size();
  Progress progress("bench");
  for (const Arithmetic arithmetic : arithmetics) {
    for (const Scene& scene : scenes) {
      progress.update(rows.size(), row_count, fmt::format("{} {} {}", scene.map, scene.car, to_string(arithmetic)));
      rows.push_back(bench::measure(scene, arithmetic, options.repetition_count));
    }
  }
  return rows;
}

void print_json(const BuildInfo& build, const std::vector<Row>& rows) {
  nlohmann::ordered_json arithmetics = nlohmann::ordered_json::array();
  for (const Arithmetic arithmetic : build.arithmetics) arithmetics.push_back(to_string(arithmetic));
  nlohmann::ordered_json report{{"build",
                                 {{"version", FORKMUNK_VERSION},
                                  {"compiler", build.compiler},
                                  {"build_type", build.build_type},
                                  {"check_level", build.check_level},
                                  {"sanitizer", build.sanitizer},
                                  {"arithmetics", arithmetics},
                                  {"processor", build.processor}}},
                                {"rows", nlohmann::ordered_json::array()}};
  for (const Row& row : rows) {
    report["rows"].push_back({{"map", row.map},
                              {"car", row.car},
                              {"engine", "chipmunk"},
                              {"arithmetic", to_string(row.arithmetic)},
                              {"snapshot_bytes", row.snapshot_bytes},
                              {"save_us", row.save_us},
                              {"restore_us", row.restore_us},
                              {"memcpy_us", row.memcpy_us},
                              {"step_us", row.step_us},
                              {"stock_step_us", row.stock_step_us},
                              {"rebuild_us", row.rebuild_us},
                              {"ticks_per_s", row.ticks_per_s()},
                              {"playouts60_per_s", row.playouts_per_s()}});
  }
  fmt::print("{}\n", report.dump(2));
}

template <typename Value>
double median_of(const std::vector<Row>& rows, Value value) {
  std::vector<double> values;
  values.reserve(rows.size());
  for (const Row& row : rows) values.push_back(value(row));
  return bench::median(std::move(values));
}

void print_summary(const std::vector<Row>& rows) {
  fmt::print(
      "\nMedians over {} row{}: {:.0f} ticks/s, {:.0f} playouts/s; a step takes {:.2f} of stock Chipmunk's time,\n",
      rows.size(), rows.size() == 1 ? "" : "s", median_of(rows, [](const Row& row) { return row.ticks_per_s(); }),
      median_of(rows, [](const Row& row) { return row.playouts_per_s(); }),
      median_of(rows, [](const Row& row) { return row.step_us / row.stock_step_us; }));
  fmt::print(
      "save {:.2f} and restore {:.2f} of a memcpy's; rebuilding in stock Chipmunk {:.0f} times as long as a restore.\n",
      median_of(rows, [](const Row& row) { return row.save_us / row.memcpy_us; }),
      median_of(rows, [](const Row& row) { return row.restore_us / row.memcpy_us; }),
      median_of(rows, [](const Row& row) { return row.rebuild_us / row.restore_us; }));
}

void print_table(const BuildInfo& build, const std::vector<Row>& rows) {
  fmt::print("forkmunk {}, {}, {}, check level {}{}{}, {}\n\n", FORKMUNK_VERSION, build.compiler, build.build_type,
             build.check_level, build.sanitizer.empty() ? "" : ", sanitizers ", build.sanitizer, build.processor);
  fmt::print("{:<14} {:<17} {:<7} {:>8} {:>10} | {:>6} {:>6} {:>7} | {:>6} {:>7} {:>6} {:>6} | {:>8}\n", "map", "car",
             "arithm.", "ticks/s", "playouts/s", "step", "stock", "speedup", "save", "restore", "memcpy", "bytes",
             "rebuild");
  for (const Row& row : rows) {
    fmt::print(
        "{:<14} {:<17} {:<7} {:>8.0f} {:>10.0f} | {:>6.2f} {:>6.2f} {:>7.2f} | {:>6.3f} {:>7.3f} {:>6.3f} {:>6} "
        "| {:>8.0f}\n",
        row.map, row.car, to_string(row.arithmetic), row.ticks_per_s(), row.playouts_per_s(), row.step_us,
        row.stock_step_us, row.stock_step_us / row.step_us, row.save_us, row.restore_us, row.memcpy_us,
        row.snapshot_bytes, row.rebuild_us);
  }
  print_summary(rows);
}

int bench_command(const Options& options) {
  if (!options.plot.empty()) check_plot(options.plot);
  const BuildInfo build = bench::build_info();
  const std::vector<Row> rows = measure_all(options, build);
  options.json ? print_json(build, rows) : print_table(build, rows);
  if (!options.plot.empty()) {
    write_plot(options.plot, picture_of(build, rows));
    if (!options.json) fmt::print("\npicture: {}\n", options.plot);
  }
  return kExitFine;
}

template <typename Catalogue>
CLI::IsMember one_of(const Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const auto& entry : catalogue) names.emplace_back(entry.name);
  return CLI::IsMember(names);
}

}  // namespace

void add_bench(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("bench", kDescription);
  command->footer(kFooter);
  auto options = std::make_shared<Options>();
  command->add_flag("--json", options->json, "JSON on stdout, and nothing else");
  command->add_option("--map", options->map, "Only this map")->check(one_of(maps::catalogue()));
  command->add_option("--car", options->car, "Only this car")->check(one_of(cars::catalogue()));
  command->add_option("--arithmetic", options->arithmetic, "Only this arithmetic")
      ->check(CLI::IsMember({"strict", "referee"}));
  command->add_option("--plot", options->plot, "Also draw it: FILE.svg or FILE.html")->type_name("FILE");
  command->add_option("--repetitions", options->repetition_count, "Passes along each match")
      ->check(CLI::Range(1, kRepetitionCountMax))
      ->capture_default_str();
  command->callback([options, &run] { run = [options] { return bench_command(*options); }; });
}

}  // namespace forkmunk::tools
