#include "machine_mathematics.h"

#include <forkmunk/base/build_info.h>
#include <forkmunk/base/check.h>

#include <fstream>

namespace forkmunk {
namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

}  // namespace

BuildInfo build_info() {
  BuildInfo info{.compiler = FORKMUNK_COMPILER,
                 .build_type = FORKMUNK_BUILD_TYPE,
                 .sanitizer = FORKMUNK_SANITIZER,
                 .check_level = FORKMUNK_CHECK_LEVEL,
                 .arithmetics = {},
                 .processor = processor_name(),
                 .fma = has_fused_multiply_add(),
                 .c_library = c_library(),
                 .c_library_sin = c_library_sin()};
  for (const Arithmetic arithmetic : {Arithmetic::strict, Arithmetic::referee}) {
    if (is_available(arithmetic)) info.arithmetics.push_back(arithmetic);
  }
  return info;
}

}  // namespace forkmunk
