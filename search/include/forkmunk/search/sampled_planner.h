// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/error.h>
#include <forkmunk/base/random.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

/// Planners for continuous controls over any world. They draw plans at random, have them scored, and draw the next
/// plans around those that cost least. The caller scores the plans: in one world (playouts_in()), in a batch of copies
/// (space::Batch::rollout()), or by anything else. A plan has `horizon` actions of `width` numbers, one for each
/// control. The same seed and the same costs give the same plans on every machine.
namespace forkmunk::search {

enum class SamplingMethod : std::uint8_t {
  /// The cross-entropy method: normal distributions are fitted to the best plans of each round (Rubinstein 1999).
  cross_entropy,
  /// Model predictive path integral control: the plan becomes the mean of the plans drawn around it, with weights that
  /// fall exponentially with their cost (Williams et al. 2017).
  path_integral,
  /// Hill climbing: children replace one stretch of the best plan by an action that is held.
  stretched,
};

struct SamplingOptions {
  std::size_t horizon = 10;  ///< The number of actions.
  /// The limits of each control, from -1e100 to 1e100: one number for each number of an action.
  std::vector<double> low, high;
  std::size_t plan_count = 256;  ///< The plans of a round: 3 or more, for stretched 2 or more.
  std::size_t round_count = 3;
  /// Equal actions drawn in a row. A larger number explores farther, but more slowly.
  std::size_t hold = 1;
  double spread = 0.25;  ///< The standard deviation of the first draws, as a part of high - low.
  /// With cross_entropy, the part of the plans that the distributions are fitted to.
  double elites = 0.1;
  /// With path_integral, the extra cost at which a plan weighs 1/e as much as the best.
  double temperature = 1;
  std::uint64_t seed = 0;
};

/// Scores plans: plans.size() is costs.size() x horizon x width. A lower cost is better; NaN is the worst.
using ScorePlans = std::function<void(std::span<const double> plans, std::span<double> costs)>;

/// Cost of plan(): the scores, and a few random numbers for each number of a plan.
class SampledPlanner {
 public:
  /// \throws Error for options that are out of range.
  SampledPlanner(SamplingMethod method, SamplingOptions options);

  /// Continues from the last plan, if there is one. \return the plan, horizon x width, valid until the next call.
  /// Passes on exceptions of `score`, with the plan as it was before the round.
  std::span<const double> plan(const ScorePlans& score);
  /// Returns the last plan; the middle of the limits before the first plan.
  [[nodiscard]] std::span<const double> best() const noexcept;
  /// Returns the lowest cost of the last plan() call; infinity before the first, after advance(), and if no cost was a
  /// number.
  [[nodiscard]] double cost() const noexcept { return cost_; }
  /// Removes the actions that have been carried out, and repeats the last one.
  void advance(std::size_t action_count = 1);
  /// Forgets the plan, but not the state of the random generator.
  void reset();

  [[nodiscard]] std::size_t width() const noexcept { return options_.low.size(); }
  [[nodiscard]] const SamplingOptions& options() const noexcept { return options_; }

 private:
  [[nodiscard]] double normal() noexcept;
  [[nodiscard]] double clipped(double value, std::size_t number) const noexcept;
  [[nodiscard]] std::span<double> row(std::size_t plan) noexcept { return {&plans_[plan * size_], size_}; }
  void draw_around(std::span<double> plan);
  void draw_child(std::span<double> plan);
  void draw();
  void learn();
  void fit_to_elites();
  void weigh();

  SamplingMethod method_;
  SamplingOptions options_;
  Random random_;
  std::size_t size_;
  std::vector<double> mean_;       // by number of a plan
  std::vector<double> deviation_;  // by number of a plan
  std::vector<double> best_;       // the cheapest plan since the last advance()
  double cost_;
  std::vector<double> plans_, costs_;
  std::vector<std::size_t> order_;  // plans by cost
};

/// A world that plays plans one by one. cost() after each step() is added up.
template <typename World>
concept PlayableWorld = requires(World& world, typename World::State& state, std::span<const double> action) {
  world.save(state);
  world.restore(state);
  world.step(action);
  { world.cost() } -> std::convertible_to<double>;
};

/// Returns a function that scores plans in `world`, from the present state, which it restores. It throws Error for
/// plans of another horizon or width than those of `options`.
template <PlayableWorld World>
[[nodiscard]] ScorePlans playouts_in(World& world, const SamplingOptions& options) {
  return [&world, horizon = options.horizon, width = options.low.size()](std::span<const double> plans,
                                                                         std::span<double> costs) {
    if (plans.size() != costs.size() * horizon * width) {
      throw Error("playouts_in(): the plans have another horizon or number of controls; give the planner's options()");
    }
    typename World::State here;
    world.save(here);
    try {
      for (std::size_t i = 0; i < costs.size(); ++i) {
        costs[i] = 0;
        for (std::size_t t = 0; t < horizon; ++t) {
          world.step(plans.subspan((i * horizon + t) * width, width));
          costs[i] += world.cost();
        }
        world.restore(here);
      }
    } catch (...) {
      world.restore(here);
      throw;
    }
  };
}

}  // namespace forkmunk::search
