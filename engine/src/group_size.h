#pragma once

#include <cstddef>

namespace forkmunk::engine {

/// Maximum of worlds that are stepped as one group.
inline constexpr std::size_t kGroupSizeMax = 32;

}  // namespace forkmunk::engine
