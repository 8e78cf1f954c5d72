// SPDX-License-Identifier: MIT

#include <forkmunk/referee/statistics.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

namespace forkmunk::referee::statistics {

Interval wilson_interval(double proportion, double sample_size) noexcept {
  const double z2 = kNormalQuantile95 * kNormalQuantile95 / sample_size;
  const double center = (proportion + z2 / 2) / (1 + z2);
  const double half_width = std::sqrt(z2 * (proportion * (1 - proportion) + z2 / 4)) / (1 + z2);
  // Rounding must not move the ends away from 0 and 1, because 1 - 1e-16 would be a finite Elo.
  return {.low = proportion <= 0 ? 0 : std::max(0.0, center - half_width),
          .high = proportion >= 1 ? 1 : std::min(1.0, center + half_width)};
}

/// The counts of `size` equidistant results from 0 to 1, in ascending order.
template <std::size_t size>
using Counts = std::array<double, size>;

[[nodiscard]] inline Counts<3> counts_of(const Record& record) noexcept {
  return {static_cast<double>(record.losses), static_cast<double>(record.draws), static_cast<double>(record.wins)};
}

[[nodiscard]] inline Counts<5> counts_of(const PairRecord& record) noexcept {
  Counts<5> counts{};
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = static_cast<double>(record.counts[i]);
  return counts;
}

template <std::size_t size>
[[nodiscard]] constexpr double worth(std::size_t i) noexcept {
  return static_cast<double>(i) / static_cast<double>(size - 1);
}

template <std::size_t size>
[[nodiscard]] double total(const Counts<size>& counts) noexcept {
  double sum = 0;
  for (const double count : counts) sum += count;
  return sum;
}

void Record::add(Result result) noexcept {
  switch (result) {
    case Result::loss: ++losses; break;
    case Result::draw: ++draws; break;
    case Result::win: ++wins; break;
  }
}

void PairRecord::add(Result first, Result second) noexcept {
  ++counts[static_cast<std::size_t>(first) + static_cast<std::size_t>(second)];
}

std::uint64_t PairRecord::pairs() const noexcept {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

namespace {

struct Moments {
  double mean = 0;
  double variance = 0;
};

template <std::size_t size>
Moments moments_of(const Counts<size>& counts) noexcept {
  Moments moments;
  const double n = total(counts);
  for (std::size_t i = 0; i < size; ++i) moments.mean += counts[i] * worth<size>(i);
  moments.mean /= n;
  for (std::size_t i = 0; i < size; ++i) {
    const double deviation = worth<size>(i) - moments.mean;
    moments.variance += counts[i] * deviation * deviation;
  }
  moments.variance /= n;
  return moments;
}

/// Returns f of score_of(), which is in (0, 1].
template <std::size_t size>
double variance_fraction(Counts<size> counts) noexcept {
  counts.front() += 2;
  counts.back() += 2;
  const Moments moments = moments_of(counts);
  return moments.variance / (moments.mean * (1 - moments.mean));
}

template <std::size_t size>
std::optional<Score> score_of_counts(const Counts<size>& counts) noexcept {
  const double n = total(counts);
  if (n == 0) return std::nullopt;
  const Moments moments = moments_of(counts);
  return Score{.value = moments.mean,
               .standard_error = std::sqrt(moments.variance / n),
               .interval = wilson_interval(moments.mean, n / variance_fraction(counts))};
}

}  // namespace

std::optional<Score> score_of(const Record& record) noexcept { return score_of_counts(counts_of(record)); }

std::optional<Score> score_of(const PairRecord& record) noexcept { return score_of_counts(counts_of(record)); }

double elo_from_score(double score) noexcept {
  if (score <= 0) return -std::numeric_limits<double>::infinity();
  if (score >= 1) return std::numeric_limits<double>::infinity();
  return 400 * std::log10(score / (1 - score));
}

double score_from_elo(double elo) noexcept { return 1 / (1 + std::pow(10.0, -elo / 400)); }

EloDifference elo_of(const Score& score) noexcept {
  return {.value = elo_from_score(score.value),
          .interval = {.low = elo_from_score(score.interval.low), .high = elo_from_score(score.interval.high)}};
}

namespace {

constexpr double kRelativeTolerance = 1e-12;
// Only bots with very few games between them need more than some thousand sweeps.
constexpr int kSweepsMax = 100'000;
constexpr double kEloPerLogStrength = 400 / std::numbers::ln10;

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

/// Does one sweep of MM. \return the largest |points / expected points - 1|.
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

/// MM does not determine the scale of the strengths, so the mean is subtracted.
std::vector<double> centered_logarithms(std::vector<double> strengths) {
  double mean = 0;
  for (double& strength : strengths) {
    strength = std::log(strength);
    mean += strength / static_cast<double>(strengths.size());
  }
  for (double& strength : strengths) strength -= mean;
  return strengths;
}

/// Inverts a symmetric positive definite matrix in place (Gauss-Jordan without pivoting).
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

/// Returns the covariance of the log strengths: the pseudoinverse of the Fisher information F, whose rows sum to 0.
/// With J all ones, it is inverse(F + J / n) - J / n.
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

namespace {

constexpr double kCountOfNever = 1e-3;
// More than the bits of a double, for an interval of length about 4.
constexpr int kHalvings = 64;

/// Returns x of log_likelihood_ratio(). The sum falls from +infinity to -infinity between the two poles.
double tilt(const Counts<5>& counts, double s) noexcept {
  double low = -1 / (1 - s);
  double high = 1 / s;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = low + (high - low) / 2;
    double sum = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      const double excess = worth<5>(k) - s;
      sum += counts[k] * excess / (1 + middle * excess);
    }
    (sum > 0 ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

}  // namespace

bool is_valid(const SprtOptions& options) noexcept {
  return -kSprtEloMax <= options.elo0 && options.elo0 < options.elo1 && options.elo1 <= kSprtEloMax &&
         options.alpha > 0 && options.beta > 0 && options.alpha + options.beta < 1;
}

SprtBounds sprt_bounds(const SprtOptions& options) noexcept {
  return {.lower = std::log(options.beta / (1 - options.alpha)), .upper = std::log((1 - options.beta) / options.alpha)};
}

double log_likelihood_ratio(const PairRecord& record, const SprtOptions& options) noexcept {
  Counts<5> counts = counts_of(record);
  if (total(counts) == 0) return 0;
  for (double& count : counts) {
    if (count == 0) count = kCountOfNever;
  }
  const double s0 = score_from_elo(options.elo0);
  const double s1 = score_from_elo(options.elo1);
  const double x0 = tilt(counts, s0);
  const double x1 = tilt(counts, s1);
  double llr = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    llr += counts[i] * (std::log1p(x0 * (worth<5>(i) - s0)) - std::log1p(x1 * (worth<5>(i) - s1)));
  }
  return llr;
}

SprtDecision sprt_decision(double llr, const SprtOptions& options) noexcept {
  const SprtBounds bounds = sprt_bounds(options);
  if (llr <= bounds.lower) return SprtDecision::accept_h0;
  if (llr >= bounds.upper) return SprtDecision::accept_h1;
  return SprtDecision::undecided;
}

std::optional<Summary> summary_of(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  const std::size_t count = values.size();
  // Before the reordering, which differs between standard libraries.
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  const std::size_t rank = count - count / 100;  // the ceiling of 0.99 * count
  const auto p99 = values.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(values.begin(), p99, values.end());
  return Summary{.mean = sum / static_cast<double>(count), .p99 = *p99, .max = *std::max_element(p99, values.end())};
}

}  // namespace forkmunk::referee::statistics
