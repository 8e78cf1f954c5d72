#pragma once

#include "space/chipmunk_api.h"

namespace forkmunk::bench {

/// Chipmunk as released, in `arithmetic`: malloc and buffers of 32 KiB. \pre is_available(arithmetic).
[[nodiscard]] const engine::ChipmunkApi& stock_chipmunk_api(engine::Arithmetic arithmetic) noexcept;

}  // namespace forkmunk::bench
