#include "observe.h"
#include "random_scene.h"

#include <cstdlib>

namespace lockstep_scene {
namespace {

/// A scene of random_scene.h.
class RandomScene final : public lockstep::Scene, public random_scene::Host {
 public:
  RandomScene(std::uint64_t seed, cpSpace* space) : space_(space), state_(random_scene::build(*this, seed, false)) {}
  void step() override { random_scene::advance(*this, *state_); }
  void observe(lockstep::Words& words) const override {
    words.push_back(random_scene::hash_of_motion(*state_));
    for (const cpSpace* space : state_->spaces) {
      if (space != nullptr) lockstep_scene::observe(space, words);
    }
  }

  random_scene::SceneState* make_scene() override { return make<random_scene::SceneState>(); }
  random_scene::Note* make_note() override { return make<random_scene::Note>(); }
  random_scene::Counter* make_counter() override { return make<random_scene::Counter>(); }
  void release(void*) override {}
  cpSpace* main_space() override { return space_; }
  void step(cpSpace* space, double dt) override { cpSpaceStep(space, dt); }
  void act_inside(random_scene::SceneState& state, void (*act)(Host&, random_scene::SceneState&)) override {
    act(*this, state);
  }

 private:
  // All of one scene's memory goes with it.
  template <typename T>
  T* make() {
    blocks_.push_back(std::shared_ptr<void>(std::calloc(1, sizeof(T)), &std::free));
    return static_cast<T*>(blocks_.back().get());
  }

  std::vector<std::shared_ptr<void>> blocks_;
  cpSpace* space_;
  random_scene::SceneState* state_;
};

}  // namespace

std::unique_ptr<lockstep::Scene> make_random(std::uint64_t seed, cpSpace* space) {
  return std::make_unique<RandomScene>(seed, space);
}

}  // namespace lockstep_scene
