#pragma once

#include "bench/support/space_measure.h"

#include <cstdio>
#include <span>
#include <string>

namespace forkmunk::bench {

/// One row for each scene, then the performance goals that are missed.
void print_table(std::FILE* out, std::span<const SpaceRow> rows);

[[nodiscard]] std::string to_json(std::span<const SpaceRow> rows);

}  // namespace forkmunk::bench
