// SPDX-License-Identifier: MIT
#include "apps/cli/reports/verification_json.h"
#include "command.h"
#include "contest/formats/carried/carried_recordings.h"

#include <forkmunk/base/build_info.h>
#include <forkmunk/base/simd_target.h>
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/io/recording_reader.h>
#include <forkmunk/maps/catalogue.h>
#include <forkmunk/replay/replay.h>
#include <forkmunk/version.h>

#include <algorithm>
#include <memory>

#include <fmt/format.h>

namespace forkmunk::cli {
namespace {

struct Finding {
  Arithmetic arithmetic;
  bool available = false;
  std::string recording;
  replay::ReplayReport replay;
  std::string scene;

  [[nodiscard]] bool exact() const { return available && replay.mismatching_ticks == 0; }
};

Finding examine(Arithmetic arithmetic) {
  Finding finding{arithmetic, is_available(arithmetic), {}, {}, {}};
  if (!finding.available) return finding;
  const auto recordings = io::carried_recordings();
  const auto builtin = std::ranges::find(recordings, arithmetic, &io::CarriedRecording::arithmetic);
  finding.recording = builtin->name;
  const formats::Recording recording = io::parse_recording(builtin->bytes, builtin->name);
  finding.replay = replay::replay(recording, engine::fastest_physics(arithmetic));
  if (finding.replay.first_mismatch) {
    const engine::MatchSetup& setup = recording.matches[finding.replay.first_mismatch->match].setup;
    finding.scene = maps::name_of(setup.map) + ", " + cars::name_of(setup.car);
  }
  return finding;
}

// The contest's recordings also depend on this variant of glibc's sin.
constexpr std::string_view kRefereesSin = "with FMA";

std::string advice(const Finding& finding) {
  const BuildInfo build = build_info();
  if (finding.arithmetic == Arithmetic::referee && build.compiler.starts_with("GNU 12.") &&
      build.c_library_sin != kRefereesSin) {
    return fmt::format(
        "The contest's referee uses glibc's sin, cos, exp and pow with fused multiply-add; those of {} on this machine "
        "({}) differ in the last bits. Replays of contest games start exact and diverge; planning quality is "
        "unaffected, and verify --tolerance auto follows such games. Strict arithmetic does not depend on the machine.",
        build.c_library, build.c_library_sin);
  }
  if (finding.arithmetic == Arithmetic::referee) {
    return "The contest's referee was built with gcc 12.2 and -ffast-math, whose results depend on the compiler. Build "
           "with gcc 12 to reproduce recorded games of the contest; this build is still good for planning. Strict "
           "arithmetic does not depend on the compiler.";
  }
  return "Strict arithmetic must be exact with every compiler, so a compiler flag of this build changes its floating "
         "point. Configure without -Ofast and -ffast-math (docs/reference/determinism.md); if that does not help, "
         "report a bug with the lines above.";
}

void print(const Finding& finding) {
  const std::string_view name = to_string(finding.arithmetic);
  if (!finding.available) {
    fmt::print(
        "{:8} not in this build: it needs gcc. Recordings of the contest's referee cannot be replayed exactly.\n",
        name);
    return;
  }
  if (finding.exact()) {
    fmt::print("{:8} exact: all {} ticks of the built-in recording {} agree bit for bit.\n", name,
               finding.replay.tick_count, finding.recording);
    return;
  }
  fmt::print("{:8} NOT EXACT: {} of {} ticks of the built-in recording {} differ, by up to {:.3g}.\n", name,
             finding.replay.mismatching_ticks, finding.replay.tick_count, finding.recording, finding.replay.max_error);
  fmt::print("         First: {}\n", describe(*finding.replay.first_mismatch, finding.scene));
  fmt::print("         {}\n", advice(finding));
}

void write_finding(io::JsonWriter& json, const Finding& finding) {
  json.object([&] {
    json.field("arithmetic", to_string(finding.arithmetic)).field("available", finding.available);
    json.field("engine", engine_name(engine::fastest_physics(finding.arithmetic)));
    json.field("mathematics", finding.arithmetic == Arithmetic::strict ? "strict_math" : "C library");
    if (!finding.available) return;
    json.field("exact", finding.exact()).field("recording", finding.recording);
    json.field("ticks", finding.replay.tick_count).field("mismatching_ticks", finding.replay.mismatching_ticks);
    reports::write(json.key("first_mismatch"), finding.replay.first_mismatch);
    if (!finding.exact()) json.field("advice", advice(finding));
  });
}

std::vector<std::string_view> available_target_names() {
  std::vector<std::string_view> names;
  for (const SimdTarget target : available_simd_targets()) names.push_back(to_string(target));
  return names;
}

void write_machine(io::JsonWriter& json, const BuildInfo& build) {
  json.object([&] {
    write_build(json, build);
    json.field("fma", build.fma).field("c_library", build.c_library).field("c_library_sin", build.c_library_sin);
    json.field("lanes", to_string(simd_target())).field("lanes_available", available_target_names());
  });
}

std::string describe_machine(const BuildInfo& build) {
  std::string text = fmt::format(
      "forkmunk {}, {}, {}, check level {}{}, {} arithmetic\n"
      "machine  {}, {}; {}, sin {}{}\n"
      "SIMD     {}: of Chipmunk scenes and the value network; the flat engine uses at most avx2 (available: {};\n"
      "         FORKMUNK_LANES selects one)\n"
      "strict   uses its own sin, cos, exp and pow, in the flat engine and in Chipmunk\n",
      version(), build.compiler, build.build_type, build.check_level,
      build.sanitizer.empty() ? "" : ", sanitizer " + build.sanitizer,
      build.arithmetics.size() == 2 ? "strict and referee" : "strict", build.processor,
      build.fma ? "with FMA" : "without FMA", build.c_library, build.c_library_sin.ends_with("FMA") ? "variant " : "",
      build.c_library_sin, to_string(simd_target()), fmt::join(available_target_names(), ", "));
  if (build.arithmetics.size() == 2) {
    text +=
        fmt::format("referee  uses the C library's, in Chipmunk; on this machine {}those of the contest's referee\n",
                    build.c_library_sin == kRefereesSin ? "" : "not ");
  }
  return text;
}

int run_doctor(bool as_json) {
  const std::array findings{examine(Arithmetic::strict), examine(Arithmetic::referee)};
  const bool exact = std::ranges::all_of(findings, [](const Finding& f) { return !f.available || f.exact(); });
  if (as_json) {
    print_json([&](io::JsonWriter& json) {
      json.object([&] {
        write_machine(json.key("build"), build_info());
        json.field("exact", exact).key("arithmetics").list(findings, [&](const Finding& finding) {
          write_finding(json, finding);
        });
      });
    });
  } else {
    fmt::print("{}", describe_machine(build_info()));
    for (const Finding& finding : findings) print(finding);
    fmt::print("{}\n",
               exact ? "This build is exact in all its arithmetics." : "This build is not exact on this machine.");
  }
  return exact ? kExitFine : kExitNo;
}

}  // namespace

void add_doctor(CLI::App& app, Run& run) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("doctor", "Describe this build and check that its physics is bit-exact");
  command->add_flag("--json", *json, "Print JSON only");
  command->footer(
      "Replays a built-in recorded game in each arithmetic of this build and compares every tick. If they differ, it\n"
      "names the likely cause and the fix. The SIMD target is chosen at run time; the environment variable\n"
      "FORKMUNK_LANES overrides it.\n"
      "\n"
      "Exit codes: 0 exact in every arithmetic of the build; 1 not exact; 2 invalid options.\n"
      "\n"
      "Examples:\n"
      "  forkmunk doctor\n"
      "  FORKMUNK_LANES=baseline forkmunk doctor --json");
  command->callback([json, &run] { run = [json] { return run_doctor(*json); }; });
}

}  // namespace forkmunk::cli
