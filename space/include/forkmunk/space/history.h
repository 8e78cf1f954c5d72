// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/chipmunk/precision.h>
#include <forkmunk/space/rollback_session.h>

#include <optional>

namespace forkmunk::FORKMUNK_SPACE {

/// The world as it was: the states of a session's last frames, for lag compensation and for drawing between frames. A
/// shot is judged in the state that the shooter saw: `history.at(frame)` is asked by cpSpaceSegmentQueryFirst().
///
/// The session keeps the states for rollbacks anyway, and more of them with RollbackOptions::history.
class History {
 public:
  /// \param session, game  must outlive the History.
  History(const RollbackSession& session, SpaceGame& game);

  /// Returns the first frame that at() can give; RollbackSession::frame() is the last.
  [[nodiscard]] int first() const;

  /// Returns the state before a frame, as a Space to ask and to draw. Between two frames, bodies that move are part of
  /// the way from one state to the next, and queries find them there. Up to RollbackSession::confirmed_frame() states
  /// are confirmed; later ones are predictions. The Space is a copy, which the next call overwrites. Its twin_of()
  /// leads to the objects of the game's Space, and back.
  /// \throws Error if the state is not kept. Cost: one restore(); for a part of a frame two, and a visit to each body.
  const Space& at(double frame);
  /// Brings a Space of yours into the same state. The Space may be any but the game's.
  void restore(Space& space, double frame);

 private:
  void restore_frame(Space& space, int frame);
  const RollbackSession& session_;
  SpaceGame& game_;
  std::optional<Space> past_, next_;
  Snapshot present_;
};

/// Moves each body of `space` the part `part`, from 0 to 1, of the way to where the body is in `next`, a later state of
/// the same scene. Objects are the same if they have the same number of creation. A body that `next` does not have
/// stays where it is. Queries find the shapes at their new places.
void interpolate(Space& space, const Space& next, double part);

}  // namespace forkmunk::FORKMUNK_SPACE
