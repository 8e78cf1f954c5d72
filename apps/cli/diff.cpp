// SPDX-License-Identifier: MIT
#include "apps/cli/reports/page.h"
#include "bindings/js/wasm/stand_ins.h"
#include "command.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/io/files.h>
#include <forkmunk/io/json_writer.h>
#include <forkmunk/space/differences.h>
#include <forkmunk/space/recorder.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/core.h>

namespace forkmunk::cli {
namespace {

using space::Difference;
using space::Recording;
using space::RecordingDifference;

struct DiffOptions {
  std::string one, other, output;
  bool json = false;
};

std::string name_of(const SceneFile& side, std::uint32_t id) {
  if (!side.recording || id == 0) return "";
  const auto& names = side.recording->names();
  const auto name = names.find(id);
  return name == names.end() ? "" : name->second;
}
/// Names both shapes of a contact, in brackets.
std::string names_of(const SceneFile& side, const Difference& difference) {
  std::string names = name_of(side, difference.id);
  const std::string other = name_of(side, difference.other_id);
  if (!names.empty() && !other.empty()) names += ", ";
  names += other;
  return names.empty() ? "" : " (" + printable(names) + ")";
}

/// Names the compared steps, if a recording has others.
std::string common_of(const SceneFile& one, const SceneFile& other) {
  if (!one.recording) return "";
  const Recording &a = *one.recording, &b = *other.recording;
  if (a.first() == b.first() && a.last() == b.last()) return "";
  return fmt::format(" in the steps that both have, {} to {}", std::max(a.first(), b.first()),
                     std::min(a.last(), b.last()));
}

void print(std::FILE* out, const DiffOptions& options, const SceneFile& one, const SceneFile& other,
           const RecordingDifference& report, bool is_equal) {
  if (options.json) {
    return print_json([&](io::JsonWriter& json) {
      json.object([&] {
        json.field("equal", is_equal).field("step", report.step);
        if (!report.reason.empty()) json.field("reason", report.reason);
        json.key("differences").list(report.found, [&](const Difference& each) {
          json.object([&] {
            json.field("object", each.object).field("id", each.id).field("name", name_of(one, each.id));
            if (each.other_id != 0)
              json.field("other_id", each.other_id).field("other_name", name_of(one, each.other_id));
            json.field("field", each.field).field("one", each.one).field("other", each.other);
          });
        });
      });
    });
  }
  if (is_equal) return fmt::print(out, "equal{}\n", common_of(one, other));
  if (report.step) fmt::print(out, "step {}: the first that differs\n", *report.step);
  if (!report.reason.empty()) fmt::print(out, "{}\n", printable(report.reason));
  std::string object = "none";
  for (const Difference& each : report.found) {
    if (each.object != object) {
      fmt::print(out, "{}{}\n", each.object, names_of(one, each));
      object = each.object;
    }
    if (each.one.empty() && each.other.empty()) {
      fmt::print(out, "  {}\n", each.field);
    } else {
      fmt::print(out, "  {}: {}, {}\n", each.field, each.one, each.other);
    }
  }
}

int run_diff(const DiffOptions& options) {
  for (const stand_ins::StandIn& each : stand_ins::kOfPython) forkmunk_name_code(each.name, each.function);
  for (const stand_ins::StandIn& each : stand_ins::kOfJavaScript) forkmunk_name_code(each.name, each.function);
  std::FILE* out =
      io::check_outputs({{"-o", options.output}}, options.json ? "--json" : "", {options.one, options.other});
  if (options.one == "-" && options.other == "-") throw Error("stdin: cannot be both; name a file for one of them");
  const SceneFile one = read_scene_file(options.one), other = read_scene_file(options.other);
  if (one.recording.has_value() != other.recording.has_value()) {
    throw Error("found a recording and a snapshot, expected two recordings or two snapshots");
  }
  if (!one.recording && !options.output.empty()) throw Error("-o: a page needs two recordings");
  RecordingDifference report;
  if (one.recording) {
    report = differences(*one.recording, *other.recording);
  } else {
    report.found = differences(*one.state, *other.state);
  }
  const bool is_equal = !report.step && report.found.empty();
  print(out, options, one, other, report, is_equal);
  if (!options.output.empty()) {
    const auto name = [](const std::string& file) { return printable(std::filesystem::path(file).stem().string()); };
    io::write_file(options.output, reports::scene_page({name(options.one), one.bytes, name(options.other), other.bytes,
                                                        false, report.step}));
  }
  return is_equal ? kExitFine : kExitNo;
}

}  // namespace

void add_diff(CLI::App& app, Run& run) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* command =
      app.add_subcommand("diff", "Compare two recorded scenes or snapshots: the first step that differs");
  command->add_option("one", options->one, "Recording (fmrec), or a snapshot as Snapshot::write() wrote it")
      ->required()
      ->type_name("A");
  command->add_option("other", options->other, "The other one, of the same kind")->required()->type_name("B");
  command
      ->add_option("-o,--output", options->output,
                   "A page with both recordings over each other (- is stdout, and the report goes to stderr)")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "Print JSON only: equal, step, differences[]");
  command->footer(
      "Prints the first step that differs, and every field that differs there, grouped by object, with both values.\n"
      "\n"
      "Exit codes: 0 they are equal in the steps that both have; 1 they differ; 2 invalid options, or a file cannot be "
      "read or written.\n"
      "\n"
      "Example:\n"
      "  forkmunk diff here.fmrec there.fmrec -o both.html");
  command->callback([options, &run] { run = [options] { return run_diff(*options); }; });
}

}  // namespace forkmunk::cli
