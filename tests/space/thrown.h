// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>

namespace forkmunk::space {

struct Thrown : std::runtime_error {
  Thrown() : std::runtime_error("from a callback") {}
};

}  // namespace forkmunk::space
