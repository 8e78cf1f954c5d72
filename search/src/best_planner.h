#pragma once

#include <forkmunk/search/planner.h>

#include <memory>

namespace forkmunk::search {

/// The planner that plays each kind of car best (docs/strength.md): stretched actions for buggies, the genetic one for
/// the bus.
class BestPlanner final : public Planner {
 public:
  explicit BestPlanner(const PlannerOptions& options);

  void begin_match(const engine::World& world, engine::Player me) override;
  [[nodiscard]] Decision decide(engine::World& world, engine::Command enemy_last, Budget& budget) override {
    return current_->decide(world, enemy_last, budget);
  }
  void watch(std::vector<Candidate>* candidates) override {
    buggies_->watch(candidates);
    bus_->watch(candidates);
  }

 private:
  std::unique_ptr<Planner> buggies_;
  std::unique_ptr<Planner> bus_;
  Planner* current_;
};

}  // namespace forkmunk::search
