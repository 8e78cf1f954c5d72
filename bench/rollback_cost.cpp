// SPDX-License-Identifier: MIT
#include "bench/support/space_scene.h"
#include "bench/support/timing.h"

#include <forkmunk/base/error.h>
#include <forkmunk/space/history.h>

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <vector>

/// Compares a tick of a session that goes back 8 frames with a loop that restores, saves and steps as often. Also
/// measures a History. rollback_cost [BODIES [TICKS]]. Ends with 1 if the session rolled back otherwise. The aim
/// is a ratio of at most 1.05.
namespace forkmunk::bench {
namespace {

using namespace forkmunk::space;

constexpr int kFrames = 8, kDelay = 2, kLineTicks = kFrames + kDelay, kPrediction = 16;

struct Program {
  Space world;
  std::unique_ptr<SpaceGame> game;
  std::unique_ptr<RollbackSession> session;
  std::deque<std::vector<std::vector<std::byte>>> arriving;  // by tick

  void send(std::span<const std::byte> message) { arriving.back().emplace_back(message.begin(), message.end()); }
  void receive() {
    for (const auto& message : arriving.front()) session->receive(message);
    arriving.pop_front();
  }
};

void measure_history(Program& program) {
  History history(*program.session, *program.game);
  for (const double part : {0.0, 0.5}) {
    std::vector<double> at_us, query_us;
    for (int i = 0; i < 200; ++i) {
      const Space* past = nullptr;
      at_us.push_back(time_us([&] { past = &history.at(program.session->frame() - kFrames + part); }));
      query_us.push_back(time_us([&] {
        cpSpaceSegmentQueryFirst(past->space(), cpv(-500, 20), cpv(500, 20 + i % 7), 0, CP_SHAPE_FILTER_ALL, nullptr);
      }));
    }
    std::printf("History: a state %s %.1f us, a ray in it %.2f us\n", part == 0 ? "of a frame" : "between frames",
                median(at_us), median(query_us));
  }
}

int run(int bodies, int ticks) {
  std::array<Program, 2> programs;
  for (const int local : {0, 1}) {
    Program& own = programs[local];
    own.world = settled_pyramid(bodies);
    own.game =
        std::make_unique<SpaceGame>(own.world, [](Space& world, const FrameInputs&, int) { world.step(kTimeStep); });
    own.session = std::make_unique<RollbackSession>(
        *own.game, RollbackOptions{.local = local, .prediction = kPrediction, .input = std::string(4, '\0')},
        [&programs, local](std::span<const std::byte> message, std::uint32_t) { programs[1 - local].send(message); });
    own.arriving.resize(kLineTicks);
  }
  Space plain = programs[0].world.fork();
  std::vector<Snapshot> saved(kPrediction + 2);  // a ring, as in the session
  std::vector<double> session_us, loop_us;
  const auto slot_of = [&](int frame) -> Snapshot& { return saved[static_cast<std::size_t>(frame) % saved.size()]; };
  const auto time_loop = [&] {
    const RollbackSession& session = *programs[0].session;
    const int end = session.frame(), first = end - kFrames - 1;
    if (!plain.restore(programs[0].game->snapshot(session.saved_slot(first)))) throw Error("no room");
    plain.save(slot_of(first));
    loop_us.push_back(time_us([&] {
      if (!plain.restore(slot_of(first))) throw Error("no room");
      for (int frame = first; frame < end; ++frame) {
        plain.save(slot_of(frame));
        plain.step(kTimeStep);
      }
    }));
  };
  int others = 0;
  for (int tick = 0; tick < ticks; ++tick) {
    const bool is_measured = tick >= 4 * kLineTicks;  // both know each other
    if (is_measured && tick % 2 == 0) time_loop();    // in turns: the second one finds warm caches
    for (Program& each : programs) each.arriving.emplace_back();
    for (Program& each : programs) each.receive();
    const double taken_us = time_us([&] { programs[0].session->tick(0); });
    programs[1].session->tick(tick);  // never as predicted
    const RollbackSession& session = *programs[0].session;
    if (!is_measured) continue;
    if (session.stats().rolled_back == kFrames && session.wait() == RollbackSession::Wait::none)
      session_us.push_back(taken_us);
    else
      ++others;
    if (tick % 2 != 0) time_loop();
  }
  if (session_us.empty()) throw Error("no tick rolled back 8 frames");
  const double ratio = median(session_us) / median(loop_us);
  std::printf(
      "%d bodies: a tick with a rollback of %d frames %.1f us, the loop %.1f us, ratio %.3f; %zu ticks, %d others\n",
      bodies, kFrames, median(session_us), median(loop_us), ratio, session_us.size(), others);
  measure_history(programs[0]);
  return others < ticks / 4 ? 0 : 1;
}

}  // namespace
}  // namespace forkmunk::bench

int main(int argc, char** argv) {
  return forkmunk::bench::run(argc > 1 ? std::atoi(argv[1]) : 50, argc > 2 ? std::atoi(argv[2]) : 1000);
}
