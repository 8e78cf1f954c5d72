#include <forkmunk/referee/tournament_result.h>

#include <algorithm>
#include <cmath>

namespace forkmunk::referee {

void TimeHistogram::add(double ms) {
  const double us = std::max(ms * 1000, 1e-3);
  ++buckets_[static_cast<int>(std::floor(std::log2(us) * 8))];
  ++count_;
  total_ms_ += ms;
  max_ms_ = std::max(max_ms_, ms);
}

void TimeHistogram::add(const TimeHistogram& other) {
  for (const auto& [bucket, count] : other.buckets_) buckets_[bucket] += count;
  count_ += other.count_;
  total_ms_ += other.total_ms_;
  max_ms_ = std::max(max_ms_, other.max_ms_);
}

TimeHistogram TimeHistogram::from(const Data& data) {
  TimeHistogram histogram;
  histogram.buckets_ = data.buckets;
  for (const auto& [bucket, count] : data.buckets) histogram.count_ += count;
  histogram.total_ms_ = data.total_ms;
  histogram.max_ms_ = data.max_ms;
  return histogram;
}

double TimeHistogram::mean_ms() const noexcept { return count_ == 0 ? 0 : total_ms_ / static_cast<double>(count_); }

double TimeHistogram::quantile_ms(double p) const noexcept {
  const double rank = std::ceil(p * static_cast<double>(count_));
  double passed = 0;
  for (const auto& [bucket, count] : buckets_) {
    passed += static_cast<double>(count);
    if (passed >= rank) return std::min(max_ms_, std::exp2((bucket + 1) / 8.0) / 1000);
  }
  return max_ms_;
}

}  // namespace forkmunk::referee
