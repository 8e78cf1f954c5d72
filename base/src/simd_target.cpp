#include <forkmunk/base/simd_target.h>

#include <array>
#include <cstdlib>

namespace forkmunk {
namespace {

constexpr std::array kTargets{SimdTarget::baseline, SimdTarget::avx2, SimdTarget::avx512};

SimdTarget widest() noexcept {
#if defined(__x86_64__) && !defined(FORKMUNK_PLAIN_LANES)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2")) return SimdTarget::baseline;
  const bool wide =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return wide ? SimdTarget::avx512 : SimdTarget::avx2;
#else
  return SimdTarget::baseline;
#endif
}

struct Choice {
  SimdTarget available = widest();
  SimdTarget used = available;

  Choice() noexcept {
    const char* const wanted = std::getenv("FORKMUNK_LANES");
    if (wanted == nullptr) return;
    for (const SimdTarget target : kTargets) {
      if (target <= available && to_string(target) == wanted) used = target;
    }
  }
};

Choice& choice() noexcept {
  static Choice one;
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

std::span<const SimdTarget> available_simd_targets() noexcept {
  return {kTargets.data(), static_cast<std::size_t>(choice().available) + 1};
}

SimdTarget simd_target() noexcept { return choice().used; }

bool set_simd_target(SimdTarget target) noexcept {
  if (target > choice().available) return false;
  choice().used = target;
  return true;
}

}  // namespace forkmunk
