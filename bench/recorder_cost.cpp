// SPDX-License-Identifier: MIT
#include "bench/support/space_scene.h"
#include "bench/support/timing.h"

#include <forkmunk/base/error.h>
#include <forkmunk/space/recorder.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

/// Compares a step with a Recorder, while the recording grows and in a full ring, with that of a fork without.
/// recorder_cost [BODIES [STEPS]]; ends with 1 if a ratio is above 1.10.
namespace forkmunk::bench {
namespace {

using namespace forkmunk::space;

constexpr int kStepsAtOnce = 120;  // from keyframe to keyframe, so that each measurement has its part of all costs
constexpr double kRatioMax = 1.10;

struct Cost {
  double recorded_us, plain_us, ratio, bytes;  ///< Medians, of one step.
};

Cost measure(const Space& origin, const RecorderOptions& options, int steps_before, int steps) {
  Space recorded = origin.fork(), plain = origin.fork();
  Recorder recorder(recorded, options);
  for (int i = 0; i < steps_before; ++i) recorded.step(kTimeStep), plain.step(kTimeStep);
  const std::size_t bytes_before = recorder.recording().memory_bytes();
  std::vector<double> with, without, ratios;
  const auto run = [](Space& space) {
    return cpu_time_us([&] {
      for (int k = 0; k < kStepsAtOnce; ++k) space.step(kTimeStep);
    });
  };
  for (int i = 0; i < steps / kStepsAtOnce; ++i) {
    double times[2];
    for (const int which : {i % 2, 1 - i % 2}) times[which] = run(which == 0 ? recorded : plain);
    with.push_back(times[0] / kStepsAtOnce), without.push_back(times[1] / kStepsAtOnce);
    ratios.push_back(times[0] / times[1]);
  }
  if (recorded.hash() != plain.hash()) throw Error("the recorded space is another than the fork");
  const auto grown = static_cast<double>(recorder.recording().memory_bytes() - bytes_before);
  return {median(with), median(without), median(ratios), grown / steps};
}

int run(int bodies, int steps) {
  const Space origin = settled_pyramid(bodies);
  const Cost growing = measure(origin, {}, kStepsAtOnce, steps);
  const Cost full = measure(origin, {.memory_bytes_max = std::size_t{16} << 20}, 3000, steps);
  std::printf("%d bodies, a step, CPU time\n", bodies);
  std::printf("growing: %.2f us recorded, %.2f us alone: %.3f; %.0f bytes\n", growing.recorded_us, growing.plain_us,
              growing.ratio, growing.bytes);
  std::printf("a full ring of 16 MiB: %.2f us recorded, %.2f us alone: %.3f\n", full.recorded_us, full.plain_us,
              full.ratio);
  return growing.ratio > kRatioMax || full.ratio > kRatioMax ? 1 : 0;
}

}  // namespace
}  // namespace forkmunk::bench

int main(int argc, char** argv) {
  const auto argument = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
  return forkmunk::bench::run(argument(1, 200), argument(2, 3000));
}
