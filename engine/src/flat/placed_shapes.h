#pragma once

#include "flat/distance.h"
#include "flat/live_state.h"
#include "flat/narrow_phase.h"

/// The moving shapes in world coordinates. They follow from the bodies, so a state does not hold them.
FORKMUNK_KERNEL_BEGIN

/// Puts a polygon to where its body is. \return its box.
Box place(const Polygon& polygon, Vec rotation, Vec origin, PlacedPolygon& placed) noexcept;

struct PlacedShapes {
  PlacedShapes(const MatchModel& model, const LiveState& state) noexcept;

  std::array<Box, kMovingShapeCount> boxes;
  std::array<PlacedPolygon, kMovingShapeCount> polygons;  ///< Unset for round wheels.
  std::array<Circle, kMovingShapeCount> circles;          ///< Set for round wheels.
};

FORKMUNK_KERNEL_END
