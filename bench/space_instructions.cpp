// SPDX-License-Identifier: MIT
#include "bench/support/space_scene.h"
#include "bench/support/timing.h"

#include <forkmunk/space/space.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

/// Runs a scene in one build of Chipmunk, for callgrind:
/// valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect='*counted_steps*' PROGRAM stock pyramid 50
namespace forkmunk::bench {
namespace {

constexpr int kCountedSteps = 60;

template <typename Scene>
[[gnu::noinline]] void counted_steps(Scene& scene) {
  for (int i = 0; i < kCountedSteps; ++i) scene.step();
  keep(&scene);
}

template <typename Scene>
void run(Scene& scene) {
  for (int i = 0; i < kSettlingSteps; ++i) scene.step();
  counted_steps(scene);
}

struct InSpace {
  space::Space space;
  void step() { space.step(kTimeStep); }
};

}  // namespace
}  // namespace forkmunk::bench

int main(int argc, char** argv) {
  using namespace forkmunk::bench;
  const auto* kind = argc != 4 ? kSceneKinds.end()
                               : std::find_if(kSceneKinds.begin(), kSceneKinds.end(),
                                              [&](SceneKind k) { return to_string(k) == argv[2]; });
  if (kind == kSceneKinds.end()) {
    std::fputs(
        "usage: space_instructions stock|space|space-pymunk|space-stock pyramid|tumbler|chains|mixed|sleeping BODIES\n",
        stderr);
    return 2;
  }
  const int body_count = std::atoi(argv[3]);
  if (std::strcmp(argv[1], "stock") == 0) {
    StockScene scene(*kind, body_count);
    run(scene);
  } else {
    InSpace scene;
    if (std::strcmp(argv[1], "space-pymunk") == 0) scene.space.set_defects(forkmunk::space::Defects::pymunk);
    if (std::strcmp(argv[1], "space-stock") == 0) scene.space.set_defects(forkmunk::space::Defects::stock);
    BuiltScene built;
    {
      const auto building = scene.space.enter();
      built = build_scene(space_scene_api(), scene.space.space(), *kind, body_count);
    }
    run(scene);
  }
}
