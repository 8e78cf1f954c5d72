#include "verify_file.h"

#include "physics_options.h"

#include <forkmunk/cars/catalogue.h>
#include <forkmunk/base/error.h>
#include <forkmunk/maps/catalogue.h>
#include <forkmunk/referee/inference.h>
#include <forkmunk/referee/recording_reader.h>
#include <forkmunk/referee/replay.h>
#include <forkmunk/referee/tolerance.h>

#include <bit>
#include <chrono>
#include <fstream>

#include <fmt/format.h>

namespace forkmunk::tools {
namespace {

using engine::Arithmetic;
using nlohmann::ordered_json;
using referee::Recording;

std::string scene_of(const engine::MatchSetup& setup) {
  return maps::name_of(setup.map) + ", " + cars::name_of(setup.car);
}

// The commands by tick_num, in the recordings' own form, and which ticks are ambiguous.
void write_commands(const std::filesystem::path& path, const Recording& recording, const FileReport& report,
                    const std::vector<referee::InferredMatch>& matches) {
  ordered_json commands = ordered_json::array();
  ordered_json ambiguous = ordered_json::array();
  const auto name = [](const std::optional<engine::Command>& command) {
    return command ? ordered_json(to_string(*command)) : ordered_json(nullptr);
  };
  const auto set = [&](std::size_t tick_num, const referee::RecordedCommands& pair) {
    while (commands.size() <= tick_num) commands.push_back({nullptr, nullptr});
    commands[tick_num] = {name(pair[0]), name(pair[1])};
  };
  for (const referee::InferredMatch& match : matches) {
    for (std::size_t tick = 0; tick < match.commands.size(); ++tick) {
      const std::size_t tick_num = static_cast<std::size_t>(match.first_tick_num) + tick;
      set(tick_num, match.commands[tick]);
      if (std::popcount(match.fitting[tick]) > 1) ambiguous.push_back(tick_num);
    }
  }
  if (matches.empty()) {
    for (const referee::RecordedMatch& match : recording.matches) {
      for (const referee::RecordedTick& tick : match.ticks) set(static_cast<std::size_t>(tick.tick_num), tick.commands);
    }
  }
  std::ofstream file(path);
  file << ordered_json{{"file", report.file},
                       {"arithmetic", engine::to_string(*report.arithmetic)},
                       {"inferred", !matches.empty()},
                       {"ambiguous_ticks", ambiguous},
                       {"commands", commands}}
              .dump()
       << '\n';
  if (!file.flush()) throw Error(path.string() + ": found no way to write there, expected a folder for commands");
}

class FileVerifier {
 public:
  FileVerifier(const VerifyOptions& options, const std::string& file, Progress& progress)
      : options_(options), name_(std::filesystem::path(file).filename().string()), progress_(progress) {
    report_.file = file;
  }

  FileReport run(const std::filesystem::path& commands_file) {
    const auto start = std::chrono::steady_clock::now();
    Recording recording;
    try {
      recording = referee::read_recording(report_.file);
    } catch (const referee::RecordingError& error) {
      report_.error = error.what();
      return std::move(report_);
    }
    report_.tick_count = recording.tick_count();
    report_.match_count = recording.matches.size();
    report_.ended = recording.ended();
    report_.arithmetic = options_.arithmetic;
    if (options_.tolerance) {
      follow(recording);
    } else if (recording.has_commands && !options_.ignore_commands) {
      replay(recording);
    } else {
      infer(recording);
    }
    if (options_.engine == "both") report_.lockstep = check_engines(recording, show("in lockstep"));
    if (options_.clones) report_.clones = check_clones(recording, physics(), show("cloning along"));
    if (options_.tracker) report_.tracker = check_tracker(recording, physics(), show("tracking"));
    report_.engine = options_.engine == "both" ? "both" : std::string(engine::to_string(physics().engine()));
    if (!commands_file.empty()) write_commands(commands_file, recording, report_, inferred_);
    report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(report_);
  }

 private:
  // \pre the arithmetic is known.
  [[nodiscard]] engine::Physics physics() const { return make_physics(*report_.arithmetic, options_.engine); }

  void replay(const Recording& recording) {
    report_.commands = CommandSource::recorded;
    if (!report_.arithmetic) report_.arithmetic = detect_arithmetic(recording);
    report_.replay = referee::replay(recording, physics(), 0, show("replaying"));
    if (report_.replay->first_mismatch) {
      report_.first_mismatch_scene = scene_of(recording.matches[report_.replay->first_mismatch->match].setup);
    }
  }

  // The inferred commands are proved by replaying them like recorded ones.
  void infer(Recording& recording) {
    if (!report_.arithmetic) report_.arithmetic = infer_arithmetic(recording);
    referee::Inference inference = infer_commands(recording, physics(), 0, show("inferring"));
    if (recording.has_commands) report_.wrong_commands = inference.wrong_commands(recording);
    report_.ambiguous_ticks = inference.ambiguous_ticks();
    recording = with_commands(std::move(recording), inference);
    replay(recording);
    report_.commands = CommandSource::inferred;
    inferred_ = std::move(inference.matches);
  }

  void follow(Recording& recording) {
    if (!report_.arithmetic) report_.arithmetic = infer_arithmetic(recording);
    report_.commands = CommandSource::inferred;
    report_.tolerance = options_.tolerance;
    report_.followed = replay_tolerantly(recording, physics(), *options_.tolerance, show("following"));
    referee::Inference inference;
    for (std::size_t m = 0; m < recording.matches.size(); ++m) {
      report_.scenes.push_back(scene_of(recording.matches[m].setup));
      inference.matches.push_back(report_.followed->matches[m].inferred);
    }
    if (recording.has_commands) report_.wrong_commands = inference.wrong_commands(recording);
    recording = with_commands(std::move(recording), inference);
    inferred_ = std::move(inference.matches);
  }

  [[nodiscard]] referee::ReplayProgress show(const char* what) {
    return [this, what](std::size_t done) {
      progress_.update(done, report_.tick_count, fmt::format("{} {}", what, name_));
    };
  }

  const VerifyOptions& options_;
  std::string name_;
  Progress& progress_;
  FileReport report_;
  std::vector<referee::InferredMatch> inferred_;
};

}  // namespace

FileReport verify_file(const VerifyOptions& options, const std::string& file,
                       const std::filesystem::path& commands_file, Progress& progress) {
  return FileVerifier(options, file, progress).run(commands_file);
}

}  // namespace forkmunk::tools
