#include "bench/support/space_report.h"

#include <forkmunk/base/build_info.h>
#include <forkmunk/io/json_writer.h>

#include <vector>

#include <fmt/format.h>

namespace forkmunk::bench {
namespace {

// Noise: difference of two medians of one run on a shared machine.
constexpr double kStepDoubt = 0.02;

// About four significant digits.
std::string digits(double us) {
  if (us < 10) return fmt::format("{:.3f}", us);
  return us < 100 ? fmt::format("{:.1f}", us) : fmt::format("{:.0f}", us);
}

std::string with_commas(std::size_t number) {
  return number < 1000 ? std::to_string(number) : fmt::format("{},{:03}", with_commas(number / 1000), number % 1000);
}

// The module's performance goals that a row misses.
std::vector<std::string> broken_promises(std::span<const SpaceRow> rows) {
  std::vector<std::string> broken;
  for (const SpaceRow& row : rows) {
    const std::string scene = fmt::format("{} of {}", to_string(row.kind), row.body_count);
    if (!row.copies_as_promised()) {
      broken.push_back(fmt::format(
          "{}: save takes {:.2f} and restore {:.2f} times memcpy's {} us; the goal is 1.2 times plus 0.1 us", scene,
          row.save_ratio, row.restore_ratio, digits(row.memcpy_us)));
    }
    if (row.step_ratio > 1.0 + kStepDoubt) {
      broken.push_back(
          fmt::format("{}: a step takes {:.2f} times stock Chipmunk's; the goal is 1", scene, row.step_ratio));
    }
  }
  return broken;
}

}  // namespace

void print_table(std::FILE* out, std::span<const SpaceRow> rows) {
  const BuildInfo build = build_info();
  fmt::print(out, "{}, {}, check level {}, {}; microseconds, medians\n\n", build.compiler, build.build_type,
             build.check_level, build.processor);
  fmt::print(out,
             "| scene | bodies | bytes | memcpy | save | restore | fresh save | fork | hash | step | stock step | "
             "step / stock | stock rebuild |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const SpaceRow& row : rows) {
    fmt::print(out, "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.2f} | {} |\n", to_string(row.kind),
               row.body_count, with_commas(row.live_bytes), digits(row.memcpy_us), digits(row.save_us),
               digits(row.restore_us), digits(row.fresh_us), digits(row.fork_us), digits(row.hash_us),
               digits(row.step_us), digits(row.stock_step_us), row.step_ratio, digits(row.rebuild_us));
  }
  const std::vector<std::string> broken = broken_promises(rows);
  fmt::print(out, "\n{}\n", broken.empty() ? "All performance goals are met." : "Performance goals missed:");
  for (const std::string& line : broken) fmt::print(out, "  {}\n", line);
}

std::string to_json(std::span<const SpaceRow> rows) {
  const BuildInfo build = build_info();
  io::JsonWriter json(io::JsonWriter::Layout::indented);
  const auto write_row = [&](const SpaceRow& row) {
    json.field("scene", to_string(row.kind)).field("bodies", row.body_count).field("live_bytes", row.live_bytes);
    json.field("memcpy_us", row.memcpy_us).field("save_us", row.save_us).field("restore_us", row.restore_us);
    json.field("save_ratio", row.save_ratio).field("restore_ratio", row.restore_ratio);
    json.field("fresh_save_us", row.fresh_us).field("fork_us", row.fork_us).field("hash_us", row.hash_us);
    json.field("step_us", row.step_us).field("stock_step_us", row.stock_step_us);
    json.field("step_ratio", row.step_ratio).field("rebuild_us", row.rebuild_us);
  };
  json.object([&] {
    json.key("build").object([&] {
      json.field("compiler", build.compiler).field("build_type", build.build_type);
      json.field("check_level", build.check_level).field("sanitizer", build.sanitizer);
      json.field("processor", build.processor);
    });
    json.key("rows").list(rows, [&](const SpaceRow& row) { json.object([&] { write_row(row); }); });
    json.field("promises_broken", broken_promises(rows));
  });
  return json.take() + "\n";
}

}  // namespace forkmunk::bench
