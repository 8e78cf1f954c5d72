#pragma once

#include <forkmunk/base/arithmetic.h>
#include <forkmunk/chipmunk/chipmunk_api.h>

namespace forkmunk::bench {

/// Chipmunk as released, in `arithmetic`: malloc and buffers of 32 KiB. \pre is_available(arithmetic).
[[nodiscard]] const chipmunk::ChipmunkApi& stock_chipmunk_api(Arithmetic arithmetic) noexcept;

}  // namespace forkmunk::bench
