// SPDX-License-Identifier: MIT
#include "bench/support/space_scene.h"
#include "bench/support/timing.h"

#include <forkmunk/base/error.h>
#include <forkmunk/space/batch.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

/// Compares copies of a pyramid, on one thread and on several, with a loop over as many Spaces.
///   space_batch [WORLDS [BODIES [THREADS [REPETITIONS]]]]
namespace forkmunk::bench {
namespace {

constexpr std::size_t kStepsAtOnce = 2;

struct Samples {
  std::vector<double> loop, one, loop_wall, many_wall, restore;
};

class Measurement {
 public:
  Measurement(std::size_t worlds, int bodies, std::size_t threads)
      : origin_(settled_pyramid(bodies)), one_(origin_, worlds, 1), many_(origin_, worlds, threads) {
    for (std::size_t i = 0; i < worlds; ++i) loop_.push_back(origin_.fork());
    origin_.save(start_);
  }

  void repeat(bool backwards) {
    for (const bool is_loop : {!backwards, backwards}) {
      if (is_loop) {
        samples_.loop.push_back(cpu_time_us([this] { step_loop(); }));
      } else {
        samples_.one.push_back(cpu_time_us([this] { one_.step(kTimeStep, kStepsAtOnce); }));
      }
    }
    samples_.restore.push_back(cpu_time_us([this] { one_.restore(start_); }));
    start_again();
    // The wall clock times them, so both run right after each other.
    for (const bool is_loop : {!backwards, backwards}) {
      if (is_loop) {
        samples_.loop_wall.push_back(time_us([this] { step_loop(); }));
      } else {
        samples_.many_wall.push_back(time_us([this] { many_.step(kTimeStep, kStepsAtOnce); }));
      }
    }
    start_again();
  }

  void check() {
    const std::size_t worlds = loop_.size();
    one_.step(kTimeStep, kStepsAtOnce);
    many_.step(kTimeStep, kStepsAtOnce);
    step_loop();
    std::vector<std::uint64_t> of_one(worlds), of_many(worlds);
    one_.hashes(of_one);
    many_.hashes(of_many);
    for (std::size_t i = 0; i < worlds; ++i) {
      if (of_one[i] != loop_[i].hash() || of_many[i] != of_one[i]) {
        throw Error("world ", i, " differs from a Space that is stepped alone");
      }
    }
  }

  void print() const {
    const auto per_step = [this](const std::vector<double>& us) {
      return median(us) / static_cast<double>(loop_.size() * kStepsAtOnce);
    };
    std::printf("%zu worlds, %zu bytes each\n", loop_.size(), origin_.live_bytes());
    std::printf(
        "a step of one world, CPU time: %.2f us in a loop over Spaces, %.2f us in a batch on one thread: %.3f\n",
        per_step(samples_.loop), per_step(samples_.one), median_ratio(samples_.loop, samples_.one));
    std::printf("all worlds, wall clock: %zu threads are %.2f times as fast as the loop\n", many_.thread_count(),
                median_ratio(samples_.loop_wall, samples_.many_wall));
    std::printf("restoring a world from the origin's snapshot, CPU time: %.2f us\n",
                median(samples_.restore) / static_cast<double>(loop_.size()));
  }

 private:
  void start_again() {
    for (space::Space& space : loop_) {
      if (!space.restore(start_)) throw Error("a snapshot was not restored");
    }
    one_.restore(start_);
    many_.restore(start_);
  }

  void step_loop() {
    for (space::Space& space : loop_) {
      for (std::size_t i = 0; i < kStepsAtOnce; ++i) space.step(kTimeStep);
    }
  }

  space::Space origin_;
  space::Batch one_, many_;
  std::vector<space::Space> loop_;
  space::Snapshot start_;
  Samples samples_;
};

}  // namespace
}  // namespace forkmunk::bench

int main(int argc, char** argv) try {
  using namespace forkmunk::bench;
  const auto number = [&](int index, int otherwise) { return argc > index ? std::atoi(argv[index]) : otherwise; };
  const int worlds = number(1, 256), bodies = number(2, 50), threads = number(3, 2), repetitions = number(4, 9);
  if (worlds < 1 || bodies < 1 || threads < 1 || repetitions < 1) {
    std::fputs("usage: space_batch [WORLDS [BODIES [THREADS [REPETITIONS]]]]\n", stderr);
    return 2;
  }
  Measurement measurement(static_cast<std::size_t>(worlds), bodies, static_cast<std::size_t>(threads));
  for (int i = 0; i < repetitions; ++i) measurement.repeat(i % 2 == 1);
  measurement.check();
  measurement.print();
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
