// SPDX-License-Identifier: MIT
#pragma once

#include "random_scene.h"

#include <cstdlib>
#include <memory>
#include <vector>

namespace random_scene {

/// A scene in a space of either Chipmunk, which frees its own objects.
class PlainHost : public Host {
 public:
  explicit PlainHost(cpSpace* space) : space_(space) {}
  SceneState* make_scene() override { return make<SceneState>(); }
  Note* make_note() override { return make<Note>(); }
  Counter* make_counter() override { return make<Counter>(); }
  void release(void*) override {}
  cpSpace* main_space() override { return space_; }
  void step(cpSpace* space, double dt) override { cpSpaceStep(space, dt); }
  void act_inside(SceneState& state, void (*act)(Host&, SceneState&)) override { act(*this, state); }

 private:
  template <typename T>
  T* make() {
    blocks_.push_back(std::shared_ptr<void>(std::calloc(1, sizeof(T)), &std::free));
    return static_cast<T*>(blocks_.back().get());
  }

  std::vector<std::shared_ptr<void>> blocks_;
  cpSpace* space_;
};

}  // namespace random_scene
