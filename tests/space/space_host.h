// SPDX-License-Identifier: MIT
#pragma once

#include "random_scene.h"

#include <forkmunk/space/space.h>

template <>
inline constexpr forkmunk::space::PointerPolicy forkmunk::space::pointer_policy<random_scene::Counter> =
    forkmunk::space::PointerPolicy::none;

namespace random_scene {

class SpaceHost : public Host {
 public:
  explicit SpaceHost(forkmunk::space::Space& world) : world_(world) {}
  SceneState* make_scene() override { return world_.make<SceneState>(); }
  Note* make_note() override { return world_.make<Note>(); }
  Counter* make_counter() override { return world_.make<Counter>(); }
  void release(void* object) override { world_.release(object); }
  cpSpace* main_space() override { return world_.space(); }
  void step(cpSpace* space, double dt) override { space == world_.space() ? world_.step(dt) : cpSpaceStep(space, dt); }
  void act_inside(SceneState& state, void (*act)(Host&, SceneState&)) override {
    const auto scope = world_.enter();
    act(*this, state);
  }

 protected:
  forkmunk::space::Space& world_;
};

}  // namespace random_scene
