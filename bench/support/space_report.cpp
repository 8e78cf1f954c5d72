#include "bench/support/space_report.h"

#include "viewer/pages/scatter.h"

#include <forkmunk/base/build_info.h>
#include <forkmunk/base/error.h>
#include <forkmunk/io/input_file.h>
#include <forkmunk/io/json_reader.h>
#include <forkmunk/io/json_writer.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace forkmunk::bench {
namespace {

// What two medians of one run differ by on a machine that does other things too.
constexpr double kStepDoubt = 0.02;

// Four digits that say something.
std::string digits(double us) {
  if (us < 10) return fmt::format("{:.3f}", us);
  return us < 100 ? fmt::format("{:.1f}", us) : fmt::format("{:.0f}", us);
}

std::string with_commas(std::size_t number) {
  return number < 1000 ? std::to_string(number) : fmt::format("{},{:03}", with_commas(number / 1000), number % 1000);
}

std::string build_line() {
  const BuildInfo build = build_info();
  return fmt::format("{}, {}, check level {}, {}", build.compiler, build.build_type, build.check_level,
                     build.processor);
}

// What the module promises of itself, by row.
std::vector<std::string> broken_promises(std::span<const SpaceRow> rows, std::span<const RapierRow> rapier) {
  std::vector<std::string> broken;
  for (const SpaceRow& row : rows) {
    const std::string scene = fmt::format("{} of {}", to_string(row.kind), row.body_count);
    if (!row.copies_as_promised()) {
      broken.push_back(
          fmt::format("{}: save takes {:.2f} and restore {:.2f} of memcpy's {} us, expected 1.2 and 0.1 us", scene,
                      row.save_ratio, row.restore_ratio, digits(row.memcpy_us)));
    }
    if (row.step_ratio > 1.0 + kStepDoubt) {
      broken.push_back(fmt::format("{}: a step takes {:.2f} of stock Chipmunk's", scene, row.step_ratio));
    }
    const auto theirs = same_scene(rapier, row);
    if (theirs && row.kind == SceneKind::pyramid && row.body_count >= 50 && row.body_count <= 800 &&
        10 * (row.save_us + row.restore_us) > theirs->snapshot_us + theirs->restore_us) {
      broken.push_back(fmt::format("{}: save and restore take more than a tenth of Rapier's", scene));
    }
  }
  return broken;
}

}  // namespace

std::vector<RapierRow> read_rapier(const std::string& path) {
  static constexpr std::array kRoot{io::FieldKey{"rows"}};
  static constexpr std::array kRow{io::FieldKey{"scene"},       io::FieldKey{"bodies"},     io::FieldKey{"bytes"},
                                   io::FieldKey{"snapshot_us"}, io::FieldKey{"restore_us"}, io::FieldKey{"step_us"}};
  constexpr std::size_t kFileBytesMax = std::size_t{1} << 20;
  std::vector<RapierRow> rows;
  const auto read_row = [&](io::JsonValue value, std::size_t, const io::FieldPath& row_path) {
    io::JsonObject object = read_object(value, row_path);
    RapierRow& row = rows.emplace_back();
    read_fields(object, row_path, kRow, [&](io::JsonValue field, std::size_t key, const io::FieldPath& field_path) {
      switch (key) {
        case 0: row.scene = read_text(field, field_path); break;
        case 1: row.body_count = static_cast<int>(read_number(field, field_path)); break;
        case 2: row.bytes = static_cast<std::size_t>(read_number(field, field_path)); break;
        case 3: row.snapshot_us = read_number(field, field_path); break;
        case 4: row.restore_us = read_number(field, field_path); break;
        default: row.step_us = read_number(field, field_path);
      }
    });
  };
  io::JsonDocument document(io::read_file(path, kFileBytesMax, "what bench/rapier.mjs prints"));
  document.read([&](io::JsonObject& root) {
    read_fields(root, {}, kRoot, [&](io::JsonValue value, std::size_t, const io::FieldPath& rows_path) {
      read_entries(value, rows_path, {0, 1000}, read_row);
    });
  });
  return rows;
}

std::optional<RapierRow> same_scene(std::span<const RapierRow> rapier, const SpaceRow& row) {
  const auto found = std::find_if(rapier.begin(), rapier.end(), [&](const RapierRow& theirs) {
    return theirs.scene == to_string(row.kind) && theirs.body_count == row.body_count;
  });
  return found == rapier.end() ? std::nullopt : std::optional(*found);
}

void print_table(std::FILE* out, std::span<const SpaceRow> rows, std::span<const RapierRow> rapier) {
  fmt::print(out, "{}; microseconds, medians\n\n", build_line());
  fmt::print(out,
             "| scene | bodies | bytes | memcpy | save | restore | fresh save | fork | hash | step | stock step | "
             "step / stock | stock rebuild |");
  if (!rapier.empty()) fmt::print(out, " Rapier bytes | snapshot | restore | step | its / our save + restore |");
  fmt::print(out, "\n|---|---|---|---|---|---|---|---|---|---|---|---|---|{}\n",
             rapier.empty() ? "" : "---|---|---|---|---|");
  for (const SpaceRow& row : rows) {
    fmt::print(out, "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.2f} | {} |", to_string(row.kind),
               row.body_count, with_commas(row.live_bytes), digits(row.memcpy_us), digits(row.save_us),
               digits(row.restore_us), digits(row.fresh_us), digits(row.fork_us), digits(row.hash_us),
               digits(row.step_us), digits(row.stock_step_us), row.step_ratio, digits(row.rebuild_us));
    if (const auto theirs = same_scene(rapier, row)) {
      fmt::print(out, " {} | {} | {} | {} | {:.0f} |", with_commas(theirs->bytes), digits(theirs->snapshot_us),
                 digits(theirs->restore_us), digits(theirs->step_us),
                 (theirs->snapshot_us + theirs->restore_us) / (row.save_us + row.restore_us));
    } else if (!rapier.empty()) {
      fmt::print(out, " | | | | |");
    }
    fmt::print(out, "\n");
  }
  const std::vector<std::string> broken = broken_promises(rows, rapier);
  fmt::print(out, "\n{}\n", broken.empty() ? "All promises hold." : "Promised otherwise:");
  for (const std::string& line : broken) fmt::print(out, "  {}\n", line);
}

std::string to_json(std::span<const SpaceRow> rows, std::span<const RapierRow> rapier) {
  const BuildInfo build = build_info();
  io::JsonWriter json(io::JsonWriter::Layout::indented);
  const auto write_row = [&](const SpaceRow& row) {
    json.field("scene", to_string(row.kind)).field("bodies", row.body_count).field("live_bytes", row.live_bytes);
    json.field("memcpy_us", row.memcpy_us).field("save_us", row.save_us).field("restore_us", row.restore_us);
    json.field("save_ratio", row.save_ratio).field("restore_ratio", row.restore_ratio);
    json.field("fresh_save_us", row.fresh_us).field("fork_us", row.fork_us).field("hash_us", row.hash_us);
    json.field("step_us", row.step_us).field("stock_step_us", row.stock_step_us);
    json.field("step_ratio", row.step_ratio).field("rebuild_us", row.rebuild_us);
    const auto theirs = same_scene(rapier, row);
    if (!theirs) return;
    json.key("rapier").object([&] {
      json.field("bytes", theirs->bytes).field("snapshot_us", theirs->snapshot_us);
      json.field("restore_us", theirs->restore_us).field("step_us", theirs->step_us);
    });
  };
  json.object([&] {
    json.key("build").object([&] {
      json.field("compiler", build.compiler).field("build_type", build.build_type);
      json.field("check_level", build.check_level).field("sanitizer", build.sanitizer);
      json.field("processor", build.processor);
    });
    json.key("rows").list(rows, [&](const SpaceRow& row) { json.object([&] { write_row(row); }); });
    json.field("promises_broken", broken_promises(rows, rapier));
  });
  return json.take() + "\n";
}

std::string to_svg(std::span<const SpaceRow> rows, std::span<const RapierRow> rapier) {
  viewer::Scatter picture{"Cost of a scene by the bytes of its state",
                          build_line() + "; medians of one run; a point is a scene of 10 to 3,000 bodies",
                          "bytes of the snapshot",
                          "µs",
                          {}};
  const auto add = [&](std::string name, auto value) {
    viewer::Scatter::Series series{std::move(name), {}};
    for (const SpaceRow& row : rows) series.points.push_back({static_cast<double>(row.live_bytes), value(row)});
    picture.series.push_back(std::move(series));
  };
  add("save + restore", [](const SpaceRow& row) { return row.save_us + row.restore_us; });
  add("fork", [](const SpaceRow& row) { return row.fork_us; });
  add("hash", [](const SpaceRow& row) { return row.hash_us; });
  add("step", [](const SpaceRow& row) { return row.step_us; });
  add("rebuild in stock Chipmunk", [](const SpaceRow& row) { return row.rebuild_us; });
  if (!rapier.empty()) {
    viewer::Scatter::Series series{"Rapier's snapshot + restore", {}};
    for (const RapierRow& row : rapier) {
      series.points.push_back({static_cast<double>(row.bytes), row.snapshot_us + row.restore_us});
    }
    picture.series.push_back(std::move(series));
  }
  return viewer::to_svg(picture);
}

}  // namespace forkmunk::bench
