// SPDX-License-Identifier: MIT
#pragma once

#include "random_scene.h"
#include "scene.h"

#include <vector>

namespace lockstep_scene {

void change_contacts(cpBody* body);

class BuiltScene final : public lockstep::Scene {
 public:
  BuiltScene(const lockstep::Plan& plan, cpSpace* space);
  void step() override;
  void observe(lockstep::Words& words) const override;

  void note(double x);
  void note(std::uint64_t word) { log_.push_back(word); }
  /// Sums, because Chipmunk takes the order from addresses.
  void note_separation(std::uint64_t word) { separations_ += word; }
  bool has(lockstep::Trouble trouble) const { return plan_.trouble == trouble; }
  random_scene::Random& random() { return random_; }
  const std::vector<cpBody*>& bodies() const { return bodies_; }
  void add_body();
  void remove_body(cpBody* body);
  void step_other_space();

 private:
  void add_floor();
  void add_drum();
  void add_shape(cpBody* body);
  cpBody* new_body(cpVect position);
  cpConstraint* new_joint(cpBody* a, cpBody* b);
  void add_joint(cpBody* a, cpBody* b);
  void add_odd_joints();
  void add_handlers();
  void build_pyramid();
  void build_chains();
  void build_heap();
  cpBody* any_body();
  void act();
  void disturb();
  void change_type(cpBody* body);
  void make_trouble();

  const lockstep::Plan plan_;
  cpSpace* const space_;
  random_scene::Random random_;
  std::vector<cpBody*> bodies_;
  int joint_kind_;  // -1: all kinds
  cpBody* drum_ = nullptr;
  cpShape* moved_ = nullptr;
  cpSpace* other_ = nullptr;
  int steps_ = 0;
  std::uint64_t separations_ = 0;
  mutable lockstep::Words log_;
};

}  // namespace lockstep_scene
