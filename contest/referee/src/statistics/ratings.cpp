#include <forkmunk/referee/statistics/ratings.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace forkmunk::referee::statistics {
namespace {

constexpr double kRelativeTolerance = 1e-12;
// Only groups of bots with very few games between them need more than some thousand.
constexpr int kSweepsMax = 100'000;
constexpr double kEloPerLogStrength = 400 / std::numbers::ln10;

/// A square matrix, one row and one column a bot.
class Table {
 public:
  explicit Table(std::size_t size) : size_(size), values_(size * size) {}
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] double& at(std::size_t row, std::size_t column) noexcept { return values_[row * size_ + column]; }
  [[nodiscard]] double at(std::size_t row, std::size_t column) const noexcept { return values_[row * size_ + column]; }

 private:
  std::size_t size_;
  std::vector<double> values_;
};

/// All games, including those of the prior.
struct Games {
  Table between;               ///< Symmetric; the diagonal is 0.
  std::vector<double> points;  ///< [bot]; above 0.
};

Games collect(std::size_t bot_count, std::span<const Pairing> pairings, double prior_draws) {
  Games games{.between = Table(bot_count), .points = std::vector<double>(bot_count, prior_draws / 2)};
  for (std::size_t i = 0; i < bot_count; ++i) {
    for (std::size_t j = 0; j < bot_count; ++j) {
      if (i != j) games.between.at(i, j) = prior_draws / static_cast<double>(bot_count - 1);
    }
  }
  for (const auto& [first, second, record] : pairings) {
    const auto count = static_cast<double>(record.games());
    games.between.at(first, second) += count;
    games.between.at(second, first) += count;
    games.points[first] += static_cast<double>(record.wins) + static_cast<double>(record.draws) / 2;
    games.points[second] += static_cast<double>(record.losses) + static_cast<double>(record.draws) / 2;
  }
  return games;
}

/// One sweep of MM over all bots. Returns the largest of |points / expected points - 1|.
double sweep(const Games& games, std::vector<double>& strengths) {
  double worst = 0;
  for (std::size_t i = 0; i < strengths.size(); ++i) {
    double expected_per_strength = 0;
    for (std::size_t j = 0; j < strengths.size(); ++j) {
      expected_per_strength += games.between.at(i, j) / (strengths[i] + strengths[j]);
    }
    const double strength = games.points[i] / expected_per_strength;
    worst = std::max(worst, std::abs(strength / strengths[i] - 1));
    strengths[i] = strength;
  }
  return worst;
}

/// Subtracts the mean: MM does not determine the scale of the strengths.
std::vector<double> centered_logarithms(std::vector<double> strengths) {
  double mean = 0;
  for (double& strength : strengths) {
    strength = std::log(strength);
    mean += strength / static_cast<double>(strengths.size());
  }
  for (double& strength : strengths) strength -= mean;
  return strengths;
}

/// Inverts a symmetric positive definite matrix in place (Gauss-Jordan; such a matrix needs no pivoting).
void invert(Table& matrix) {
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    const double pivot = matrix.at(k, k);
    matrix.at(k, k) = 1;
    for (std::size_t j = 0; j < matrix.size(); ++j) matrix.at(k, j) /= pivot;
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      if (i == k) continue;
      const double factor = matrix.at(i, k);
      matrix.at(i, k) = 0;
      for (std::size_t j = 0; j < matrix.size(); ++j) matrix.at(i, j) -= factor * matrix.at(k, j);
    }
  }
}

/// The covariance of the log strengths: the pseudoinverse of the Fisher information F, whose rows sum to 0 because a
/// common factor of all strengths changes nothing. With J all ones, it is inverse(F + J / n) - J / n.
Table covariance_of(const Games& games, const std::vector<double>& log_strengths) {
  const std::size_t size = log_strengths.size();
  const double share = 1 / static_cast<double>(size);
  Table matrix(size);
  for (std::size_t i = 0; i < size; ++i) {
    matrix.at(i, i) += share;
    for (std::size_t j = 0; j < size; ++j) {
      if (i == j) continue;
      const double p = 1 / (1 + std::exp(log_strengths[j] - log_strengths[i]));
      const double information = games.between.at(i, j) * p * (1 - p);
      matrix.at(i, i) += information;
      matrix.at(i, j) = share - information;
    }
  }
  invert(matrix);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) matrix.at(i, j) -= share;
  }
  return matrix;
}

}  // namespace

std::vector<Rating> ratings_of(std::size_t bot_count, std::span<const Pairing> pairings, double prior_draws) {
  std::vector<Rating> ratings(bot_count);
  if (bot_count < 2) return ratings;  // alone, a bot is its own mean
  const Games games = collect(bot_count, pairings, prior_draws);
  std::vector<double> strengths(bot_count, 1.0);
  for (int i = 0; i < kSweepsMax && sweep(games, strengths) > kRelativeTolerance; ++i) {}
  const std::vector<double> log_strengths = centered_logarithms(std::move(strengths));
  const Table covariance = covariance_of(games, log_strengths);
  for (std::size_t i = 0; i < bot_count; ++i) {
    const double elo = kEloPerLogStrength * log_strengths[i];
    const double standard_error = kEloPerLogStrength * std::sqrt(std::max(0.0, covariance.at(i, i)));
    const double half_width = kNormalQuantile95 * standard_error;
    ratings[i] = {elo, standard_error, {.low = elo - half_width, .high = elo + half_width}};
  }
  return ratings;
}

}  // namespace forkmunk::referee::statistics
