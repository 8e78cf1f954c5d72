#include "bench/support/stock_chipmunk.h"

#include <forkmunk/arena_alloc/check.h>

extern "C" {
#define X(function) extern decltype(::function) forkmunk_stock_strict_##function;
#include "space/chipmunk_functions.def"
#undef X
#ifdef FORKMUNK_HAS_REFEREE_ARITHMETIC
#define X(function) extern decltype(::function) forkmunk_stock_referee_##function;
#include "space/chipmunk_functions.def"
#undef X
#endif
}

namespace forkmunk::bench {
namespace {

constexpr engine::ChipmunkApi kStrict{
#define X(function) &forkmunk_stock_strict_##function,
#include "space/chipmunk_functions.def"
#undef X
};

#ifdef FORKMUNK_HAS_REFEREE_ARITHMETIC
constexpr engine::ChipmunkApi kReferee{
#define X(function) &forkmunk_stock_referee_##function,
#include "space/chipmunk_functions.def"
#undef X
};
#endif

}  // namespace

const engine::ChipmunkApi& stock_chipmunk_api(engine::Arithmetic arithmetic) noexcept {
#ifdef FORKMUNK_HAS_REFEREE_ARITHMETIC
  if (arithmetic == engine::Arithmetic::referee) return kReferee;
#endif
  FORKMUNK_CHECK(arithmetic == engine::Arithmetic::strict, "this build has no referee arithmetic");
  return kStrict;
}

}  // namespace forkmunk::bench
