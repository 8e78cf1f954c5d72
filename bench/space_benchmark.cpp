#include "bench/support/space_measure.h"
#include "bench/support/space_report.h"

#include <forkmunk/base/error.h>
#include <forkmunk/io/output_file.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

/// Cost of saving, restoring, forking, hashing and stepping a scene by its size, compared with stock Chipmunk.
namespace forkmunk::bench {
namespace {

struct Options {
  std::string scene;  // empty: all
  int body_count_max = kBodyCounts.back();
  int repetition_count = 9;
  std::string json;
};

std::vector<SpaceRow> measure_all(const Options& options) {
  std::vector<SpaceRow> rows;
  for (const SceneKind kind : kSceneKinds) {
    if (!options.scene.empty() && options.scene != to_string(kind)) continue;
    for (const int body_count : kBodyCounts) {
      if (body_count > options.body_count_max) continue;
      fmt::print(stderr, "space_benchmark: {} of {}\n", to_string(kind), body_count);
      rows.push_back(measure_space(kind, body_count, options.repetition_count));
    }
  }
  return rows;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Measures scenes in forkmunk::space by size: live bytes, and medians of wall time in microseconds.");
  app.add_option("--scene", options.scene, "Only this scene")
      ->check(CLI::IsMember({"pyramid", "tumbler", "chains", "sleeping"}));
  app.add_option("--bodies", options.body_count_max, "Maximum number of bodies of a scene")
      ->check(CLI::Range(10, 3000))
      ->capture_default_str();
  app.add_option("--repetitions", options.repetition_count, "Repetitions of each measurement, interleaved")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--json", options.json, "Also write the figures to FILE; - is stdout")->type_name("FILE");
  CLI11_PARSE(app, argc, argv);
  const bool table_on_stderr = io::check_outputs({{"--json", options.json}}, "");

  const std::vector<SpaceRow> rows = measure_all(options);
  print_table(table_on_stderr ? stderr : stdout, rows);
  if (!options.json.empty()) io::write_file(options.json, to_json(rows));
  return 0;
}

}  // namespace
}  // namespace forkmunk::bench

int main(int argc, char** argv) {
  try {
    return forkmunk::bench::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "space_benchmark: {}\n", error.what());
    return 2;
  }
}
