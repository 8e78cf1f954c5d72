// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace forkmunk::space {

/// A set of defects of Chipmunk 7.0.3 (docs/reference/defects.md). A scene that meets no defect has the same bits with
/// all three.
enum class Defects : std::uint8_t {
  none,    ///< No known defect.
  pymunk,  ///< What pymunk 6.9 to 7.3 computes, defects included.
  stock,   ///< What Chipmunk 7.0.3 computes, bit for bit.
};

}  // namespace forkmunk::space
