#pragma once

#include <cstdint>

/// Which instructions wide lanes (wide_lanes.h) are compiled for; forkmunk/engine/lanes.h is the users' view of it.
namespace forkmunk::engine::flat {

enum class LaneKind : std::uint8_t { baseline, avx2, avx512 };
[[nodiscard]] LaneKind lane_kind_in_use() noexcept;

#if defined(__x86_64__) && !defined(FORKMUNK_PLAIN_LANES)
#define FORKMUNK_X86_LANES 1
// A function for a kind of instructions: everything is inlined into it, so that nothing else is compiled for them.
#define FORKMUNK_AVX2 [[gnu::target("avx2"), gnu::flatten]]
#define FORKMUNK_AVX512 [[gnu::target("avx512f,avx512dq,avx512vl"), gnu::flatten]]
#endif

}  // namespace forkmunk::engine::flat
