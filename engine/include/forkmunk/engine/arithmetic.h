#pragma once

#include <forkmunk/base/arithmetic.h>

namespace forkmunk::engine {

using forkmunk::Arithmetic;
using forkmunk::is_available;
using forkmunk::parse_arithmetic;
using forkmunk::to_string;

}  // namespace forkmunk::engine
