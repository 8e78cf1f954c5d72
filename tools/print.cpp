#include "print.h"

#include <forkmunk/base/printable.h>

#include <cstdio>

#include <fmt/core.h>

namespace forkmunk::tools {
namespace {

bool quiet = false;

}  // namespace

std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void print_json(const nlohmann::ordered_json& json) { fmt::print("{}\n", json_text(json)); }

void complain(std::string_view problem, std::string_view who) {
  if (quiet) return;
  // Not by fmt::print(), which throws where stderr is full.
  std::fputs(fmt::format("{}: {}\n", who, one_line(problem)).c_str(), stderr);
}

void be_quiet() { quiet = std::freopen("/dev/null", "w", stdout) != nullptr; }

}  // namespace forkmunk::tools
