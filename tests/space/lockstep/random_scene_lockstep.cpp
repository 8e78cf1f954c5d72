// SPDX-License-Identifier: MIT
#include "observe.h"
#include "plain_host.h"

namespace lockstep_scene {
namespace {

class RandomScene final : public lockstep::Scene {
 public:
  RandomScene(std::uint64_t seed, cpSpace* space) : host_(space), state_(random_scene::build(host_, seed, false)) {}
  void step() override { random_scene::advance(host_, *state_); }
  void observe(lockstep::Words& words) const override {
    words.push_back(random_scene::hash_of_motion(*state_));
    for (const cpSpace* space : state_->spaces) {
      if (space != nullptr) lockstep_scene::observe(space, words);
    }
  }

 private:
  random_scene::PlainHost host_;
  random_scene::SceneState* state_;
};

}  // namespace

std::unique_ptr<lockstep::Scene> make_random(std::uint64_t seed, cpSpace* space) {
  return std::make_unique<RandomScene>(seed, space);
}

}  // namespace lockstep_scene
