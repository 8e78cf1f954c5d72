#pragma once

namespace forkmunk::referee::statistics {

/// A 95 % confidence interval, in the unit of the estimated value.
struct Interval {
  double low = 0;
  double high = 0;
};

/// The standard normal quantile at 0.975: half the width of a 95 % interval in standard errors.
inline constexpr double kNormalQuantile95 = 1.959963984540054;

/// Wilson's score interval for a proportion: all p for which `proportion` is at most kNormalQuantile95 standard errors
/// away from p, with the standard error at p. Unlike the Wald interval it does not shrink to a point at 0 and 1.
///
/// \param proportion   0..1
/// \param sample_size  > 0; may be a fractional effective sample size.
/// \return within 0..1; ends in exactly 0 at proportion 0 and in exactly 1 at proportion 1.
/// Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", J. Am. Stat. Assoc. 22
/// (1927), 209-212.
[[nodiscard]] Interval wilson_interval(double proportion, double sample_size) noexcept;

}  // namespace forkmunk::referee::statistics
