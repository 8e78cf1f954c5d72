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

/// What saving, restoring, forking, hashing and stepping a scene costs by its size, beside stock Chipmunk.
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
  CLI::App app(
      "What a scene in forkmunk::space costs by its size: live bytes, and microseconds of wall time, medians.");
  app.add_option("--scene", options.scene, "Only this scene")
      ->check(CLI::IsMember({"pyramid", "tumbler", "chains", "sleeping"}));
  app.add_option("--bodies", options.body_count_max, "At most so many bodies")
      ->check(CLI::Range(10, 3000))
      ->capture_default_str();
  app.add_option("--repetitions", options.repetition_count, "Of everything, in turns")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--json", options.json, "Write the figures there too; - is stdout")->type_name("FILE");
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
