// SPDX-License-Identifier: MIT
// Rollback netcode over a line that delays and loses messages. Before the game, a SyncTest simulates each frame again,
// which finds state that a snapshot misses. Exits with 1 on a desync.
#include <forkmunk/space/rollback_session.h>
#include <forkmunk/space/space.h>

#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

using namespace forkmunk::space;
constexpr int kFrameCount = 900;
using Input = signed char;  // -1 left, 1 right, 2 jump

// Allocated in the space, and so restored with the bodies that it points to.
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

void play_frame(Space& world, Game& game, const std::array<Input, 2>& inputs) {
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

struct Player {
  Space world;
  Game* game = build(world);  // restore() restores the object that it points to
  SpaceGame frames{world, [this](Space& space, const FrameInputs& inputs, int) {
                     play_frame(space, *game, {inputs.get<Input>(0), inputs.get<Input>(1)});
                   }};
  std::vector<std::vector<std::byte>> arriving;
  std::unique_ptr<RollbackSession> session;
};

Input input_of(unsigned int seat, unsigned int tick) {  // inputs change four times a second
  return static_cast<Input>(((tick / 15 * 2u + seat + 1) * 2654435761u >> 20) % 4 - 1);
}

int main() {
  Player tested;
  SyncTest test(tested.frames, 2);
  for (unsigned int tick = 0; tick < 120; ++tick) {
    test.tick(std::vector<std::string>{{static_cast<char>(input_of(0, tick))}, {static_cast<char>(input_of(1, tick))}});
  }

  int desyncs = 0;
  std::array<Player, 2> players;
  for (int seat : {0, 1}) {
    const RollbackOptions options{.players = 2, .local = seat, .input = {'\0'}};
    players[seat].session = std::make_unique<RollbackSession>(
        players[seat].frames, options,
        [&, seat](std::span<const std::byte> message, std::uint32_t) {
          players[1 - seat].arriving.emplace_back(message.begin(), message.end());
        },
        [&](const Notice& notice) {
          if (notice.kind != Notice::Kind::desync) return;
          ++desyncs;
          std::printf("before frame %d: %s\n", notice.frame, notice.text.c_str());
        });
  }
  unsigned int tick = 0;
  for (; players[0].session->confirmed_frame() < kFrameCount && desyncs == 0; ++tick) {
    for (unsigned int seat : {0u, 1u}) {
      Player& player = players[seat];
      if (tick % 7 == 0) {  // messages are up to seven frames late, and every third one is lost
        for (std::size_t i = tick % 3; i < player.arriving.size(); ++i) {
          if (i % 3 != 2) player.session->receive(player.arriving[i]);
        }
        player.arriving.clear();
      }
      player.session->tick(input_of(seat, tick));
    }
  }
  for (const Player& player : players) {
    const auto& stats = player.session->stats();
    std::printf("%lld rollbacks of %lld frames, %lld checksums, %zu bytes per snapshot\n",
                static_cast<long long>(stats.rollbacks), static_cast<long long>(stats.frames_rolled_back),
                static_cast<long long>(stats.checksums), player.world.live_bytes());
  }
  std::printf("%d frames in %u ticks, %d : %d, %d desyncs\n", players[0].session->confirmed_frame(), tick,
              players[0].game->goals[0], players[0].game->goals[1], desyncs);
  return desyncs == 0 && players[0].session->stats().checksums > 10 ? 0 : 1;
}
