// SPDX-License-Identifier: MIT
#include <forkmunk/base/check.h>
#include <forkmunk/chipmunk/chipmunk_api.h>

extern "C" {
#define X(function) extern decltype(::function) forkmunk_strict_##function;
#include <forkmunk/chipmunk/chipmunk_functions.def>
#undef X
#ifdef FORKMUNK_HAS_REFEREE_ARITHMETIC
#define X(function) extern decltype(::function) forkmunk_referee_##function;
#include <forkmunk/chipmunk/chipmunk_functions.def>
#undef X
#endif
}

namespace forkmunk::FORKMUNK_CHIPMUNK {
namespace {

constexpr ChipmunkApi kStrict{
#define X(function) &forkmunk_strict_##function,
#include <forkmunk/chipmunk/chipmunk_functions.def>
#undef X
};

#ifdef FORKMUNK_HAS_REFEREE_ARITHMETIC
constexpr ChipmunkApi kReferee{
#define X(function) &forkmunk_referee_##function,
#include <forkmunk/chipmunk/chipmunk_functions.def>
#undef X
};
#endif

}  // namespace

const ChipmunkApi& chipmunk_api(Arithmetic arithmetic) noexcept {
#ifdef FORKMUNK_HAS_REFEREE_ARITHMETIC
  if (arithmetic == Arithmetic::referee) return kReferee;
#endif
  FORKMUNK_CHECK(arithmetic == Arithmetic::strict, "this build has no referee arithmetic");
  return kStrict;
}

}  // namespace forkmunk::FORKMUNK_CHIPMUNK
