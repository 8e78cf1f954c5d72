#pragma once

namespace forkmunk::referee::statistics {

/// A 95 % confidence interval, in the unit of what it belongs to.
struct Interval {
  double low = 0;
  double high = 0;
};

/// The standard normal quantile at 0.975: an interval of so many standard errors to each side holds 95 %.
inline constexpr double kNormalQuantile95 = 1.959963984540054;

/// Wilson's score interval for a proportion: those p from which `proportion` lies at most kNormalQuantile95 standard
/// errors away, where the standard error is the one that p itself implies. Unlike the interval around the estimate it
/// does not shrink to a point at 0 and 1.
///
/// \param proportion   0..1
/// \param sample_size  > 0; need not be whole, which admits an effective size.
/// \return within 0..1; ends in exactly 0 at proportion 0 and in exactly 1 at proportion 1.
/// Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", J. Am. Stat. Assoc. 22
/// (1927), 209-212.
[[nodiscard]] Interval wilson_interval(double proportion, double sample_size) noexcept;

}  // namespace forkmunk::referee::statistics
