#pragma once

#include "flat/contact_solver.h"

#include <array>
#include <cstddef>

namespace forkmunk::engine::flat {

/// A world while its velocities are solved.
struct SolvedWorld {
  const MatchModel* model;
  LiveState* state;
  SolverContact* contacts;
  std::size_t contact_count;
  std::array<double, 2> torques;  ///< On the cars' bodies.
};

}  // namespace forkmunk::engine::flat
