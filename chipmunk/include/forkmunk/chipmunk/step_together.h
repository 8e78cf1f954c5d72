// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/chipmunk/precision.h>

#include <cstddef>
#include <memory>

#include <chipmunk/chipmunk.h>

namespace forkmunk::FORKMUNK_CHIPMUNK {

/// cpSpaceStep() of several spaces in parts, with the same bits. Between the parts, the velocities of all spaces are
/// solved as one (decision 20 in docs/decisions).
class StepTogether {
 public:
  static constexpr std::size_t kSpacesMax = 16;

  StepTogether();
  ~StepTogether();
  /// Forgets the spaces of the last step.
  void reset(cpFloat dt) noexcept;
  /// Moves bodies and finds contacts. A space whose joints or bodies have callbacks is also solved. \pre fewer than
  /// kSpacesMax spaces, which share no body; a dt other than 0.
  void begin(cpSpace* space);
  /// Solves the velocities of all spaces. Runs no callbacks.
  void solve();
  /// Calls the callbacks that follow in a space's step.
  void end(cpSpace* space);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace forkmunk::FORKMUNK_CHIPMUNK
