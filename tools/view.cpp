#include "command.h"
#include "print.h"
#include "progress.h"
#include "reports/replay_page.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/io/gzip.h>
#include <forkmunk/io/output_file.h>
#include <forkmunk/io/recording_reader.h>

#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/core.h>

namespace forkmunk::tools {
namespace {

struct Options {
  std::string file;
  std::string output;
  bool json = false;
};

/// "games/game7.visio.gz" -> "game7.html"; "-" -> "game.html", as for all that is no file
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

void report(std::FILE* out, const Options& options, std::size_t bytes, const formats::Recording* recording) {
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

int run_view(Options options) {
  reports::require_page();
  if (options.output.empty()) options.output = default_output(options.file);
  std::FILE* out = io::check_outputs({{"-o", options.output}}, options.json ? "--json" : "") ? stderr : stdout;
  if (options.file.empty()) {
    const std::string page = reports::empty_page();
    io::write_file(options.output, page);
    report(out, options, page.size(), nullptr);
    return kExitFine;
  }
  std::error_code error;
  if (std::filesystem::equivalent(options.file, options.output, error)) {
    throw Error(options.output + ": found the recording itself, expected another name for the page");
  }
  std::string bytes;
  const formats::Recording recording = io::read_recording(options.file, {.needs_ticks = true, .file_bytes = &bytes});
  const std::string source = options.file == "-" ? "stdin" : options.file;
  reports::ReplayExtras extras;
  {
    Progress progress("tick");
    const std::size_t ticks = recording.tick_count();
    extras = reports::replay_extras(recording, [&](std::size_t done) { progress.update(done, ticks); });
  }
  if (!io::is_gzip(bytes)) bytes = io::gzip(bytes);
  const std::string name = printable(std::filesystem::path(source).filename().string());
  const std::string page = reports::replay_page(name, bytes, extras);
  io::write_file(options.output, page);
  report(out, options, page.size(), &recording);
  return kExitFine;
}

int run_page(const std::string& output) {
  std::FILE* out = io::check_outputs({{"-o", output}}, "") ? stderr : stdout;
  const std::string page = reports::play_page();
  io::write_file(output, page);
  fmt::print(out, "{}: {} KB; open it in a browser and play\n", printable(output), page.size() / 1000);
  return kExitFine;
}

}  // namespace

void add_page(CLI::App& app, Run& run) {
  auto output = std::make_shared<std::string>("play.html");
  CLI::App* command = app.add_subcommand("page", "Write a page to play against the planners in, by keyboard or touch");
  command->add_option("-o,--output", *output, "The page; - is stdout: then the report goes to stderr")
      ->type_name("FILE")
      ->capture_default_str();
  command->callback([output, &run] { run = [output] { return run_page(*output); }; });
}

void add_view(CLI::App& app, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("view", "Write a page that shows a recorded game; any browser opens it");
  command->add_option("file", options->file, "Recording: visio.gz, of any bots; - is stdin; left out: the empty page")
      ->type_name("GAME");
  command
      ->add_option(
          "-o,--output", options->output,
          "The page; left out: the recording's name with .html, here; - is stdout: then the report goes to stderr")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "Only JSON on stdout: page, bytes, matches, ticks");
  command->footer(
      "The page is one file that loads nothing: it can be mailed, and opens without a network. Its address says the\n"
      "moment (#match=3&tick=120), so a link shows it again. Any other visio.gz can be dropped on it, old ones too.\n"
      "Browsers have strict arithmetic alone: a game in the referee's own is checked by this command, which puts what\n"
      "it finds into the page. \"forkmunk play --trace\" adds what the bots said and thought.\n"
      "\n"
      "Exit codes: 0 the page was written; 2 bad use or unreadable input.\n"
      "\n"
      "Examples:\n"
      "  forkmunk view game.visio.gz -o game.html\n"
      "  forkmunk view                                # viewer.html, to drop recordings on");
  command->callback([options, &run] { run = [options] { return run_view(*options); }; });
}

}  // namespace forkmunk::tools
