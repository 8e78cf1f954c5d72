// SPDX-License-Identifier: MIT

#include "bench/support/measure.h"
#include "bench/support/space_measure.h"
#include "bench/support/timing.h"
#include "command.h"
#include "options.h"

#include <forkmunk/base/arithmetic.h>
#include <forkmunk/base/build_info.h>
#include <forkmunk/base/simd_target.h>
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/io/files.h>
#include <forkmunk/maps/catalogue.h>
#include <forkmunk/version.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

namespace forkmunk::cli {
namespace {

using bench::Row;
using bench::Scene;
using bench::SceneKind;
using bench::SpaceRow;
using engine::Physics;

struct BenchOptions {
  bool json = false;
  std::string map;         // empty for all
  std::string car;         // empty for all
  std::string arithmetic;  // empty for all of this build
  std::string engine;      // empty for both
  std::vector<std::string> games;
  int repetition_count = bench::kRepetitionCount;
  // of --batch, on the matches of `games` or built-in ones
  bool batch = false;
  std::vector<std::size_t> sizes{1, 8, 64, 1024, 16384};
  std::vector<std::size_t> threads;  // empty for one, and the number of cores
  // of --scenes
  bool scenes = false;
  std::string scene;  // empty for all
  std::vector<int> body_counts{10, 50, 200, 800};
  std::string simd;  // empty for the widest target of this processor
  std::string precision = "double";
};

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

/// Returns e.g. "forkmunk 0.1.0, GNU 12.2.0, Release, check level 1, PROCESSOR".
std::string provenance(const BuildInfo& build) {
  return fmt::format("forkmunk {}, {}, {}, check level {}{}{}, {}", version(), build.compiler, build.build_type,
                     build.check_level, build.sanitizer.empty() ? "" : ", sanitizers ", build.sanitizer,
                     build.processor);
}

std::vector<Scene> scenes_of_games(const BenchOptions& options) {
  std::vector<Scene> scenes;
  for (const std::string& file : options.games) std::ranges::move(bench::scenes_of(file), std::back_inserter(scenes));
  return scenes;
}

int bench_batches(const BenchOptions& options) {
  const std::vector<Scene> scenes = options.games.empty() ? bench::builtin_scenes() : scenes_of_games(options);
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

std::vector<SceneKind> selected_scenes(const std::string& name) {
  if (name.empty()) return {SceneKind::pyramid, SceneKind::tumbler, SceneKind::chains, SceneKind::mixed};
  return {*std::ranges::find(bench::kSceneKinds, name, [](SceneKind kind) { return to_string(kind); })};
}

void write_rows(io::JsonWriter& json, const std::string& precision, const std::vector<SpaceRow>& rows) {
  json.object([&] {
    json.key("build").object([&] { write_build(json, build_info()); });
    json.key("rows").list(rows, [&](const SpaceRow& row) {
      json.object([&] {
        json.field("scene", to_string(row.kind)).field("bodies", row.body_count);
        json.field("precision", precision);
        json.field("simd", to_string(simd_target())).field("step_us", row.step_us);
        json.field("stock_step_us", row.stock_step_us).field("step_ratio", row.step_ratio);
        json.field("ray_us", row.ray_us).field("stock_ray_us", row.stock_ray_us).field("ray_ratio", row.ray_ratio);
        json.field("bytes", row.live_bytes).field("save_us", row.save_us).field("restore_us", row.restore_us);
        json.field("fork_us", row.fork_us).field("memcpy_us", row.memcpy_us).field("hash_us", row.hash_us);
        json.field("write_us", row.write_us).field("read_us", row.read_us).field("rebuild_us", row.rebuild_us);
        json.field("snapshot_write_us", row.snapshot_write_us).field("snapshot_read_us", row.snapshot_read_us);
      });
    });
  });
}

void print_table(const std::string& precision, const std::vector<SpaceRow>& rows) {
  fmt::print("{}\nSIMD target {}, {} precision; microseconds, medians\n\n", provenance(build_info()),
             to_string(simd_target()), precision);
  fmt::print("{:<9} {:>6} {:>9} {:>9} {:>8} {:>8} {:>8} {:>10} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>10}\n",
             "scene", "bodies", "step", "stock", "speedup", "ray", "speedup", "bytes", "memcpy", "save", "restore",
             "fork", "hash", "write", "read", "rebuild");
  for (const SpaceRow& row : rows) {
    fmt::print(
        "{:<9} {:>6} {:>9.2f} {:>9.2f} {:>8.2f} {:>8.3f} {:>8.2f} {:>10} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.1f} "
        "{:>8.1f} {:>8.1f} "
        "{:>10.0f}\n",
        to_string(row.kind), row.body_count, row.step_us, row.stock_step_us, row.step_ratio, row.ray_us, row.ray_ratio,
        row.live_bytes, row.memcpy_us, row.save_us, row.restore_us, row.fork_us, row.hash_us, row.write_us, row.read_us,
        row.rebuild_us);
  }
}

/// \throws Error if this processor lacks options.simd.
int bench_scenes(const BenchOptions& options) {
  if (!options.simd.empty()) set_simd_target(simd_target_named(options.simd, "--simd"));
  const std::vector<SceneKind> kinds = selected_scenes(options.scene);
  const std::size_t row_count = kinds.size() * options.body_counts.size();
  std::vector<SpaceRow> rows;
  {
    Progress progress("bench");
    for (const SceneKind kind : kinds) {
      for (const int body_count : options.body_counts) {
        progress.update(rows.size(), row_count, fmt::format("{} of {}", to_string(kind), body_count));
        const auto measure = options.precision == "single" ? &bench::measure_single_space : &bench::measure_space;
        rows.push_back(measure(kind, body_count, options.repetition_count));
      }
    }
  }
  options.json ? print_json([&](io::JsonWriter& json) { write_rows(json, options.precision, rows); })
               : print_table(options.precision, rows);
  return kExitFine;
}

constexpr int kRepetitionCountMax = 10000;

constexpr const char* kDescription =
    "Measure simulation speed against stock Chipmunk, for each map and car, on built-in recorded games";

constexpr const char* kFooter =
    "Columns (medians; us: microseconds of wall time, on one thread):\n"
    "  ticks/s     steps of this engine per second\n"
    "  playouts/s  playouts per second: a restore and 60 steps, the inner loop of a planner\n"
    "  step        one step of this engine, us\n"
    "  stock       the same step in Chipmunk as released, with malloc, in the same arithmetic, us\n"
    "  speedup     stock / step\n"
    "  save        save() into an existing snapshot, us\n"
    "  restore     restore(), us\n"
    "  memcpy      memcpy of the same number of bytes, us: the lower bound of save and restore\n"
    "  bytes       size of the largest snapshot of the match\n"
    "  fork        creating and destroying an independent copy of the world, us\n"
    "  rebuild     the only way to copy a stock Chipmunk space, us: build a new space and replay the match up to the\n"
    "              snapshot (at points all over the match; it grows with the length of the match)\n"
    "\n"
    "The measurements of a row are interleaved: compare the columns of one run, not runs of two machines. For figures\n"
    "to publish, build the preset `bench` (no checks) and run nothing else.\n"
    "\n"
    "Exit codes: 0 success; 2 invalid options, or a file cannot be read or written.\n"
    "\n"
    "Examples:\n"
    "  forkmunk bench --map PillMap --car Buggy\n"
    "  forkmunk bench --batch --worlds 64,1024 --threads 1\n"
    "  forkmunk bench --scenes --scene pyramid --bodies 50,200\n"
    "  forkmunk bench --games game.visio.gz --json";

std::vector<Scene> chosen_scenes(const BenchOptions& options) {
  std::vector<Scene> scenes = bench::builtin_scenes();
  std::erase_if(scenes, [&](const Scene& scene) {
    return (!options.map.empty() && scene.map != options.map) || (!options.car.empty() && scene.car != options.car);
  });
  return scenes;
}

std::vector<Physics> chosen_physics(const BenchOptions& options) {
  std::vector<Physics> chosen = engine::available_physics();
  std::erase_if(chosen, [&](const Physics& physics) {
    return (!options.arithmetic.empty() && to_string(arithmetic_of(physics)) != options.arithmetic) ||
           (!options.engine.empty() && engine_name(physics) != options.engine);
  });
  if (!chosen.empty()) return chosen;
  // parse_physics() throws if this build or the engine lacks the arithmetic.
  return {
      engine::parse_physics(*parse_arithmetic(options.arithmetic), options.engine.empty() ? "auto" : options.engine)};
}

std::vector<Row> measure_all(const BenchOptions& options) {
  const std::vector<Physics> all_physics = chosen_physics(options);
  const std::vector<Scene> scenes = chosen_scenes(options);
  std::vector<Row> rows;
  const std::size_t row_count = scenes.size() * all_physics.size();
  Progress progress("bench");
  for (const Physics physics : all_physics) {
    for (const Scene& scene : scenes) {
      progress.update(rows.size(), row_count, fmt::format("{} {} {}", scene.map, scene.car, engine_name(physics)));
      rows.push_back(bench::measure(scene, physics, options.repetition_count));
    }
  }
  return rows;
}

void write_rows(io::JsonWriter& json, const BuildInfo& build, const std::vector<Row>& rows) {
  json.object([&] {
    json.key("build").object([&] { write_build(json, build); });
    json.key("rows").list(rows, [&](const Row& row) {
      json.object([&] {
        json.field("map", row.map).field("car", row.car).field("engine", engine_name(row.physics));
        json.field("arithmetic", to_string(arithmetic_of(row.physics))).field("snapshot_bytes", row.snapshot_bytes);
        json.field("save_us", row.save_us).field("restore_us", row.restore_us).field("memcpy_us", row.memcpy_us);
        json.field("step_us", row.step_us).field("stock_step_us", row.stock_step_us).field("fork_us", row.fork_us);
        json.field("rebuild_us", row.rebuild_us).field("ticks_per_s", row.ticks_per_s());
        json.field("playouts60_per_s", row.playouts_per_s());
      });
    });
  });
}

template <typename Value>
double median_of(const std::vector<Row>& rows, Value value) {
  std::vector<double> values;
  for (const Row& row : rows) values.push_back(std::invoke(value, row));
  return bench::median(std::move(values));
}

void print_summary(const std::vector<Row>& all_rows) {
  fmt::print("\n");
  for (std::size_t begin = 0; begin < all_rows.size();) {
    std::vector<Row> rows;  // of one physics
    const Physics physics = all_rows[begin].physics;
    while (begin < all_rows.size() && all_rows[begin].physics == physics) rows.push_back(all_rows[begin++]);
    fmt::print(
        "{}, medians over {} row{}: {:.0f} ticks/s, {:.0f} playouts/s, {:.2f} times stock Chipmunk;\n"
        "  save {:.3f}, restore {:.3f}, memcpy {:.3f}, fork {:.2f} us; a rebuild in stock Chipmunk costs {:.0f} "
        "restores.\n",
        bench::name_of(physics), rows.size(), rows.size() == 1 ? "" : "s", median_of(rows, &Row::ticks_per_s),
        median_of(rows, &Row::playouts_per_s),
        median_of(rows, [](const Row& row) { return row.stock_step_us / row.step_us; }), median_of(rows, &Row::save_us),
        median_of(rows, &Row::restore_us), median_of(rows, &Row::memcpy_us), median_of(rows, &Row::fork_us),
        median_of(rows, [](const Row& row) { return row.rebuild_us / row.restore_us; }));
  }
}

void print_table(const BuildInfo& build, const std::vector<Row>& rows) {
  fmt::print("{}\n\n", provenance(build));
  fmt::print("{:<14} {:<17} {:<16} {:>8} {:>10} | {:>6} {:>6} {:>7} | {:>6} {:>7} {:>6} {:>6} | {:>6} {:>8}\n", "map",
             "car", "engine", "ticks/s", "playouts/s", "step", "stock", "speedup", "save", "restore", "memcpy", "bytes",
             "fork", "rebuild");
  for (const Row& row : rows) {
    fmt::print(
        "{:<14} {:<17} {:<16} {:>8.0f} {:>10.0f} | {:>6.2f} {:>6.2f} {:>7.2f} | {:>6.3f} {:>7.3f} {:>6.3f} {:>6} "
        "| {:>6.2f} {:>8.0f}\n",
        row.map, row.car, bench::name_of(row.physics), row.ticks_per_s(), row.playouts_per_s(), row.step_us,
        row.stock_step_us, row.stock_step_us / row.step_us, row.save_us, row.restore_us, row.memcpy_us,
        row.snapshot_bytes, row.fork_us, row.rebuild_us);
  }
  print_summary(rows);
}

int bench_games(const BenchOptions& options) {
  const bench::GamesReport report = bench::measure_games(scenes_of_games(options), options.repetition_count);
  const auto bytes_at = [&](double share) {
    const auto last = static_cast<double>(report.flat_bytes.size() - 1);
    return report.flat_bytes[static_cast<std::size_t>(share * last)];
  };
  if (options.json) {
    print_json([&](io::JsonWriter& json) {
      json.object([&] {
        json.field("matches", report.match_count).field("ticks", report.tick_count);
        json.field("stock_step_us", report.stock_step_us).field("chipmunk_step_us", report.chipmunk_step_us);
        json.field("flat_step_us", report.flat_step_us).key("flat_bytes").object([&] {
          json.field("median", bytes_at(0.5)).field("p99", bytes_at(0.99)).field("max", bytes_at(1));
        });
      });
    });
    return kExitFine;
  }
  fmt::print(
      "{} matches, {} ticks, strict arithmetic; us per step: stock Chipmunk {:.3f}, Chipmunk in the arena {:.3f}, "
      "flat {:.3f}.\nThe flat engine is {:.2f} times as fast as stock Chipmunk. Bytes of its state: median {}, p99 {}, "
      "max {}.\n",
      report.match_count, report.tick_count, report.stock_step_us, report.chipmunk_step_us, report.flat_step_us,
      report.stock_step_us / report.flat_step_us, bytes_at(0.5), bytes_at(0.99), bytes_at(1));
  return kExitFine;
}

int bench_command(const BenchOptions& options) {
  if (options.batch) return bench_batches(options);
  if (options.scenes) return bench_scenes(options);
  if (!options.games.empty()) return bench_games(options);
  const BuildInfo build = build_info();
  const std::vector<Row> rows = measure_all(options);
  const auto write_all = [&](io::JsonWriter& json) { write_rows(json, build, rows); };
  options.json ? print_json(write_all) : print_table(build, rows);
  return kExitFine;
}

}  // namespace

void add_bench(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("bench", kDescription);
  command->footer(kFooter);
  auto options = std::make_shared<BenchOptions>();
  command->add_flag("--json", options->json, "Print JSON only");
  auto* map = command->add_option("--map", options->map, "Only this map")->check(one_of(maps::catalogue()));
  auto* car = command->add_option("--car", options->car, "Only this car")->check(one_of(cars::catalogue()));
  auto* arithmetic = command->add_option("--arithmetic", options->arithmetic, "Only this arithmetic")
                         ->check(CLI::IsMember({"strict", "referee"}));
  auto* engine =
      command->add_option("--engine", options->engine, "Only this engine")->check(CLI::IsMember({"chipmunk", "flat"}));
  auto* games =
      command
          ->add_option("--games", options->games,
                       "Instead: step whole recorded games (with commands) in all engines, in strict arithmetic")
          ->type_name("FILE...");
  auto* batch =
      command->add_flag("--batch", options->batch,
                        "Instead: step batches of many worlds, and compare ticks per second with stock Chipmunk on "
                        "one thread. The matches are those of --games, or built-in ones");
  command->add_option("--worlds", options->sizes, "Batch sizes, comma-separated")
      ->check(CLI::Range(1, 1 << 20))
      ->delimiter(',')
      ->capture_default_str()
      ->needs(batch);
  command
      ->add_option("--threads", options->threads, "Thread counts, comma-separated (default: 1 and the number of cores)")
      ->check(CLI::Range(1, 1024))
      ->delimiter(',')
      ->needs(batch);
  auto* scenes = command->add_flag("--scenes", options->scenes,
                                   "Instead: compare Chipmunk scenes in forkmunk::space with the same scenes in stock "
                                   "Chipmunk: steps, snapshots, forks");
  for (auto* other : {batch, games}) scenes->excludes(other);
  for (auto* choice : {map, car, arithmetic, engine}) {
    for (auto* other : {games, batch, scenes}) other->excludes(choice);
  }
  command->add_option("--scene", options->scene, "Only this scene (default: all but sleeping)")
      ->check(CLI::IsMember({"pyramid", "tumbler", "chains", "mixed", "sleeping"}))
      ->needs(scenes);
  command->add_option("--bodies", options->body_counts, "Numbers of bodies in a scene, comma-separated")
      ->check(CLI::Range(1, 10000))
      ->delimiter(',')
      ->capture_default_str()
      ->needs(scenes);
  command->add_option("--simd", options->simd, "SIMD target of the step (default: the widest of the processor)")
      ->check(CLI::IsMember({"baseline", "neon", "avx2", "avx512"}))
      ->needs(scenes);
  command->add_option("--precision", options->precision, "Precision of the scenes' numbers")
      ->check(CLI::IsMember({"double", "single"}))
      ->capture_default_str()
      ->needs(scenes);
  command->add_option("--repetitions", options->repetition_count, "Passes over each match")
      ->check(CLI::Range(1, kRepetitionCountMax))
      ->capture_default_str();
  command->callback([options, &run] { run = [options] { return bench_command(*options); }; });
}

}  // namespace forkmunk::cli
