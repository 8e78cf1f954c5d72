// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/chipmunk/precision.h>
#include <forkmunk/space/rollback_session.h>

#include <optional>

namespace forkmunk::FORKMUNK_SPACE {

/// The states of a session's last frames (RollbackOptions::history), for lag compensation and drawing between frames.
class History {
 public:
  /// \param session, game  must outlive the History.
  History(const RollbackSession& session, SpaceGame& game);

  /// Returns the first frame that at() has; RollbackSession::frame() is the last.
  [[nodiscard]] int first() const;

  /// Returns the state before a frame, in a Space that the next call overwrites. Between two frames, bodies are part of
  /// the way from one state to the next, and queries find them there. States after RollbackSession::confirmed_frame()
  /// are predictions. twin_of() leads to the objects of the game's Space, and back.
  /// \throws Error if the state is not kept. Cost: one restore(); for a part of a frame two, and a visit to each body.
  const Space& at(double frame);
  /// Brings any Space but the game's into the same state.
  void restore(Space& space, double frame);

 private:
  void restore_frame(Space& space, int frame);
  const RollbackSession& session_;
  SpaceGame& game_;
  std::optional<Space> past_, next_;
  Snapshot present_;
};

/// Moves each body of `space` the part `part`, from 0 to 1, of the way to its place in `next`, a later state of the
/// same scene. Objects are matched by their number of creation. A body that `next` does not have stays. Queries find
/// the shapes at their new places.
void interpolate(Space& space, const Space& next, double part);

}  // namespace forkmunk::FORKMUNK_SPACE
