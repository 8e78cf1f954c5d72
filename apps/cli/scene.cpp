// SPDX-License-Identifier: MIT
#include "apps/cli/reports/page.h"
#include "command.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/io/files.h>
#include <forkmunk/space/recorder.h>

#include <filesystem>
#include <memory>
#include <sstream>

#include <fmt/core.h>

namespace forkmunk::cli {
namespace {

struct SceneOptions {
  std::string file;
  std::string output;
  bool is_y_down = false;
};

int run_scene(SceneOptions options) {
  std::filesystem::path named(options.file == "-" ? options.output : options.file);
  if (named.empty() || named == "-") named = "recording";
  const std::string name = named.stem().string();
  if (options.output.empty()) options.output = name + ".html";
  std::FILE* out = io::check_outputs({{"-o", options.output}}, "", {options.file});
  const std::string bytes = read_scene_file(options.file);
  std::istringstream in(bytes);
  const space::Recording recording = [&] {
    try {
      space::Recording read = space::Recording::read(in);
      require_end(in);
      return read;
    } catch (const Error& error) {
      throw Error(io::input_name(options.file), ": ", error.what());
    }
  }();
  const std::string page = reports::scene_page({printable(name), bytes, {}, {}, options.is_y_down});
  io::write_file(options.output, page);
  fmt::print(out, "{}: {} steps, {} KB; open it in a browser\n", printable(options.output),
             recording.last() - recording.first(), page.size() / 1000);
  return kExitFine;
}

}  // namespace

void add_scene(CLI::App& app, Run& run) {
  auto options = std::make_shared<SceneOptions>();
  CLI::App* command =
      app.add_subcommand("scene", "Write a page of a recorded scene: scrub, inspect, and continue from any step");
  command->add_option("file", options->file, "Recording of a Recorder (fmrec; - is stdin)")
      ->required()
      ->type_name("RUN");
  command
      ->add_option("-o,--output", options->output,
                   "The page (- is stdout, and the report goes to stderr). Default: the recording's name "
                   "with .html, in the current directory")
      ->type_name("FILE");
  command->add_flag("--y-down", options->is_y_down, "Draw y downwards, as on a screen");
  command->footer(
      "The page is one HTML file that loads nothing else, with the engine in it. It computes the recorded steps "
      "again,\n"
      "and marks those that are exact. docs/guide/recorder.md explains recordings.\n"
      "\n"
      "Exit codes: 0 the page was written; 2 invalid options, or a file cannot be read or written.\n"
      "\n"
      "Example:\n"
      "  forkmunk scene run.fmrec -o run.html");
  command->callback([options, &run] { run = [options] { return run_scene(*options); }; });
}

}  // namespace forkmunk::cli
