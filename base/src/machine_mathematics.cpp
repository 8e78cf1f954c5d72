#include "machine_mathematics.h"

#include <algorithm>
#include <array>
#include <cmath>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

namespace forkmunk {
namespace {

// An angle and its sine in each library.
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

}  // namespace

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

std::string c_library_sin() {
  if (gives(&Probe::glibc_fused)) return "with FMA";
  if (gives(&Probe::glibc_plain)) return "without FMA";
  if (gives(&Probe::musl)) return "musl's";
  return "other";
}

bool has_fused_multiply_add() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_cpu_supports("fma") != 0;
#elif defined(__aarch64__)
  return true;
#else
  return false;
#endif
}

}  // namespace forkmunk
