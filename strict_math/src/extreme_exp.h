#pragma once

#include <forkmunk/strict_math/inlined.h>

namespace forkmunk::strict_math {

/// sign e^x from its factors where the result may be beyond the normal doubles: |x| from 512 to 1024.
///
/// \param factors  scale_bits has the sign.
/// \param steps    bit 31 is set if x is negative.
[[nodiscard]] double scaled_far(const inlined::ExpFactors& factors, std::uint64_t steps) noexcept;

/// Results that overflow or underflow.
[[nodiscard]] double overflown(bool negative) noexcept;
[[nodiscard]] double underflown(bool negative) noexcept;

}  // namespace forkmunk::strict_math
