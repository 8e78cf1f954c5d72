#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace forkmunk::statistics {

/// Improves many parameters at once by noisy comparisons: simultaneous perturbation stochastic approximation.
///
/// Idea: all parameters x are moved together, each up or down by a random sign s, and x + c s plays x - c s. The result
/// r, from -1 (lost) to 1 (won), moves them: x += a r c s. In the long run each goes where it wins, the others' noise
/// averages out. Steps shrink with the comparisons n that were made: a = a0 / (1 + n / N)^0.602, c = c0 / (1 + n /
/// N)^0.101. Source: Spall 1992; the exponents are his, a relative to c and one result a step are as chess engines do
/// it.
class Spsa {
 public:
  struct Options {
    double rate = 0.06;      ///< a0, of the perturbation.
    double settling = 1000;  ///< N, comparisons.
  };

  /// \param start  the parameters.   \param perturbation  c0 of each, above 0.   \param done  comparisons made before.
  Spsa(std::vector<double> start, std::vector<double> perturbation, const Options& options, std::int64_t done = 0);

  /// The parameters moved by the signs that `seed` draws: up, or all the other way.
  [[nodiscard]] std::vector<double> moved(std::uint64_t seed, bool up) const;
  /// The result of moved(seed, true) against moved(seed, false), -1 to 1.
  struct Comparison {
    std::uint64_t seed = 0;
    double result = 0;
  };
  /// Moves the parameters by comparisons that were all made from the present ones.
  void learn(std::span<const Comparison> comparisons);

  [[nodiscard]] const std::vector<double>& parameters() const noexcept { return parameters_; }
  [[nodiscard]] std::int64_t comparisons() const noexcept { return done_; }

 private:
  std::vector<double> parameters_;
  std::vector<double> perturbation_;
  Options options_;
  std::int64_t done_;
};

}  // namespace forkmunk::statistics
