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

/// Planners for continuous controls over any world. They draw plans at random, have them scored, and draw the next ones
/// around those that cost least. How plans are scored is the caller's: in one world (playouts_in()), in a batch of
/// copies (space::Batch::rollout()), or by anything else.
///
///   action   `width` numbers, one for each control
///   plan     `horizon` actions
///   round    `plan_count` plans drawn and scored
///
/// The same seed and the same costs give the same plans on every machine.
namespace forkmunk::search {

enum class SamplingMethod : std::uint8_t {
  /// The cross-entropy method: numbers are drawn from normal distributions, which are fitted to the best plans of the
  /// round (Rubinstein 1999).
  cross_entropy,
  /// Model predictive path integral control: the plan becomes the mean of the plans drawn around it, with weights that
  /// fall exponentially with their cost (Williams et al. 2017).
  path_integral,
  /// Hill climbing over plans whose actions are held for some time: children of the best plan with one stretch of it
  /// replaced.
  stretched,
};

struct SamplingOptions {
  std::size_t horizon = 10;  ///< Actions of a plan.
  /// The limits of each control, from -1e100 to 1e100; as many as an action has numbers. No plan goes beyond them.
  std::vector<double> low, high;
  std::size_t plan_count = 256;  ///< Of a round; 3 or more, 2 or more for stretched.
  std::size_t round_count = 3;
  std::size_t hold = 1;    ///< Actions that are drawn equal in a row: slower, but farther exploration.
  double spread = 0.25;    ///< Standard deviation of the first draws, as a part of high - low.
  double elites = 0.1;     ///< cross_entropy: the part of the plans that the distributions are fitted to.
  double temperature = 1;  ///< path_integral: a plan that costs so much more than the best weighs 1/e as much.
  std::uint64_t seed = 0;
};

/// Scores plans: plans.size() is costs.size() x horizon x width. A lower cost is better; one that is no number is the
/// worst.
using ScorePlans = std::function<void(std::span<const double> plans, std::span<double> costs)>;

/// Draws plans; see above. Cost of plan(): that of the scores, and a few random numbers for each number of a plan.
class SampledPlanner {
 public:
  /// \throws Error for options that are out of range.
  SampledPlanner(SamplingMethod method, SamplingOptions options);

  /// Searches on from the plan found last, if any. \return the plan, horizon x width, good until the next call. What
  /// `score` throws comes out of here, with the plan as it was before the round.
  std::span<const double> plan(const ScorePlans& score);
  /// The plan found last; the middle of the limits before the first.
  [[nodiscard]] std::span<const double> best() const noexcept;
  /// The lowest cost of the last plan() call; infinite before, after advance(), and if no plan had a number for a cost.
  [[nodiscard]] double cost() const noexcept { return cost_; }
  /// The plan's first actions have been taken: the next search starts from the rest, its last action repeated.
  void advance(std::size_t action_count = 1);
  /// Forgets the plan, not the state of the random generator.
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
  std::size_t size_;               // numbers of a plan
  std::vector<double> mean_;       // by number of a plan
  std::vector<double> deviation_;  // by number of a plan
  std::vector<double> best_;       // the cheapest plan since the last advance()
  double cost_;
  std::vector<double> plans_, costs_;
  std::vector<std::size_t> order_;  // of plans, by cost
};

/// A world that plans are played in one by one. `State` is what it saves; cost() is added up over the actions, each
/// after its step().
template <typename World>
concept PlayableWorld = requires(World& world, typename World::State& state, std::span<const double> action) {
  world.save(state);
  world.restore(state);
  world.step(action);
  { world.cost() } -> std::convertible_to<double>;
};

/// Scores plans in `world`, from its present state, which it has again afterwards. \param options  those of the
/// planner. The returned function throws Error for plans of another horizon or width.
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
