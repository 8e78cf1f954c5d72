// SPDX-License-Identifier: MIT
#pragma once

#include "flat/distance.h"
#include "flat/live_state.h"
#include "flat/narrow_phase.h"

/// The moving shapes in world coordinates. They are computed from the bodies, so they are not part of a state.
FORKMUNK_KERNEL_BEGIN(forkmunk::engine::flat)

/// Transforms a polygon into world coordinates. \return its box.
Box to_world(const Polygon& polygon, Vec rotation, Vec origin, WorldPolygon& result) noexcept;

struct WorldShapes {
  WorldShapes(const MatchModel& model, const LiveState& state) noexcept;

  std::array<Box, kMovingShapeCount> boxes;
  std::array<WorldPolygon, kMovingShapeCount> polygons;  ///< Unset for round wheels.
  std::array<Circle, kMovingShapeCount> circles;         ///< Set for round wheels.
};

FORKMUNK_KERNEL_END
