#include "print.h"

#include <forkmunk/base/printable.h>
#include <forkmunk/version.h>

#include <cstdio>

#include <fmt/core.h>

namespace forkmunk::tools {
namespace {

bool quiet = false;

}  // namespace

std::string json_text(const WriteJson& write) {
  io::JsonWriter json(io::JsonWriter::Layout::indented);
  write(json);
  return json.take();
}

void print_json(const WriteJson& write) { fmt::print("{}\n", json_text(write)); }

void write_build(io::JsonWriter& json, const BuildInfo& build) {
  json.field("version", version()).field("compiler", build.compiler).field("build_type", build.build_type);
  json.field("check_level", build.check_level).field("sanitizer", build.sanitizer);
  json.key("arithmetics").list(build.arithmetics, [&](Arithmetic arithmetic) { json.value(to_string(arithmetic)); });
  json.field("processor", build.processor);
}

void complain(std::string_view problem, std::string_view who) {
  if (quiet) return;
  // fmt::print() throws if stderr is full.
  std::fputs(fmt::format("{}: {}\n", who, one_line(problem)).c_str(), stderr);
}

void be_quiet() { quiet = std::freopen("/dev/null", "w", stdout) != nullptr; }

}  // namespace forkmunk::tools
