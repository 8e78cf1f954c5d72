// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/base/simd_target.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

namespace forkmunk {
namespace {

// On Windows, gcc stores vectors of 32 and 64 bytes to a stack aligned to 16 (PR 54412), so only the baseline is built.
#if defined(__x86_64__) && !defined(FORKMUNK_PLAIN_LANES) && !defined(_WIN32)
#define FORKMUNK_WIDE_TARGETS
constexpr std::array kTargets{SimdTarget::baseline, SimdTarget::avx2, SimdTarget::avx512};
#elif defined(__aarch64__) && !defined(FORKMUNK_PLAIN_LANES)
constexpr std::array kTargets{SimdTarget::baseline, SimdTarget::neon};
#else
constexpr std::array kTargets{SimdTarget::baseline};
#endif

std::size_t count_targets() noexcept {
#ifdef FORKMUNK_WIDE_TARGETS
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2")) return 1;
  const bool wide =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return wide ? 3 : 2;
#else
  return kTargets.size();
#endif
}

std::span<const SimdTarget> available() noexcept {
  static const std::size_t count = count_targets();
  return {kTargets.data(), count};
}

SimdTarget wanted() {
#ifdef __EMSCRIPTEN__  // a page has no environment
  return kTargets[0];
#else
  const char* const wanted = std::getenv("FORKMUNK_LANES");
  return wanted == nullptr ? available().back() : simd_target_named(wanted, "the environment's FORKMUNK_LANES");
#endif
}

SimdTarget& used() {
  static SimdTarget one = wanted();
  return one;
}

}  // namespace

std::string_view to_string(SimdTarget target) noexcept {
  switch (target) {
    case SimdTarget::baseline: return "baseline";
    case SimdTarget::neon: return "neon";
    case SimdTarget::avx2: return "avx2";
    case SimdTarget::avx512: return "avx512";
  }
  return "";
}

std::span<const SimdTarget> available_simd_targets() noexcept { return available(); }

SimdTarget simd_target_named(std::string_view name, std::string_view whose) {
  std::string names;
  for (const SimdTarget target : available()) {
    if (to_string(target) == name) return target;
    names += (names.empty() ? "" : ", ") + std::string(to_string(target));
  }
  throw Error(whose, " is '", printable(name), "'; this processor has ", names);
}

SimdTarget simd_target() { return used(); }

bool set_simd_target(SimdTarget target) {
  if (std::ranges::find(available(), target) == available().end()) return false;
  used() = target;
  return true;
}

}  // namespace forkmunk
