// SPDX-License-Identifier: MIT
// Rollback netcode: two players over a connection with latency. Each side predicts the other's inputs; when an input
// arrives that differs, it restores that frame and simulates again up to the present. Like GGRS's SyncTest, each side
// also rolls back in every frame and compares hashes, which finds state that a snapshot misses. Exits with 1 on a
// desync.
#include <forkmunk/space/space.h>

#include <algorithm>
#include <array>
#include <cstdio>

using namespace forkmunk::space;
constexpr int kFrameCount = 900, kCheckedFrames = 4;  // the latter are simulated again in every frame
constexpr int kLateMax = 9, kKeptFrames = 16;         // largest latency in frames; number of snapshots kept
using Inputs = std::array<int, 2>;                    // by player: -1 left, 1 right, 2 jump

// The game's own state, allocated in the space: it is restored with the bodies that it points to.
struct Game {
  cpBody* players[2];
  cpBody* ball;
  int goals[2];
};

cpBody* add_ball(cpSpace* space, double x, double mass, double radius) {
  cpBody* body = cpSpaceAddBody(space, cpBodyNew(mass, cpMomentForCircle(mass, 0, radius, cpvzero)));
  cpBodySetPosition(body, cpv(x, radius));
  cpShapeSetFriction(cpSpaceAddShape(space, cpCircleShapeNew(body, radius, cpvzero)), 0.7);
  return body;
}

Game* build(Space& world) {
  const auto building = world.enter();
  cpSpace* space = world.space();
  cpSpaceSetGravity(space, cpv(0, -500));
  cpShape* ground = cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-400, -2), cpv(400, -2), 2);
  cpShapeSetFriction(cpSpaceAddShape(space, ground), 1);
  Game game{{add_ball(space, -100, 5, 20), add_ball(space, 100, 5, 20)}, add_ball(space, 0, 1, 14), {}};
  return world.make<Game>(game);
}

void play_frame(Space& world, Game& game, const Inputs& inputs) {
  for (int i : {0, 1}) {
    cpBody* player = game.players[i];
    const cpVect position = cpBodyGetPosition(player);
    if (inputs[i] != 2) cpBodyApplyForceAtWorldPoint(player, cpv(inputs[i] * 3000 - 5 * position.x, 0), position);
    if (inputs[i] == 2 && position.y < 24) cpBodySetVelocity(player, cpv(cpBodyGetVelocity(player).x, 250));
  }
  world.step(1.0 / 60);
  const double x = cpBodyGetPosition(game.ball).x;
  if (x > -300 && x < 300) return;
  ++game.goals[x < 0 ? 1 : 0];
  cpBodySetPosition(game.ball, cpv(0, 100));
  cpBodySetVelocity(game.ball, cpvzero);
}

class Session {
 public:
  explicit Session(int seat) : seat_(seat) {}
  void receive(int frame, int theirs) {
    known_[frame] = true;
    if (frame < frame_ && inputs_[frame][1 - seat_] != theirs) wrong_since_ = std::min(wrong_since_, frame);
    inputs_[frame][1 - seat_] = theirs;
  }
  void settle() {  // simulates again from the first wrong prediction
    if (wrong_since_ < frame_) ++rollbacks, play_again_from(wrong_since_);
    wrong_since_ = kFrameCount;
  }
  void advance(int mine) {
    settle();
    inputs_[frame_][seat_] = mine;
    play(frame_++);
    const std::uint64_t hash = world.hash();
    play_again_from(std::max(0, frame_ - kCheckedFrames));
    if (world.hash() != hash) ++desyncs;
  }
  Space world;
  int rollbacks = 0, desyncs = 0;

 private:
  void play(int frame) {
    if (!known_[frame] && frame > 0)
      inputs_[frame][1 - seat_] = inputs_[frame - 1][1 - seat_];  // the prediction: no change
    world.save(saved_[frame % kKeptFrames]);
    play_frame(world, *game_, inputs_[frame]);
  }
  void play_again_from(int frame) {
    if (!world.restore(saved_[frame % kKeptFrames])) ++desyncs;
    while (frame < frame_) play(frame++);
  }
  int seat_, frame_ = 0, wrong_since_ = kFrameCount;
  Game* game_ = build(world);  // restore() restores the object that it points to
  std::array<Inputs, kFrameCount> inputs_{};
  std::array<bool, kFrameCount> known_{};
  std::array<Snapshot, kKeptFrames> saved_;
};

int input_of(int seat, int frame) {  // inputs change four times a second
  return static_cast<int>(((frame / 15 * 2u + seat + 1) * 2654435761u >> 20) % 4) - 1;
}

int main() {
  std::array<Session, 2> sessions{Session(0), Session(1)};
  for (int now = 0; now < kFrameCount + kLateMax; ++now) {
    for (int sent = std::max(0, now - kLateMax); sent < std::min(now, kFrameCount); ++sent) {
      if (sent + 1 + sent * 7 % kLateMax != now) continue;  // inputs may overtake each other
      for (int seat : {0, 1}) sessions[1 - seat].receive(sent, input_of(seat, sent));
    }
    for (int seat : {0, 1}) now < kFrameCount ? sessions[seat].advance(input_of(seat, now)) : sessions[seat].settle();
  }
  Space straight;  // the same game without latency
  Game* game = build(straight);
  for (int i = 0; i < kFrameCount; ++i) play_frame(straight, *game, {input_of(0, i), input_of(1, i)});
  int desyncs = sessions[0].desyncs + sessions[1].desyncs;
  for (const Session& session : sessions) {
    std::printf("%d rollbacks, %zu bytes per snapshot\n", session.rollbacks, session.world.live_bytes());
    if (const auto text = first_difference(straight, session.world)) ++desyncs, std::printf("%s\n", text->c_str());
  }
  std::printf("%d frames, %d : %d, %d desyncs\n", kFrameCount, game->goals[0], game->goals[1], desyncs);
  return desyncs == 0 ? 0 : 1;
}
