// SPDX-License-Identifier: MIT
// A Space as the game of a session, and the test that simulates each frame again.

#include <forkmunk/base/error.h>
#include <forkmunk/space/rollback_session.h>

#include <algorithm>

namespace forkmunk::space {

Snapshot& SpaceGame::snapshot(int slot) {
  if (slots_.size() <= static_cast<std::size_t>(slot)) slots_.resize(static_cast<std::size_t>(slot) + 1);
  return slots_[static_cast<std::size_t>(slot)];
}

void SpaceGame::save(int slot) { space_.save(snapshot(slot)); }

void SpaceGame::restore(int slot) {
  if (!space_.restore(snapshot(slot))) throw Error("the space cannot grow to hold the state");
}

std::string SpaceGame::differences(int one, int other) {
  Space ours = space_.fork(), theirs = space_.fork();
  if (!ours.restore(snapshot(one)) || !theirs.restore(snapshot(other))) return "the states have no room to be compared";
  return first_difference(ours, theirs).value_or("");
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
  const int length = distance_ + 1;  // of the rings; slot `length` is for a state that is compared
  const auto run = [&](int frame) {
    game_.advance(FrameInputs(inputs_[static_cast<std::size_t>(frame % length)], 0xffff), frame);
  };
  inputs_[static_cast<std::size_t>(frame_ % length)].assign(inputs.begin(), inputs.end());
  try {
    run(frame_);
  } catch (...) {
    game_.restore(frame_ % length);
    throw;
  }
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
    throw Error("desync before frame " + std::to_string(frame + 1) + ": " + game_.differences(slot, length));
  }
}

}  // namespace forkmunk::space
