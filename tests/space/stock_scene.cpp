#include "random_scene.h"

#include <cstdio>
#include <cstdlib>

/// Runs random scenes with stock Chipmunk on malloc's memory and prints a hash of all motion after each step:
/// stock_scene FIRST_SEED SCENES STEPS.
namespace {

class StockHost final : public random_scene::Host {
 public:
  ~StockHost() override { cpSpaceFree(space_); }
  random_scene::SceneState* make_scene() override { return make<random_scene::SceneState>(); }
  random_scene::Note* make_note() override { return make<random_scene::Note>(); }
  random_scene::Counter* make_counter() override { return make<random_scene::Counter>(); }
  void release(void* object) override { std::free(object); }
  cpSpace* main_space() override { return space_; }
  void step(cpSpace* space, double dt) override { cpSpaceStep(space, dt); }
  void act_inside(random_scene::SceneState& state, void (*act)(Host&, random_scene::SceneState&)) override {
    act(*this, state);
  }

 private:
  template <typename T>
  T* make() {
    return static_cast<T*>(std::calloc(1, sizeof(T)));
  }
  cpSpace* space_ = cpSpaceNew();
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const int first_seed = std::atoi(argv[1]);
  for (int i = 0; i < std::atoi(argv[2]); ++i) {
    StockHost host;
    random_scene::SceneState* state = random_scene::build(host, static_cast<std::uint64_t>(first_seed + i), false);
    for (int step = 0; step < std::atoi(argv[3]); ++step) {
      random_scene::advance(host, *state);
      std::printf("%016llx\n", static_cast<unsigned long long>(random_scene::hash_of_motion(*state)));
    }
  }
  std::fflush(stdout);
  std::_Exit(0);  // what the scenes are made of goes with the process
}
