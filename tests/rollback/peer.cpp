// SPDX-License-Identifier: MIT
// A player of languages_test.mjs; peer.mjs and peer.py play the same game. Arguments: the seat, the taken seats as
// bits, the instance. Standard input has lines "tick INPUT MESSAGE..." and "leave". The answer to a tick is "FRAME
// CONFIRMED IS_PLAYING ROLLBACKS BYTES DESYNC FRAME:HASH... | MESSAGE...", with messages in hexadecimal, hashes of
// confirmed frames, and - or a text in hexadecimal for DESYNC.

#include <forkmunk/space/rollback_session.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace {

using namespace forkmunk::space;

constexpr double kDt = 1.0 / 60;
constexpr cpCollisionType kFirstBall = 100;
constexpr int kPlayers = 4, kBallsMax = 12;

cpShape* add_box(cpSpace* space, double mass, double width, double height, cpVect at) {
  cpBody* const body = cpSpaceAddBody(space, cpBodyNew(mass, cpMomentForBox(mass, width, height)));
  cpBodySetPosition(body, at);
  cpShape* const shape = cpSpaceAddShape(space, cpBoxShapeNew(body, width, height, 0));
  cpShapeSetFriction(shape, 0.7);
  return shape;
}

void build(cpSpace* space) {
  cpSpaceSetGravity(space, cpv(0, -300));
  cpSpaceSetSleepTimeThreshold(space, 0.5);
  const cpVect corners[] = {cpv(-300, 300), cpv(-300, 0), cpv(300, 0), cpv(300, 300)};
  for (int i = 0; i < 3; ++i) {
    cpShape* const wall =
        cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), corners[i], corners[i + 1], 4));
    cpShapeSetFriction(wall, 0.9);
  }
  for (int i = 0; i < kPlayers; ++i)
    cpShapeSetCollisionType(add_box(space, 2, 30, 20, cpv(-225 + 150 * i, 20)), static_cast<cpCollisionType>(i + 1));
  for (int i = 0; i < 12; ++i) add_box(space, 1, 16, 16, cpv(-150 + 150 * (i % 3), 20 + 18 * (i / 3)));
  cpBody* const bob = cpSpaceAddBody(space, cpBodyNew(1, 40));
  cpBodySetPosition(bob, cpv(60, 150));
  cpSpaceAddShape(space, cpCircleShapeNew(bob, 9, cpvzero));
  cpSpaceAddConstraint(space, cpPinJointNew(cpSpaceGetStaticBody(space), bob, cpv(0, 240), cpvzero));
}

std::map<cpCollisionType, cpShape*> marked_shapes(cpSpace* space) {
  std::map<cpCollisionType, cpShape*> found;
  cpSpaceEachShape(
      space,
      [](cpShape* shape, void* shapes) {
        if (cpShapeGetCollisionType(shape) != 0)
          (*static_cast<std::map<cpCollisionType, cpShape*>*>(shapes))[cpShapeGetCollisionType(shape)] = shape;
      },
      &found);
  return found;
}

void advance(Space& world, const FrameInputs& inputs, int frame) {
  cpSpace* const space = world.space();
  {
    const auto scope = world.enter();
    auto shapes = marked_shapes(space);
    for (int i = 0; i < kPlayers; ++i) {
      const int input = inputs.get<unsigned char>(static_cast<std::size_t>(i));
      cpBody* const body = cpShapeGetBody(shapes.at(static_cast<cpCollisionType>(i + 1)));
      const double push = 20 * ((input & 1) - (input >> 1 & 1));
      if (push != 0) cpBodyApplyImpulseAtLocalPoint(body, cpv(push, 0), cpv(0, 2));
      if ((input & 4) != 0 && frame % 8 == 0)
        cpBodyApplyImpulseAtWorldPoint(body, cpv(0, 200), cpBodyGetPosition(body));
      if ((input & 8) == 0 || frame % 16 != 4 * i) continue;
      const cpVect at = cpBodyGetPosition(body);
      cpBody* const ball = cpSpaceAddBody(space, cpBodyNew(0.5, 10));
      cpBodySetPosition(ball, cpv(at.x, at.y + 40));
      cpShape* const shape = cpSpaceAddShape(space, cpCircleShapeNew(ball, 6, cpvzero));
      cpShapeSetElasticity(shape, 0.5);
      cpShapeSetCollisionType(shape, kFirstBall + static_cast<cpCollisionType>(frame));
      shapes[cpShapeGetCollisionType(shape)] = shape;
    }
    if (shapes.size() > kPlayers + kBallsMax) {
      cpShape* const oldest = shapes.lower_bound(kFirstBall)->second;
      cpBody* const ball = cpShapeGetBody(oldest);
      cpSpaceRemoveShape(space, oldest);
      cpSpaceRemoveBody(space, ball);
      cpShapeFree(oldest);
      cpBodyFree(ball);
    }
  }
  world.step(kDt);
}

std::string hex_of(std::string_view bytes) {
  std::string text;
  for (const char each : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(static_cast<unsigned char>(each)));
    text += digits;
  }
  return text;
}
std::vector<std::byte> bytes_of(const std::string& hex) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

long memory_bytes() {
  long pages = 0, resident = 0;
  if (FILE* const file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * sysconf(_SC_PAGESIZE);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const int local = std::atoi(argv[1]);
  Space world;
  {
    const auto building = world.enter();
    build(world.space());
  }
  std::map<int, std::uint64_t> hashes;
  std::string sent, desync = "-";
  SpaceGame game(world, [&](Space& space, const FrameInputs& inputs, int frame) {
    advance(space, inputs, frame);
    hashes[frame] = space.hash();
  });
  RollbackSession session(
      game,
      {.players = kPlayers,
       .local = local,
       .prediction = 30,
       .seats = static_cast<unsigned>(std::atoi(argv[2])),
       .input = std::string(1, '\0'),
       .session = 63,
       .instance = static_cast<std::uint32_t>(std::strtoul(argv[3], nullptr, 10))},
      [&](std::span<const std::byte> message, std::uint32_t) {
        sent += ' ' + hex_of({reinterpret_cast<const char*>(message.data()), message.size()});
      },
      [&](const Notice& notice) {
        if (notice.kind == Notice::Kind::loaded) hashes.clear();
        if (notice.kind == Notice::Kind::desync) desync = hex_of(notice.text);
      });
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "leave") {
      session.leave();
      continue;
    }
    int input = 0;
    words >> input;
    while (words >> word) session.receive(bytes_of(word));
    session.tick(static_cast<unsigned char>(input));
    std::cout << session.frame() << ' ' << session.confirmed_frame() << ' ' << session.is_playing() << ' '
              << session.stats().rollbacks << ' ' << memory_bytes() << ' ' << desync;
    while (!hashes.empty() && hashes.begin()->first < session.confirmed_frame()) {
      std::cout << ' ' << hashes.begin()->first << ':' << hashes.begin()->second;
      hashes.erase(hashes.begin());
    }
    std::cout << " |" << sent << std::endl;
    sent.clear();
  }
}
