// The simplest planner, a baseline: the best of going left, stopping and going right for 50 ticks.
//
// Cost: 3 * 50 ticks for each reply.

#include "planners/planners.h"

#include <limits>

namespace forkmunk::search {
namespace {

constexpr int kHorizon = 50;
constexpr double kDiscount = 0.98;

class Straight final : public PlanSearch {
 public:
  explicit Straight(const PlannerOptions& options) {
    scoring_.horizon = options.horizon.value_or(kHorizon);
    scoring_.discount = options.discount.value_or(kDiscount);
  }

  void begin_match(int) override { best_.plan = Plan(scoring_.horizon, engine::Command::stop); }
  void advance(int) override {}
  [[nodiscard]] std::size_t states_per_reply() const noexcept override { return 2 * playout_states(scoring_); }
  [[nodiscard]] const Plan& best() const noexcept override { return best_.plan; }
  [[nodiscard]] std::optional<double> score() const noexcept override {
    return known_ ? std::optional(best_.score) : std::nullopt;
  }

  void carry(PlannerState& state) override { state(best_.plan, scoring_.horizon); }

  void improve(Playouts& playouts, engine::Player side, std::span<const Plan> replies, double until) override {
    playouts.face(side, replies, scoring_);
    double floor = -std::numeric_limits<double>::infinity();
    known_ = false;
    for (const engine::Command command :
         {best_.plan.at(0), engine::Command::left, engine::Command::stop, engine::Command::right}) {
      trial_.plan = Plan(scoring_.horizon, command);
      if (playouts.play(trial_, nullptr, 0, floor, until)) {
        std::swap(best_, trial_);
        floor = best_.score;
        known_ = true;
      }
    }
  }

 private:
  Scoring scoring_;
  bool known_ = false;  // best_ has been played against the present replies
  Trial best_;
  Trial trial_;
};

}  // namespace

std::unique_ptr<PlanSearch> make_straight(const PlannerOptions& options, Random) {
  return std::make_unique<Straight>(options);
}

}  // namespace forkmunk::search
