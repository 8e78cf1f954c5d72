#pragma once

#include "bench/support/space_measure.h"

#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace forkmunk::bench {

/// What bench/rapier.mjs says of a scene: medians, microseconds.
struct RapierRow {
  std::string scene;
  int body_count = 0;
  std::size_t bytes = 0;
  double snapshot_us = 0;
  double restore_us = 0;
  double step_us = 0;
};

/// \throws Error, naming the path.
[[nodiscard]] std::vector<RapierRow> read_rapier(const std::string& path);

/// The row of Rapier's that is the same scene.
[[nodiscard]] std::optional<RapierRow> same_scene(std::span<const RapierRow> rapier, const SpaceRow& row);

/// One row a scene; what is promised and does not hold is said below.
void print_table(std::FILE* out, std::span<const SpaceRow> rows, std::span<const RapierRow> rapier);

[[nodiscard]] std::string to_json(std::span<const SpaceRow> rows, std::span<const RapierRow> rapier);

/// Cost against bytes, both logarithmic.
[[nodiscard]] std::string to_svg(std::span<const SpaceRow> rows, std::span<const RapierRow> rapier);

}  // namespace forkmunk::bench
