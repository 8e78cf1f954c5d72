// SPDX-License-Identifier: MIT
#include <forkmunk/base/arithmetic.h>
#include <forkmunk/base/build_info.h>
#include <forkmunk/base/check.h>
#include <forkmunk/version.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#define FORKMUNK_TEXT_OF(number) #number
#define FORKMUNK_VERSION_TEXT(major, minor, patch) \
  FORKMUNK_TEXT_OF(major) "." FORKMUNK_TEXT_OF(minor) "." FORKMUNK_TEXT_OF(patch)

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

// An angle, and its sine by each library.
struct Probe {
  double angle, glibc_fused, glibc_plain, musl;
};

constexpr std::array kProbes{
    Probe{0x1.c0d17cp+1, -0x1.6d533686f640dp-2, -0x1.6d533686f640cp-2, -0x1.6d533686f640cp-2},
    Probe{0x1.4e2e3p-1, 0x1.36f407ad78a3bp-1, 0x1.36f407ad78a3ap-1, 0x1.36f407ad78a3ap-1},
    Probe{0x1.88d88p+1, 0x1.28a41e05202a5p-4, 0x1.28a41e05202a4p-4, 0x1.28a41e05202a5p-4},
    Probe{0x1.36a298p+1, 0x1.4f94e741af9a2p-1, 0x1.4f94e741af9a1p-1, 0x1.4f94e741af9a2p-1},
    Probe{0x1.06e5a8p+0, 0x1.b621010d86af9p-1, 0x1.b621010d86af9p-1, 0x1.b621010d86afap-1},
    Probe{0x1.ece9dp-1, 0x1.a4393feadd7dp-1, 0x1.a4393feadd7dp-1, 0x1.a4393feadd7cfp-1},
};

bool gives(double Probe::*sine) {
  return std::ranges::all_of(kProbes, [&](const Probe& probe) {
    const volatile double angle = probe.angle;  // prevents constant folding
    return std::sin(angle) == probe.*sine;
  });
}

// Returns a text like "glibc 2.36".
std::string c_library() {
#if defined(__GLIBC__)
  return std::string("glibc ") + gnu_get_libc_version();
#elif defined(__EMSCRIPTEN__)
  return "Emscripten's musl";
#elif defined(__APPLE__)
  return "macOS's";
#elif defined(__MINGW32__)
  return "mingw-w64's";
#elif defined(__linux__)
  return "not glibc";
#else
  return "unknown";
#endif
}

// Compares the last bits of known results: BuildInfo::c_library_sin.
std::string c_library_sin() {
  if (gives(&Probe::glibc_fused)) return "with FMA";
  if (gives(&Probe::glibc_plain)) return "without FMA";
  if (gives(&Probe::musl)) return "musl's";
  return "other";
}

// Returns false if this cannot be detected.
bool has_fused_multiply_add() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_cpu_supports("fma") != 0;
#elif defined(__aarch64__)
  return true;
#else
  return false;
#endif
}

}  // namespace

const char* version() noexcept {
  return FORKMUNK_VERSION_TEXT(FORKMUNK_VERSION_MAJOR, FORKMUNK_VERSION_MINOR, FORKMUNK_VERSION_PATCH);
}

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

std::string_view to_string(Arithmetic arithmetic) noexcept {
  return arithmetic == Arithmetic::strict ? "strict" : "referee";
}

std::optional<Arithmetic> parse_arithmetic(std::string_view text) noexcept {
  for (const Arithmetic arithmetic : {Arithmetic::strict, Arithmetic::referee}) {
    if (to_string(arithmetic) == text) return arithmetic;
  }
  return std::nullopt;
}

bool is_available(Arithmetic arithmetic) noexcept {
#ifdef FORKMUNK_HAS_REFEREE_ARITHMETIC
  return arithmetic == Arithmetic::strict || arithmetic == Arithmetic::referee;
#else
  return arithmetic == Arithmetic::strict;
#endif
}

}  // namespace forkmunk
