// SPDX-License-Identifier: MIT
#include "apps/cli/reports/page.h"
#include "command.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/io/files.h>
#include <forkmunk/io/recording_reader.h>

#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/core.h>

namespace forkmunk::cli {
namespace {

struct ViewOptions {
  std::string file;
  std::string output;
  bool json = false;
};

/// Returns "game7.html" for "games/game7.visio.gz", and "game.html" for "-", pipes and devices.
std::string default_output(const std::string& file) {
  if (file.empty()) return "viewer.html";
  std::error_code error;
  if (file == "-" || std::filesystem::is_fifo(file, error) || std::filesystem::is_character_file(file, error)) {
    return "game.html";
  }
  std::string name = std::filesystem::path(file).filename().string();
  for (const std::string_view ending : {".gz", ".json", ".visio"}) {
    if (name.ends_with(ending) && name.size() > ending.size()) name.resize(name.size() - ending.size());
  }
  return name + ".html";
}

void report(std::FILE* out, const ViewOptions& options, std::size_t bytes, const formats::Recording* recording) {
  const std::size_t matches = recording == nullptr ? 0 : recording->matches.size();
  const std::size_t ticks = recording == nullptr ? 0 : recording->tick_count();
  if (options.json) {
    print_json([&](io::JsonWriter& json) {
      json.object([&] {
        json.field("page", options.output).field("bytes", bytes).field("matches", matches).field("ticks", ticks);
      });
    });
  } else if (recording == nullptr) {
    fmt::print(out, "{}: the empty page, {} KB; open it in a browser and drop a recording on it\n",
               printable(options.output), bytes / 1000);
  } else {
    fmt::print(out, "{}: {} match{}, {} ticks, {} KB; open it in a browser\n", printable(options.output), matches,
               matches == 1 ? "" : "es", ticks, bytes / 1000);
  }
}

int run_view(ViewOptions options) {
  reports::require_page();
  if (options.output.empty()) options.output = default_output(options.file);
  std::FILE* out = io::check_outputs({{"-o", options.output}}, options.json ? "--json" : "", {options.file});
  if (options.file.empty()) {
    const std::string page = reports::empty_page();
    io::write_file(options.output, page);
    report(out, options, page.size(), nullptr);
    return kExitFine;
  }
  std::string bytes;
  const formats::Recording recording = io::read_recording(options.file, {.needs_ticks = true, .file_bytes = &bytes});
  std::string page;
  {
    Progress progress("tick");
    const std::size_t ticks = recording.tick_count();
    page = reports::replay_page(io::input_name(options.file), recording, std::move(bytes),
                                [&](std::size_t done) { progress.update(done, ticks); });
  }
  io::write_file(options.output, page);
  report(out, options, page.size(), &recording);
  return kExitFine;
}

int run_page(const std::string& output) {
  std::FILE* out = io::check_outputs({{"-o", output}}, "");
  const std::string page = reports::play_page();
  io::write_file(output, page);
  fmt::print(out, "{}: {} KB; open it in a browser and play\n", printable(output), page.size() / 1000);
  return kExitFine;
}

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
  const SceneFile scene = read_scene_file(options.file);
  if (!scene.recording) throw Error(io::input_name(options.file), ": a snapshot, expected the recording of a scene");
  const std::string page = reports::scene_page({printable(name), scene.bytes, {}, {}, options.is_y_down});
  io::write_file(options.output, page);
  fmt::print(out, "{}: {} steps, {} KB; open it in a browser\n", printable(options.output),
             scene.recording->last() - scene.recording->first(), page.size() / 1000);
  return kExitFine;
}

}  // namespace

void add_page(CLI::App& app, Run& run) {
  auto output = std::make_shared<std::string>("play.html");
  CLI::App* command =
      app.add_subcommand("page", "Write a page with the engine and the planners in it: play against them in a browser");
  command->add_option("-o,--output", *output, "The page (- is stdout, and the report goes to stderr)")
      ->type_name("FILE")
      ->capture_default_str();
  command->footer(
      "The page is one HTML file that loads nothing else; play by keyboard or touch.\n"
      "\n"
      "Exit codes: 0 the page was written; 2 invalid options, or the page cannot be written.\n"
      "\n"
      "Examples:\n"
      "  forkmunk page                                # play.html\n"
      "  forkmunk page -o - >game.html");
  command->callback([output, &run] { run = [output] { return run_page(*output); }; });
}

void add_view(CLI::App& app, Run& run) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* command = app.add_subcommand("view", "Write a page that replays a recorded game in a browser");
  command
      ->add_option("file", options->file,
                   "Recording (visio.gz; - is stdin); without it, an empty page for dropping recordings on")
      ->type_name("GAME");
  command
      ->add_option(
          "-o,--output", options->output,
          "The page (- is stdout, and the report goes to stderr). Default: the recording's name with .html, in the "
          "current directory")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "Print JSON only: page, bytes, matches, ticks");
  command->footer(
      "The page is one HTML file that loads nothing else: it can be mailed, and works offline. Its address has the\n"
      "match and tick (#match=3&tick=120), so a link opens at that moment. Other recordings can be dropped on it.\n"
      "The engine in the page has strict arithmetic only: this command verifies games in referee arithmetic, and the\n"
      "page shows the result. Games of `forkmunk play --trace` also have the bots' debug texts and search traces.\n"
      "\n"
      "Exit codes: 0 the page was written; 2 invalid options, or a file cannot be read or written.\n"
      "\n"
      "Examples:\n"
      "  forkmunk view game.visio.gz -o game.html\n"
      "  forkmunk view                                # viewer.html, to drop recordings on");
  command->callback([options, &run] { run = [options] { return run_view(*options); }; });
}

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
