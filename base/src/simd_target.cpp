// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/base/simd_target.h>

#include <array>
#include <cstdlib>
#include <string>

namespace forkmunk {
namespace {

constexpr std::array kTargets{SimdTarget::baseline, SimdTarget::avx2, SimdTarget::avx512};

// On Windows, gcc stores vectors of 32 and 64 bytes to a stack that is aligned to 16 (PR 54412), so only the baseline
// is built.
#if defined(__x86_64__) && !defined(FORKMUNK_PLAIN_LANES) && !defined(_WIN32)
#define FORKMUNK_WIDE_TARGETS
#endif

SimdTarget widest() noexcept {
#ifdef FORKMUNK_WIDE_TARGETS
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2")) return SimdTarget::baseline;
  const bool wide =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return wide ? SimdTarget::avx512 : SimdTarget::avx2;
#else
  return SimdTarget::baseline;
#endif
}

std::span<const SimdTarget> available() noexcept {
  static const SimdTarget last = widest();
  return {kTargets.data(), static_cast<std::size_t>(last) + 1};
}

// Returns the target that FORKMUNK_LANES names, or the widest. \throws Error if the target is not available.
SimdTarget wanted() {
  const char* const wanted = std::getenv("FORKMUNK_LANES");
  if (wanted == nullptr) return available().back();
  std::string names;
  for (const SimdTarget target : available()) {
    if (to_string(target) == wanted) return target;
    names += (names.empty() ? "" : ", ") + std::string(to_string(target));
  }
  throw Error("the environment's FORKMUNK_LANES is '" + printable(wanted) + "'; this processor has " + names);
}

SimdTarget& used() {
  static SimdTarget one = wanted();
  return one;
}

}  // namespace

std::string_view to_string(SimdTarget target) noexcept {
  switch (target) {
    case SimdTarget::baseline: return "baseline";
    case SimdTarget::avx2: return "avx2";
    case SimdTarget::avx512: return "avx512";
  }
  return "";
}

std::span<const SimdTarget> available_simd_targets() noexcept { return available(); }

SimdTarget simd_target() { return used(); }

bool set_simd_target(SimdTarget target) {
  if (target > available().back()) return false;
  used() = target;
  return true;
}

}  // namespace forkmunk
