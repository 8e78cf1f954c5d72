#include "command.h"
#include "formats/carried/carried_recordings.h"
#include "print.h"
#include "reports/verification_json.h"
#include "verify_report.h"

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

namespace forkmunk::tools {
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
  const formats::Recording recording =
      io::parse_recording({reinterpret_cast<const char*>(builtin->bytes.data()), builtin->bytes.size()}, builtin->name);
  finding.replay = replay::replay(recording, engine::fastest_physics(arithmetic));
  if (finding.replay.first_mismatch) {
    const engine::MatchSetup& setup = recording.matches[finding.replay.first_mismatch->match].setup;
    finding.scene = maps::name_of(setup.map) + ", " + cars::name_of(setup.car);
  }
  return finding;
}

// What the recordings of the contest's referee stand on beside its compiler.
constexpr std::string_view kRefereesSin = "with FMA";

std::string advice(const Finding& finding) {
  const BuildInfo build = build_info();
  if (finding.arithmetic == Arithmetic::referee && build.compiler.starts_with("GNU 12.") &&
      build.c_library_sin != kRefereesSin) {
    return fmt::format(
        "The contest's referee has sin, cos, exp and pow of glibc as it computes them with fused multiply-add; {}'s "
        "here "
        "({}) have other last bits. Recorded games of the contest start exact and drift apart on this machine; plans "
        "are "
        "as good as exact, and verify --tolerance auto follows such games. Strict arithmetic does not depend on the "
        "machine.",
        build.c_library, build.c_library_sin);
  }
  if (finding.arithmetic == Arithmetic::referee) {
    return "The contest's referee was built by gcc 12.2, and with -ffast-math the bits are the compiler's own. Build "
           "with gcc 12 and look again; until then this build is good for planning, but it will not reproduce recorded "
           "games of the contest. Strict arithmetic does not depend on the compiler.";
  }
  return "Strict arithmetic must be exact with every compiler: something changed the floating point of this build. "
         "Configure again without flags of your own (-Ofast, -ffast-math, -march=native), and see "
         "docs/reference/determinism.md; "
         "if it stays, report it with the lines above.";
}

void print(const Finding& finding) {
  const std::string_view name = to_string(finding.arithmetic);
  if (!finding.available) {
    fmt::print(
        "{:8} not in this build: it needs gcc. Recordings of the contest's own referee cannot be replayed "
        "exactly.\n",
        name);
    return;
  }
  if (finding.exact()) {
    fmt::print("{:8} exact: all {} ticks of the built-in recording {} came out bit for bit.\n", name,
               finding.replay.tick_count, finding.recording);
    return;
  }
  fmt::print("{:8} NOT EXACT: {} of {} ticks of the built-in recording {} differ, by up to {:.3g}.\n", name,
             finding.replay.mismatching_ticks, finding.replay.tick_count, finding.recording, finding.replay.max_error);
  fmt::print("         First: {}\n", describe(*finding.replay.first_mismatch, finding.scene));
  fmt::print("         {}\n", advice(finding));
}

void write(io::JsonWriter& json, const Finding& finding) {
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

std::vector<std::string_view> available_lanes() {
  std::vector<std::string_view> names;
  for (const SimdTarget target : available_simd_targets()) names.push_back(to_string(target));
  return names;
}

void write(io::JsonWriter& json, const BuildInfo& build) {
  json.object([&] {
    write_build(json, build);
    json.field("fma", build.fma).field("c_library", build.c_library).field("c_library_sin", build.c_library_sin);
    json.field("lanes", to_string(simd_target())).field("lanes_available", available_lanes());
  });
}

std::string describe(const BuildInfo& build) {
  std::string text = fmt::format(
      "forkmunk {}, {}, {}, check level {}{}, {} arithmetic\n"
      "machine  {}, {}; {}, whose sin is {}{}\n"
      "lanes    {}: how wide the flat engine computes (here: {}; FORKMUNK_LANES chooses)\n"
      "strict   stands on mathematics of its own, in the flat engine and in Chipmunk\n",
      version(), build.compiler, build.build_type, build.check_level,
      build.sanitizer.empty() ? "" : ", sanitizer " + build.sanitizer,
      build.arithmetics.size() == 2 ? "strict and referee" : "strict", build.processor,
      build.fma ? "with FMA" : "without FMA", build.c_library,
      build.c_library_sin.ends_with("FMA") ? "the variant " : "", build.c_library_sin, to_string(simd_target()),
      fmt::join(available_lanes(), ", "));
  if (build.arithmetics.size() == 2) {
    text +=
        fmt::format("referee  stands on the C library's, in Chipmunk; here that is {}what the contest's referee has\n",
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
        write(json.key("build"), build_info());
        json.field("exact", exact).key("arithmetics").list(findings, [&](const Finding& finding) {
          write(json, finding);
        });
      });
    });
  } else {
    fmt::print("{}", describe(build_info()));
    for (const Finding& finding : findings) print(finding);
    fmt::print("{}\n",
               exact ? "This build is exact in every arithmetic that it has." : "This build is not exact here.");
  }
  return exact ? kExitFine : kExitNo;
}

}  // namespace

void add_doctor(CLI::App& app, Run& run) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("doctor", "Say what this build is, and whether its physics is exact");
  command->add_flag("--json", *json, "Only JSON on stdout");
  command->footer(
      "Replays a built-in recorded game in each arithmetic that this build has and tells whether every bit agrees, "
      "and\n"
      "what to do if not.\n"
      "\n"
      "Exit codes: 0 exact in every arithmetic that the build has; 1 not exact.");
  command->callback([json, &run] { run = [json] { return run_doctor(*json); }; });
}

}  // namespace forkmunk::tools
