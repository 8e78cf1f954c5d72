#include "bench/support/scene.h"
#include "bench/support/stock_world.h"
#include "bench/support/timing.h"

#include <forkmunk/engine/world.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

/// One scene's match in one engine, run by scripts/step_instructions under callgrind. Only counted_steps() is counted.
namespace forkmunk::bench {
namespace {

template <typename AnyWorld>
[[gnu::noinline]] void counted_steps(AnyWorld& world, const Scene& scene) {
  step_along(world, scene, 0, scene.commands.size());
  keep(&world);
}

template <typename AnyWorld>
void play(AnyWorld&& world, const Scene& scene) {
  world.begin_match(scene.setup);
  counted_steps(world, scene);
}

int run(const char* engine, std::size_t index) {
  const std::vector<Scene> scenes = builtin_scenes();
  if (index >= scenes.size()) return 2;
  const Scene& scene = scenes[index];
  if (std::strcmp(engine, "stock") == 0) {
    play(StockWorld(Arithmetic::strict), scene);
  } else {
    play(engine::World(engine::parse_physics(Arithmetic::strict, engine)), scene);
  }
  std::printf("%s %s %zu\n", scene.map.c_str(), scene.car.c_str(), scene.commands.size());
  return 0;
}

}  // namespace
}  // namespace forkmunk::bench

int main(int argc, char** argv) {
  const int code = argc == 3 ? forkmunk::bench::run(argv[1], static_cast<std::size_t>(std::atoi(argv[2]))) : 2;
  if (code != 0) std::fputs("usage: step_instructions stock|chipmunk|flat SCENE   (SCENE: 0 to 17)\n", stderr);
  return code;
}
