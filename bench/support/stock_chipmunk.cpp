#include "bench/support/stock_chipmunk.h"

#include <forkmunk/base/check.h>

extern "C" {
#define X(function) extern decltype(::function) forkmunk_stock_strict_##function;
#include <forkmunk/chipmunk/chipmunk_functions.def>
#undef X
#ifdef FORKMUNK_HAS_REFEREE_ARITHMETIC
#define X(function) extern decltype(::function) forkmunk_stock_referee_##function;
#include <forkmunk/chipmunk/chipmunk_functions.def>
#undef X
#endif
}

namespace forkmunk::bench {
namespace {

constexpr chipmunk::ChipmunkApi kStrict{
#define X(function) &forkmunk_stock_strict_##function,
#include <forkmunk/chipmunk/chipmunk_functions.def>
#undef X
};

#ifdef FORKMUNK_HAS_REFEREE_ARITHMETIC
constexpr chipmunk::ChipmunkApi kReferee{
#define X(function) &forkmunk_stock_referee_##function,
#include <forkmunk/chipmunk/chipmunk_functions.def>
#undef X
};
#endif

}  // namespace

const chipmunk::ChipmunkApi& stock_chipmunk_api(Arithmetic arithmetic) noexcept {
#ifdef FORKMUNK_HAS_REFEREE_ARITHMETIC
  if (arithmetic == Arithmetic::referee) return kReferee;
#endif
  FORKMUNK_CHECK(arithmetic == Arithmetic::strict, "this build has no referee arithmetic");
  return kStrict;
}

}  // namespace forkmunk::bench
