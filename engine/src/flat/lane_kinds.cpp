
#include "flat/step.h"

#include <forkmunk/engine/lanes.h>

#include <array>
#include <cstdlib>

namespace forkmunk::engine {
namespace flat {
#ifdef FORKMUNK_AVX2_KERNEL
namespace avx2 {
extern const Kernel kKernel;
}
#endif
namespace {

constexpr std::array<std::string_view, 3> kNames{"baseline", "avx2", "avx512"};

// How many of the names this processor has: each includes the ones before it.
std::size_t available_count() noexcept {
#ifdef FORKMUNK_AVX2_KERNEL
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2")) return 1;
  const bool wide =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return wide ? 3 : 2;
#else
  return 1;
#endif
}

struct Choice {
  std::size_t count = available_count();
  std::size_t used = count - 1;

  Choice() noexcept {
    if (const char* const wanted = std::getenv("FORKMUNK_LANES")) use(wanted);
  }
  bool use(std::string_view name) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
      if (kNames[i] != name) continue;
      used = i;
      return true;
    }
    return false;
  }
};

Choice& choice() noexcept {
  static Choice one;
  return one;
}

}  // namespace

// Wider registers than AVX2's brought nothing: docs/decisions/0008-groups.md.
const Kernel& kernel_in_use() noexcept {
#ifdef FORKMUNK_AVX2_KERNEL
  if (choice().used > 0) return avx2::kKernel;
#endif
  return kKernel;
}

}  // namespace flat

std::span<const std::string_view> available_lanes() noexcept { return {flat::kNames.data(), flat::choice().count}; }
std::string_view lanes_in_use() noexcept { return flat::kNames[flat::choice().used]; }
bool use_lanes(std::string_view name) noexcept { return flat::choice().use(name); }

}  // namespace forkmunk::engine
