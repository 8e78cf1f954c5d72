// SPDX-License-Identifier: MIT
// Compares this machine's results with golden ones, by the library alone (scripts/test_machines).

#include "machines/parts.h"

#include <forkmunk/base/build_info.h>
#include <forkmunk/base/error.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <string_view>
#include <vector>

namespace {

using namespace forkmunk::tests;

constexpr const char* kUsage =
    "usage: machine_check [PART]... [--recordings FILE] [--write-snapshot FILE] [--read-snapshot FILE [--expect "
    "HASH]]\n"
    "  PART  mathematics, golden, numbers, signatures; all four if no argument is given\n"
    "  --recordings FILE       replays the output of flatten_recordings\n"
    "  --write-snapshot FILE   writes a match in play, for another machine\n"
    "  --read-snapshot FILE    continues the match; its final state must have HASH (default: this machine's own)\n";

bool print(const PartReport& report) {
  std::printf("%-18s %7ld %s: ", report.name.c_str(), report.count, report.unit.c_str());
  if (report.different == 0) {
    std::printf("equal\n");
  } else {
    std::printf("DIFFERENT, %ld; the first: %s\n", report.different, report.first_difference.c_str());
  }
  std::fflush(stdout);
  return report.different == 0;
}

PartReport write(const char* path) {
  write_snapshot(path);
  return {"snapshot written", "file, which ends at " + hex(go_on()), 1, 0, {}};
}

PartReport read(const char* path, const char* expected) {
  const std::string found = hex(go_on_from(path));
  const std::string wanted = expected != nullptr ? expected : hex(go_on());
  PartReport report{"snapshot read", "end, " + found, 0, 0, {}};
  report.compare(found == wanted, [&] { return "found " + found + ", expected " + wanted; });
  return report;
}

// Returns nothing for invalid arguments.
std::vector<std::function<PartReport()>> parts_of(const std::vector<const char*>& arguments) {
  std::vector<std::function<PartReport()>> parts;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view name = arguments[i];
    const bool has_value = i + 1 < arguments.size();
    if (name == "mathematics") {
      parts.emplace_back(check_mathematics);
    } else if (name == "golden") {
      parts.emplace_back(check_golden_hashes);
    } else if (name == "numbers") {
      parts.emplace_back(check_numbers);
    } else if (name == "signatures") {
      parts.emplace_back(check_signatures);
    } else if (name == "--recordings" && has_value) {
      parts.emplace_back([path = arguments[++i]] { return check_recordings(path); });
    } else if (name == "--write-snapshot" && has_value) {
      parts.emplace_back([path = arguments[++i]] { return write(path); });
    } else if (name == "--read-snapshot" && has_value) {
      const char* path = arguments[++i];
      const bool expects = i + 2 < arguments.size() && std::strcmp(arguments[i + 1], "--expect") == 0;
      const char* expected = expects ? arguments[i += 2] : nullptr;
      parts.emplace_back([=] { return read(path, expected); });
    } else {
      return {};
    }
  }
  return parts;
}

}  // namespace

int main(int argc, char** argv) try {
  std::vector<const char*> arguments(argv + 1, argv + argc);
  if (arguments.empty()) arguments = {"mathematics", "golden", "numbers", "signatures"};
  const auto parts = parts_of(arguments);
  if (parts.empty()) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  const forkmunk::BuildInfo build = forkmunk::build_info();
  std::printf("%s, %d-bit, %s, sin of the C library: %s\n", build.compiler.c_str(), static_cast<int>(8 * sizeof(void*)),
              build.c_library.c_str(), build.c_library_sin.c_str());
  bool equal = true;
  for (const auto& part : parts) equal = print(part()) && equal;
  return equal ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& error) {
  std::fprintf(stderr, "machine_check: %s\n", error.what());
  return EXIT_FAILURE;
}
