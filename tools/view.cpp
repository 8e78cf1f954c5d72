#include "command.h"
#include "progress.h"
#include "viewer/pages/replay_page.h"

#include <forkmunk/base/error.h>
#include <forkmunk/io/gzip.h>
#include <forkmunk/io/output_file.h>
#include <forkmunk/io/recording_reader.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <system_error>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace forkmunk::tools {
namespace {

struct Options {
  std::string file;
  std::string output;
  bool json = false;
};

/// "games/game7.visio.gz" -> "game7.html"
std::string default_output(const std::string& file) {
  if (file.empty()) return "viewer.html";
  std::string name = std::filesystem::path(file).filename().string();
  for (const std::string_view ending : {".gz", ".json", ".visio"}) {
    if (name.ends_with(ending) && name.size() > ending.size()) name.resize(name.size() - ending.size());
  }
  return name + ".html";
}

void report(const Options& options, std::size_t bytes, const formats::Recording* recording) {
  const std::size_t matches = recording == nullptr ? 0 : recording->matches.size();
  const std::size_t ticks = recording == nullptr ? 0 : recording->tick_count();
  if (options.json) {
    const nlohmann::ordered_json json{
        {"page", options.output}, {"bytes", bytes}, {"matches", matches}, {"ticks", ticks}};
    fmt::print("{}\n", json.dump(2));
  } else if (recording == nullptr) {
    fmt::print("{}: the empty page, {} KB; open it in a browser and drop a recording on it\n", options.output,
               bytes / 1000);
  } else {
    fmt::print("{}: {} match{}, {} ticks, {} KB; open it in a browser\n", options.output, matches,
               matches == 1 ? "" : "es", ticks, bytes / 1000);
  }
}

int run_view(Options options) {
  viewer::require_page();
  if (options.output.empty()) options.output = default_output(options.file);
  io::check_output(options.output);
  if (options.file.empty()) {
    const std::string page = viewer::empty_page();
    io::write_file(options.output, page);
    report(options, page.size(), nullptr);
    return kExitFine;
  }
  std::error_code error;
  if (std::filesystem::equivalent(options.file, options.output, error)) {
    throw Error(options.output + ": found the recording itself, expected another name for the page");
  }
  const formats::Recording recording = io::read_game(options.file);
  viewer::ReplayExtras extras;
  {
    Progress progress("tick");
    const std::size_t ticks = recording.tick_count();
    extras = viewer::replay_extras(recording, [&](std::size_t done) { progress.update(done, ticks); });
  }
  std::ifstream file(options.file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!io::is_gzip(bytes)) bytes = io::gzip(bytes);
  const std::string name = std::filesystem::path(options.file).filename().string();
  const std::string page = viewer::replay_page(name, bytes, extras);
  io::write_file(options.output, page);
  report(options, page.size(), &recording);
  return kExitFine;
}

}  // namespace

void add_view(CLI::App& app, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("view", "Write a page that shows a recorded game; any browser opens it");
  command->add_option("file", options->file, "Recording: visio.gz, of any bots; left out: the empty page")
      ->type_name("GAME");
  command->add_option("-o,--output", options->output, "The page; left out: the recording's name with .html, here")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "Only JSON on stdout: page, bytes, matches, ticks");
  command->footer(
      "The page is one file that loads nothing: it can be mailed, and opens without a network. Its address says the\n"
      "moment (#match=3&tick=120), so a link shows it again. Any other visio.gz can be dropped on it, old ones too;\n"
      "what killed a player and the commands that an old log lacks are only in pages that this command wrote: it\n"
      "replays the game for them. \"forkmunk play --trace\" adds what the bots said and thought.\n"
      "\n"
      "Exit codes: 0 the page was written; 2 bad use or unreadable input.\n"
      "\n"
      "Examples:\n"
      "  forkmunk view game.visio.gz -o game.html\n"
      "  forkmunk view                                # viewer.html, to drop recordings on");
  command->callback([options, &run] { run = [options] { return run_view(*options); }; });
}

}  // namespace forkmunk::tools
