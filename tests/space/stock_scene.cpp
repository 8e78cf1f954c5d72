// SPDX-License-Identifier: MIT
#include "plain_host.h"

#include <cstdio>
#include <cstdlib>

/// Prints hashes of random scenes of stock Chipmunk after each step: stock_scene FIRST_SEED SCENES STEPS.
int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const int first_seed = std::atoi(argv[1]);
  for (int i = 0; i < std::atoi(argv[2]); ++i) {
    cpSpace* space = cpSpaceNew();
    random_scene::PlainHost host(space);
    random_scene::SceneState* state = random_scene::build(host, static_cast<std::uint64_t>(first_seed + i), false);
    for (int step = 0; step < std::atoi(argv[3]); ++step) {
      random_scene::advance(host, *state);
      std::printf("%016llx\n", static_cast<unsigned long long>(random_scene::hash_of_motion(*state)));
    }
    cpSpaceFree(space);
  }
  std::fflush(stdout);
  std::_Exit(0);  // the scenes' memory goes with the process
}
