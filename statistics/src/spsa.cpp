#include <forkmunk/statistics/spsa.h>

#include <cmath>

namespace forkmunk::statistics {
namespace {

// One sign for each parameter, from the bits of SplitMix64.
double sign(std::uint64_t seed, std::size_t parameter) noexcept {
  std::uint64_t x = seed + (parameter + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return ((x ^ (x >> 31)) & 1) != 0 ? 1 : -1;
}

double shrunk(std::int64_t done, double settling, double power) {
  return std::pow(1 + static_cast<double>(done) / settling, -power);
}

}  // namespace

Spsa::Spsa(std::vector<double> start, std::vector<double> perturbation, const Options& options, std::int64_t done)
    : parameters_(std::move(start)), perturbation_(std::move(perturbation)), options_(options), done_(done) {}

std::vector<double> Spsa::moved(std::uint64_t seed, bool up) const {
  const double c = (up ? 1 : -1) * shrunk(done_, options_.settling, 0.101);
  std::vector<double> result = parameters_;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] += c * perturbation_[i] * sign(seed, i);
  return result;
}

void Spsa::learn(std::span<const Comparison> comparisons) {
  const double step = options_.rate * shrunk(done_, options_.settling, 0.602) * shrunk(done_, options_.settling, 0.101);
  for (const Comparison& comparison : comparisons) {
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      parameters_[i] += step * comparison.result * perturbation_[i] * sign(comparison.seed, i);
    }
  }
  done_ += static_cast<std::int64_t>(comparisons.size());
}

}  // namespace forkmunk::statistics
