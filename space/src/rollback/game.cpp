// SPDX-License-Identifier: MIT
#include <forkmunk/arena_alloc/chunk.h>
#include <forkmunk/base/error.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/space/differences.h>
#include <forkmunk/space/history.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace forkmunk::FORKMUNK_SPACE {

Snapshot& SpaceGame::snapshot(int slot) {
  if (slot < 0) throw Error("SpaceGame: found slot ", slot, ", expected 0 or more");
  if (slots_.size() <= static_cast<std::size_t>(slot)) slots_.resize(static_cast<std::size_t>(slot) + 1);
  return slots_[static_cast<std::size_t>(slot)];
}

void SpaceGame::save(int slot) { space_.save(snapshot(slot)); }

void SpaceGame::restore(int slot) {
  if (snapshot(slot).empty())
    throw Error("SpaceGame::restore(): slot ", slot, " is empty; save() a state into it first");
  if (!space_.restore(snapshot(slot))) throw Error("the space cannot grow to hold the state");
}

void SpaceGame::advance(const FrameInputs& inputs, int frame) {
  if (!advance_) throw Error("SpaceGame::advance(): its function is empty; give one to the constructor");
  advance_(space_, inputs, frame);
}

std::string SpaceGame::differences(int one, int other) {
  Space ours = space_.fork(), theirs = space_.fork();
  if (!ours.restore(snapshot(one)) || !theirs.restore(snapshot(other))) return "the states have no room to be compared";
  return difference_text(ours, theirs);
}

std::string difference_text(const Space& one, const Space& other) {
  constexpr std::size_t kLinesMax = 1000;
  std::string text;
  for (const Difference& each : differences(one, other, kLinesMax)) {
    if (!text.empty()) text += '\n';
    text += each.object.empty() ? each.field
                                : each.object + ": " + each.field + " differs: " + each.one + ", " + each.other;
  }
  return text;
}

namespace {

/// The bodies of all spaces by their numbers of creation.
std::map<std::uint32_t, cpBody*> moving_bodies(const Space& space) {
  std::map<std::uint32_t, cpBody*> bodies;
  for (cpSpace* each : space.spaces()) {
    cpSpaceEachBody(
        each,
        [](cpBody* body, void* found) {
          if (cpBodyGetType(body) == CP_BODY_TYPE_STATIC) return;
          const auto number = arena_alloc::Chunk::of(body).stamp();
          static_cast<std::map<std::uint32_t, cpBody*>*>(found)->emplace(number, body);
        },
        &bodies);
  }
  return bodies;
}

}  // namespace

void interpolate(Space& space, const Space& next, double part) {
  if (!(part >= 0 && part <= 1))
    throw Error("interpolate(): found the part ", chipmunk::number_text(part, 6), ", expected 0 to 1");
  if (space.is_in_call()) throw Error("interpolate() was called in a callback of the space; call it between steps");
  const std::map<std::uint32_t, cpBody*> later = moving_bodies(next);
  for (const auto& [number, body] : moving_bodies(space)) {
    const auto found = later.find(number);
    if (found == later.end()) continue;
    const cpVect from = cpBodyGetPosition(body), to = cpBodyGetPosition(found->second);
    const double angle = cpBodyGetAngle(body), angle_to = cpBodyGetAngle(found->second);
    if (cpveql(from, to) != cpFalse && angle == angle_to) continue;
    cpBodySetAngle(body, static_cast<cpFloat>(angle + (angle_to - angle) * part));
    cpBodySetPosition(body, cpvlerp(from, to, static_cast<cpFloat>(part)));
    cpSpaceReindexShapesForBody(cpBodyGetSpace(body), body);
  }
}

History::History(const RollbackSession& session, SpaceGame& game) : session_(session), game_(game) {}

int History::first() const {
  int frame = session_.frame();
  while (session_.saved_slot(frame - 1) >= 0) --frame;
  return frame;
}

void History::restore_frame(Space& space, int frame) {
  const int slot = session_.saved_slot(frame);
  if (slot < 0 && frame != session_.frame()) {
    throw Error("History::at(): found frame ", frame, ", expected ", first(), " to ", session_.frame(),
                "; a larger RollbackOptions::history keeps more states");
  }
  if (slot < 0) game_.space().save(present_);
  if (!space.restore(slot < 0 ? present_ : game_.snapshot(slot))) throw Error("History::at(): there is no memory");
}

void History::restore(Space& space, double frame) {
  if (&space == &game_.space()) throw Error("History::restore(): found the game's own Space, expected another one");
  if (!(std::abs(frame) < 1e9)) throw Error("History::at(): found a frame that is not finite, or too large");
  const double whole = std::floor(frame);
  restore_frame(space, static_cast<int>(whole));
  if (frame == whole) return;
  if (!next_) next_ = game_.space().fork();
  restore_frame(*next_, static_cast<int>(whole) + 1);
  interpolate(space, *next_, frame - whole);
}

const Space& History::at(double frame) {
  if (!past_) past_ = game_.space().fork();
  restore(*past_, frame);
  return *past_;
}

SyncTest::SyncTest(RollbackGame& game, int players, int distance)
    : game_(game), players_(players), distance_(distance) {
  if (players < 1 || players > 16) throw Error("SyncTest: expected 1 to 16 players");
  if (distance < 1 || distance > 64) throw Error("SyncTest: expected a distance of 1 to 64");
  inputs_.resize(static_cast<std::size_t>(distance) + 1);
  hashes_.resize(inputs_.size());
  game_.save(0);
  hashes_[0] = game_.hash();
}

void SyncTest::tick(std::span<const std::string> inputs) {
  if (inputs.size() != static_cast<std::size_t>(players_)) {
    throw Error("SyncTest::tick(): expected an input for each player");
  }
  const int length = distance_ + 1;  // slot `length` is for a state that is compared
  const int before = frame_;
  const auto restore_before = [&] {
    is_restored_ = false;
    game_.restore(before % length);
    is_restored_ = true;
  };
  desync_frame_ = -1;
  if (!is_restored_) restore_before();
  const auto run = [&](int frame) {
    game_.advance(FrameInputs(inputs_[static_cast<std::size_t>(frame % length)], 0xffff), frame);
  };
  inputs_[static_cast<std::size_t>(frame_ % length)].assign(inputs.begin(), inputs.end());
  try {
    run(frame_);
    ++frame_;
    game_.save(frame_ % length);
    hashes_[static_cast<std::size_t>(frame_ % length)] = game_.hash();
    const int first = std::max(0, frame_ - distance_);
    game_.restore(first % length);
    for (int frame = first; frame < frame_; ++frame) {
      run(frame);
      const int slot = (frame + 1) % length;
      if (game_.hash() == hashes_[static_cast<std::size_t>(slot)]) continue;
      game_.save(length);
      desync_frame_ = frame + 1;
      throw Error("desync before frame ", frame + 1, ": ", game_.differences(slot, length));
    }
  } catch (...) {
    frame_ = before;
    try {
      restore_before();
    } catch (...) {  // the next tick() tries again
    }
    throw;
  }
}

}  // namespace forkmunk::FORKMUNK_SPACE
