#include "best_planner.h"

namespace forkmunk::search {

BestPlanner::BestPlanner(const PlannerOptions& options)
    : buggies_(make_planner("stretched", options)), bus_(make_planner("genetic", options)), current_(buggies_.get()) {}

void BestPlanner::begin_match(const engine::World& world, engine::Player me) {
  current_ = kind_of(world.setup().car) == CarKind::bus ? bus_.get() : buggies_.get();
  current_->begin_match(world, me);
}

}  // namespace forkmunk::search
