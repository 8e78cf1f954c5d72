#pragma once

#include <forkmunk/strict_math/inlined.h>

namespace forkmunk::strict_math {

/// sign e^x from its factors where the result may be beyond the normal doubles: |x| from 512 to 1024.
///
/// \param factors  scale_bits has the sign.
/// \param steps    whose bit 31 says whether x is negative.
[[nodiscard]] double scaled_far(const inlined::ExpFactors& factors, std::uint64_t steps) noexcept;

/// What is too large, or too small, for a double.
[[nodiscard]] double overflown(bool negative) noexcept;
[[nodiscard]] double underflown(bool negative) noexcept;

}  // namespace forkmunk::strict_math
